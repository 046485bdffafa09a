"""Where a ladder of settings has its cliff, by bisection. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# of a step of which a process did not decide, as one that was not warmed up
MOST_TRIES = 2


@dataclass(frozen=True)
class Tried:
    """What is known of a step: whether it has what is looked for (None: not decided, and why), and
    how many runs have it."""

    holds: bool | None = None
    runs: int = 0
    why: str | None = None


@dataclass(frozen=True)
class Cliff:
    """Of a subject: it lies above the step `low` and at most at `high`.

    Without `low` even the least step has what is looked for, without `high` not even the baseline.
    `next_step` is the one that would be measured next; None at the end. `undecided` says why it
    ended before two neighbours were left.
    """

    subject: str
    low: str | None
    high: str | None
    next_step: str | None = None
    undecided: str | None = None


def find_cliff(subject: str, steps: Sequence[str], tried: Mapping[str, Tried]) -> Cliff:
    """The cliff of a subject. `steps` are in order, the last one is the baseline."""
    *ladder, baseline = steps
    known = tried.get(baseline, Tried())
    if known.holds is False or (known.holds is None and known.runs >= MOST_TRIES):
        return Cliff(subject, None, None, undecided=known.why or "the baseline was not measured")
    holds = [tried.get(step, Tried()).holds for step in ladder]
    low = max((at for at, each in enumerate(holds) if each is False), default=-1)
    high = next((at for at, each in enumerate(holds) if each and at > low), len(ladder))
    found = Cliff(subject, ladder[low] if low >= 0 else None, steps[high])
    if high - low < 2:
        return found
    middle = ladder[(low + high) // 2]
    of_middle = tried.get(middle, Tried())
    if of_middle.runs >= MOST_TRIES:
        why = f"{middle} was not decided: {of_middle.why or 'no figure'}"
        return Cliff(subject, found.low, found.high, undecided=why)
    return Cliff(subject, found.low, found.high, next_step=middle)


def most_runs(steps: int) -> int:
    """How many runs a bisection of so many steps takes, with the baseline among them."""
    return math.ceil(math.log2(max(steps, 2)))
