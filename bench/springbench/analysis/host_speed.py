"""Whether the host had the same speed for all cases of a run. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from springbench.results.model import Caution, Result

# what differs by less is not told from the spread of forks
SPEED_RATIO = 1.05
SPEED_CODE = "host-speed"


def speed_warning(results: Sequence[Result]) -> Caution | None:
    """What to say of a run in some windows of which the CPU was slower than in others.

    By the CPU time of a fixed piece of work, in each window: `host_work_s`.
    """
    windows = sorted(
        (fork.load.host_work_s, result.case)
        for result in results
        for fork in result.forks
        if fork.load and fork.load.host_work_s
    )
    if not windows:
        return None
    (least_s, fast), (most_s, slow) = windows[0], windows[-1]
    if most_s <= SPEED_RATIO * least_s:
        return None
    slower = most_s / least_s - 1
    return Caution(
        code=SPEED_CODE,
        message=f"the host's CPU took up to {slower:.0%} longer for the same work in some windows "
        f"(most in {slow}, least in {fast}): differences between rows may be as much the host's",
        remedy="measure again with --forks 3, or compare two of them in pairs with "
        "`springbench compare`",
    )
