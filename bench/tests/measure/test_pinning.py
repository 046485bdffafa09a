"""A running process is moved with all its threads."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from springbench.measure.pinning import CAN_PIN, pin

THREADED = """
import threading, time
for _ in range(7):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
print("started", flush=True)
time.sleep(60)
"""


@pytest.fixture
def threaded() -> Iterator[int]:
    """A process with eight threads."""
    with subprocess.Popen([sys.executable, "-c", THREADED], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid
        process.kill()


@pytest.mark.skipif(not CAN_PIN, reason="only Linux can pin")
def test_every_thread_is_moved(threaded: int) -> None:
    last = frozenset({max(os.sched_getaffinity(0))})
    pin(threaded, last)
    threads = [int(entry.name) for entry in Path(f"/proc/{threaded}/task").iterdir()]
    assert len(threads) == 8
    assert {os.sched_getaffinity(thread) == last for thread in threads} == {True}


@pytest.mark.skipif(not CAN_PIN, reason="only Linux can pin")
def test_nothing_to_pin_to_and_nobody_to_pin_are_no_mistake(threaded: int) -> None:
    before = os.sched_getaffinity(threaded)
    pin(threaded, frozenset())
    assert os.sched_getaffinity(threaded) == before
    pin(2**30, frozenset(before))
