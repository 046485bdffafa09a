"""Heap in use, as jcmd tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.measure.readings.at_rest import parse, used_bytes
from tests.fakes import FakeShell

SERIAL = """\
4711:
 def new generation   total 198208K, used 31717K [0x00000000c0000000, 0x00000000cd700000)
  eden space 176192K,  18% used [0x00000000c0000000, 0x00000000c1ef9668)
 tenured generation   total 440512K, used 1000K [0x00000000e5100000, 0x0000000100000000)
   the space 440512K,   0% used [0x00000000e5100000, 0x00000000e5100000)
 Metaspace       used 15832K, committed 16128K, reserved 1114112K
  class space    used 2044K, committed 2176K, reserved 1048576K
"""
G1 = """\
4711:
 garbage-first heap   total reserved 1048576K, committed 262144K, used 20480K [0x00, 0x01)
  region size 1024K, 20 young (20480K), 0 survivors (0K)
 Metaspace       used 15832K, committed 16128K, reserved 1114112K
"""


@pytest.mark.parametrize(("text", "kib"), [(SERIAL, 32717), (G1, 20480)])
def test_all_generations_together_and_nothing_beside_the_heap(text: str, kib: int) -> None:
    assert parse(text) == kib * 1024


def test_a_process_that_does_not_tell_has_none() -> None:
    shell = FakeShell()
    shell.answer("jcmd", stderr="AttachNotSupportedException", code=1)
    assert used_bytes(shell, Path("/jdk-25/bin/java"), 4711) is None
    assert shell.commands == ["/jdk-25/bin/jcmd 4711 GC.heap_info"]
    shell.answer("jcmd", error=FileNotFoundError(2, "no jcmd"))
    assert used_bytes(shell, Path("/jdk-25/bin/java"), 4711) is None
