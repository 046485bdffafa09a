"""Numbers that nothing can have measured are kept out of a history. Pure."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from springbench.results.comparison import FindingRecord
from springbench.results.metrics import HISTORY_METRICS, METRICS, Unit
from springbench.results.run import Result, Summary

# far beyond every server and host, and far below what breaks an axis
MOST: dict[Unit, float] = {
    "rps": 1e9,
    "s": 1e7,
    "bytes": 1e15,
    "ratio": 1e6,
    "count": 1e12,
    "bytes_per_s": 1e15,
}
# two forks that hardly agree have an interval without end: as far as ours go
WIDEST = 1e305
# clocks of hosts are off by seconds, not by days
CLOCKS_APART = timedelta(days=1)
# a host without a battery begins in 1970
EARLIEST = datetime(2025, 1, 1, tzinfo=UTC)
THROUGHPUT = "throughput_rps"
_PUBLISHED = frozenset(metric.name for metric in HISTORY_METRICS)
_KNOWN = {metric.name: metric for metric in METRICS}


def impossible(result: Result) -> str | None:
    """Why a result cannot be what was measured; None where it can."""
    if result.status == "ok" and THROUGHPUT not in result.summary:
        return "it counts as measured and has no throughput"
    for name, summary in result.summary.items():
        if name in _PUBLISHED and (wrong := _wrong(summary)):
            return f"{name}: {wrong}"
    return None


def in_the_future(time: str, now: datetime | None = None) -> bool:
    """Whether a time in UTC is later than now: what began then would stay the newest."""
    return datetime.fromisoformat(time) > (now or datetime.now(UTC)) + CLOCKS_APART


def wrong_clock(started_at: str) -> str | None:
    """Why nothing can have begun at a time in UTC; None where it can."""
    if in_the_future(started_at):
        return "is still to come"
    if datetime.fromisoformat(started_at) < EARLIEST:
        return "was before anything that it is measured with was released"
    return None


def before_its_commit(started_at: str, made_at: str) -> str | None:
    """Why nothing can have measured at a time a commit that was made at the other one.

    None where it can, and of a commit that is still to come: its committer's clock is wrong.
    """
    apart = datetime.fromisoformat(made_at) - datetime.fromisoformat(started_at)
    if in_the_future(made_at) or apart <= CLOCKS_APART:
        return None
    return f"was before the commit that it measured was made ({made_at})"


def _wrong(summary: Summary) -> str | None:
    most = MOST[summary.unit]
    limits = ((summary.median, most), (summary.low, WIDEST), (summary.high, WIDEST))
    for value, limit in limits:
        if not math.isfinite(value) or not 0 <= value <= limit:
            return f"{value:g} is impossible; allowed: 0 to {limit:g}"
    if not summary.low <= summary.median <= summary.high:
        return f"the median {summary.median:g} is outside of {summary.low:g} to {summary.high:g}"
    return None


def impossible_finding(finding: FindingRecord) -> str | None:
    """Why a finding of a comparison cannot be what was measured; None where it can."""
    known = _KNOWN.get(finding.metric)
    if known is None:
        return "it is of a metric that this springbench does not know"
    if (known.unit, known.better) != (finding.unit, finding.better):
        return f"it counts {finding.metric} in {finding.unit}, and takes {finding.better} as better"
    low, ratio, high = finding.low_ratio, finding.ratio, finding.high_ratio
    for value, limit in ((ratio, MOST["ratio"]), (low, WIDEST), (high, WIDEST)):
        if not math.isfinite(value) or not 0 <= value <= limit:
            return f"a ratio of {value:g} is impossible; allowed: 0 to {limit:g}"
    if ratio == 0 or not low <= ratio <= high:
        return f"the ratio {ratio:g} is 0, or outside of {low:g} to {high:g}"
    if not 0 <= finding.p_value <= 1:
        return f"a probability of {finding.p_value:g} is impossible"
    return None if finding.pairs > 0 else f"it comes from {finding.pairs} pairs"
