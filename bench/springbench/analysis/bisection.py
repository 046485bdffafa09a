"""Which two commits to compare next, until one changed a metric or noise lets no more. Pure.

Commits are numbers: 0 is the good end, the last one the bad end. Both ends are compared first, then
the middle of what is left with the good one, and where that cannot tell with the bad one. The same
answers lead to the same question, so answers that were written down are all that is to be kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from springbench.results.comparison import FindingRecord, Verdict
from springbench.results.events import Direction

# where so many commits of a range could not be decided, its others could not be either
MAX_UNCLEAR = 2

_OPPOSITE: dict[Verdict, Verdict] = {"regression": "improvement", "improvement": "regression"}

Kind = Literal["culprit", "range", "no-change", "opposite", "unclear", "contradiction"]


@dataclass(frozen=True)
class Compare:
    """Two commits to be compared."""

    base: int
    head: int


@dataclass(frozen=True)
class Change:
    """From base to head, as logarithms with their interval; positive is the way that is looked for:
    worse, or better where an improvement is."""

    low: float
    middle: float
    high: float
    verdict: Verdict

    @classmethod
    def of(cls, finding: FindingRecord, direction: Direction = "regression") -> Change:
        """The same from what a comparison found."""
        low, middle, high = map(math.log, (finding.low_ratio, finding.ratio, finding.high_ratio))
        if (finding.better == "higher") == (direction == "regression"):
            low, middle, high = -high, -middle, -low
        verdict = finding.verdict
        if direction == "improvement":
            verdict = _OPPOSITE.get(verdict, verdict)
        return cls(low, middle, high, verdict)

    @property
    def is_step(self) -> bool:
        """Whether head has changed the way that is looked for, confirmed by fresh pairs."""
        return self.verdict == "regression"

    def without(self, part: Change) -> Change:
        """What is left of it where a part of it came elsewhere."""
        return Change(
            self.low - part.high, self.middle - part.middle, self.high - part.low, self.verdict
        )


@dataclass(frozen=True)
class Answer:
    """Answer of a comparison: a change, a commit that does not run, or None for neither."""

    comparison: Compare
    change: Change | None = None
    broken: int | None = None


@dataclass
class Search:
    """What is known after some answers: the step lies behind `low`, at `high` at the latest."""

    last: int
    low: int = 0
    high: int = 0
    step: Change | None = None
    """The step that is looked for: what it is in all."""
    ended: Kind | None = None
    checked: bool | None = None
    """Whether the two neighbours themselves show the step; None where they were not compared."""
    broken: set[int] = field(default_factory=set)
    unclear: set[int] = field(default_factory=set)
    other_ranges: list[tuple[int, int]] = field(default_factory=list)
    """Ranges with a part of the change, which were not followed."""
    _good: int = 0
    _bad: int = 0
    _unconfirmed: int | None = None
    """A middle that the good end could not tell."""
    _compared: dict[Compare, Change | None] = field(default_factory=dict)

    @classmethod
    def after(cls, last: int, answers: Iterable[Answer]) -> Search:
        """What these answers lead to, on a range whose bad end is number `last`."""
        search = cls(last, high=last, _bad=last)
        for answer in answers:
            search.record(answer)
        return search

    def ask(self) -> Compare | None:
        """What to compare next; None where the end is reached."""
        if self.ended:
            return None
        if self.step is None:
            return Compare(0, self.last)
        if self._unconfirmed is not None:
            return Compare(self._unconfirmed, self._bad)
        if (middle := self._middle()) is not None:
            return Compare(self._good, middle)
        neighbours = Compare(self.low, self.high)
        if self.is_single and neighbours not in self._compared:
            return neighbours
        return None

    @property
    def is_single(self) -> bool:
        """Whether one commit is left."""
        return self.high - self.low == 1

    @property
    def kind(self) -> Kind:
        """What can be said so far."""
        if self.ended:
            return self.ended
        return "culprit" if self.step and self.is_single else "range"

    def record(self, answer: Answer) -> None:
        """Take an answer to what was asked."""
        comparison = answer.comparison
        self._compared[comparison] = answer.change
        if self.step is None:
            self._record_ends(answer.change)
        elif answer.broken is not None and self.low < answer.broken < self.high:
            self.broken.add(answer.broken)
            self._unconfirmed = None
        elif self.is_single:
            self._record_neighbours(answer.change)
        elif self._unconfirmed is None:
            self._record_good(comparison.head, answer.change)
        else:
            self._unconfirmed = None
            self._record_bad(comparison.base, answer.change)
        if self.is_single and self.checked is None and not self.ended:
            self._look_back()

    def _record_ends(self, change: Change | None) -> None:
        if change and change.is_step:
            self.step = change
        elif change and change.verdict in ("unchanged", "improvement"):
            self.ended = "no-change" if change.verdict == "unchanged" else "opposite"
        else:
            self.ended = "unclear"

    def _record_good(self, middle: int, change: Change | None) -> None:
        """The middle was compared with the good end."""
        step = self._step
        if change and change.is_step:
            if change.high < step.low:
                self._split(middle, change, step.without(change))
            else:
                self.high = middle
        elif change and change.high < step.middle / 2:
            self.low = middle
        else:
            self._unconfirmed = middle

    def _record_bad(self, middle: int, change: Change | None) -> None:
        """The middle was compared with the bad end."""
        step = self._step
        if change and change.is_step:
            if change.high < step.low:
                self._split(middle, step.without(change), change)
            else:
                self.low = middle
        elif change and change.high < step.middle / 2:
            self.high = middle
        else:
            self.unclear.add(middle)

    def _split(self, middle: int, before: Change, after: Change) -> None:
        """The middle lies between both levels: the larger part is followed."""
        if before.middle >= after.middle:
            self.other_ranges.append((middle, self.high))
            self.high = self._bad = middle
            self.step = before
        else:
            self.other_ranges.append((self.low, middle))
            self.low = self._good = middle
            self.step = after

    def _record_neighbours(self, change: Change | None) -> None:
        """The two that are left were compared with each other."""
        self.checked = bool(change and change.is_step)
        if change and not change.is_step and change.high < self._step.middle / 2:
            self.ended = "contradiction"

    def _look_back(self) -> None:
        """What the way here has compared already needs no other comparison."""
        neighbours = self._compared.get(Compare(self.low, self.high))
        if neighbours and neighbours.is_step:
            self.checked = True

    @property
    def _step(self) -> Change:
        assert self.step is not None  # noqa: S101 - nothing is divided before the ends were compared
        return self.step

    def _middle(self) -> int | None:
        """The commit that halves best: in the widest gap between those that could not be
        reported.
        """
        inside = range(self.low + 1, self.high)
        unclear = sorted(self.unclear.intersection(inside))
        free = [commit for commit in inside if commit not in self.broken | self.unclear]
        if not free or len(unclear) >= MAX_UNCLEAR:
            return None
        bounds = [self.low, *unclear, self.high]
        begin, end = max(pairwise(bounds), key=lambda gap: gap[1] - gap[0])
        return min(free, key=lambda commit: abs(2 * commit - begin - end))
