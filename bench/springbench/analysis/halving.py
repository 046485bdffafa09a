"""Which commit made the difference: halving a range by what comparisons say. Pure.

The range has the good commit at place 0 and the bad one at its end. A commit between is asked for
its share of the whole change: 0 where it is like the good one, 1 where it is like the bad one. With
more than one change in the range the larger part is followed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Answer = Literal["good", "bad", "unknown", "broken"]
"""Like the good one, like the bad one, not told by the pairs there were, or not to be measured."""
HALF = 0.5
# a middle with a share like this lies between two changes
PARTIAL = (0.2, 0.8)


@dataclass(frozen=True)
class Share:
    """A commit's share of the whole change, with its interval."""

    value: float
    low: float
    high: float

    @property
    def answer(self) -> Answer:
        """On which side of half of it the commit lies, where the interval tells."""
        if self.high < HALF:
            return "good"
        return "bad" if self.low > HALF else "unknown"


def share_of(
    change: float, ratio: float, low_ratio: float, high_ratio: float, *, from_bad: bool = False
) -> Share:
    """The share by a comparison with the good commit (ratio is it ÷ good), or, `from_bad`, with
    the bad one (bad ÷ it). `change` is the whole one, as a logarithm, and not 0."""
    shares = sorted(math.log(each) / change for each in (low_ratio, high_ratio))
    value = math.log(ratio) / change
    if from_bad:
        return Share(1 - value, 1 - shares[1], 1 - shares[0])
    return Share(value, shares[0], shares[1])


@dataclass(frozen=True)
class Halving:
    """How far it is. `length` is the place of the bad commit; `answers` are by place."""

    length: int
    answers: Mapping[int, Answer] = field(default_factory=dict)

    @property
    def good(self) -> int:
        """The last place that is like the good commit, before all that are like the bad one."""
        return max((p for p, a in self.answers.items() if a == "good" and p < self.bad), default=0)

    @property
    def bad(self) -> int:
        """The first place that is like the bad commit."""
        return min((p for p, a in self.answers.items() if a == "bad"), default=self.length)

    @property
    def next(self) -> int | None:
        """The place to measure next: the nearest to the middle that was not tried; None at the end.

        What could not be measured, or not told, is stepped around.
        """
        left = [p for p in range(self.good + 1, self.bad) if p not in self.answers]
        middle = (self.good + self.bad) / 2
        return min(left, key=lambda place: (abs(place - middle), place), default=None)

    @property
    def is_split(self) -> bool:
        """Whether one commit is left."""
        return self.bad - self.good == 1

    def told(self, place: int, answer: Answer) -> Halving:
        """With one more answer."""
        return replace(self, answers={**self.answers, place: answer})
