"""Cycles: a slice of each lane, one after the other; who begins changes from cycle to cycle."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TypeVar

from springbench.errors import CaseError
from springbench.measure.rounds.lane import Lane

SLICE_S = 0.1
# new connections wake compilers: so long they may have CPUs of their own, all lanes together
SETTLE_MAX_S = 20.0
# for so long those of each lane must have rested
SETTLED_S = 1.0
Each = TypeVar("Each")
Failures = list[tuple[Lane, CaseError]]


def rotated(items: Sequence[Each], turn: int) -> list[Each]:
    """The same in a circle, from another one on in each turn; two change places."""
    first = turn % len(items) if items else 0
    return [*items[first:], *items[:first]]


def cycle(lanes: Sequence[Lane], turn: int) -> Failures:
    """A slice of each. Those whose server or wrk has ended cost the others nothing."""
    failures: Failures = []
    for lane in rotated(lanes, turn):
        try:
            lane.run(SLICE_S)
        except CaseError as error:
            failures.append((lane, error))
    return failures


def settle(lanes: Sequence[Lane]) -> Failures:
    """Load all of them until the compilers of all rest, and bind these to their server again."""
    for lane in lanes:
        lane.compilers.lend(lane.server.testbed.cpus.beside_server)
    failures: Failures = []
    end_s = time.monotonic() + SETTLE_MAX_S
    while True:
        failures = _second(lanes)
        if failures or all(lane.rested() for lane in lanes) or time.monotonic() > end_s:
            break
        for lane in lanes:
            lane.looks.clear()
    for lane in lanes:
        lane.compilers.give_back(lane.server.testbed.cpus.server)
        lane.looks.clear()
    return failures


def _second(lanes: Sequence[Lane]) -> Failures:
    """A second of each, with a look at its end."""
    for turn in range(round(SETTLED_S / SLICE_S)):
        if failures := cycle(lanes, turn):
            return failures
    return look_at(lanes)


def look_at(lanes: Sequence[Lane]) -> Failures:
    """A look at each while all stand still."""
    failures: Failures = []
    for lane in lanes:
        try:
            lane.look()
        except CaseError as error:
            failures.append((lane, error))
    return failures
