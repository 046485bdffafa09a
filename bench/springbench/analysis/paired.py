"""From fork pairs to samples of log(head ÷ base), and from these to findings. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from springbench.analysis.bound import BUSY_LOAD_RATIO
from springbench.analysis.verdicts import NOTABLE_RATIO, Finding, Key, Sample, judge
from springbench.measure.records import BurstRecord, PairRecord, SideRecord
from springbench.results.comparison import FindingRecord
from springbench.results.metrics import Better, Unit

# the share of a suspected change that fresh forks must show again
CONFIRMED_SHARE = 0.5


@dataclass(frozen=True)
class ComparedCase:
    """A case as a comparison sees it. Latency-bound cases cannot move in throughput."""

    case: str
    latency_bound: bool


@dataclass(frozen=True)
class _Compared:
    name: str
    unit: Unit
    better: Better
    read: Callable[[SideRecord, str], float | None]


def _of_bursts(
    read: Callable[[BurstRecord], float | None],
) -> Callable[[SideRecord, str], float | None]:
    def middle(side: SideRecord, case: str) -> float | None:
        values = [
            value for burst in side.bursts.get(case, []) if (value := read(burst)) is not None
        ]
        return statistics.median(values) if values else None

    return middle


_THROUGHPUT = _Compared(
    "throughput_rps", "rps", "higher", _of_bursts(lambda burst: burst.throughput_rps)
)
_LATENCY_BOUND = (
    _Compared("cpu_per_request_s", "s", "lower", _of_bursts(lambda burst: burst.cpu_per_request_s)),
    _Compared("memory_idle_bytes", "bytes", "lower", lambda side, _: side.memory_idle_bytes),
    _Compared("memory_peak_bytes", "bytes", "lower", lambda side, _: side.memory_peak_bytes),
    _Compared("startup_s", "s", "lower", lambda side, _: side.startup_s),
)


THROUGHPUT_METRIC = _THROUGHPUT.name
LATENCY_BOUND_METRICS = tuple(metric.name for metric in _LATENCY_BOUND)


@dataclass(frozen=True)
class Judged:
    """A finding with the values behind it."""

    finding: Finding
    metric: _Compared
    base_median: float
    head_median: float


def judge_pairs(
    cases: Mapping[str, Sequence[ComparedCase]], pairs: Mapping[str, Sequence[PairRecord]]
) -> list[Judged]:
    """Findings over all cases and metrics. `cases` and `pairs` by variant."""
    samples: list[Sample] = []
    behind: dict[Key, tuple[_Compared, float, float]] = {}
    for variant, compared in cases.items():
        good = [pair for pair in pairs.get(variant, []) if pair.status == "ok"]
        for case in compared:
            for metric in _LATENCY_BOUND if case.latency_bound else (_THROUGHPUT,):
                values = _values(metric, case.case, good)
                if not values or (metric is _THROUGHPUT and _load_bound(case.case, good)):
                    continue
                key = Key(case.case, metric.name)
                samples.append(
                    Sample(key, metric.better, tuple(math.log(h / b) for b, h in values))
                )
                behind[key] = (
                    metric,
                    statistics.median(base for base, _ in values),
                    statistics.median(head for _, head in values),
                )
    return [Judged(finding, *behind[finding.key]) for finding in judge(samples)]


def _values(metric: _Compared, case: str, pairs: Sequence[PairRecord]) -> list[tuple[float, float]]:
    """(base, head) of every pair that has both, above 0."""
    both = [
        (metric.read(pair.sides["base"], case), metric.read(pair.sides["head"], case))
        for pair in pairs
    ]
    return [(base, head) for base, head in both if base and head]


def _load_bound(case: str, pairs: Sequence[PairRecord]) -> bool:
    """Whether wrk was the limit: then the servers were not what was compared."""
    busy = [
        burst.load_cpu_ratio or 0.0
        for pair in pairs
        for side in pair.sides.values()
        for burst in side.bursts.get(case, [])
    ]
    return bool(busy) and statistics.median(busy) >= BUSY_LOAD_RATIO


def log_ratio(judged: Judged, pair: PairRecord) -> float | None:
    """What one pair says about the metric of a finding."""
    values = _values(judged.metric, judged.finding.key.case, [pair])
    return math.log(values[0][1] / values[0][0]) if values else None


def confirms(judged: Judged, fresh: Sequence[PairRecord]) -> bool | None:
    """Whether pairs that had no part in the suspicion show it too; None without such pairs."""
    values = [
        v for pair in fresh if pair.status == "ok" and (v := log_ratio(judged, pair)) is not None
    ]
    if not values:
        return None
    suspected = math.log(judged.finding.ratio)
    again = statistics.fmean(values)
    enough = max(CONFIRMED_SHARE * abs(suspected), math.log1p(NOTABLE_RATIO / 2))
    return again * suspected > 0 and abs(again) >= enough


def as_record(judged: Judged, confirmed: bool | None) -> FindingRecord:
    """The finding for `comparison.json`. A change is called one only when it was confirmed."""
    finding, verdict, note = judged.finding, judged.finding.verdict, None
    if verdict in ("regression", "improvement") and confirmed is not True:
        note = (
            f"looked like a {verdict}; fresh forks did not show it"
            if confirmed is False
            else f"looks like a {verdict}; no time was left to measure it again"
        )
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
