"""One wrk run, with a wrk that is none."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from springbench.errors import CaseError
from springbench.host.cpus import CpuPartition
from springbench.host.shell import RealShell
from springbench.matrix.templates import get
from springbench.measure.load.driver import Driver
from springbench.measure.server.process import ServerProcess
from tests.fakes import FakeRunning, FakeShell
from tests.measure.testbeds import NOTHING, testbed
from tests.samples import wrk_summary


def driver(tmp_path: Path, shell: FakeShell, server_code: int | None = None) -> Driver:
    cpus = CpuPartition(frozenset({2}), frozenset({0, 1}), NOTHING, separate=True)
    server = ServerProcess(FakeRunning(2**22, server_code), 8123, time.perf_counter())
    return Driver(testbed(tmp_path, shell, cpus=cpus), server, tmp_path)


def test_wrk_runs_on_its_cpus_and_everything_is_kept(tmp_path: Path) -> None:
    summary = wrk_summary(requests=5)
    shell = FakeShell()
    shell.answer("wrk", stdout=f"Running\nSPRINGBENCH {summary.model_dump_json()}\n")

    driven = driver(tmp_path, shell).drive("load", [get("/pay")], 100, 5.0)

    assert driven.summary == summary
    assert shell.calls[0].cpus == {0, 1}
    assert "--threads=2" in shell.commands[0]
    assert shell.commands[0].endswith("http://127.0.0.1:8123/pay -- 100")
    assert "Running" in (tmp_path / "load.txt").read_text(encoding="utf-8")
    columns = json.loads((tmp_path / "load.json").read_text(encoding="utf-8"))
    assert len(columns["at_s"]) == len(columns["read_bytes"]) == len(driven.timeline.samples) > 0


def test_a_wrk_that_says_nothing_fails_the_case(tmp_path: Path) -> None:
    shell = FakeShell()
    shell.answer("wrk", stdout="unable to create thread 7\n", code=1)
    with pytest.raises(CaseError, match="it printed: unable to create thread 7"):
        driver(tmp_path, shell).drive("load", [get("/pay")], 100, 5.0)


def test_a_wrk_that_is_killed_fails_the_case_and_keeps_the_timeline(tmp_path: Path) -> None:
    shell = FakeShell()
    shell.answer("wrk", code=-9)
    with pytest.raises(CaseError, match="wrk was killed by SIGKILL during load"):
        driver(tmp_path, shell).drive("load", [get("/pay")], 100, 5.0)
    assert (tmp_path / "load.json").is_file()


def test_a_server_that_dies_under_load_fails_the_case_and_ends_wrk(tmp_path: Path) -> None:
    shell = FakeShell()
    shell.answer("wrk", running=True)
    with pytest.raises(CaseError, match="the server exited with code 137 during load"):
        driver(tmp_path, shell, server_code=137).drive("load", [get("/pay")], 100, 5.0)
    assert [child.poll() for child in shell.children] == [-15]


WAITS_ON = """#!{python}
import signal, time

asked = 0

def ask(*_):
    global asked
    asked += 1

signal.signal(signal.SIGINT, ask)
ends_s = time.monotonic() + 60
while asked < 2 and time.monotonic() < ends_s:
    time.sleep(0.01)
print("SPRINGBENCH {summary}")
"""


@pytest.mark.process
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells its handlers")
def test_a_wrk_whose_main_thread_misses_the_signal_is_asked_again(tmp_path: Path) -> None:
    """Another of its threads may take it, and the load would go on to its longest end."""
    wrk = tmp_path / "wrk"
    summary = wrk_summary(requests=5).model_dump_json().replace('"', '\\"')
    wrk.write_text(WAITS_ON.replace("{python}", sys.executable).replace("{summary}", summary))
    wrk.chmod(0o755)
    server = ServerProcess(FakeRunning(2**22, None), 8123, time.perf_counter())
    begin_s = time.monotonic()
    wrk_driver = Driver(testbed(tmp_path, RealShell(), wrk=wrk), server, tmp_path)
    driven = wrk_driver.drive("load", [get("/pay")], 4, 60.0, enough=lambda _: True)
    assert driven.summary.requests == 5
    assert time.monotonic() - begin_s < 30
