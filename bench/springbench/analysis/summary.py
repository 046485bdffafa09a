"""Statistics over the forks of a case. The fork is the unit: bursts within one are not."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from springbench.measure.records import ForkRecord
from springbench.results.metrics import METRICS
from springbench.results.model import Summary


def summarise(forks: Sequence[ForkRecord]) -> dict[str, Summary]:
    """Median, lowest and highest of each metric over the forks that have it."""
    summary: dict[str, Summary] = {}
    for metric in METRICS:
        readings = [metric.read(fork) for fork in forks if fork.status == "ok"]
        values = [reading for reading in readings if reading is not None]
        if values:
            summary[metric.name] = Summary(
                median=statistics.median(values),
                low=min(values),
                high=max(values),
                n=len(values),
                unit=metric.unit,
                better=metric.better,
            )
    return summary
