"""What grew between two profiles, in few words. Pure.

A frame's weight is divided by the answers given meanwhile: it is what a request costs there, so
that a slower side, which answers less, can be put beside a faster one. Of a chain of frames that
grew alike the one is named that did least before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from springbench.results.stacks import Frames, Stack, java_frames

MOST_NAMED = 3
# less of head's whole cost than this is not worth a word
LEAST_SHARE = 0.01
# of its own cost so much must be new: what calls everything grows with everything
LEAST_NEW = 0.2
# frames that grew by so much of what the best did are a chain with it
ALIKE = 0.8
# times the standard deviation of a count of samples
SURE = 3.0


@dataclass(frozen=True)
class Profile:
    """Stacks with their weights, and the answers of that time.

    Of a JVM only the frames of Java are named, as far as a stack has some. `samples` says how often
    each stack was met, where its weight is not that itself.
    """

    stacks: Sequence[Stack]
    answers: int
    of_jvm: bool = True
    samples: Mapping[Frames, int] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(weight for _, weight in self.stacks)

    def named(self, frames: Frames) -> Sequence[str]:
        """The frames of a stack that a reader can find."""
        return java_frames(frames) if self.of_jvm else frames

    def without(self, frame: str) -> Profile:
        """What is left when a frame, and all that it called, is explained."""
        stacks = [(frames, weight) for frames, weight in self.stacks if frame not in frames]
        return replace(self, stacks=stacks)


@dataclass(frozen=True)
class MethodChange:
    """A method, or another frame, with all that it calls: what it costs a request on base and on
    head, in units of what a whole request costs on base."""

    method: str
    base_share: float
    head_share: float

    @property
    def grew(self) -> float:
        """Below 0 where it shrank."""
        return self.head_share - self.base_share


def heaviest(profile: Profile, most: int = MOST_NAMED) -> list[tuple[str, float]]:
    """The frames on top of the stacks with their share of all, the heaviest first."""
    totals: dict[str, float] = {}
    for frames, weight in profile.stacks:
        named_frames = profile.named(frames)
        if named_frames:
            totals[named_frames[-1]] = totals.get(named_frames[-1], 0.0) + weight
    ranked = sorted(totals.items(), key=lambda item: -item[1])[:most]
    return [(frame, weight / profile.total) for frame, weight in ranked]


def grown(base: Profile, head: Profile) -> list[MethodChange]:
    """The frames that grew most for a request, the first explaining most; none that noise could be.

    Raises ValueError where a side has no answers.
    """
    if not base.answers or not head.answers:
        raise ValueError("no answers")
    sides = base, head
    before = base.total / base.answers or 1.0
    found: list[MethodChange] = []
    while len(found) < MOST_NAMED:
        frame = _most_grown(base, head, sides[1].total)
        if frame is None:
            break
        costs = [_inclusive(side).get(frame, 0.0) / side.answers for side in sides]
        found.append(MethodChange(frame, *(cost / before for cost in costs)))
        base, head = base.without(frame), head.without(frame)
    return found


def _most_grown(base: Profile, head: Profile, total: float) -> str | None:
    """The frame that explains most; of a chain that grew alike, the innermost."""
    candidates = list(_candidates(base, head, total))
    best = max(candidates, key=lambda candidate: candidate.score, default=None)
    if best is None:
        return None
    alike = [
        candidate
        for candidate in candidates
        if candidate.grew >= ALIKE * best.grew and candidate.score >= ALIKE * best.score
    ]
    return min(alike, key=lambda candidate: candidate.cost).frame


class _Candidate(NamedTuple):
    """A frame with what it and its callees cost an answer of head, and what of that is new."""

    frame: str
    cost: float
    grew: float

    @property
    def score(self) -> float:
        """What it did before, it does not explain."""
        return self.grew * (self.grew / self.cost)


def _candidates(base: Profile, head: Profile, total: float) -> Iterator[_Candidate]:
    before, after = _inclusive(base), _inclusive(head)
    vary_before, vary_after = _variances(base), _variances(head)
    for frame, weight in after.items():
        cost = weight / head.answers
        grew = cost - before.get(frame, 0.0) / base.answers
        noise = math.hypot(
            math.sqrt(vary_after[frame]) / head.answers,
            math.sqrt(vary_before.get(frame, 0.0)) / base.answers,
        )
        large = grew * head.answers >= LEAST_SHARE * total and grew >= LEAST_NEW * cost
        if large and grew > SURE * noise:
            yield _Candidate(frame, cost, grew)


def _inclusive(profile: Profile) -> dict[str, float]:
    """By frame: the weight of all stacks that it is in, those of its callees included."""
    return _by_frame(profile, profile.stacks)


def _variances(profile: Profile) -> dict[str, float]:
    """By frame: how far chance moves its weight, squared. How often a stack is met is Poisson's."""
    met = profile.samples
    squares = (
        (frames, weight**2 / (met.get(frames) or weight)) for frames, weight in profile.stacks
    )
    return _by_frame(profile, squares)


def _by_frame(profile: Profile, stacks: Iterable[tuple[Frames, float]]) -> dict[str, float]:
    totals: dict[str, float] = {}
    for frames, weight in stacks:
        for frame in dict.fromkeys(profile.named(frames)):
            totals[frame] = totals.get(frame, 0.0) + weight
    return totals


def words(found: Sequence[MethodChange], cost: str) -> str:
    """A line for a report; `cost` is what a request costs."""
    if not found:
        return f"no method stands out in {cost}: the cost is spread, or lies outside of it"
    return f"grew most, in per cent of a request's {cost} before: {changes_words(found)}"


def changes_words(changes: Sequence[MethodChange]) -> str:
    """Each method with its shares, as `Routes.hello (0.1 to 3.0)`."""
    return ", ".join(
        f"{short_name(change.method)} "
        f"({100 * change.base_share:.1f} to {100 * change.head_share:.1f})"
        for change in changes
    )


def short_name(frame: str) -> str:
    """`dev/springbench/mvc/Routes.hello` as `Routes.hello`; other frames as they are."""
    path, _, name = frame.rpartition("/")
    return name if path and "." in name else frame
