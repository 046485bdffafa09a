"""The time of a comparison: what is left of it, and what another pair would take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

# kept back for stopping the last processes and writing the report
RESERVE_S = 5.0
# a pair may take a little longer than all of its kind did
LONGER_RATIO = 1.05
Stages = tuple[str, ...]
"""What a pair goes through; those that go through the same take about as long."""


@dataclass
class TimeBudget:
    """Seconds in all, which begin with `begin`."""

    budget_s: float
    clock: Callable[[], float] = time.monotonic
    _begin_s: float = 0.0
    _longest_s: dict[Stages, float] = field(default_factory=dict)

    def begin(self) -> None:
        """Count from now on."""
        self._begin_s = self.clock()

    @property
    def elapsed_s(self) -> float:
        """Time used so far."""
        return self.clock() - self._begin_s

    @property
    def left_s(self) -> float:
        """Time left; never below 0."""
        return max(0.0, self.budget_s - self.elapsed_s)

    @contextmanager
    def pair(self, stages: Stages) -> Iterator[None]:
        """Note how long the pair that is measured in this block takes."""
        begin_s = self.clock()
        yield
        took_s = self.clock() - begin_s
        self._longest_s[stages] = max(took_s, self._longest_s.get(stages, 0.0))

    def fits(self, stages: Stages, saved_s: float = 0.0) -> bool:
        """Whether another pair can end in time: the longest of its kind so far, or of all.

        One of a new kind that leaves loads out takes `saved_s` less than the longest.
        """
        pair_s = self._longest_s.get(stages, max(0.0, self._pair_s - saved_s)) * LONGER_RATIO
        return self.elapsed_s + pair_s + RESERVE_S <= self.budget_s

    def more_of_each(self, variants: int) -> int:
        """How many pairs more each variant gets, were the time left shared; one at least."""
        round_s = self._pair_s * variants
        return max(1, math.floor((self.budget_s - self.elapsed_s) / round_s) if round_s else 0)

    @property
    def _pair_s(self) -> float:
        return max(self._longest_s.values(), default=0.0)
