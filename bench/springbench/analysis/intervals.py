"""Intervals over forks. The fork is the unit (Kalibera and Jones, 2013): what varies between
processes is the noise that matters, and more bursts within one process cannot average it away.

scipy is imported where it is used: it costs half a second, which most commands need not pay.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from springbench.results.metrics import METRICS, Metric
from springbench.results.records import ForkRecord
from springbench.results.run import Summary

LEVEL = 0.95
POWER = 0.8
# how many degrees of freedom what is known beforehand counts for
PRIOR_DEGREES = 4.0
# fewest forks whose lowest and highest value enclose the median with 95 % confidence: 1 - 2 / 2^6
ORDER_STATISTICS_FROM = 6


@dataclass(frozen=True)
class Interval:
    """A value with its interval at 95 %."""

    middle: float
    low: float
    high: float


def median_interval(values: Sequence[float], pooled: Spread | None = None) -> Interval:
    """The median of positive values, one a fork, with its interval.

    From six forks on by order statistics, which assume nothing about the distribution. With two
    to five by Student's t on logarithms, never narrower than the values themselves; `pooled`, the
    spread of their logarithms and those of cases like it, steadies theirs. With one the interval is
    the value: nothing is known about the spread. Raises ValueError without any.
    """
    if not values:
        raise ValueError("no values")
    middle = statistics.median(values)
    if len(values) == 1:
        return Interval(middle, middle, middle)
    if len(values) >= ORDER_STATISTICS_FROM:
        from scipy.stats import quantile_test  # noqa: PLC0415

        found = quantile_test(values, p=0.5).confidence_interval(LEVEL)
        return Interval(middle, float(found.low), float(found.high))
    low, high = min(values), max(values)
    spread = spread_of(values)
    if spread is None:
        return Interval(middle, low, high)
    logs = [math.log(value) for value in values]
    around = mean_interval(logs, spread.steadied(pooled) if pooled else spread)
    return Interval(middle, min(low, _exp(around.low)), max(high, _exp(around.high)))


def mean_interval(values: Sequence[float], spread: Spread | None = None) -> Interval:
    """The mean of two values or more with Student's interval, by their own spread or a given."""
    spread = spread or Spread.of(values)
    middle = statistics.fmean(values)
    half = t_quantile(spread.degrees) * spread.deviation / math.sqrt(len(values))
    return Interval(middle, middle - half, middle + half)


@dataclass(frozen=True)
class Spread:
    """A standard deviation, and how many degrees of freedom stand behind it."""

    deviation: float
    degrees: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of one sample of at least two values."""
        return cls(statistics.stdev(values), len(values) - 1)

    @classmethod
    def pooled(cls, spreads: Sequence[Spread]) -> Spread:
        """The common spread of several samples."""
        degrees = sum(spread.degrees for spread in spreads)
        squares = sum(spread.deviation**2 * spread.degrees for spread in spreads)
        return cls(math.sqrt(squares / degrees), degrees)

    def moderated(self, prior: Spread, weight: float) -> Spread:
        """This spread drawn towards a prior that counts as `weight` degrees of freedom.

        With three or four forks a spread of its own is a poor estimate; what the other cases of
        the same comparison show steadies it (Smyth, 2004, the moderated t-statistic).
        """
        degrees = self.degrees + weight
        squares = self.deviation**2 * self.degrees + prior.deviation**2 * weight
        return Spread(math.sqrt(squares / degrees), degrees)

    def steadied(self, pooled: Spread) -> Spread:
        """This spread drawn towards that of all cases like it, by no more than these know."""
        if pooled.degrees <= self.degrees:
            return self
        return self.moderated(pooled, min(PRIOR_DEGREES, pooled.degrees - self.degrees))


def spread_of(values: Sequence[float]) -> Spread | None:
    """That of the logarithms; None of fewer than two values, or where one is not positive."""
    if len(values) < 2 or min(values) <= 0:
        return None
    return Spread.of([math.log(value) for value in values])


def pooled_spread(samples: Iterable[Sequence[float]]) -> Spread | None:
    """The common spread of the logarithms of several samples, None where none has one.

    Samples with the same values are one: routes of a service that share their processes have one
    startup time.
    """
    different = {tuple(values): spread for values in samples if (spread := spread_of(values))}
    return Spread.pooled(list(different.values())) if different else None


def t_quantile(degrees: float, level: float = LEVEL) -> float:
    """The two-sided quantile of Student's t."""
    from scipy.special import stdtrit  # noqa: PLC0415

    return float(stdtrit(degrees, 0.5 + level / 2))


def two_sided_p(statistic: float, degrees: float) -> float:
    """How probable a t-statistic at least this far from 0 is."""
    from scipy.special import stdtr  # noqa: PLC0415

    return float(2 * stdtr(degrees, -abs(statistic)))


def detectable_ratio(spread: Spread, forks: int, level: float = LEVEL) -> float:
    """The smallest change, as a ratio above 0, that so many forks find with 80 % probability.

    `spread` is that of logarithms of single processes, of which two sets are compared, in pairs or
    not. `level` is how sure a change must be.
    """
    from scipy.special import stdtrit  # noqa: PLC0415

    quantiles = t_quantile(spread.degrees, level) + float(stdtrit(spread.degrees, POWER))
    return _exp(quantiles * spread.deviation * math.sqrt(2 / forks)) - 1


def _exp(exponent: float) -> float:
    """The exponential, held below the largest float: forks that differ without bounds."""
    return math.exp(min(exponent, 700.0))


# --- Statistics over the forks of a case. The fork is the unit: bursts within one are not ---------


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


def summary_of(metric: Metric, values: Sequence[float], pooled: Spread | None = None) -> Summary:
    """Median and interval of the values of a metric, one for each process; `pooled` is the spread
    of their logarithms and those of cases like it."""
    interval = median_interval(values, pooled)
    spread = spread_of(values)
    if spread and pooled:
        spread = spread.steadied(pooled)
    return Summary(
        median=interval.middle,
        low=interval.low,
        high=interval.high,
        n=len(values),
        detectable_ratio=detectable_ratio(spread, len(values)) if spread else None,
        unit=metric.unit,
        better=metric.better,
    )
