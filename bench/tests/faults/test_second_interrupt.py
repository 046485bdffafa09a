"""A second Ctrl-C, while the first one is being dealt with. One is in `commands/test_run.py`."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.conftest import left_behind
from tests.processes import DEAF, PAY, on_fakes, running

pytestmark = pytest.mark.system

# each flush to the disk takes a while, and leaves a line in the file `saving`
SLOW_DISK = """
import os, time
flush = os.fsync
def slow_flush(descriptor):
    with open("saving", "a") as saving:
        saving.write("x")
    time.sleep(0.4)
    flush(descriptor)
os.fsync = slow_flush
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_while_saving(tmp_path: Path, number: signal.Signals) -> None:
    saving = tmp_path / "saving"
    with running(tmp_path, *on_fakes(DEAF, PAY), patch=SLOW_DISK) as springbench:
        springbench.wait_until(springbench.raw(DEAF, "server.log").exists)
        saves = len(saving.read_text(encoding="utf-8"))
        springbench.process.send_signal(number)
        springbench.wait_until(lambda: len(saving.read_text(encoding="utf-8")) > saves)
        springbench.process.send_signal(number)
        code, _, err = springbench.end()
    assert (code, err) == (130, "")
    assert springbench.statuses == {DEAF: "skipped", PAY: "skipped"}
    assert springbench.run.run.finished_at
    assert [path.name for path in (springbench.results / "latest").glob(".*")] == []
    assert left_behind() == []


def test_while_the_server_takes_its_time_to_end(tmp_path: Path) -> None:
    with running(tmp_path, *on_fakes(DEAF, PAY)) as springbench:
        log = springbench.raw(DEAF, "server.log")
        springbench.wait_until(lambda: log.exists() and log.stat().st_size > 0)
        for _ in range(2):
            springbench.process.send_signal(signal.SIGINT)
            time.sleep(0.3)
        code, _, err = springbench.end()
    assert (code, err) == (130, "")
    assert springbench.statuses == {DEAF: "skipped", PAY: "skipped"}
    assert springbench.run.run.finished_at
    assert left_behind() == []
