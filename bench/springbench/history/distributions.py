"""Latencies at constant rates, from the histograms of forks to what is published of them. Pure."""

from __future__ import annotations

import base64
import statistics
import struct
from collections.abc import Iterator, Sequence
from functools import cache

from hdrh.histogram import HdrHistogram

from springbench.history.numbers import short
from springbench.matrix.profiles import RATE_SHARES
from springbench.results.published_run import Columns, PublishedDistribution
from springbench.results.run import Result
from springbench.untrusted import unpack

PERCENTS = (10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99)
"""Where a distribution is told, as far as its requests reach."""
_MICROSECOND_S = 1e-6
# HdrHistogram's compressed format: a cookie and a length, then packed an inner header with the
# significant digits as its fourth number, and the counts
_OUTER_HEADER_BYTES = 8
_INNER_HEADER = struct.Struct(">IIIIQQd")
_MOST_BYTES = 1 << 20
_MOST_DIGITS = 3


def distributions_of(result: Result) -> list[PublishedDistribution]:
    """One for each rate at which at least one fork counts, in the order of the rates."""
    return list(_distributions(result))


def _distributions(result: Result) -> Iterator[PublishedDistribution]:
    for share in RATE_SHARES:
        passes = [
            (at, latencies)
            for fork in result.forks
            for at in fork.constant_rates
            if at.share == share
            and at.counts
            and at.requests
            and at.histogram
            and (latencies := _read(at.histogram))
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


@cache
def _read(histogram: str) -> dict[float, float] | None:
    """Latencies in seconds by percentile; None of a histogram that cannot be read."""
    try:
        _check_size(histogram)
        decoded = HdrHistogram.decode(histogram)
        values = {percent: decoded.get_value_at_percentile(percent) for percent in PERCENTS}
    except Exception:
        # the library raises what it meets: of zlib, of struct, its own
        return None
    return {percent: value * _MICROSECOND_S for percent, value in values.items()}


def _check_size(histogram: str) -> None:
    """Raises `OSError` or `ValueError` for one that takes more memory or time than any of ours.

    The library unpacks without bound, and counts as finely as it is told.
    """
    unpacked = unpack(base64.b64decode(histogram)[_OUTER_HEADER_BYTES:], _MOST_BYTES)
    digits = _INNER_HEADER.unpack_from(unpacked)[3]
    if digits > _MOST_DIGITS:
        raise ValueError(f"{digits} significant digits")
