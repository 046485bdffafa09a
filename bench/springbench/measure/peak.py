"""When a fresh process has come to the throughput of its window. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from springbench.measure.load.timeline import Points, Timeline, mean_rate

# how near to the throughput of the window is at the peak
NEAR_RATIO = 0.05
# so many seconds in a row: one of them is soon caught between two collections
LASTING_S = 2
# of a CPU quota: answers come in its rhythm, which each edge is averaged over
PERIOD_S = 0.1
_STEP_S = 0.25


class Peak(NamedTuple):
    """The moment from which a process had its throughput."""

    at_s: float
    """Of load, since its first request."""
    requests: float
    """That it had been sent until then."""


def find_peak(loads: Sequence[Timeline], steady_rps: float) -> Peak | None:
    """The first moment from which each of `LASTING_S` seconds had at least 95 % of `steady_rps`.

    `loads` followed each other; what lay between them is left out. None where they never had it.
    """
    points = _joined(loads)
    if not points:
        return None
    begin_s, before = points[0]
    for step in range(int((points[-1][0] - begin_s) / _STEP_S)):
        at_s = begin_s + step * _STEP_S
        seconds = ((at_s + second, at_s + second + 1) for second in range(LASTING_S))
        rates = [mean_rate(points, *each, PERIOD_S) for each in seconds]
        if all(rate is not None and rate >= (1 - NEAR_RATIO) * steady_rps for rate in rates):
            return Peak(at_s, before + (mean_rate(points, begin_s, at_s) or 0.0) * (at_s - begin_s))
    return None


def _joined(loads: Sequence[Timeline]) -> Points:
    """Requests by the time under load; each generator counts from its own start."""
    joined: list[tuple[float, float]] = []
    for load in loads:
        shift_s, shift = joined[-1] if joined else (0.0, 0.0)
        joined += [(shift_s + at_s, shift + count) for at_s, count in load.points("requests")]
    return joined
