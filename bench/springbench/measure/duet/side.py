"""One side of a fork pair: a server that runs only while it is its turn."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from springbench.errors import CaseError
from springbench.measure.load.driver import Driver
from springbench.measure.readings import gclog
from springbench.measure.readings.gclog import Collection
from springbench.measure.server.log import gc_log
from springbench.measure.testbed import Testbed
from springbench.plan.cases import Case, Variant
from springbench.results.records import PairRecord, SideName, SideRecord

SIDES: tuple[SideName, SideName] = ("base", "head")
Each = TypeVar("Each")


@dataclass(frozen=True)
class Schedule:
    """How often and how long each side is loaded, for one case."""

    case: Case
    bursts: int
    burst_s: float


@dataclass
class RunningSide:
    """A running server with its load driver and what was measured of it."""

    name: SideName
    testbed: Testbed
    driver: Driver
    record: SideRecord
    variant: Variant
    pair: PairRecord

    @property
    def pid(self) -> int:
        return self.driver.server.running.pid

    def collections(self) -> list[Collection] | None:
        """Those of its life until now; None where it tells none."""
        return gclog.read(gc_log(self.variant, self.driver.folder))

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Only inside this block does the process run; what fails in it is this side's failure."""
        self.driver.server.running.signal(signal.SIGCONT)
        try:
            with blamed(self.pair, self.name):
                yield
        finally:
            self.driver.server.running.signal(signal.SIGSTOP)


@contextmanager
def blamed(pair: PairRecord, side: SideName) -> Iterator[None]:
    """Remember whose failure it is, whatever it is called on the way out."""
    try:
        yield
    except CaseError:
        pair.failed_side = pair.failed_side or side
        raise


def in_order(both: Sequence[Each], turn: int) -> list[Each]:
    """As they are in even turns, the other way round in odd ones."""
    return list(both) if turn % 2 == 0 else list(reversed(both))
