"""The slow upstream is killed while it is needed: no case that needs it passes silently."""

from __future__ import annotations

import time
from pathlib import Path

import psutil
import pytest

from tests.conftest import left_behind
from tests.processes import QUICK, SERVICES, faulty, on_fakes, running

pytestmark = pytest.mark.system

FIRST, SECOND = faulty("fine", 8, "relay"), faulty("fine", 9, "relay")
WITHOUT = faulty("fine", 9)
# a script in the place of the JVM
SCRIPT = f"""
import pathlib, springbench.measure.services.upstream as upstream
real = upstream.started
script = pathlib.Path({str(SERVICES / "fake_upstream.py")!r})
upstream.started = lambda shell, java, *rest: real(shell, script, *rest)
"""


def test_those_that_need_it_fail_and_the_others_go_on(tmp_path: Path) -> None:
    jars = tmp_path / "jars"
    jars.mkdir()
    (jars / "slow-upstream.jar").touch()
    (jars / "fake_server.py").symlink_to(SERVICES / "fake_server.py")
    options = (*on_fakes(FIRST, SECOND, WITHOUT, jars=jars), "--profile", "faults")
    with running(tmp_path, *options, patch=QUICK + SCRIPT) as springbench:
        springbench.wait_until(springbench.raw(FIRST, "load.txt").exists)
        springbench.wait_until(lambda: springbench.child("wrk") is not None)
        [upstream] = [
            child
            for child in psutil.Process(springbench.process.pid).children()
            if "-jar" in child.cmdline()
        ]
        time.sleep(0.6)
        upstream.kill()
        code, out, err = springbench.end()
    assert (code, err) == (4, "")
    assert left_behind() == []
    assert springbench.statuses == {FIRST: "failed", SECOND: "failed", WITHOUT: "ok"}
    reasons = {result.case: result.reason for result in springbench.run.results}
    assert reasons[FIRST] == "the slow upstream exited with code -9 during load"
    assert reasons[SECOND] == "the slow upstream exited with code -9 during an earlier case"
    for case in (FIRST, SECOND):
        result = springbench.run.find(case)
        assert result is not None
        assert "throughput_rps" not in result.summary
        assert f"failed: {result.reason}" in out
