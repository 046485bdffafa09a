"""Two stored runs of one host class compared, or two files of another harness. Pure.

They were measured at different times, so what drifted between them counts as a change: wider
intervals than those of pairs, and nothing is confirmed. The fork is the unit, by Welch's t-test. If
the host had another speed in some windows, what it bounds is taken to one (host_speed.py).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
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
from springbench.analysis.host_speed import (
    WITH_THE_SPEED,
    differ,
    fit_speed,
    mean_probe,
    points_of,
    usual_of,
    windows_of,
)
from springbench.analysis.intervals import (
    Spread,
    detectable_ratio,
    pooled_spread,
    t_quantile,
    two_sided_p,
    values_of,
)
from springbench.limits import SPEED_RATIO
from springbench.results.comparison import FindingRecord
from springbench.results.metrics import BY_NAME, METRICS, Better, Metric
from springbench.results.run import Result, Run

MIN_FORKS = 2


class Sample(NamedTuple):
    """Independent repetitions of both sides, in one metric, positive each; two or more of a side.
    `case` is what the finding is of."""

    case: str
    metric: Metric
    base: Sequence[float]
    head: Sequence[float]
    error_beyond: float = 0.0
    """Of the logarithm of their ratio, beyond what repetitions differ by; a standard error."""


class _Usual(NamedTuple):
    """How large a change must be to matter, of what no other harness says."""

    better: Better
    notable_ratio: float = NOTABLE_RATIO
    equivalent_ratio: float = EQUIVALENT_RATIO


def compare_samples(samples: Sequence[Sample]) -> list[FindingRecord]:
    """A finding for each sample, in their order."""
    return _evaluate_all([(_Usual(sample.metric.better), _tested(sample)) for sample in samples])


def compare_runs(base: Run, head: Run) -> list[FindingRecord]:
    """Findings for every case and metric that both runs have with two forks or more."""
    both = in_both(base, head)
    at_one_speed = _at_one_speed(both)
    found = [pair for sides in both for pair in _of_case(*sides, at_one_speed)]
    alike: dict[tuple[str, float], list[Sequence[float]]] = {}
    for metric, sample in found:
        of_kind = alike.setdefault((metric.name, metric.usual_spread), [])
        of_kind += [sample.base, sample.head]
    pooled = {kind: pooled_spread(samples) for kind, samples in alike.items()}
    return _evaluate_all(
        [
            (metric, _tested(sample, pooled[metric.name, metric.usual_spread]))
            for metric, sample in found
        ]
    )


def in_both(base: Run, head: Run) -> list[tuple[Result, Result]]:
    """The cases that two runs have in common."""
    return [
        (result, other) for result in base.results if (other := head.find(result.case)) is not None
    ]


def _at_one_speed(both: Sequence[tuple[Result, Result]]) -> dict[tuple[str, str], Sample]:
    """By case and metric, what processes would have shown at the speed of the middle window; empty
    where the speed did not change. Only of what the CPU bounds on both sides."""
    windows = windows_of(result for sides in both for result in sides)
    if not differ(windows):
        return {}
    probe = math.log(statistics.median(probe_s for probe_s, _ in windows))
    found = {}
    for name, expected in WITH_THE_SPEED.items():
        sides = {base.case: (points_of(base, name), points_of(head, name)) for base, head in both}
        sides = {case: of_case for case, of_case in sides.items() if all(of_case)}
        groups = [side for of_case in sides.values() for side in of_case]
        fitted = fit_speed(groups, usual_of(name), expected)
        for case, (before, after) in sides.items():
            apart = mean_probe(after) - mean_probe(before)
            found[case, name] = Sample(
                case,
                BY_NAME[name],
                fitted.moved(before, probe),
                fitted.moved(after, probe),
                abs(apart) * fitted.exponent_error,
            )
    return found


def _evaluate_all(found: Sequence[tuple[MetricThresholds, FindingRecord]]) -> list[FindingRecord]:
    """With false discoveries controlled over all of them."""
    if not found:
        return []
    adjusted = adjust([finding.p_value for _, finding in found])
    return [_evaluated(*pair, p) for pair, p in zip(found, adjusted, strict=True)]


def _of_case(
    base: Result, head: Result, at_one_speed: Mapping[tuple[str, str], Sample]
) -> Iterator[tuple[Compared, Sample]]:
    waits = bool(base.theoretical_max_rps)
    bottlenecks = {result.bottleneck.kind for result in (base, head) if result.bottleneck}
    if "not-warmed-up" in bottlenecks or (not waits and "load-generator" in bottlenecks):
        return
    drift = _speed_change(base, head)
    # each fork is a process of its own, so each case tells of its process too
    evaluated = {m.name: m for m in metrics_of(ComparedCase(base.case, waits=waits), first=True)}
    for metric in METRICS:
        if metric.name not in evaluated:
            continue
        values = values_of(metric, base.forks), values_of(metric, head.forks)
        error = drift if _goes_with_speed(metric, waits=waits) else 0.0
        as_measured = Sample(base.case, metric, *values, error)
        sample = at_one_speed.get((base.case, metric.name), as_measured)
        if all(len(side) >= MIN_FORKS and min(side) > 0 for side in (sample.base, sample.head)):
            yield evaluated[metric.name], sample


def _goes_with_speed(metric: Metric, *, waits: bool) -> bool:
    """Whether a faster CPU alone would change it: not what a delay by design makes."""
    by_design = waits and metric.name.startswith(("throughput", "latency"))
    return metric.unit in ("s", "rps") and not by_design


def _speed_change(base: Result, head: Result) -> float:
    """By how much the host was faster or slower in the windows of one side, as a logarithm; what
    is not taken to one speed has it as a standard error, since it may differ by as much."""
    sides = [[math.log(probe_s) for probe_s, _ in windows_of([result])] for result in (base, head)]
    if not all(sides):
        return 0.0
    change = abs(statistics.fmean(sides[1]) - statistics.fmean(sides[0]))
    return change if change > math.log(SPEED_RATIO) else 0.0


def _spreads(sample: Sample) -> list[Spread]:
    """Of the logarithms of both sides."""
    return [Spread.of([math.log(value) for value in side]) for side in (sample.base, sample.head)]


def _tested(sample: Sample, pooled: Spread | None = None) -> FindingRecord:
    """`pooled` is the spread of all samples like it, which steadies that of few processes."""
    spreads = _spreads(sample)
    if pooled:
        spreads = [spread.steadied(pooled) for spread in spreads]
    sizes = [len(sample.base), len(sample.head)]
    means = [
        statistics.fmean(math.log(value) for value in side) for side in (sample.base, sample.head)
    ]
    change = means[1] - means[0]
    errors = [spread.deviation**2 / size for spread, size in zip(spreads, sizes, strict=True)]
    error = math.sqrt(sum(errors) + sample.error_beyond**2)
    degrees = _welch_degrees(errors, [spread.degrees for spread in spreads])
    half = t_quantile(degrees) * error
    forks = min(sizes)
    return FindingRecord(
        case=sample.case,
        metric=sample.metric.name,
        unit=sample.metric.unit,
        better=sample.metric.better,
        base_median=statistics.median(sample.base),
        head_median=statistics.median(sample.head),
        ratio=math.exp(change),
        low_ratio=math.exp(change - half),
        high_ratio=math.exp(change + half),
        p_value=two_sided_p(change / error, degrees) if error else float(change == 0),
        pairs=forks,
        detectable_ratio=detectable_ratio(Spread(error * math.sqrt(forks / 2), degrees), forks),
        verdict="undecided",
    )


def _welch_degrees(errors: Sequence[float], degrees: Sequence[float]) -> float:
    """Welch and Satterthwaite's degrees of freedom; `errors` are variances of means, each with the
    `degrees` that stand behind it."""
    below = sum(error**2 / behind for error, behind in zip(errors, degrees, strict=True))
    return sum(errors) ** 2 / below if below else sum(degrees)


def _evaluated(metric: MetricThresholds, finding: FindingRecord, p_value: float) -> FindingRecord:
    verdict = verdict_of(metric, finding.ratio, finding.low_ratio, finding.high_ratio, p_value)
    note = "measured at different times" if verdict in ("regression", "improvement") else None
    return finding.model_copy(update={"p_value": p_value, "verdict": verdict, "note": note})
