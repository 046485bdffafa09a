"""What a comparison could not say, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from springbench.compare.scheduler import PairScheduler
from springbench.results.run import Caution

MAX_NAMED = 4


def cautions(scheduler: PairScheduler) -> Iterator[Caution]:
    """The cases that were not judged, those of one reason together."""
    if cases := scheduler.load_bound():
        yield Caution(
            code="load-generator",
            message=f"{_named(cases)}: wrk was the limit, so the two sides were not compared",
            remedy="compare on a host with more CPUs",
        )
    if cases := scheduler.compiling():
        yield Caution(
            code="compiling",
            message=f"{_named(cases)}: just-in-time compilers were at work in each burst, so the "
            "two sides were not compared",
            remedy="compare on a host with more CPUs, or a faster one",
        )
    if cases := scheduler.not_looked_at():
        yield Caution(
            code="not-looked-at",
            message=f"not looked at, for want of time: {_named(cases)}",
            remedy="a longer --budget has them",
        )


def _named(cases: Sequence[str]) -> str:
    """The first of them by their names, and how many more."""
    more = len(cases) - MAX_NAMED
    return ", ".join(cases[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
