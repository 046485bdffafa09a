"""Calls of the kernel that read or write, as the kernel counts them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from springbench.host.process_tree import ProcessTree
from springbench.measure.readings.tree import TreeReadings

# does it once for each line that it is sent
WORKER = """
import os, sys
out = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
for _ in sys.stdin:
    for _ in range(1000):
        os.write(out, b"x" * 9)
        os.pread(out, 9, 0)
    print("done", flush=True)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux counts them")
@pytest.mark.process
def test_each_call_is_counted_whatever_it_carries(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WORKER, str(tmp_path / "file")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        readings, counted = TreeReadings(ProcessTree(worker.pid)), []
        for _ in range(2):
            worker.stdin.write("go\n")
            worker.stdin.flush()
            assert worker.stdout.readline() == "done\n"
            counted.append(readings.calls())
        worker.stdin.close()
    before, after = counted
    assert before is not None
    assert after is not None
    # and the line that it was sent, and the one that it printed, which is counted a moment later
    assert 1000 <= after.reads - before.reads <= 1002
    assert 1000 <= after.writes - before.writes <= 1002
