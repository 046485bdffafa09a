"""The time that planned steps still take, corrected by what steps of this run have taken.

A plan knows how long each step takes where nothing is slow. How many times as long the steps of one
kind really took holds for the others of that kind. A kind of which nothing has been measured yet
takes most of what the other kinds were off by.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from springbench import units

# how much the plan of a kind weighs that nothing is known of, beside one kind that is known
PLAN_WEIGHT = 0.4
# so many seconds of a kind as planned: one short step does not tell of all others
PRIOR_S = 0.5
# what is known now is said in place of what is due only where it differs by more
SAME_RATIO, SAME_S = 0.05, 2.0
# beyond these a kind tells of itself, and of no other
LEAST_RATIO, MOST_RATIO = 0.5, 2.0


class Step(NamedTuple):
    """A part of a measurement, and how long it takes where nothing is slow.

    It is over once all of `parts` are finished, whether it has begun or not.
    """

    kind: str
    planned_s: float
    parts: Collection[Hashable] = ()


# as of a case that is measured again, after the process that it shared had failed
UNPLANNED = Step("unplanned", 0.0)


class Left(NamedTuple):
    """The time left: of the step that goes on, and of those after it; and how long it is over."""

    step_s: float
    after_s: float
    over_s: float

    @property
    def total_s(self) -> float:
        """Of all of them."""
        return self.step_s + self.after_s


class Measured(NamedTuple):
    """How long the steps of a kind have taken, and how long they were planned."""

    spent_s: float
    planned_s: float


@dataclass
class Countdown:
    """Steps by their keys. `clock` counts seconds."""

    steps: dict[Hashable, Step]
    clock: Callable[[], float] = time.monotonic
    finished: set[Hashable] = field(default_factory=set)
    """What steps are of, as far as it is done."""
    _begun: set[Hashable] = field(default_factory=set)
    _now: Step | None = None
    _since_s: float = 0.0
    _done: tuple[float, float] = (0.0, 0.0)
    """Which part of the step that goes on is done, and how long that took."""
    _last_report: tuple[float, float] | None = None
    """When something was said last, and how many seconds."""
    _spent_s: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    _planned_s: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def begin(self, key: Hashable) -> None:
        """A step begins, and the one before it has ended. One that no plan has is over at once."""
        self.end()
        self._begun.add(key)
        step = self.steps.get(key, UNPLANNED)
        self._now = step._replace(planned_s=self._planned(step), parts=())
        self._since_s, self._done = self.clock(), (0.0, 0.0)

    def part(self, ratio: float) -> None:
        """So much of the step that goes on is done, from 0 to 1."""
        self._done = (min(1.0, ratio), self._elapsed_s)

    def end(self) -> None:
        """The step that goes on has ended."""
        if self._now:
            self._spent_s[self._now.kind] += self._elapsed_s
            self._planned_s[self._now.kind] += self._now.planned_s
        self._now = None

    def words(self) -> str:
        """The time left, for a person: what was said before, less the time since, unless more is
        known now. A step that takes longer than all that is known of it says by how much."""
        left, now_s = self.left, self.clock()
        if left.over_s >= 1:
            self._last_report = None
            after = f", then about {units.duration(left.after_s)}" if left.after_s else ""
            return f"{units.duration(left.over_s)} longer than planned{after}"
        total_s, more = left.total_s, ""
        if self._last_report:
            due_s = self._last_report[1] - (now_s - self._last_report[0])
            if abs(total_s - due_s) <= max(SAME_S, SAME_RATIO * total_s):
                total_s = max(0.0, due_s)
            elif total_s > due_s:
                more = ", more than planned"
        self._last_report = (now_s, total_s)
        return f"about {units.duration(total_s)} left{more}"

    @property
    def left(self) -> Left:
        """As far as it is known now."""
        step_s = over_s = 0.0
        measured = self._measured()
        if self._now:
            kind, planned_s, _ = self._now
            done, took_s = self._done
            expected_s = took_s + (1 - done) * planned_s * _ratio(measured, kind)
            step_s = max(0.0, expected_s - self._elapsed_s)
            over_s = max(0.0, self._elapsed_s - expected_s)
            if over_s and not done:
                # what it has taken until now the others of its kind take at least
                measured = self._measured(1.0, self._elapsed_s)
        return Left(step_s, self._after_s(measured), over_s)

    def _after_s(self, measured: Mapping[str, Measured]) -> float:
        planned_s: dict[str, float] = defaultdict(float)
        for key, step in self.steps.items():
            if key not in self._begun:
                planned_s[step.kind] += self._planned(step)
        return sum(each_s * _ratio(measured, kind) for kind, each_s in planned_s.items())

    def _measured(self, done: float | None = None, took_s: float = 0.0) -> dict[str, Measured]:
        """By kind, with the part that is done of the step that goes on."""
        known = {
            kind: Measured(self._spent_s[kind], planned_s)
            for kind, planned_s in self._planned_s.items()
        }
        if done is None:
            done, took_s = self._done
        if self._now and done:
            kind, planned_s, _ = self._now
            spent_s, before_s = known.get(kind, Measured(0.0, 0.0))
            known[kind] = Measured(spent_s + took_s, before_s + done * planned_s)
        return known

    @property
    def _elapsed_s(self) -> float:
        return self.clock() - self._since_s

    def _planned(self, step: Step) -> float:
        """Of a step that is of several things, only what these that are not finished take."""
        if not step.parts:
            return step.planned_s
        return (
            step.planned_s * sum(part not in self.finished for part in step.parts) / len(step.parts)
        )


def _ratio(measured: Mapping[str, Measured], kind: str) -> float:
    """How many times as long as planned steps of a kind take."""
    logs = [
        math.log(min(MOST_RATIO, max(LEAST_RATIO, spent_s / planned_s)))
        for name, (spent_s, planned_s) in measured.items()
        if planned_s and name != kind
    ]
    prior_ratio = math.exp(sum(logs) / (len(logs) + PLAN_WEIGHT))
    spent_s, planned_s = measured.get(kind, Measured(0.0, 0.0))
    return (spent_s + PRIOR_S * prior_ratio) / (planned_s + PRIOR_S)
