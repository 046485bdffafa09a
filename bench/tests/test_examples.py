"""A server of one's own, as the README shows it: the rows are right, and it can be measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from springbench.build.jars import find_jars
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.matrix.templates import get
from springbench.measure.server.command import Start
from springbench.measure.server.process import started
from springbench.paths import ROOT
from springbench.plan.plan import Plan, make_plan
from springbench.results.store import load_run
from tests.fakes import FakeShell
from tests.measure.testbeds import testbed

EXAMPLE = ROOT / "bench" / "examples" / "own_server.toml"


@pytest.fixture
def plan() -> Plan:
    return make_plan(load_matrix(EXAMPLE), "own")


def test_its_rows_select_its_workloads_on_its_own_routes(plan: Plan) -> None:
    assert {case.id: case.workload.route for case in plan.cases} == {
        "python-stdlib-threads-script/hello/16": "/",
        "python-stdlib-threads-script/pay/100": "/slow",
    }
    assert plan.cases[1].theoretical_max_rps == 100
    # nothing that Maven would have to build, and nothing that is missing, with jars or without
    assert plan.modules == ()
    find_jars(plan, None)
    find_jars(plan, EXAMPLE.parent)


def test_it_is_started_by_its_own_command_with_the_port(plan: Plan, tmp_path: Path) -> None:
    shell = FakeShell()
    shell.answer("python3", running=True)
    variant = plan.cases[0].variant
    with started(testbed(tmp_path, shell), Start(variant), tmp_path) as server:
        [call] = shell.calls
        assert call.command[-2:] == ("python3", str(tmp_path / "bench/examples/own_server.py"))
        assert call.env is not None
        assert call.env["PORT"] == str(server.port)
        assert "PATH" in call.env
    assert len(Start(variant).command(testbed(tmp_path, shell), 8123, tmp_path)) == 2


@pytest.mark.process
def test_it_answers_its_routes(plan: Plan, tmp_path: Path) -> None:
    real = testbed(ROOT, RealShell())
    with started(real, Start.of(plan.cases[0]), tmp_path) as server:
        assert server.wait_ready("/") > 0
        assert server.check_route(get("/slow"), 5).body == b"paid"
        record = server.idle()
    assert record.rss_bytes
    assert record.heap_used_bytes is None


@pytest.mark.system
@pytest.mark.process
def test_it_is_measured_with_the_command_of_the_readme(tmp_path: Path) -> None:
    options = ("--matrix", EXAMPLE, "--profile", "own", "--only", "*/pay/*", "--results", tmp_path)
    ended = subprocess.run(
        [sys.executable, "-m", "springbench", "run", *map(str, options)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    [result] = load_run(tmp_path / "latest").results
    assert result.summary["error_ratio"].median == 0
    throughput_rps = result.summary["throughput_rps"].median
    # a hundred wait a second each: no host makes more of them
    assert 0 < throughput_rps < 110
