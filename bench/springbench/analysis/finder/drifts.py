"""Slow drifts: many small changes in one direction, which no single step explains as well.

A stretch is fitted by levels with steps between, and by a level that begins to slope at some
point. The one that explains more for its number of parameters (Schwarz's criterion, 1978) is
reported.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from springbench.analysis.finder.levels import squares
from springbench.analysis.finder.observations import LEAST_DEVIATION
from springbench.analysis.finder.settings import FinderSettings
from springbench.analysis.finder.steps import Change
from springbench.analysis.intervals import t_quantile, two_sided_p

if TYPE_CHECKING:
    from numpy.typing import NDArray

# fewer points make any two steps look like a slope
MIN_POINTS = 15
LONGEST = 120
GRID = 3
# by so much must the slope be better: from 6 on it is "strong" (Kass and Raftery, 1995)
SURELY_BETTER = 6.0


@dataclass(frozen=True)
class _Slope:
    """A level up to `begin`, then a constant change a point."""

    begin: int
    total: float
    error: float
    level: float
    squares: float
    degrees: int


def drift_in(
    logs: Sequence[float], changes: Sequence[Change], settings: FinderSettings
) -> Change | None:
    """The drift that reaches the end of a stretch and explains it better than `changes`, if any.

    Its ratio is that of the last level to the one before it began. Where steps lie in both
    directions there is none.
    """
    if len({change.ratio > 1 for change in changes}) > 1:
        return None
    # bad runs at the end are no slope: it must be there without them
    whole, cut = _drift(logs, changes, settings), logs[: 1 - settings.min_points]
    return whole if whole and _drift(cut, changes, settings) else None


def _drift(
    logs: Sequence[float], changes: Sequence[Change], settings: FinderSettings
) -> Change | None:
    if len(logs) < MIN_POINTS:
        return None
    first = max(0, len(logs) - LONGEST)
    part = logs[first:]
    slope = _best_slope(part)
    cuts = [change.place - first for change in changes if first < change.place < len(logs)]
    if _criterion(slope.squares, 3, len(part)) + SURELY_BETTER > _criterion(
        _squares_of_levels(part, cuts), 1 + 2 * len(cuts), len(part)
    ):
        return None
    p_value = two_sided_p(slope.total / slope.error, slope.degrees)
    half = t_quantile(slope.degrees) * slope.error
    place = first + slope.begin + 1
    return Change(
        place=place,
        places={place: 0.0},
        before=math.exp(slope.level),
        after=math.exp(slope.level + slope.total),
        ratio=math.exp(slope.total),
        low_ratio=math.exp(slope.total - half),
        high_ratio=math.exp(slope.total + half),
        p_value=min(1.0, settings.looks * p_value),
    )


def _best_slope(values: Sequence[float]) -> _Slope:
    """Least squares of level + slope × max(0, place - begin), over all beginnings at once."""
    import numpy as np  # noqa: PLC0415 - most commands need it not

    points = len(values)
    grid = _grid(points)
    ys = np.asarray(values)
    off_y = ys - ys.mean()
    slopes = grid.off @ off_y / grid.spread
    # what a slope explains is the square of it times the spread of its places
    explained = slopes**2 * grid.spread
    best = int(explained.argmax())
    unexplained = max(0.0, float(off_y @ off_y - explained[best]))
    length = float(points - 1 - grid.begins[best])
    degrees = points - 3
    deviation = max(LEAST_DEVIATION, math.sqrt(unexplained / degrees))
    return _Slope(
        begin=int(grid.begins[best]),
        total=float(slopes[best]) * length,
        error=length * deviation / math.sqrt(float(grid.spread[best])),
        level=float(ys.mean() - slopes[best] * grid.means[best]),
        squares=unexplained,
        degrees=degrees,
    )


class _Grid(NamedTuple):
    """Beginnings of a slope, and for each of them max(0, place - begin) of all places: their mean,
    how far each lies from it, and the sum of the squares of that."""

    begins: NDArray[Any]
    means: NDArray[Any]
    off: NDArray[Any]
    spread: NDArray[Any]


# most series of a month have as many points as one another
@lru_cache(maxsize=8)
def _grid(points: int) -> _Grid:
    import numpy as np  # noqa: PLC0415

    begins = np.arange(0, points - MIN_POINTS + 1, GRID)
    xs = np.maximum(0.0, np.arange(points)[None, :] - begins[:, None])
    means = xs.mean(axis=1)
    off = xs - means[:, None]
    return _Grid(begins, means, off, (off**2).sum(axis=1))


def _squares_of_levels(values: Sequence[float], cuts: Sequence[int]) -> float:
    ends = [0, *cuts, len(values)]
    return sum(squares(values[begin:end]) for begin, end in itertools.pairwise(ends))


def _criterion(squares: float, parameters: int, points: int) -> float:
    least = points * LEAST_DEVIATION**2
    return points * math.log(max(squares, least) / points) + parameters * math.log(points)
