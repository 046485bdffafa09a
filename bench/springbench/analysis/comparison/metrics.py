"""What a comparison evaluates of two sides: its metrics, as the registry declares them. Pure.

What varies is known by the spread of the pairs, whatever noise the registry expects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from springbench.matrix.profiles import CapacityPercent
from springbench.results.metrics import (
    BY_NAME,
    IMPORTANCE,
    USUAL_EFFECT,
    Better,
    Metric,
    Stage,
    Unit,
)
from springbench.results.pairs import AnsweredRecord, BurstRecord, SideRecord
from springbench.results.records import LoadRecord

NOTABLE_RATIO = USUAL_EFFECT.notable
EQUIVALENT_RATIO = USUAL_EFFECT.equivalent
# of a window's mean, with all pauses in it: 24 recorded pairs
ERROR_OF_A_MEAN = 0.028
# of the server's CPUs, in a burst of a second: from there on it shows what compilers took
COMPILING_RATIO = 0.1

Values = Sequence[float | None]
Read = Callable[[SideRecord, str], Values]


@dataclass(frozen=True)
class ComparedCase:
    """A case as a comparison sees it. `waits`: its requests wait by design; `rates`: constant
    rates that it is loaded at, too."""

    case: str
    waits: bool
    rates: tuple[CapacityPercent, ...] = ()


@dataclass(frozen=True)
class Compared:
    """A metric as a comparison takes it: its values on one side, in the order of time."""

    name: str
    unit: Unit
    better: Better
    stage: Stage
    read: Read
    usual_spread: float
    """The noise of the registry for a case like this."""
    notable_ratio: float = NOTABLE_RATIO
    equivalent_ratio: float = EQUIVALENT_RATIO
    error: Read | None = None
    """How far off each value of a side may be by how it was measured: a standard error, as a ratio.
    Pairs are not taken to agree better than that."""


def compiling(burst: BurstRecord) -> bool:
    """Whether it shows a server that is not yet what it will be."""
    return (burst.compiler_cpu_ratio or 0.0) > COMPILING_RATIO


def metrics_of(case: ComparedCase, *, first: bool) -> tuple[Compared, ...]:
    """What is evaluated of a case, most important first; `first` of its variant, it stands for the
    process too: what a process shows whatever load it got is evaluated once for all of its
    cases."""
    own = [metric for metric in _evaluated(case) if metric.stage == "case"]
    process = [metric for metric in _evaluated(case) if metric.stage != "case"]
    return tuple(_compared(metric, case) for metric in [*own, *(process if first else [])])


def _evaluated(case: ComparedCase) -> Iterator[Metric]:
    for name in IMPORTANCE:
        metric = BY_NAME[name]
        at_rate = metric.capacity_percent is None or metric.capacity_percent in case.rates
        if at_rate and _noise(metric, case) is not None:
            yield metric


def _noise(metric: Metric, case: ComparedCase) -> float | None:
    if metric.noise is None:
        return None
    return metric.noise.waiting if case.waits else metric.noise.busy


def _compared(metric: Metric, case: ComparedCase) -> Compared:
    effect = metric.effect(waits=case.waits)
    read, error = reader_of(metric, case), None
    if case.waits and metric.name == "throughput_rps":
        read, error = _of_windows(_middle_rps), _of_windows(_error_of_middle)
    return Compared(
        metric.name,
        metric.unit,
        metric.better,
        metric.stage,
        read,
        _noise(metric, case) or 0.0,
        effect.notable,
        effect.equivalent,
        error,
    )


def reader_of(metric: Metric, case: ComparedCase) -> Read:
    """How values of a side are read, by where it has them: loads at a constant rate, the process,
    its answers, or its loads.

    There the field has the name of the metric.
    """
    name = metric.figure or metric.name
    if metric.capacity_percent is not None:
        return lambda side, case_id: [
            getattr(at, name) if at.counts else None
            for at in side.constant_rates.get(case_id, [])
            if at.capacity_percent == metric.capacity_percent
        ]
    if metric.stage != "case":
        return lambda side, _: [getattr(side, name)]
    if name in AnsweredRecord.model_fields:
        return lambda side, case_id: (
            [getattr(side.answered[case_id], name)] if case_id in side.answered else []
        )
    if case.waits:
        return _of_windows(lambda window: getattr(window, name))
    return lambda side, case_id: [
        None if compiling(burst) else getattr(burst, name) for burst in side.bursts.get(case_id, [])
    ]


def _of_windows(read: Callable[[LoadRecord], float | None]) -> Read:
    return lambda side, case_id: [read(window) for window in side.windows.get(case_id, [])]


def _middle_rps(window: LoadRecord) -> float:
    return window.middle_throughput_rps or window.throughput_rps


def _error_of_middle(window: LoadRecord) -> float | None:
    return ERROR_OF_A_MEAN if window.middle_throughput_rps is None else window.middle_error_ratio


OF_THE_START = frozenset(metric.name for metric in BY_NAME.values() if metric.stage == "start")
"""Metrics of a process before any load: the same whatever case of its variant is looked at."""
