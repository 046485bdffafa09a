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


def _comparison(confirmation: Confirmation) -> str:
    return one_line(
        f"compare {confirmation.base[:12]} with {confirmation.head[:12]} for "
        f"{', '.join(confirmation.events)}: {', '.join(confirmation.cases)}, {_how(confirmation)}"
    )


def _bisection(bisection: PlannedBisection) -> str:
    return one_line(
        f"bisect {bisection.good[:12]} to {bisection.bad[:12]} for {bisection.event}: "
        f"{bisection.case}, {bisection.metric}, {_how(bisection)}"
    )


def _how(job: Confirmation | PlannedBisection) -> str:
    at_most = units.duration(job.budget_s)
    return f"profile {job.profile}, at most {at_most}, try {job.attempt} of {MAX_TRIES}"
