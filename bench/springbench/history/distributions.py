"""Latencies at constant rates, from the histograms of forks to what is published of them. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from hdrh.histogram import HdrHistogram

from springbench.history.numbers import short
from springbench.matrix.profiles import RATE_SHARES
from springbench.results.constant_rate import ConstantRateRecord
from springbench.results.published_run import Columns, PublishedDistribution
from springbench.results.run import Result

PERCENTS = (10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99)
"""Where a distribution is told, as far as its requests reach."""
_MICROSECOND_S = 1e-6


def distributions_of(result: Result) -> list[PublishedDistribution]:
    """One for each rate at which at least one fork counts, in the order of the rates."""
    return list(_distributions(result))


def _distributions(result: Result) -> Iterator[PublishedDistribution]:
    for share in RATE_SHARES:
        passes = [
            (at, latencies)
            for fork in result.forks
            for at in fork.constant_rates
            if at.share == share and at.counts and at.requests and (latencies := _read(at))
        ]
        if not passes:
            continue
        told = _reached(min(at.requests for at, _ in passes))
        if not told:
            continue
        columns = [[latencies[percent] for _, latencies in passes] for percent in told]
        yield PublishedDistribution(
            share=share,
            offered_rps=round(statistics.median(at.offered_rps for at, _ in passes), 1),
            n=len(passes),
            percent=list(told),
            latency_s=Columns(
                median=[short(statistics.median(each)) for each in columns],
                low=[short(min(each)) for each in columns],
                high=[short(max(each)) for each in columns],
            ),
        )


def _reached(requests: int) -> Sequence[float]:
    """The percentiles that have a request above them; what is beyond is the slowest one, again."""
    # a little less than a whole one: 100 - 99.9 is not a tenth
    return [percent for percent in PERCENTS if requests * (100 - percent) >= 99.99]


def _read(at: ConstantRateRecord) -> dict[float, float] | None:
    """Latencies in seconds by percentile; None of a histogram that cannot be read."""
    if at.histogram is None:
        return None
    try:
        histogram = HdrHistogram.decode(at.histogram)
        values = {percent: histogram.get_value_at_percentile(percent) for percent in PERCENTS}
    except Exception:
        # the library raises what it meets: of zlib, of struct, its own
        return None
    return {percent: value * _MICROSECOND_S for percent, value in values.items()}
