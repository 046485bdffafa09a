"""Comparisons and bisections of candidate changes, as jobs of a matrix."""

from __future__ import annotations

from springbench.analysis.confirming import Confirmation
from springbench.analysis.measuring_again import Measurements, PlannedBisection
from springbench.github.jobs import MAX_JOBS


def comparison_jobs(plan: Measurements) -> list[dict[str, str]]:
    """A row for each comparison, fit for `strategy.matrix` of a workflow."""
    return [
        {
            "name": str(number),
            "events": " ".join(each.events),
            "base": each.base,
            "head": each.head,
            "cases": " ".join(each.cases),
            **_how(each),
        }
        for number, each in enumerate(plan.comparisons[:MAX_JOBS], start=1)
    ]


def bisection_jobs(plan: Measurements) -> list[dict[str, str]]:
    """A row for each bisection."""
    return [
        {
            "name": str(number),
            "event": each.event,
            "good": each.good,
            "bad": each.bad,
            "case": each.case,
            "metric": each.metric,
            **_how(each),
        }
        for number, each in enumerate(plan.bisections[:MAX_JOBS], start=1)
    ]


def _how(each: Confirmation | PlannedBisection) -> dict[str, str]:
    # words: what a called workflow takes
    return {"profile": each.profile, "budget": f"{each.budget_s:g}"}
