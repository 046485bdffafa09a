"""Servers at a constant rate, with the real generator where it is here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from springbench.bench.tools import Tools
from springbench.build.oha import find_oha
from springbench.host.shell import RealShell
from springbench.measure.selfcheck import RateTarget, Target, check_at_rate
from tests.conftest import left_behind
from tests.measure.testbeds import testbed
from tests.processes import running

pytestmark = pytest.mark.system


@pytest.mark.exclusive
@pytest.mark.timeout(300)
def test_a_stall_stands_in_the_tail_at_a_constant_rate(
    tmp_path: Path, tools: Tools, jars: Path
) -> None:
    shell = RealShell()
    if (oha := find_oha(shell)) is None:
        pytest.skip("oha is not here; `springbench selfcheck` builds it")
    parts = replace(testbed(tmp_path, shell, wrk=tools.wrk.path), oha=oha.path)
    parts = replace(parts, java=tools.jdk.java)
    stalled = RateTarget(Target(20, 20, stall_s=0.3))
    checked = check_at_rate(parts, jars / "slow-upstream.jar", stalled, 3.0)
    assert checked.stall_found_s > 0.9 * checked.stalled_s > 0.2
    # a tenth of the requests fell into it
    assert checked.p99_s > 0.1
    assert checked.p50_s > 0.019
    assert left_behind() == []


@pytest.mark.timeout(300)
def test_a_server_is_measured_at_a_constant_rate(tmp_path: Path, jars: Path) -> None:
    if find_oha(RealShell()) is None:
        pytest.skip("oha is not here; `springbench selfcheck` builds it")
    options = ["--profile", "smoke", "--only", "boot4-tomcat-virtual-jvm/pay/*", "--jars", jars]
    with running(tmp_path, *options, "--rates", "50") as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, ""), out
    [result] = springbench.run.results
    [at] = result.forks[0].constant_rates
    # half of a hundred that wait a second each, or of what a slow host makes of them
    assert 0 < at.offered_rps < 55
    assert at.latency_p50_s is not None
    assert at.latency_p50_s > 0.99
    assert "at a constant rate" in out
    assert springbench.run.tools.oha
    assert left_behind() == []
