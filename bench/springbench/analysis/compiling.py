"""What compilers had of a server's CPUs in its windows, beside the limit that it exceeds. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from springbench import units
from springbench.limits import BEFORE_RATIO, END_RATIO, RESTING_RATIO, had_ratio
from springbench.results.records import LoadRecord


def compilers_had(loads: Sequence[LoadRecord], *, waits: bool) -> str:
    """The share that was too much, with its limit; at the edges of a window nobody keeps it.

    `waits`: requests wait by design.
    """

    def limit(load: LoadRecord) -> float:
        used = None if waits else load.server_cpu_ratio
        return 1.0 if used is None else had_ratio(used)

    most = max(loads, key=lambda load: load.compiler_cpu_ratio or 0.0)
    had, limit_ratio = most.compiler_cpu_ratio or 0.0, RESTING_RATIO * limit(most)
    if had >= limit_ratio:
        shares = units.apart(units.share, had, limit_ratio, 1)
        return "up to {} of the server's CPUs (limit: {})".format(*shares)
    before, end = (units.share(ratio * limit(most)) for ratio in (BEFORE_RATIO, END_RATIO))
    return (
        f"more than {before} of the server's CPUs just before the window, or than {end} at its end"
    )
