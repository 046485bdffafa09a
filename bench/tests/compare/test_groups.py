"""Which loads one pair of processes goes through together."""

from __future__ import annotations

from pathlib import Path

from springbench.compare.groups import variant_pairs
from springbench.compare.sides import RequestedSide
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, make_plan
from springbench.results.comparison import SideInfo
from tests.fakes import FakeShell
from tests.measure.testbeds import testbed

SIDES = [RequestedSide(SideInfo(kind="jars", label="a"), jars=Path())] * 2


def test_one_process_answers_all_loads_of_its_variant(matrix: Matrix, tmp_path: Path) -> None:
    parts = testbed(tmp_path, FakeShell())
    plan = make_plan(matrix, "pr", Filters(only=("boot4-tomcat-virtual-*",)))
    [group] = variant_pairs(plan, SIDES, [parts, parts])
    assert group.variant == "boot4-tomcat-virtual-jvm"
    assert [s.case.workload.id for s in group.schedules] == ["hello", "pay"]
    assert group.setup.connections == max(s.case.connections for s in group.schedules)
    assert group.setup.workload is None


def test_what_reads_a_database_has_a_process_for_itself(matrix: Matrix, tmp_path: Path) -> None:
    parts = testbed(tmp_path, FakeShell())
    plan = make_plan(matrix, "database", Filters(only=("boot4-tomcat-virtual-*",)))
    groups = variant_pairs(plan, SIDES, [parts, parts])
    assert len(groups) == len({case.workload.id for case in plan.cases}) > 1
    for group in groups:
        workloads = {schedule.case.workload.id for schedule in group.schedules}
        assert group.setup.workload is not None
        assert workloads == {group.setup.workload.id}
        assert group.variant == f"boot4-tomcat-virtual-jvm/{group.setup.workload.id}"


def test_what_asks_for_the_same_protocol_shares_a_process(matrix: Matrix, tmp_path: Path) -> None:
    """A pair over HTTP/2 would else take as long as three."""
    parts = testbed(tmp_path, FakeShell())
    plan = make_plan(matrix, "releases-requests", Filters(only=("boot4-tomcat-*",)))
    http1, h2 = variant_pairs(plan, SIDES, [parts, parts])
    assert http1.variant == "boot4-tomcat-virtual-jvm"
    assert h2.variant == "boot4-tomcat-virtual-jvm/hello-h2"
    assert [s.case.workload.id for s in h2.schedules] == [
        "hello-h2",
        "headers-h2",
        "header-walks-h2",
    ]
    assert h2.setup.workload is not None
    assert "server.http2.enabled" in h2.setup.workload.properties
