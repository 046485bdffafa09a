"""Published figures with their measured counterparts, and reversed orders. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, NamedTuple, Protocol, TypeVar

from springbench.results.studies import Axes, Figure, axes_of

# two throughputs that lie closer together have no order worth speaking of
ORDER_RATIO = 1.05
RATE = "throughput_rps"


class Value(NamedTuple):
    """A measured metric; of one fork the edges are the value itself."""

    median: float
    low: float
    high: float


class Measured(Protocol):
    """A case as it was measured."""

    @property
    def axes(self) -> Axes:
        """What its variant is made of."""

    @property
    def load(self) -> tuple[str, int]:
        """Its workload, and its connections."""

    @property
    def is_ranked(self) -> bool:
        """Whether its throughput is what the server can do."""

    def value(self, metric: str) -> Value | None:
        """A metric of it; None where it failed or has none."""


M = TypeVar("M", bound=Measured)


@dataclass(frozen=True)
class Pair(Generic[M]):
    """A published figure and what stands for it here."""

    figure: Figure
    axes: Axes
    measured: M | None
    value: Value | None

    @property
    def ratio(self) -> float | None:
        """Measured ÷ published; None where no number can say it."""
        if self.value is None or not self.figure.median:
            return None
        return self.value.median / self.figure.median


@dataclass(frozen=True)
class Reversal(Generic[M]):
    """Two variants whose order under one load is reversed: in the study `first` is faster by the
    ratio `there`, here `second` is faster by the ratio `here`."""

    first: Pair[M]
    second: Pair[M]
    there: float
    here: float


def pairs(
    figures: Iterable[Figure], measured: Sequence[M], runtimes: Sequence[str]
) -> list[Pair[M]]:
    """Each figure with its counterpart: same server, model and load; the runtime and the line of
    Spring Boot where there is one, since what was measured on others still tells something."""
    by_server: dict[tuple[str, str], list[M]] = {}
    for measurement in measured:
        by_server.setdefault((measurement.axes.server, measurement.axes.model), []).append(
            measurement
        )
    found = []
    for figure in figures:
        axes = axes_of(figure.variant, runtimes)
        same = by_server.get((axes.server, axes.model), [])
        fits = [measurement for measurement in same if _fits(measurement, figure)]
        best = max(fits, key=lambda measurement: _nearness(measurement, axes), default=None)
        found.append(Pair(figure, axes, best, best.value(figure.metric) if best else None))
    return found


def reversals(found: Sequence[Pair[M]]) -> list[Reversal[M]]:
    """Throughputs that differ in the study, and differ in the opposite direction here."""
    rates = [
        pair
        for pair in found
        if pair.figure.metric == RATE and pair.value and pair.measured and pair.measured.is_ranked
    ]
    found_reversals = []
    for one, other in combinations(rates, 2):
        if _load(one.figure) != _load(other.figure):
            continue
        first, second = sorted((one, other), key=lambda pair: -pair.figure.median)
        there = first.figure.median / second.figure.median if second.figure.median else 0.0
        here = _ahead(second.value, first.value)
        if there > ORDER_RATIO and here > ORDER_RATIO:
            found_reversals.append(Reversal(first, second, there, here))
    return found_reversals


def _fits(measured: Measured, figure: Figure) -> bool:
    workload, connections = measured.load
    return (
        figure.workload in (None, workload)
        and figure.connections in (None, connections)
        and measured.value(figure.metric) is not None
    )


def _nearness(measured: Measured, axes: Axes) -> tuple[bool, bool]:
    return (measured.axes.runtime == axes.runtime, measured.axes.boot == axes.boot)


def _load(figure: Figure) -> tuple[str | None, int | None]:
    return figure.workload, figure.connections


def _ahead(one: Value | None, other: Value | None) -> float:
    """By how much one is above the other; 0 where their intervals do not tell them apart."""
    if one is None or other is None or other.median <= 0 or one.low <= other.high:
        return 0.0
    return one.median / other.median
