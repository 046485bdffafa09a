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
    false_discovery_rate: float = 0.1
    """Of candidate changes, over all series of a host class; a comparison then confirms or
    rejects.
    """
    comparison_p_value: float = 0.01
    """What the comparison of a push must show to raise a candidate change: many pushes, many
    looks.
    """
