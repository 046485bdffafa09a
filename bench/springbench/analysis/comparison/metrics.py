"""What a comparison judges of two sides: its metrics, and how large a change of each matters. Pure.

Requests that wait by design come back at a rate that hardly varies: there one in a hundred is
plain to see. What varies is told by the spread of the pairs, whatever stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from springbench.matrix.profiles import RateShare
from springbench.results.metrics import Better, Unit, rate_metric
from springbench.results.pairs import AnsweredRecord, BurstRecord, SideRecord
from springbench.results.records import LoadRecord

# changes below this are nobody's concern, however sure they are
NOTABLE_RATIO = 0.03
# an interval within this on both sides says "unchanged"
EQUIVALENT_RATIO = 0.05
# of a window's mean, with all that stood still in it: 24 recorded pairs
ERROR_OF_A_MEAN = 0.028
# the same of what is mostly a delay by design
NOTABLE_OF_DELAY = 0.01
EQUIVALENT_OF_DELAY = 0.02
# of the server's CPUs, in a burst of a second: from there on it shows what compilers took
COMPILING_RATIO = 0.1

# what a pair must go through to show a metric: only a start, some load, or the loads of the case
Stage = Literal["start", "load", "case"]
Values = Sequence[float | None]


@dataclass(frozen=True)
class ComparedCase:
    """A case as a comparison sees it. `waits`: its requests wait by design; `rates`: constant
    rates that it is loaded at, too."""

    case: str
    waits: bool
    rates: tuple[RateShare, ...] = ()


@dataclass(frozen=True)
class Compared:
    """A metric as a comparison takes it: its values on one side, in the order of time."""

    name: str
    unit: Unit
    better: Better
    stage: Stage
    read: Callable[[SideRecord, str], Values]
    usual_spread: float
    """Of log(head ÷ base) from pair to pair, where builds are identical: what is taken until the
    pairs themselves tell. From 24 recorded pairs (`evaluation/recorded`) and some 40 later ones, on
    two-core guests; more than that on a disturbed one, where the pairs do tell."""
    notable_ratio: float = NOTABLE_RATIO
    equivalent_ratio: float = EQUIVALENT_RATIO
    error: Callable[[SideRecord, str], Values] | None = None
    """How far off each value of a side may be by how it was measured: a standard error, as a ratio.
    Pairs are not taken to agree better than that."""


def compiling(burst: BurstRecord) -> bool:
    """Whether it shows a server that is not yet what it will be."""
    return (burst.compiler_cpu_ratio or 0.0) > COMPILING_RATIO


def _of_bursts(read: Callable[[BurstRecord], float | None]) -> Callable[[SideRecord, str], Values]:
    return lambda side, case: [
        None if compiling(burst) else read(burst) for burst in side.bursts.get(case, [])
    ]


def _of_windows(read: Callable[[LoadRecord], float | None]) -> Callable[[SideRecord, str], Values]:
    return lambda side, case: [read(window) for window in side.windows.get(case, [])]


def _of_answers(
    read: Callable[[AnsweredRecord], float | None],
) -> Callable[[SideRecord, str], Values]:
    return lambda side, case: [read(side.answered[case])] if case in side.answered else []


def _waiting_cost_s(side: SideRecord, case: str) -> Values:
    """CPU per request; older comparisons kept it with their bursts."""
    windows: Sequence[LoadRecord | BurstRecord] = side.windows.get(case) or side.bursts.get(
        case, []
    )
    return [window.cpu_per_request_s for window in windows]


_ALLOCATED = Compared(
    "allocated_bytes_per_request",
    "bytes",
    "lower",
    "case",
    _of_answers(lambda answered: answered.allocated_bytes_per_request),
    usual_spread=0.02,
)
# throughput beside CPU: a neighbour that takes the CPU away slows a server without making it work
_BUSY = (
    Compared(
        "throughput_rps",
        "rps",
        "higher",
        "case",
        _of_bursts(lambda burst: burst.throughput_rps),
        # 1.9 % on one host, 3.9 % on another
        usual_spread=0.03,
    ),
    Compared(
        "cpu_per_request_s",
        "s",
        "lower",
        "case",
        _of_bursts(lambda burst: burst.cpu_per_request_s),
        usual_spread=0.03,
    ),
    _ALLOCATED,
)
_WAITING = (
    Compared(
        "throughput_rps",
        "rps",
        "higher",
        "case",
        _of_windows(lambda window: window.middle_throughput_rps or window.throughput_rps),
        # 38 pairs of one build, 1,000 connections that begin apart: 0.2 %
        usual_spread=0.003,
        error=_of_windows(
            lambda window: (
                ERROR_OF_A_MEAN
                if window.middle_throughput_rps is None
                else window.middle_error_ratio
            )
        ),
        notable_ratio=NOTABLE_OF_DELAY,
        equivalent_ratio=EQUIVALENT_OF_DELAY,
    ),
    Compared(
        "latency_p99_s",
        "s",
        "lower",
        "case",
        _of_windows(lambda window: window.latency_p99_s),
        # 2.1 % in the same pairs
        usual_spread=0.04,
    ),
    Compared("cpu_per_request_s", "s", "lower", "case", _waiting_cost_s, usual_spread=0.18),
    _ALLOCATED,
)
# at a constant rate, which is the same for both sides: usual spreads of five pairs at half of the
# capacity. Where requests wait by design, a delay is the greater part of each latency.
_BUSY_AT_RATE = {
    "latency_p50_s": 0.045,
    "latency_p99_s": 0.7,
    "latency_p999_s": 0.42,
    "cpu_per_request_s": 0.025,
}
_WAITING_AT_RATE = {
    "latency_p50_s": 0.002,
    "latency_p99_s": 0.01,
    "latency_p999_s": 0.015,
    "cpu_per_request_s": 0.13,
}
# of the process, whatever load it got: judged once for all cases of a variant
_VARIANT = (
    Compared(
        "memory_idle_bytes",
        "bytes",
        "lower",
        "start",
        lambda side, _: [side.memory_idle_bytes],
        usual_spread=0.005,
    ),
    Compared(
        "memory_peak_bytes",
        "bytes",
        "lower",
        "load",
        lambda side, _: [side.memory_peak_bytes],
        # 1.4 % on one host, 3.2 % on another; one pair in seven is off by 6 to 11 %
        usual_spread=0.05,
    ),
    Compared(
        "threads_max",
        "count",
        "lower",
        "load",
        lambda side, _: [side.threads_max],
        usual_spread=0.03,
    ),
    Compared(
        "startup_s", "s", "lower", "start", lambda side, _: [side.startup_s], usual_spread=0.15
    ),
)


def metrics_of(case: ComparedCase, *, first: bool) -> tuple[Compared, ...]:
    """What is judged of a case; `first` of its variant, it stands for the process too."""
    own = _WAITING if case.waits else _BUSY
    at_rates = tuple(metric for share in case.rates for metric in _metrics_at(share, case))
    return (*own, *at_rates, *_VARIANT) if first else (*own, *at_rates)


def _metrics_at(share: RateShare, case: ComparedCase) -> Iterator[Compared]:
    """Latencies from when a request was due, and CPU time; of loads that count."""

    def read(name: str) -> Callable[[SideRecord, str], Values]:
        return lambda side, case_id: [
            getattr(at, name) if at.counts else None
            for at in side.constant_rates.get(case_id, [])
            if at.share == share
        ]

    for name, usual_spread in (_WAITING_AT_RATE if case.waits else _BUSY_AT_RATE).items():
        of_delay = case.waits and name != "cpu_per_request_s"
        yield Compared(
            rate_metric(share, name),
            "s",
            "lower",
            "case",
            read(name),
            usual_spread,
            notable_ratio=NOTABLE_OF_DELAY if of_delay else NOTABLE_RATIO,
            equivalent_ratio=EQUIVALENT_OF_DELAY if of_delay else EQUIVALENT_RATIO,
        )


OF_THE_START = frozenset(metric.name for metric in _VARIANT if metric.stage == "start")
"""Metrics of a process before any load: the same whatever case of its variant is looked at."""
