"""From fork pairs to samples of log(head ÷ base), and from these to findings. Pure."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from springbench.analysis.bottleneck import BUSY_LOAD_RATIO
from springbench.analysis.comparison.verdicts import (
    MIN_PAIRS,
    Compared,
    ComparedCase,
    Finding,
    Key,
    PairSample,
    evaluate,
    metrics_of,
)
from springbench.analysis.intervals import t_quantile
from springbench.results.comparison import FindingRecord, PairRecord
from springbench.results.middle import median_error
from springbench.results.records import RATE_FLAW_WORDS

# the share of a suspected change that fresh forks must show again
CONFIRMED_SHARE = 0.5
# the two-sided level whose upper tail is 5 %
ONE_SIDED = 0.90


@dataclass(frozen=True)
class PairValue:
    """Value of one pair for one metric of one case."""

    base: float
    head: float
    log_ratio: float
    head_first: bool
    error: float
    """How far off the logarithm may be by how it was measured, as a standard error; 0 where nothing
    tells. Other processes differ by more."""


def pair_values(metric: Compared, case: str, pairs: Sequence[PairRecord]) -> list[PairValue]:
    """Values of each pair, without those that lack it on either side."""
    return [value for pair in pairs if (value := _value(metric, case, pair)) is not None]


def _value(metric: Compared, case: str, pair: PairRecord) -> PairValue | None:
    """The median over neighbouring bursts: what disturbs one mostly disturbs the other too."""
    both = [
        (base, head)
        for base, head in zip(
            metric.read(pair.sides["base"], case),
            metric.read(pair.sides["head"], case),
            strict=False,
        )
        if base and head
    ]
    if not both:
        return None
    log_ratios = [math.log(head / base) for base, head in both]
    return PairValue(
        base=statistics.median(base for base, _ in both),
        head=statistics.median(head for _, head in both),
        log_ratio=statistics.median(log_ratios),
        head_first=pair.pair % 2 == 1,
        error=_error_of_sides(metric, case, pair) or median_error(log_ratios) or 0.0,
    )


def _error_of_sides(metric: Compared, case: str, pair: PairRecord) -> float | None:
    """What the windows of both sides tell of it; None where they do not."""
    if metric.error is None:
        return None
    errors = [
        [error for error in metric.error(side, case) if error is not None]
        for side in pair.sides.values()
    ]
    if not all(errors):
        return None
    # a ratio has the errors of both
    return math.sqrt(sum(statistics.fmean(e * e for e in of_side) for of_side in errors))


@dataclass(frozen=True)
class Evaluated:
    """A finding with the values behind it."""

    finding: Finding
    metric: Compared
    base_median: float
    head_median: float


def evaluate_pairs(
    cases: Mapping[str, Sequence[ComparedCase]],
    pairs: Mapping[str, Sequence[PairRecord]],
    metrics: frozenset[str] = frozenset(),
) -> list[Evaluated]:
    """Findings over all cases and metrics, or over some. `cases` and `pairs` by variant."""
    samples: list[PairSample] = []
    behind: dict[Key, tuple[Compared, float, float]] = {}
    for variant, compared in cases.items():
        good = _good(pairs.get(variant, []))
        for case, metric in _evaluated_metrics(compared, good):
            is_requested = not metrics or metric.name in metrics
            values = pair_values(metric, case.case, good) if is_requested else []
            if not values:
                continue
            key = Key(case.case, metric.name)
            samples.append(_sample(key, case, metric, values))
            behind[key] = (
                metric,
                statistics.median(value.base for value in values),
                statistics.median(value.head for value in values),
            )
    return [Evaluated(finding, *behind[finding.key]) for finding in evaluate(samples)]


def _evaluated_metrics(
    cases: Sequence[ComparedCase], pairs: Sequence[PairRecord]
) -> Iterator[tuple[ComparedCase, Compared]]:
    """Metrics of each case. Those of the process go with one whose requests wait, if there is one:
    memory and threads are asked for by what stays."""
    of_process = next((case for case in cases if case.waits), cases[0] if cases else None)
    for case in cases:
        limited = not case.waits and _load_bottleneck(case.case, pairs)
        for metric in metrics_of(case, first=case is of_process):
            if not limited or metric.stage != "case":
                yield case, metric


def _sample(
    key: Key, case: ComparedCase, metric: Compared, values: Sequence[PairValue]
) -> PairSample:
    error = statistics.median(value.error for value in values)
    return PairSample(
        key,
        f"{metric.name}, {'latency' if case.waits else 'CPU'}-bound",
        metric.better,
        tuple(value.log_ratio for value in values),
        tuple(value.head_first for value in values),
        # one pair that was disturbed stands out by itself, and makes no other unsure
        max(metric.usual_spread, error),
        metric.notable_ratio,
        metric.equivalent_ratio,
        # of bursts it is in the spread of the pairs already
        error if metric.error else 0.0,
    )


def load_bottleneck_cases(
    cases: Mapping[str, Sequence[ComparedCase]], pairs: Mapping[str, Sequence[PairRecord]]
) -> list[str]:
    """The cases of which `evaluate_pairs` says nothing, because wrk was the limit."""
    return _cpu_bottleneck_cases(cases, pairs, _load_bottleneck)


def compiling_cases(
    cases: Mapping[str, Sequence[ComparedCase]], pairs: Mapping[str, Sequence[PairRecord]]
) -> list[str]:
    """The cases of which `evaluate_pairs` says nothing, because a side was compiling in each
    burst.
    """
    return _cpu_bottleneck_cases(cases, pairs, _never_settled)


def without_rates(
    cases: Mapping[str, Sequence[ComparedCase]], pairs: Mapping[str, Sequence[PairRecord]]
) -> dict[str, str]:
    """The cases of which `evaluate_pairs` has no latencies at a constant rate, since too few of
    these loads count, and what spoke against most of them."""
    found = {}
    for variant, compared in cases.items():
        sides = [pair.sides.values() for pair in _good(pairs.get(variant, []))]
        for case in compared:
            for percent in case.rates:
                loads = [[side.at_rate(case.case, percent) for side in both] for both in sides]
                counted = [pair for pair in loads if all(any(at.counts for at in s) for s in pair)]
                every = [at for pair in loads for of_side in pair for at in of_side]
                flaws = Counter(flaw for at in every for flaw in at.flaws)
                if flaws and len(counted) < MIN_PAIRS:
                    [(most, _)] = flaws.most_common(1)
                    found[case.case] = RATE_FLAW_WORDS[most]
    return found


def _cpu_bottleneck_cases(
    cases: Mapping[str, Sequence[ComparedCase]],
    pairs: Mapping[str, Sequence[PairRecord]],
    holds: Callable[[str, Sequence[PairRecord]], bool],
) -> list[str]:
    """Those for whose good pairs this holds."""
    return [
        case.case
        for variant, compared in cases.items()
        for case in compared
        if not case.waits and holds(case.case, _good(pairs.get(variant, [])))
    ]


def _never_settled(case: str, pairs: Sequence[PairRecord]) -> bool:
    """Whether bursts were measured and each was left out."""
    measured = any(pair.sides["base"].bursts.get(case) for pair in pairs)
    [throughput, *_] = metrics_of(ComparedCase(case, waits=False), first=False)
    return measured and not pair_values(throughput, case, pairs)


def _good(pairs: Sequence[PairRecord]) -> list[PairRecord]:
    return [pair for pair in pairs if pair.status == "ok"]


def _load_bottleneck(case: str, pairs: Sequence[PairRecord]) -> bool:
    """Whether wrk was the limit: then the servers were not what was compared."""
    busy = [
        burst.load_cpu_ratio or 0.0
        for pair in pairs
        for side in pair.sides.values()
        for burst in side.bursts.get(case, [])
    ]
    return bool(busy) and statistics.median(busy) >= BUSY_LOAD_RATIO


def confirms(evaluated: Evaluated, fresh: Sequence[PairRecord]) -> bool | None:
    """Whether pairs that had no part in the candidate change show it too; None without such pairs.

    They must show half of it at least, and alone be beyond what noise does in one case of twenty.
    """
    values = pair_values(evaluated.metric, evaluated.finding.key.case, _good(fresh))
    if not values:
        return None
    suspected = math.log(evaluated.finding.ratio)
    again = statistics.fmean(value.log_ratio for value in values)
    residual = evaluated.finding.residual
    quantile = t_quantile(residual.degrees, ONE_SIDED)
    noise = quantile * residual.deviation * math.sqrt(2 / len(values))
    enough = max(
        CONFIRMED_SHARE * abs(suspected), math.log1p(evaluated.metric.notable_ratio / 2), noise
    )
    return again * suspected > 0 and abs(again) >= enough


def as_record(evaluated: Evaluated, confirmed: bool | None) -> FindingRecord:
    """The finding for `comparison.json`. A change is called one only when it was confirmed."""
    finding, verdict, note = evaluated.finding, evaluated.finding.verdict, None
    if finding.is_change and confirmed is None:
        note, verdict = "no time was left to measure it again", "suspected"
    elif finding.is_change and not confirmed:
        note = f"looked like a {verdict}; fresh forks did not show it"
        verdict = "undecided"
    return FindingRecord(
        case=finding.key.case,
        metric=finding.key.metric,
        unit=evaluated.metric.unit,
        better=evaluated.metric.better,
        base_median=evaluated.base_median,
        head_median=evaluated.head_median,
        ratio=finding.ratio,
        low_ratio=finding.low,
        high_ratio=finding.high,
        p_value=finding.p_value,
        pairs=finding.pairs,
        detectable_ratio=finding.detectable,
        verdict=verdict,
        confirmed=confirmed,
        note=note,
    )
