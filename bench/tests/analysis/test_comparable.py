"""What a comparison can tell of, by profile and case."""

from __future__ import annotations

from springbench.analysis.comparable import ERRORS, metrics_by_case, profile_for
from springbench.matrix.rows import Matrix
from springbench.plan.plan import make_plan
from tests.suspected import CASE, CPU, affected

WAITING = "boot4-tomcat-virtual-jvm/pay/1000"


def test_a_case_has_the_metrics_that_its_kind_is_evaluated_by(matrix: Matrix) -> None:
    metrics = metrics_by_case(make_plan(matrix, "pr").cases)
    assert {"throughput_rps", CPU, "startup_s", ERRORS} <= metrics[CASE]
    assert "latency_p99_s" not in metrics[CASE]
    assert "latency_p99_s" in metrics[WAITING]


def test_the_first_try_is_fast_and_later_ones_are_as_the_affected_was_measured() -> None:
    cases_of = {name: {CASE: frozenset((CPU,))} for name in ("pr", "nightly")}
    assert [profile_for(affected(1.1), tries, cases_of) for tries in (0, 1)] == ["pr", "nightly"]


def test_one_profile_stands_in_for_another_that_cannot_tell() -> None:
    one = {"nightly": {CASE: frozenset((CPU,))}}
    assert profile_for(affected(1.1), 0, one) == "nightly"
    assert profile_for(affected(1.1, configuration="gone-3x10s"), 1, {"pr": one["nightly"]}) == "pr"
    # schema 1 knew the profile alone
    assert profile_for(affected(1.1, configuration="nightly"), 1, one) == "nightly"
    assert profile_for(affected(1.1, metric="gc_pause_ratio"), 0, one) is None
