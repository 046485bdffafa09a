"""Constant rates on both sides of a pair, one after the other: what waiting clients would see."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from springbench.errors import CaseError
from springbench.measure.at_rate import measure_at_rate, warm_up_for_rates
from springbench.measure.duet.side import RunningSide, in_order
from springbench.measure.load.driver import Driver
from springbench.plan.cases import Case
from springbench.results.pairs import SideRecord


def measure_at_rates(sides: Sequence[RunningSide], case: Case, turn: int) -> None:
    """Load both sides at each rate that the case asks for, the same for both. Raises `CaseError`.

    The rates are shares of what base had in the loads before; without oha there are none.
    """
    if not case.rates or any(side.testbed.oha is None for side in sides):
        return
    capacity_rps = capacity_of(next(side.record for side in sides if side.name == "base"), case)
    if capacity_rps is None:
        return
    for side in in_order(sides, turn):
        with _unharmed(side):
            warm_up_for_rates(_driver(side, case), case, capacity_rps)
    for number, share in enumerate(case.rates):
        for side in in_order(sides, turn + number):
            with _unharmed(side):
                found = measure_at_rate(_driver(side, case), case, share, capacity_rps)
                side.record.constant_rates.setdefault(case.id, []).append(found)


def _driver(side: RunningSide, case: Case) -> Driver:
    """With a folder for each case: its loads have the names of their rates."""
    folder = side.driver.folder / f"{case.workload.id}-{case.connections}"
    folder.mkdir(exist_ok=True)
    return replace(side.driver, folder=folder)


@contextmanager
def _unharmed(side: RunningSide) -> Iterator[None]:
    """What the generator does wrong costs these figures; a server that ends costs the pair."""
    with side.awake():
        try:
            yield
        except CaseError:
            side.driver.server.check_alive("a load at a constant rate")


def capacity_of(side: SideRecord, case: Case) -> float | None:
    """Throughput that a side has shown; None where it was not loaded."""
    rates = [burst.throughput_rps for burst in side.bursts.get(case.id, [])]
    rates += [window.throughput_rps for window in side.windows.get(case.id, [])]
    rates = [rate for rate in rates if rate]
    return statistics.median(rates) if rates else None
