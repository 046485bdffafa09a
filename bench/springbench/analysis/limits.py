"""Whether a service keeps the limits that its owner has set, by the measured intervals. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from springbench.matrix.servers import Limits
from springbench.results.metrics import BY_NAME, Metric, rate_metric
from springbench.results.run import LimitRecord, LimitVerdict, Summary

# of identical processes, as a ratio, where the registry expects no noise of a metric
_USUAL_NOISE = 0.05
# of an interval at 95 % from the noise of one process
_QUANTILE = 1.96


class _Limit(NamedTuple):
    key: str
    metric: Metric
    value: float


def evaluate_limits(limits: Limits | None, summary: Mapping[str, Summary]) -> list[LimitRecord]:
    """A record for each limit that is set: `kept` or `broken` where all of the interval is on one
    side of it, else `undecided`."""
    return [_evaluated(each, summary.get(each.metric.name)) for each in _limits(limits)]


def _limits(limits: Limits | None) -> Iterator[_Limit]:
    if limits is None:
        return
    percent = limits.p99_at_rate
    p99 = "latency_p99_s" if percent is None else rate_metric(percent, "latency_p99_s")
    named = (
        ("p99_ms", p99, limits.p99_ms, 1e-3),
        ("error_ratio", "error_ratio", limits.error_ratio, 1.0),
        ("startup_s", "startup_s", limits.startup_s, 1.0),
        ("memory_mib", "memory_peak_bytes", limits.memory_mib, float(1 << 20)),
        ("throughput_rps", "throughput_rps", limits.throughput_rps, 1.0),
    )
    for key, name, value, unit in named:
        if value is not None:
            yield _Limit(key, BY_NAME[name], value * unit)


def _evaluated(limit: _Limit, seen: Summary | None) -> LimitRecord:
    if seen is None:
        return LimitRecord(
            name=limit.key, metric=limit.metric.name, limit=limit.value, verdict="undecided"
        )
    low, high = _interval(limit.metric, seen)
    return LimitRecord(
        name=limit.key,
        metric=limit.metric.name,
        limit=limit.value,
        verdict=_verdict(limit, low, high),
        value=seen.median,
        low=low,
        high=high,
    )


def _interval(metric: Metric, seen: Summary) -> tuple[float, float]:
    """That of the forks; of one fork, what identical processes usually differ by."""
    if seen.n > 1:
        return seen.low, seen.high
    noise = metric.noise.busy or metric.noise.waiting if metric.noise else None
    half = _QUANTILE * (noise or _USUAL_NOISE) * seen.median
    return max(0.0, seen.median - half), seen.median + half


def _verdict(limit: _Limit, low: float, high: float) -> LimitVerdict:
    if limit.metric.better == "higher":
        low, high, bound = -high, -low, -limit.value
    else:
        bound = limit.value
    if high <= bound:
        return "kept"
    return "broken" if low > bound else "undecided"
