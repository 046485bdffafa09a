"""From fork pairs to samples of log(head ÷ base), and from these to findings. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from springbench.analysis.bound import BUSY_LOAD_RATIO
from springbench.analysis.comparison.verdicts import NOTABLE_RATIO, Finding, Key, PairSample, judge
from springbench.analysis.intervals import t_quantile
from springbench.results.comparison import FindingRecord
from springbench.results.metrics import Better, Unit
from springbench.results.records import BurstRecord, PairRecord, SideRecord

# the share of a suspected change that fresh forks must show again
CONFIRMED_SHARE = 0.5
# the two-sided level whose upper tail is 5 %
ONE_SIDED = 0.90
# of the server's CPUs, in a burst of a second: from there on it shows what compilers took
COMPILING_RATIO = 0.1


@dataclass(frozen=True)
class ComparedCase:
    """A case as a comparison sees it. Latency-bound cases cannot move in throughput."""

    case: str
    latency_bound: bool


# what a pair must go through to show a metric: only a start, some load, or the bursts of the case
Stage = Literal["start", "load", "bursts"]


@dataclass(frozen=True)
class Compared:
    """A metric as a comparison takes it: its values on one side, in the order of time."""

    name: str
    unit: Unit
    better: Better
    stage: Stage
    read: Callable[[SideRecord, str], Sequence[float | None]]


_THROUGHPUT = Compared(
    "throughput_rps",
    "rps",
    "higher",
    "bursts",
    lambda side, case: [
        None if _compiling(burst) else burst.throughput_rps for burst in side.bursts.get(case, [])
    ],
)
_CPU_PER_REQUEST = Compared(
    "cpu_per_request_s",
    "s",
    "lower",
    "bursts",
    lambda side, case: [burst.cpu_per_request_s for burst in side.bursts.get(case, [])],
)
# with throughput, because a neighbour that takes the CPU away slows a server without making it work
_CPU_BOUND = (
    _THROUGHPUT,
    replace(
        _CPU_PER_REQUEST,
        read=lambda side, case: [
            None if _compiling(burst) else burst.cpu_per_request_s
            for burst in side.bursts.get(case, [])
        ],
    ),
)
_LATENCY_BOUND = (
    _CPU_PER_REQUEST,
    Compared(
        "memory_idle_bytes", "bytes", "lower", "start", lambda side, _: [side.memory_idle_bytes]
    ),
    Compared(
        "memory_peak_bytes", "bytes", "lower", "load", lambda side, _: [side.memory_peak_bytes]
    ),
    Compared("startup_s", "s", "lower", "start", lambda side, _: [side.startup_s]),
)


CPU_BOUND_METRICS = tuple(metric.name for metric in _CPU_BOUND)
LATENCY_BOUND_METRICS = tuple(metric.name for metric in _LATENCY_BOUND)


@dataclass(frozen=True)
class Judged:
    """A finding with the values behind it."""

    finding: Finding
    metric: Compared
    base_median: float
    head_median: float


@dataclass(frozen=True)
class _Value:
    """Value of one pair for one metric of one case."""

    base: float
    head: float
    log_ratio: float
    head_first: bool


def judge_pairs(
    cases: Mapping[str, Sequence[ComparedCase]], pairs: Mapping[str, Sequence[PairRecord]]
) -> list[Judged]:
    """Findings over all cases and metrics. `cases` and `pairs` by variant."""
    samples: list[PairSample] = []
    behind: dict[Key, tuple[Compared, float, float]] = {}
    for variant, compared in cases.items():
        good = _good(pairs.get(variant, []))
        for case in compared:
            if not case.latency_bound and _load_bound(case.case, good):
                continue
            for metric in _LATENCY_BOUND if case.latency_bound else _CPU_BOUND:
                values = _values(metric, case.case, good)
                if not values:
                    continue
                key = Key(case.case, metric.name)
                samples.append(
                    PairSample(
                        key,
                        f"{metric.name}, {'latency' if case.latency_bound else 'CPU'}-bound",
                        metric.better,
                        tuple(value.log_ratio for value in values),
                        tuple(value.head_first for value in values),
                    )
                )
                behind[key] = (
                    metric,
                    statistics.median(value.base for value in values),
                    statistics.median(value.head for value in values),
                )
    return [Judged(finding, *behind[finding.key]) for finding in judge(samples)]


def _values(metric: Compared, case: str, pairs: Sequence[PairRecord]) -> list[_Value]:
    """Values of each pair, without those that lack it on either side."""
    return [value for pair in pairs if (value := _value(metric, case, pair)) is not None]


def _value(metric: Compared, case: str, pair: PairRecord) -> _Value | None:
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
    return _Value(
        base=statistics.median(base for base, _ in both),
        head=statistics.median(head for _, head in both),
        log_ratio=statistics.median(math.log(head / base) for base, head in both),
        head_first=pair.pair % 2 == 1,
    )


def load_bound_cases(
    cases: Mapping[str, Sequence[ComparedCase]], pairs: Mapping[str, Sequence[PairRecord]]
) -> list[str]:
    """The cases of which `judge_pairs` says nothing, because wrk was the limit."""
    return _cpu_bound_cases(cases, pairs, _load_bound)


def compiling_cases(
    cases: Mapping[str, Sequence[ComparedCase]], pairs: Mapping[str, Sequence[PairRecord]]
) -> list[str]:
    """The cases of which `judge_pairs` says nothing, because a side was compiling in each burst."""
    return _cpu_bound_cases(cases, pairs, _never_rested)


def _cpu_bound_cases(
    cases: Mapping[str, Sequence[ComparedCase]],
    pairs: Mapping[str, Sequence[PairRecord]],
    holds: Callable[[str, Sequence[PairRecord]], bool],
) -> list[str]:
    """Those for whose good pairs this holds."""
    return [
        case.case
        for variant, compared in cases.items()
        for case in compared
        if not case.latency_bound and holds(case.case, _good(pairs.get(variant, [])))
    ]


def _never_rested(case: str, pairs: Sequence[PairRecord]) -> bool:
    """Whether bursts were measured and each was left out."""
    measured = any(pair.sides["base"].bursts.get(case) for pair in pairs)
    return measured and not _values(_THROUGHPUT, case, pairs)


def _compiling(burst: BurstRecord) -> bool:
    """Whether it shows a server that is not yet what it will be."""
    return (burst.compiler_cpu_ratio or 0.0) > COMPILING_RATIO


def _good(pairs: Sequence[PairRecord]) -> list[PairRecord]:
    return [pair for pair in pairs if pair.status == "ok"]


def _load_bound(case: str, pairs: Sequence[PairRecord]) -> bool:
    """Whether wrk was the limit: then the servers were not what was compared."""
    busy = [
        burst.load_cpu_ratio or 0.0
        for pair in pairs
        for side in pair.sides.values()
        for burst in side.bursts.get(case, [])
    ]
    return bool(busy) and statistics.median(busy) >= BUSY_LOAD_RATIO


def confirms(judged: Judged, fresh: Sequence[PairRecord]) -> bool | None:
    """Whether pairs that had no part in the suspicion show it too; None without such pairs.

    They must show half of it at least, and alone be beyond what noise does in one case of twenty.
    """
    values = _values(judged.metric, judged.finding.key.case, _good(fresh))
    if not values:
        return None
    suspected = math.log(judged.finding.ratio)
    again = statistics.fmean(value.log_ratio for value in values)
    spread = judged.finding.spread
    noise = t_quantile(spread.degrees, ONE_SIDED) * spread.deviation / math.sqrt(len(values))
    enough = max(CONFIRMED_SHARE * abs(suspected), math.log1p(NOTABLE_RATIO / 2), noise)
    return again * suspected > 0 and abs(again) >= enough


def as_record(judged: Judged, confirmed: bool | None) -> FindingRecord:
    """The finding for `comparison.json`. A change is called one only when it was confirmed."""
    finding, verdict, note = judged.finding, judged.finding.verdict, None
    if finding.is_change and confirmed is None:
        note, verdict = "no time was left to measure it again", "suspected"
    elif finding.is_change and not confirmed:
        note = f"looked like a {verdict}; fresh forks did not show it"
        verdict = "undecided"
    return FindingRecord(
        case=finding.key.case,
        metric=finding.key.metric,
        unit=judged.metric.unit,
        better=judged.metric.better,
        base_median=judged.base_median,
        head_median=judged.head_median,
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
