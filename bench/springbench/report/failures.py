"""What a comparison could not compare, and why. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from springbench.results.comparison import Comparison


@dataclass(frozen=True)
class Failure:
    """A shard, or a variant of one, that could not be compared, and why."""

    name: str
    reason: str


def failures_of(comparison: Comparison) -> list[Failure]:
    """Those of pairs, and of a comparison that was cut short."""
    found = []
    # one that head alone fails is a statement about head
    failing = {fact.case for fact in comparison.facts if fact.metric == "failed"}
    for variant, pairs in comparison.pairs.items():
        failed = [pair for pair in pairs if pair.status == "failed"]
        if failed and variant not in failing:
            reason = failed[0].reason or "no reason was kept"
            found.append(Failure(variant, f"{len(failed)} of {len(pairs)} fork pairs: {reason}"))
    if comparison.comparison.finished_at is None:
        found.append(Failure(comparison.comparison.id, "it was cut short, and is not complete"))
    return found
