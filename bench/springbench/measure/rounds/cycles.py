"""Cycles: a slice of each lane, one after the other; who begins changes from cycle to cycle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from springbench.errors import CaseError
from springbench.measure.rounds.lane import Lane

# new connections wake compilers: so long each lane may have CPUs of their own for them
SETTLE_MAX_S = 10.0
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
            lane.run()
        except CaseError as error:
            failures.append((lane, error))
    return failures


def settle(
    lanes: Sequence[Lane],
    rests: int = 1,
    woken: Sequence[Lane] | None = None,
    longest_s: float = SETTLE_MAX_S,
) -> Failures:
    """Load all of them until the compilers of each of the woken ones (all, unless they are named)
    have rested for so many seconds of its own in a row, then bind these to their server again.

    A lane that has rested goes on for a slice now and then, so that no connection is given up. No
    look of that time is kept.
    """
    woken = lanes if woken is None else woken
    for lane in woken:
        lane.compilers.lend(lane.server.testbed.cpus.beside_server)
    failures: Failures = []
    rested = [0 if lane in woken else rests for lane in lanes]
    before = [len(lane.looks) for lane in lanes]
    for _ in range(round(longest_s / SETTLED_S)):
        slices = [
            1 if times >= rests else round(SETTLED_S / lane.slice_s)
            for lane, times in zip(lanes, rested, strict=True)
        ]
        failures = _second(lanes, slices)
        if failures:
            break
        for number, lane in enumerate(lanes):
            if rested[number] < rests:
                rested[number] = rested[number] + 1 if lane.rested(before[number]) else 0
            del lane.looks[before[number] :]
        if min(rested, default=rests) >= rests:
            break
    for lane in woken:
        lane.compilers.give_back(lane.server.testbed.cpus.server)
    for lane, kept in zip(lanes, before, strict=True):
        del lane.looks[kept:]
    return failures


def _second(lanes: Sequence[Lane], slices: Sequence[int]) -> Failures:
    """So many slices of each, with a look at its end."""
    for turn in range(max(slices, default=0)):
        awake = [lane for lane, most in zip(lanes, slices, strict=True) if turn < most]
        if failures := cycle(awake, turn):
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
