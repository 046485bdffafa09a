"""One side of a fork pair: a server that runs only while it is its turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from springbench.errors import CaseError
from springbench.measure.rounds.standing import Standing
from springbench.plan.cases import Case
from springbench.results.pairs import PairRecord, SideName, SideRecord

SIDES: tuple[SideName, SideName] = ("base", "head")
Each = TypeVar("Each")


@dataclass(frozen=True)
class Schedule:
    """How often and how long each side is loaded, for one case."""

    case: Case
    bursts: int
    burst_s: float

    @property
    def load_s(self) -> float:
        """How long a side is loaded at least. Where requests wait by design a burst is a window."""
        delay_s = self.case.workload.delay_s
        around_s = self.case.ramp_s + delay_s if delay_s else 0.0
        return self.bursts * (self.burst_s + around_s)


@dataclass
class RunningSide(Standing):
    """A running server with its load driver and what was measured of it."""

    name: SideName
    record: SideRecord
    pair: PairRecord

    @contextmanager
    def answerable(self) -> Iterator[None]:
        with blamed(self.pair, self.name):
            yield


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
