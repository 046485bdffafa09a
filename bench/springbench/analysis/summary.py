"""Statistics over the forks of a case. The fork is the unit: bursts within one are not."""

from __future__ import annotations

import math
from collections.abc import Sequence

from springbench.analysis.intervals import Spread, detectable_ratio, median_interval
from springbench.results.metrics import METRICS, Metric
from springbench.results.records import ForkRecord
from springbench.results.run import Summary


def summarise(forks: Sequence[ForkRecord]) -> dict[str, Summary]:
    """Each metric over the forks that have it: median, its interval, smallest visible change."""
    found = {metric: values_of(metric, forks) for metric in METRICS}
    return {metric.name: summary_of(metric, values) for metric, values in found.items() if values}


def values_of(metric: Metric, forks: Sequence[ForkRecord]) -> list[float]:
    """The metric of every fork that was measured and has it, in the order of the forks."""
    return list(readings(metric, forks).values())


def readings(metric: Metric, forks: Sequence[ForkRecord]) -> dict[int, float]:
    """The same by the number of the fork."""
    found = {fork.fork: metric.read(fork) for fork in _counted(forks)}
    return {number: value for number, value in found.items() if value is not None}


def _counted(forks: Sequence[ForkRecord]) -> list[ForkRecord]:
    """Those that were measured; a window that was compiling counts only where all were."""
    good = [fork for fork in forks if fork.status == "ok"]
    rested = [fork.load is not None and not fork.load.compiling for fork in good]
    if not any(rested):
        return good
    return [
        fork if rests else fork.model_copy(update={"load": None})
        for fork, rests in zip(good, rested, strict=True)
    ]


def summary_of(metric: Metric, values: Sequence[float]) -> Summary:
    """Median and interval of the values of a metric, one for each process."""
    interval = median_interval(values)
    return Summary(
        median=interval.middle,
        low=interval.low,
        high=interval.high,
        n=len(values),
        detectable_ratio=_detectable(values),
        unit=metric.unit,
        better=metric.better,
    )


def _detectable(values: Sequence[float]) -> float | None:
    """The smallest change that as many forks of another commit would show; None from one fork."""
    if len(values) < 2 or min(values) <= 0:
        return None
    return detectable_ratio(Spread.of([math.log(value) for value in values]), len(values))
