"""Where the samples of a profile lie, and the words for methods that changed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from springbench.results.stacks import Frames, Stack, java_frames

MOST_NAMED = 3


@dataclass(frozen=True)
class Profile:
    """Stacks with their weights. Of a JVM only the frames of Java are named, as far as a stack has
    some."""

    stacks: Sequence[Stack]
    of_jvm: bool = True

    @property
    def total(self) -> float:
        return sum(weight for _, weight in self.stacks)

    def named(self, frames: Frames) -> Sequence[str]:
        """The frames of a stack that a reader can find."""
        return java_frames(frames) if self.of_jvm else frames


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
