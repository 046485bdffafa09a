"""Which ranges are bisected next."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from springbench.analysis.comparable import ERRORS, CasesOf
from springbench.analysis.confirming import FIRST_BUDGET_S, Measurements, plan_measurements
from springbench.results.events import Culprit, Event
from springbench.results.published_comparison import PublishedComparison
from tests.suspected import CASE, CPU, OTHER_CASES, affected, commit, compared, event, found

NOW = datetime(2026, 12, 24, 12, tzinfo=UTC)
CASES_OF: CasesOf = {"pr": dict.fromkeys((CASE, *OTHER_CASES), frozenset((CPU, ERRORS)))}
HOUR_S = 3600.0


def confirmed(*affected_series: Any, **fields: Any) -> Event:
    """A confirmed regression with commits between its ends."""
    culprit = Culprit(before=commit(2), after=commit(8), exact=False)
    return event(*affected_series, **{"culprit": culprit, "state": "confirmed", **fields})


def plan(
    *events: Event, comparisons: tuple[PublishedComparison, ...] = (), daily_s: float = HOUR_S
) -> Measurements:
    def reachable(sha: str) -> str:
        return sha.ljust(40, "0")

    return plan_measurements(events, comparisons, CASES_OF, reachable, daily_s, NOW)


def test_a_confirmed_range_is_halved_by_its_clearest_affected() -> None:
    blurred = affected(1.1, OTHER_CASES[0], low_ratio=1.01, high_ratio=1.2)
    [bisection] = plan(confirmed(blurred, affected(1.1))).bisections
    assert (bisection.case, bisection.metric, bisection.budget_s) == (CASE, CPU, FIRST_BUDGET_S)
    assert (bisection.good, bisection.bad) == tuple(commit(n).sha.ljust(40, "0") for n in (2, 8))


@pytest.mark.parametrize(
    "fields",
    [
        {"state": "suspected"},
        {"state": "acknowledged"},
        {"state": "fixed"},
        {"direction": "improvement"},
        {"kind": "drift"},
        {"culprit": Culprit(before=commit(4), after=commit(5), exact=True)},
    ],
)
def test_nothing_else_is_halved(fields: dict[str, Any]) -> None:
    assert plan(confirmed(**fields)).bisections == []


def test_candidate_changes_go_first_and_both_share_the_day() -> None:
    wide = event(*(affected(1.5, case) for case in OTHER_CASES[:2]), id="suspected")
    measurements = plan(confirmed(id="range"), wide, daily_s=FIRST_BUDGET_S + 300)
    assert [comparison.events for comparison in measurements.comparisons] == [("suspected",)]
    assert measurements.bisections == []
    assert [omission.event for omission in measurements.left] == ["range"]
    assert len(plan(confirmed(), wide, daily_s=FIRST_BUDGET_S + 600).bisections) == 1


def test_one_that_was_halved_before_gets_more_time_and_at_most_three_tries() -> None:
    def halved(number: int) -> PublishedComparison:
        return compared(found(1.1), base=2, head=8, purpose="bisect", id=f"gh-{number}")

    [again] = plan(confirmed(), comparisons=(halved(1),)).bisections
    assert (again.attempt, again.budget_s) == (2, 2 * FIRST_BUDGET_S)
    measurements = plan(confirmed(), comparisons=tuple(map(halved, range(3))), daily_s=4 * HOUR_S)
    assert (measurements.bisections, len(measurements.left)) == ([], 1)


def test_a_count_of_errors_is_no_ratio_to_halve_by() -> None:
    measurements = plan(confirmed(affected(2.0, metric=ERRORS, unit="ratio")))
    assert (measurements.bisections, len(measurements.left)) == ([], 1)
