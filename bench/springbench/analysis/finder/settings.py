"""What counts as a change, by metric; each is a setting with a default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from springbench.results.metrics import HISTORY_METRICS

# changes below these are neither reported nor confirmed: nobody acts on them
MINIMUM_RATIOS: Mapping[str, float] = {
    metric.name: metric.minimum_ratio
    for metric in HISTORY_METRICS
    if metric.minimum_ratio is not None
}
"""Metrics that are evaluated, and the least change that matters."""


@dataclass(frozen=True)
class FinderSettings:
    """How sure and how large a change must be before it is suspected."""

    minimum_ratios: Mapping[str, float] = field(default_factory=lambda: MINIMUM_RATIOS)
    false_discovery_rate: float = 0.05
    """Of candidate changes, over all series of a host class; a comparison then confirms or
    rejects.
    """
    looks: float = 25.0
    """By how much a p-value is raised, since the place was chosen to make it small: one of as many
    as otava's window has."""
    comparison_p_value: float = 0.01
    """What the comparison of a push must show to raise a candidate change: many pushes, many
    looks.
    """
    min_points: int = 3
    """On either side: one spike, or two bad runs, are no step."""
    level_points: int = 30
    """So many points make a level at most: the newest before, the first after."""
    window_points: int = 50
    """Otava's sliding window."""

    @property
    def first_p_value(self) -> float:
        """Otava's own threshold: above what is kept at last, since that is decided here."""
        return 2 * self.false_discovery_rate / self.looks
