"""Whether head keeps the limits that its owner has set, as far as a comparison can tell. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from springbench.analysis.comparison.metrics import ComparedCase, reader_of
from springbench.analysis.limits import evaluate_limits
from springbench.analysis.summary import summary_of
from springbench.matrix.servers import Limits
from springbench.results.comparison import HeadLimitRecord
from springbench.results.metrics import BY_NAME, Metric
from springbench.results.pairs import BurstRecord, PairRecord, SideRecord
from springbench.results.run import LimitRecord, Summary

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
        for variant, of in variants.items()
        for record in _evaluated(
            variant, of, [p for p in pairs.get(variant, []) if p.status == "ok"]
        )
    ]


def _evaluated(
    variant: str, of: LimitedVariant, pairs: Sequence[PairRecord]
) -> Iterator[HeadLimitRecord]:
    for place, case in enumerate(of.cases):
        reasons: dict[str, str] = {}
        summaries: dict[str, Summary] = {}
        for limit in evaluate_limits(of.limits, {}):
            metric = BY_NAME[limit.metric]
            if reason := _cannot_tell(metric, case, of):
                reasons[metric.name] = reason
            elif values := _values(metric, case, pairs):
                summaries[metric.name] = summary_of(metric, values)
        for limit in evaluate_limits(of.limits, summaries):
            of_process = BY_NAME[limit.metric].stage != "case"
            if not of_process:
                yield _record(limit, case.case, reasons.get(limit.metric))
            elif place == 0:
                yield _record(limit, variant, None)


def _cannot_tell(metric: Metric, case: ComparedCase, of: LimitedVariant) -> str | None:
    """Why no pair can decide a limit of this metric; None where pairs can."""
    if metric.stage != "case" or metric.name == _ERRORS:
        return None
    if not of.optimised:
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
    values = [each for each in reader_of(metric, case)(side, case.case) if each is not None]
    return statistics.median(values) if values else None


def _record(limit: LimitRecord, case: str, reason: str | None) -> HeadLimitRecord:
    return HeadLimitRecord(**limit.model_dump(), case=case, reason=reason)
