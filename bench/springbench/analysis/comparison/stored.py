"""Two stored runs of one host class compared, or two files of another harness. Pure.

They were measured at different times, so what drifted between them counts as a change: wider
intervals than those of pairs, and nothing is confirmed. The fork is the unit, by Welch's t-test.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from springbench.analysis.comparison.verdicts import (
    EQUIVALENT_RATIO,
    NOTABLE_RATIO,
    Compared,
    ComparedCase,
    MetricThresholds,
    adjust,
    metrics_of,
    verdict_of,
)
from springbench.analysis.intervals import (
    Spread,
    detectable_ratio,
    t_quantile,
    two_sided_p,
    values_of,
)
from springbench.results.comparison import FindingRecord
from springbench.results.metrics import METRICS, Better, Metric
from springbench.results.run import Result, Run

MIN_FORKS = 2


class Sample(NamedTuple):
    """Independent repetitions of both sides, in one metric, positive each; two or more of a side.
    `case` is what the finding is of."""

    case: str
    metric: Metric
    base: Sequence[float]
    head: Sequence[float]


class _Usual(NamedTuple):
    """How large a change must be to matter, of what no other harness says."""

    better: Better
    notable_ratio: float = NOTABLE_RATIO
    equivalent_ratio: float = EQUIVALENT_RATIO


def compare_samples(samples: Sequence[Sample]) -> list[FindingRecord]:
    """A finding for each sample, in their order."""
    return _evaluate_all([(_Usual(sample.metric.better), _tested(*sample)) for sample in samples])


def compare_runs(base: Run, head: Run) -> list[FindingRecord]:
    """Findings for every case and metric that both runs have with two forks or more."""
    return _evaluate_all(
        [
            pair
            for result in base.results
            if (other := head.find(result.case)) is not None
            for pair in _of_case(result, other)
        ]
    )


def _evaluate_all(found: Sequence[tuple[MetricThresholds, FindingRecord]]) -> list[FindingRecord]:
    """With false discoveries controlled over all of them."""
    if not found:
        return []
    adjusted = adjust([finding.p_value for _, finding in found])
    return [_evaluated(*pair, p) for pair, p in zip(found, adjusted, strict=True)]


def _of_case(base: Result, head: Result) -> Iterator[tuple[Compared, FindingRecord]]:
    waits = bool(base.theoretical_max_rps)
    bottlenecks = {result.bottleneck.kind for result in (base, head) if result.bottleneck}
    if "not-warmed-up" in bottlenecks or (not waits and "load-generator" in bottlenecks):
        return
    # each fork is a process of its own, so each case tells of its process too
    evaluated = {m.name: m for m in metrics_of(ComparedCase(base.case, waits=waits), first=True)}
    for metric in METRICS:
        values = values_of(metric, base.forks), values_of(metric, head.forks)
        enough = all(len(side) >= MIN_FORKS and min(side) > 0 for side in values)
        if metric.name in evaluated and enough:
            yield evaluated[metric.name], _tested(base.case, metric, *values)


def _tested(
    case: str, metric: Metric, base: Sequence[float], head: Sequence[float]
) -> FindingRecord:
    logs = [[math.log(value) for value in side] for side in (base, head)]
    change = statistics.fmean(logs[1]) - statistics.fmean(logs[0])
    errors = [statistics.variance(side) / len(side) for side in logs]
    error = math.sqrt(sum(errors))
    degrees = _welch_degrees(errors, [len(side) for side in logs])
    half = t_quantile(degrees) * error
    forks = min(len(base), len(head))
    return FindingRecord(
        case=case,
        metric=metric.name,
        unit=metric.unit,
        better=metric.better,
        base_median=statistics.median(base),
        head_median=statistics.median(head),
        ratio=math.exp(change),
        low_ratio=math.exp(change - half),
        high_ratio=math.exp(change + half),
        p_value=two_sided_p(change / error, degrees) if error else float(change == 0),
        pairs=forks,
        detectable_ratio=detectable_ratio(Spread(error * math.sqrt(forks / 2), degrees), forks),
        verdict="undecided",
    )


def _welch_degrees(errors: Sequence[float], sizes: Sequence[int]) -> float:
    """Welch and Satterthwaite's degrees of freedom; `errors` are variances of means."""
    below = sum(error**2 / (size - 1) for error, size in zip(errors, sizes, strict=True))
    return sum(errors) ** 2 / below if below else float(sum(sizes) - len(sizes))


def _evaluated(metric: MetricThresholds, finding: FindingRecord, p_value: float) -> FindingRecord:
    verdict = verdict_of(metric, finding.ratio, finding.low_ratio, finding.high_ratio, p_value)
    note = "measured at different times" if verdict in ("regression", "improvement") else None
    return finding.model_copy(update={"p_value": p_value, "verdict": verdict, "note": note})
