"""Whether a signal would end a process is read of a real one."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from springbench.measure.readings.tree import catches

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone tells it")
WAITS = "import signal, sys; sys.stdin.readline(); signal.signal(signal.SIGUSR1, print); print(1)"


@pytest.mark.process
def test_a_handler_is_seen_once_it_stands() -> None:
    with subprocess.Popen(
        [sys.executable, "-uc", f"{WAITS}; sys.stdin.readline()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert not catches(process.pid, signal.SIGUSR1)
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        assert catches(process.pid, signal.SIGUSR1)
        assert not catches(process.pid, signal.SIGUSR2)
        process.stdin.write("\n")
        process.stdin.flush()
        process.wait(10)
    # nobody there: a signal ends nothing
    assert catches(process.pid, signal.SIGUSR1)
