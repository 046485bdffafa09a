"""All that is measured again now, within one day's budget: suspicions first, then ranges. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from springbench.analysis.bisecting import Bisection, plan_bisections
from springbench.analysis.comparable import CasesOf
from springbench.analysis.confirming import Confirmation, plan_confirmations
from springbench.analysis.day_budget import DayBudget
from springbench.analysis.suspicions import NotNow, Reachable
from springbench.results.events import Event
from springbench.results.published_comparison import PublishedComparison


@dataclass(frozen=True)
class Measurements:
    """What is to be measured now, what is not, and the day's budget in seconds."""

    comparisons: list[Confirmation]
    bisections: list[Bisection]
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
) -> Measurements:
    """What to measure now, within what is left of the budget of the last 24 hours."""
    budget = DayBudget.after(comparisons, daily_s, now)
    chosen, left = plan_confirmations(events, comparisons, cases_of, reachable, budget)
    halved, later = plan_bisections(events, comparisons, cases_of, reachable, budget)
    return Measurements(chosen, halved, [*left, *later], budget.spent_s, daily_s)
