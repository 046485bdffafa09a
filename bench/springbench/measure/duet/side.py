"""One side of a fork pair: a server that runs only while it is its turn."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, TypeVar

from springbench.measure.load.driver import Driver
from springbench.measure.testbed import Testbed
from springbench.plan.cases import Case
from springbench.results.records import SideRecord

SideName = Literal["base", "head"]
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

    @property
    def pid(self) -> int:
        return self.driver.server.running.pid

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Only inside this block does the process run."""
        self.driver.server.running.signal(signal.SIGCONT)
        try:
            yield
        finally:
            self.driver.server.running.signal(signal.SIGSTOP)


def in_order(both: Sequence[Each], turn: int) -> list[Each]:
    """As they are in even turns, the other way round in odd ones."""
    return list(both) if turn % 2 == 0 else list(reversed(both))
