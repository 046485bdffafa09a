"""Plans whose servers are interleaved, and processes that go through several cases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from springbench.matrix.load import load_matrix
from springbench.paths import MATRIX
from springbench.plan.plan import Filters, Plan, make_plan

REAL = load_matrix(MATRIX)


def test_quick_can_pause_where_there_are_several_to_compare() -> None:
    assert make_plan(REAL, "quick").interleaved
    assert make_plan(REAL, "quick", Filters(only=("*/hello/*",))).interleaved
    # one variant alone, and waits alone
    assert not make_plan(REAL, "quick", Filters(only=("*-netty-*",))).interleaved
    assert not make_plan(REAL, "quick", Filters(only=("*/pay/*",))).interleaved
    assert not make_plan(REAL, "nightly").interleaved


def test_constant_rates_come_after_what_is_interleaved() -> None:
    plan = make_plan(REAL, "quick", Filters(only=("*/hello/*",)))
    at_rates = make_plan(REAL, "quick", Filters(only=("*/hello/*",), rates=(50, 80)))
    assert at_rates.interleaved
    for case, rated in zip(plan.cases, at_rates.cases, strict=True):
        more_s = at_rates.cost_s(0, rated) - plan.cost_s(0, case)
        assert more_s == pytest.approx(sum(rated.rate_phases_s.values())) and more_s > 10


def one_by_one(plan: Plan) -> Plan:
    return replace(plan, cases=tuple(replace(case, interleaved=False) for case in plan.cases))


def test_an_interleaved_plan_is_another_plan() -> None:
    plan = make_plan(REAL, "quick")
    assert plan.digest != one_by_one(plan).digest


def test_a_process_goes_through_the_cases_that_it_can_answer() -> None:
    plan = make_plan(REAL, "full", Filters(only=("boot4-tomcat-*-jvm/*",)))
    groups = plan.processes(0)
    assert sorted(case.id for group in groups for case in group) == sorted(
        case.id for case in plan.cases
    )
    for group in groups:
        assert len({case.variant.id for case in group}) == 1
        # threads as many as connections, or a database: made for that alone
        if group[0].variant.model.id == "platform-tuned":
            assert len({case.connections for case in group}) == 1
        for attribute in ("protocol", "properties"):
            first, *other_values = (getattr(case.workload, attribute) for case in group)
            assert all(other == first for other in other_values)
        if any("database" in case.workload.needs for case in group):
            assert len({case.workload.id for case in group}) == 1


def test_workloads_over_one_protocol_share_a_process() -> None:
    plan = make_plan(REAL, "releases-requests", Filters(only=("boot4-tomcat-*",)))
    shared = [{case.workload.id for case in group} for group in plan.processes(0)]
    over_h2 = {"hello-h2", "headers-h2", "header-walks-h2"}
    assert shared == [{"hello", "headers", "header-walks"}, over_h2]


@pytest.mark.parametrize(
    ("profile", "only", "stages"),
    [
        ("quick", "*", [{"hello"}, {"pay"}]),
        ("protocols", "*", [{"hello", "hello-https1", "hello-h2c", "hello-h2"}]),
        (
            *("orders-features", "boot4-tomcat-*"),
            [{"orders", "orders-security", "orders-metrics", "orders-tracing"}],
        ),
    ],
)
def test_what_other_processes_answer_is_interleaved(
    profile: str, only: str, stages: list[set[str]]
) -> None:
    plan = make_plan(REAL, profile, Filters(only=(only,)))
    assert plan.interleaved
    found: dict[object, set[str]] = {}
    for group in plan.processes(0):
        # a process has one load at a time, in their order
        assert [case.stage for case in group] == list(dict.fromkeys(c.stage for c in group))
        for case in group:
            found.setdefault(case.stage, set()).add(case.workload.id)
    assert list(found.values()) == stages


def test_a_process_goes_through_its_stages_in_their_order() -> None:
    rows = tuple(row.model_copy(update={"interleaved": True}) for row in REAL.profiles)
    matrix = REAL.model_copy(update={"profiles": rows})
    plan = make_plan(matrix, "releases-requests", Filters(only=("boot4-*",)))
    stages = list(dict.fromkeys(case.stage for case in plan.cases))
    for group in plan.processes(0):
        at = [stages.index(case.stage) for case in group]
        assert at == sorted(set(at))
    assert len(stages) == 3


def test_a_process_that_is_up_already_costs_less() -> None:
    plan = make_plan(REAL, "quick")
    hello, pay = plan.processes(0)[0]
    assert plan.cost_s(0, pay) < plan.cost_s(0, replace(pay, interleaved=False))
    assert plan.estimate_s == sum(plan.cost_s(fork, case) for fork, case in plan.rounds())
    assert plan.ceiling_s > plan.estimate_s
    # in the second round `pay` is not asked for
    assert [case.workload.id for group in plan.processes(1) for case in group] == ["hello"] * 7
    assert hello.can_pause and not pay.can_pause


SHOP = """\
command = ["shop", "{port}"]
health = "/items"

[[routes]]
path = "/items"

[[routes]]
path = "/items/1"

[[routes]]
name = "new"
method = "POST"
path = "/items"

[[routes]]
path = "/prices"
"""


def test_the_routes_of_a_service_share_a_process_unless_they_write(tmp_path: Path) -> None:
    file = tmp_path / "springbench.toml"
    file.write_text(SHOP, encoding="utf-8")
    matrix = load_matrix(file)
    plan = make_plan(matrix, "quick")
    shared = [[case.workload.id for case in group] for group in plan.processes(0)]
    assert shared == [["items", "items-1", "prices"], ["new"]]
    first, *others = plan.processes(0)[0]
    assert all(plan.cost_s(0, case) < plan.cost_s(0, first) - 4 for case in others)
    # at constant rates each begins alike
    at_rates = make_plan(matrix, "quick", Filters(rates=(50,)))
    assert {at_rates.cost_s(0, case) for case in at_rates.cases} == {
        at_rates.cases[0].fork_estimate_s
    }
