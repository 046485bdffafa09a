"""Steps of one series: which candidates are changes of level, how large each is, and how sure.

Otava proposes the places (`candidates`). Whether one counts is decided here, since a level is known
better than by its mean: spikes are taken out, each side has enough points, and neighbours that are
too near to be distinguished are one.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from springbench.analysis.finder.levels import error_of, p_value_of, pooled
from springbench.analysis.finder.observations import LEAST_DEVIATION
from springbench.analysis.finder.settings import FinderSettings
from springbench.analysis.intervals import t_quantile, two_sided_p

# how much less likely a place may be than the best and still be where the step is: exp(-7)
PLACE_DROP = 7.0


@dataclass(frozen=True)
class Change:
    """A change of level at `place`, the first point on the new one. Ratios are after ÷ before.

    `places` are all that it may as well be, with how much less likely each is (0 for the best).
    """

    place: int
    places: dict[int, float]
    before: float
    after: float
    ratio: float
    low_ratio: float
    high_ratio: float
    p_value: float


def changes_in(
    logs: Sequence[float], candidates: Sequence[int], settings: FinderSettings
) -> list[Change]:
    """The changes of level in a stretch of logarithms without an environment change, in order.

    Of the candidates those which have enough points on both sides, and are sure if this series is
    the only one. What is too small to matter is still among them.
    """
    # what is sure only with a neighbour that leaves too few points is not sure
    likely = _sure(logs, candidates, settings.first_p_value)
    least = settings.false_discovery_rate / settings.looks
    cuts = _sure(logs, _enough_apart(logs, likely, settings), least)
    ends = [0, *cuts, len(logs)]
    return [
        _change(logs, *bounds, settings)
        for bounds in zip(ends[:-2], ends[1:-1], ends[2:], strict=True)
    ]


def change_at(
    logs: Sequence[float], begin: int, place: int, end: int, settings: FinderSettings
) -> Change:
    """The change from `begin` to `place` to `end`, whoever proposed it."""
    return _change(logs, begin, place, end, settings)


def _enough_apart(
    logs: Sequence[float], cuts: Sequence[int], settings: FinderSettings
) -> list[int]:
    """The cuts without those that leave too few points; the surer of two neighbours stays."""
    left = list(cuts)
    while left:
        ends = [0, *left, len(logs)]
        short = [
            place
            for place in range(len(ends) - 1)
            if ends[place + 1] - ends[place] < settings.min_points
        ]
        if not short:
            return left
        # a stretch that is too short lies between two cuts, or between one and an end
        beside = {place for place in (short[0] - 1, short[0]) if 0 <= place < len(left)}
        weakest = max(
            beside,
            key=lambda place: p_value_of(logs, ends[place], ends[place + 1], ends[place + 2]),
        )
        left.pop(weakest)
    return left


def _sure(logs: Sequence[float], cuts: Sequence[int], p_value: float) -> list[int]:
    """The cuts without those that may be chance: each would make the levels beside it worse."""
    left = list(cuts)
    while left:
        ends = [0, *left, len(logs)]
        p_values = [
            p_value_of(logs, *bounds)
            for bounds in zip(ends[:-2], ends[1:-1], ends[2:], strict=True)
        ]
        if max(p_values) <= p_value:
            return left
        left.pop(p_values.index(max(p_values)))
    return left


def _change(
    logs: Sequence[float], begin: int, place: int, end: int, settings: FinderSettings
) -> Change:
    before = logs[max(begin, place - settings.level_points) : place]
    after = logs[place : min(end, place + settings.level_points)]
    spread = pooled(before, after)
    levels = statistics.fmean(before), statistics.fmean(after)
    difference = levels[1] - levels[0]
    error = error_of(spread, before, after)
    half = t_quantile(spread.degrees) * error
    return Change(
        place=place,
        places=_places(logs, begin, place, end, max(spread.deviation, LEAST_DEVIATION), settings),
        before=math.exp(levels[0]),
        after=math.exp(levels[1]),
        ratio=math.exp(difference),
        low_ratio=math.exp(difference - half),
        high_ratio=math.exp(difference + half),
        p_value=min(1.0, settings.looks * two_sided_p(difference / error, spread.degrees)),
    )


def _places(
    logs: Sequence[float],
    begin: int,
    place: int,
    end: int,
    deviation: float,
    settings: FinderSettings,
) -> dict[int, float]:
    """The profile likelihood of the place, the noise being normal."""
    first = max(begin, place - settings.level_points)
    last = min(end, place + settings.level_points)
    mean = statistics.fmean(logs[first:last])
    # around it the sum of squares of each side comes from running sums without a loss
    part = [value - mean for value in logs[first:last]]
    total, sums = math.fsum(part), itertools.accumulate(part)
    squares = {
        first + count: -(so_far**2) / count - (total - so_far) ** 2 / (len(part) - count)
        for count, so_far in zip(range(1, len(part)), sums, strict=False)
    }
    best = squares[place]
    drops = {cut: max(0.0, (s - best) / (2 * deviation**2)) for cut, s in squares.items()}
    return {cut: round(drop, 3) for cut, drop in drops.items() if drop <= PLACE_DROP}
