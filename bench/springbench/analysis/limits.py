"""Whether a service keeps the limits that its owner has set, by the measured intervals. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from springbench.analysis.comparison.verdicts import ComparedCase, reader_of
from springbench.analysis.intervals import summary_of
from springbench.matrix.servers import Limits
from springbench.results.comparison import BurstRecord, HeadLimitRecord, PairRecord, SideRecord
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
    return [_evaluated(limit, summary.get(limit.metric.name)) for limit in _limits(limits)]


def evaluate_again(
    records: Sequence[LimitRecord], summary: Mapping[str, Summary]
) -> list[LimitRecord]:
    """The same limits by other intervals."""
    return [
        _evaluated(
            _Limit(record.name, BY_NAME[record.metric], record.limit), summary.get(record.metric)
        )
        for record in records
    ]


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
    known = metric.noise
    noise = known.usual(waits=known.busy is None, optimised=True) if known else None
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


# --- Whether head keeps the limits that its owner has set, as far as a comparison can tell --------


NOT_OPTIMISED = (
    "compiled by C1 alone, a comparison shows ratios; `springbench run` measures what it is"
)
NOT_IN_PAIRS = "a comparison does not measure it; `springbench run` does"
_ERRORS = "error_ratio"


@dataclass(frozen=True)
class LimitedVariant:
    """A variant whose owner has set limits. `optimised`: the JVM has all of its compilers."""

    limits: Limits | None
    cases: Sequence[ComparedCase]
    optimised: bool = True


def evaluate_head(
    variants: Mapping[str, LimitedVariant], pairs: Mapping[str, Sequence[PairRecord]]
) -> list[HeadLimitRecord]:
    """A record for each limit and case; of those of a process, for each variant."""
    return [
        record
        for variant, limited_variant in variants.items()
        for record in _evaluated_pairs(
            variant, limited_variant, [p for p in pairs.get(variant, []) if p.status == "ok"]
        )
    ]


def _evaluated_pairs(
    variant: str, limited_variant: LimitedVariant, pairs: Sequence[PairRecord]
) -> Iterator[HeadLimitRecord]:
    for index, case in enumerate(limited_variant.cases):
        reasons: dict[str, str] = {}
        summaries: dict[str, Summary] = {}
        for limit in evaluate_limits(limited_variant.limits, {}):
            metric = BY_NAME[limit.metric]
            if reason := _cannot_tell(metric, case, limited_variant):
                reasons[metric.name] = reason
            elif values := _values(metric, case, pairs):
                summaries[metric.name] = summary_of(metric, values)
        for limit in evaluate_limits(limited_variant.limits, summaries):
            of_process = BY_NAME[limit.metric].stage != "case"
            if not of_process:
                yield _record(limit, case.case, reasons.get(limit.metric))
            elif index == 0:
                yield _record(limit, variant, None)


def _cannot_tell(metric: Metric, case: ComparedCase, limited_variant: LimitedVariant) -> str | None:
    """Why no pair can decide a limit of this metric; None where pairs can."""
    if metric.stage != "case" or metric.name == _ERRORS:
        return None
    if not limited_variant.optimised:
        return NOT_OPTIMISED
    if metric.capacity_percent is not None:
        return None if metric.capacity_percent in case.rates else NOT_IN_PAIRS
    return None if case.waits or metric.name in BurstRecord.model_fields else NOT_IN_PAIRS


def _values(metric: Metric, case: ComparedCase, pairs: Sequence[PairRecord]) -> list[float]:
    """One value for each process of head that has it."""
    found = [_value(metric, case, pair.sides["head"]) for pair in pairs]
    return [value for value in found if value is not None]


def _value(metric: Metric, case: ComparedCase, side: SideRecord) -> float | None:
    if metric.name == _ERRORS:
        answered = side.answered.get(case.case)
        return answered.failed / answered.requests if answered and answered.requests else None
    values = [value for value in reader_of(metric, case)(side, case.case) if value is not None]
    return statistics.median(values) if values else None


def _record(limit: LimitRecord, case: str, reason: str | None) -> HeadLimitRecord:
    return HeadLimitRecord(**limit.model_dump(), case=case, reason=reason)
