"""Which suspicions are checked next, in words. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from springbench import units
from springbench.analysis.confirming import Confirmation, Confirmations
from springbench.analysis.suspicions import MAX_TRIES
from springbench.report.sanitise import one_line


def lines(plan: Confirmations) -> Iterator[str]:
    """A line for each comparison to make, and for each suspicion that waits."""
    for each in plan.chosen:
        yield _chosen(each, plan.daily_s)
    for waiting in plan.left:
        yield one_line(f"not now: {waiting.event}: {waiting.reason}")
    if not plan.chosen and not plan.left:
        yield "no suspicion to confirm"
    spent = f"{units.duration(plan.spent_s)} of {units.duration(plan.daily_s)}"
    yield f"{spent} were spent on confirming in the last 24 hours"


def _chosen(each: Confirmation, daily_s: float) -> str:
    return one_line(
        f"compare {each.base[:12]} with {each.head[:12]} for {', '.join(each.events)}: "
        f"{', '.join(each.cases)}, profile {each.profile}, at most "
        f"{units.duration(each.budget_s(daily_s))}, try {each.attempt} of {MAX_TRIES}"
    )
