"""Which candidate changes are checked next, in words. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from springbench import units
from springbench.analysis.confirming import MAX_TRIES, Confirmation, Measurements, PlannedBisection
from springbench.untrusted import one_line


def lines(plan: Measurements) -> Iterator[str]:
    """A line for each comparison and bisection to make, and for each event that waits."""
    for comparison in plan.comparisons:
        yield _comparison(comparison)
    for bisection in plan.bisections:
        yield _bisection(bisection)
    for waiting in plan.left:
        yield one_line(f"not now: {waiting.event}: {waiting.reason}")
    if not (plan.comparisons or plan.bisections or plan.left):
        yield "no candidate change to confirm"
    spent = f"{units.duration(plan.spent_s)} of {units.duration(plan.daily_s)}"
    yield f"{spent} were spent on confirming in the last 24 hours"


def _comparison(each: Confirmation) -> str:
    return one_line(
        f"compare {each.base[:12]} with {each.head[:12]} for {', '.join(each.events)}: "
        f"{', '.join(each.cases)}, {_how(each)}"
    )


def _bisection(each: PlannedBisection) -> str:
    return one_line(
        f"bisect {each.good[:12]} to {each.bad[:12]} for {each.event}: "
        f"{each.case}, {each.metric}, {_how(each)}"
    )


def _how(each: Confirmation | PlannedBisection) -> str:
    at_most = units.duration(each.budget_s)
    return f"profile {each.profile}, at most {at_most}, try {each.attempt} of {MAX_TRIES}"
