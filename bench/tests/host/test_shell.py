"""Processes that are started, and ended with all that they have started."""

from __future__ import annotations

import time
from pathlib import Path

import psutil
import pytest

from springbench.host.shell import RealShell

# ends at the signal, and leaves a child that does not
LEAVES_A_CHILD = """
(trap '' TERM; exec sleep 60) &
echo $!
wait
"""


@pytest.mark.process
def test_a_child_that_ignores_the_signal_does_not_outlive_its_parent(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as output:
        running = RealShell().start(["sh", "-c", LEAVES_A_CHILD], stdout=output)
    until_s = time.monotonic() + 10
    while not log.read_text("utf-8").endswith("\n"):
        assert time.monotonic() < until_s
        time.sleep(0.01)
    child = psutil.Process(int(log.read_text("utf-8")))
    time.sleep(0.1)  # until it ignores the signal
    running.stop(grace_s=2.0)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
