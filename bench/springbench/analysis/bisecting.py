"""Which confirmed regressions are to be traced to one commit next. Pure.

Both ends were compared by another job, and several commits lie between them: halving the range is
worth its minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from springbench.analysis.comparable import ERRORS, CasesOf, profile_for
from springbench.analysis.day_budget import DayBudget
from springbench.analysis.suspicions import NotNow, Reachable, Suspicion, in_order, suspicions_of
from springbench.results.events import Event
from springbench.results.published_comparison import PublishedComparison

# for both ends again, and some halves
FIRST_BUDGET_S = 1800.0


@dataclass(frozen=True)
class Bisection:
    """A range to halve, by the witness that shows the step most clearly."""

    event: str
    good: str
    bad: str
    case: str
    metric: str
    profile: str
    attempt: int
    budget_s: float


def plan_bisections(
    events: Sequence[Event],
    comparisons: Sequence[PublishedComparison],
    cases_of: CasesOf,
    reachable: Reachable,
    budget: DayBudget,
) -> tuple[list[Bisection], list[NotNow]]:
    """What to bisect now, and what not; the day's budget is promised to it."""
    ranges = [event for event in events if _is_a_range(event)]
    found, left = suspicions_of(ranges, comparisons, cases_of, reachable, "bisect")
    chosen: list[Bisection] = []
    for each in sorted(found, key=in_order):
        attempt = each.tries + 1
        if reason := budget.why_not(FIRST_BUDGET_S, attempt):
            left.append(NotNow(each.event.id, reason))
        elif wanted := _bisection(each, cases_of, budget.wanted_s(FIRST_BUDGET_S, attempt)):
            budget.promise(wanted.budget_s)
            chosen.append(wanted)
        else:
            left.append(NotNow(each.event.id, "none of its witnesses is a ratio to halve by"))
    return chosen, left


def _is_a_range(event: Event) -> bool:
    open_regression = event.state == "confirmed" and event.direction == "regression"
    return open_regression and event.kind == "step" and not event.culprit.exact


def _bisection(suspicion: Suspicion, cases_of: CasesOf, budget_s: float) -> Bisection | None:
    for witness in suspicion.witnesses:
        profile = profile_for(witness, suspicion.tries, cases_of)
        # errors are told as a fact, which has no ratio
        if profile and witness.metric != ERRORS:
            return Bisection(
                event=suspicion.event.id,
                good=suspicion.base,
                bad=suspicion.head,
                case=witness.case,
                metric=witness.metric,
                profile=profile,
                attempt=suspicion.tries + 1,
                budget_s=budget_s,
            )
    return None
