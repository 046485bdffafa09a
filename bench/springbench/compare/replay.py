"""Recorded pairs in the place of measured ones: a comparison's schedule and verdicts alone."""

from __future__ import annotations

from dataclasses import dataclass

from springbench.compare.groups import VariantPairs
from springbench.results.comparison import Comparison
from springbench.results.pairs import PairRecord


@dataclass
class RecordedPairs:
    """Hands out the pairs of a comparison in their order; each takes the mean time of all."""

    recorded: Comparison
    now_s: float = 0.0

    def clock(self) -> float:
        """Seconds of measuring that the pairs handed out so far have taken."""
        return self.now_s

    def available(self, variant: str) -> int:
        """How many pairs of a variant were recorded."""
        return len(self.recorded.pairs.get(variant, []))

    def measure(self, group: VariantPairs, pair: int) -> PairRecord:
        """The recorded pair of that number."""
        every = sum(map(len, self.recorded.pairs.values()))
        self.now_s += self.recorded.comparison.measured_s / every
        return self.recorded.pairs[group.variant][pair].model_copy(deep=True)
