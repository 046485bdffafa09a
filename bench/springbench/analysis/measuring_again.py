"""All that is measured again now, within one day's budget: candidate changes first, then ranges.
Pure.

A confirmed event whose ends have several commits between them is a range: bisecting it is worth its
minutes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from springbench.analysis.candidate_changes import (
    CandidateChange,
    NotNow,
    Reachable,
    candidate_changes_of,
    in_order,
)
from springbench.analysis.comparable import ERRORS, CasesOf, profile_for
from springbench.analysis.confirming import Confirmation, plan_confirmations
from springbench.analysis.day_budget import DayBudget
from springbench.results.events import Direction, Event
from springbench.results.published_comparison import PublishedComparison

# for both ends again, and some halves
FIRST_BUDGET_S = 1800.0


@dataclass(frozen=True)
class PlannedBisection:
    """A range to bisect, by the affected series that shows the step most clearly."""

    event: str
    good: str
    bad: str
    case: str
    metric: str
    direction: Direction
    profile: str
    attempt: int
    budget_s: float


@dataclass(frozen=True)
class Measurements:
    """What is to be measured now, what is not, and the day's budget in seconds."""

    comparisons: list[Confirmation]
    bisections: list[PlannedBisection]
    left: list[NotNow]
    spent_s: float
    daily_s: float


def plan_measurements(
    events: Sequence[Event],
    comparisons: Sequence[PublishedComparison],
    cases_of: CasesOf,
    reachable: Reachable,
    daily_s: float,
    now: datetime,
    directions: Collection[Direction] = frozenset(("regression",)),
) -> Measurements:
    """What to measure now, within what is left of the budget of the last 24 hours.

    `directions` are those of the events that are bisected.
    """
    budget = DayBudget.after(comparisons, daily_s, now)
    chosen, left = plan_confirmations(events, comparisons, cases_of, reachable, budget)
    ranges = [event for event in events if event.direction in directions and _is_a_range(event)]
    found, unreachable = candidate_changes_of(ranges, comparisons, cases_of, reachable, "bisect")
    left += unreachable
    bisections: list[PlannedBisection] = []
    for each in sorted(found, key=in_order):
        attempt = each.tries + 1
        if reason := budget.why_not(FIRST_BUDGET_S, attempt):
            left.append(NotNow(each.event.id, reason))
        elif planned := _bisection(each, cases_of, budget.wanted_s(FIRST_BUDGET_S, attempt)):
            budget.promise(planned.budget_s)
            bisections.append(planned)
        else:
            left.append(
                NotNow(each.event.id, "none of its affected series is a ratio to bisect by")
            )
    return Measurements(chosen, bisections, left, budget.spent_s, daily_s)


def _is_a_range(event: Event) -> bool:
    return event.state == "confirmed" and event.kind == "step" and not event.culprit.exact


def _bisection(
    candidate_change: CandidateChange, cases_of: CasesOf, budget_s: float
) -> PlannedBisection | None:
    for affected in candidate_change.affected_series:
        profile = profile_for(affected, candidate_change.tries, cases_of)
        # errors are reported as exact counts, which have no ratio
        if profile and affected.metric != ERRORS:
            return PlannedBisection(
                event=candidate_change.event.id,
                good=candidate_change.base,
                bad=candidate_change.head,
                case=affected.case,
                metric=affected.metric,
                direction=candidate_change.event.direction,
                profile=profile,
                attempt=candidate_change.tries + 1,
                budget_s=budget_s,
            )
    return None
