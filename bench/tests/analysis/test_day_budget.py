"""Minutes of a day: what was spent, what is left, and what an attempt gets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from springbench.analysis.confirming import CUT_SHORT, LONGEST_S, DayBudget
from tests.suspected import compared

NOW = datetime(2026, 12, 24, 12, tzinfo=UTC)
HOUR_S = 3600.0


def at(hours: float) -> str:
    return (NOW + timedelta(hours=hours)).isoformat()


@pytest.mark.parametrize(
    ("began", "ended", "spent_s"),
    [
        (at(-2), at(-1), HOUR_S),
        (at(-25), at(-23), HOUR_S),
        (at(-30), at(-26), 0),
        (at(-2), None, CUT_SHORT.total_seconds()),
        (at(-2), "no time", CUT_SHORT.total_seconds()),
        (at(-2), at(-3), CUT_SHORT.total_seconds()),
        ("no time", at(-1), 0),
        # a host whose clock is ahead has spent it all the same
        (at(1), at(2), HOUR_S),
        ("2026-12-24T10:00:00", "2026-12-24T11:00:00", HOUR_S),
        ("2026-12-24T12:00:00+02:00", "2026-12-24T11:00:00Z", HOUR_S),
    ],
)
def test_what_comparisons_took_within_24_hours_is_spent(
    began: str, ended: str | None, spent_s: float
) -> None:
    comparison = compared(started_at=began, finished_at=ended)
    assert DayBudget.after([comparison], HOUR_S, NOW).spent_s == spent_s


def test_comparisons_of_pushes_and_people_are_not_the_days() -> None:
    comparisons = [
        compared(purpose=purpose, started_at=at(-2), finished_at=at(-1))
        for purpose in ("push", "manual")
    ]
    assert DayBudget.after(comparisons, HOUR_S, NOW).spent_s == 0


def test_an_attempt_gets_twice_the_one_before_as_far_as_a_job_or_a_day_has_it() -> None:
    budget = DayBudget(24 * HOUR_S, 0)
    assert [budget.required_s(1200, attempt) for attempt in (1, 2, 3)] == [1200, 2400, 4800]
    assert budget.required_s(2400, 3) == LONGEST_S
    assert DayBudget(600, 0).required_s(1200, 1) == 600


def test_what_is_promised_is_not_promised_again() -> None:
    budget = DayBudget(HOUR_S, 600)
    assert budget.why_not(1800, 1) is None
    budget.promise(1800)
    assert budget.left_s == 1200
    assert "it takes 30 min 00 s, and 20 min 00 s of the day's 1 h 00 min are left" in (
        budget.why_not(1800, 1) or ""
    )
    assert budget.why_not(1200, 1) is None
