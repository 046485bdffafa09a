"""Comparisons that check suspicions, as jobs of a matrix."""

from __future__ import annotations

from springbench.analysis.confirming import Confirmations
from springbench.github.jobs import MAX_JOBS


def comparison_jobs(plan: Confirmations) -> list[dict[str, object]]:
    """A row for each comparison, fit for `strategy.matrix` of a workflow."""
    return [
        {
            "name": str(number),
            "events": " ".join(each.events),
            "base": each.base,
            "head": each.head,
            "profile": each.profile,
            "cases": " ".join(each.cases),
            # an option of `springbench compare`, and a reusable workflow takes words
            "budget": f"{each.budget_s(plan.daily_s):g}",
        }
        for number, each in enumerate(plan.chosen[:MAX_JOBS], start=1)
    ]
