"""What a comparison could not say, and why."""

from __future__ import annotations

from collections.abc import Iterator

from springbench.compare.scheduler import PairScheduler
from springbench.results.run import Caution

MAX_NAMED = 4


def cautions(scheduler: PairScheduler) -> Iterator[Caution]:
    """The cases that were not judged, each with its reason; those without time in one."""
    for case in scheduler.load_bound():
        yield Caution(
            code="load-generator",
            message=f"{case}: wrk was the limit, so the two sides were not compared",
            remedy="give wrk more CPUs, or the server fewer",
        )
    for case in scheduler.compiling():
        yield Caution(
            code="compiling",
            message=f"{case}: just-in-time compilers were at work in each burst, so the two sides "
            "were not compared",
            remedy="give the server more CPUs, or compare on a faster host",
        )
    if left_out := scheduler.not_looked_at():
        more = len(left_out) - MAX_NAMED
        names = ", ".join(left_out[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
        yield Caution(
            code="not-looked-at",
            message=f"not looked at, for want of time: {names}",
            remedy="a longer --budget has them",
        )
