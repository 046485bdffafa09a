"""Steps of one series: where otava sees a change point, how large it is, and how sure.

Otava (E-divisive as in Fleming et al., ICPE 2023) proposes the places. Whether one counts is
decided here, since a level is known better than by its mean: spikes are taken out, each side has
enough points, and neighbours that are too near to be told apart are one.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from springbench.analysis.finder.observations import LEAST_DEVIATION
from springbench.analysis.finder.scan import surest_split
from springbench.analysis.finder.settings import FinderSettings
from springbench.analysis.intervals import Spread, t_quantile, two_sided_p

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


def changes_in(logs: Sequence[float], settings: FinderSettings) -> list[Change]:
    """The changes of level in a stretch of logarithms without a seam, in order.

    Of what otava proposes that which has enough points on both sides, and is sure if this series
    is the only one. What is too small to matter is still among them.
    """
    cuts = _sure(logs, _enough_apart(logs, _proposed(logs, settings), settings), settings)
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


def _proposed(logs: Sequence[float], settings: FinderSettings) -> list[int]:
    surest = surest_split(logs, settings)
    if surest is None:
        return []
    from otava.analysis import compute_change_points  # noqa: PLC0415 - it imports scipy

    # a list: of an array otava would take the whole where it means a window
    values = [math.exp(value) for value in logs]
    points, _ = compute_change_points(
        values, window_len=settings.window_points, max_pvalue=settings.first_p_value
    )
    # it tests one place of a window: where that is not the step's, a clear step is passed over
    return sorted({int(point.index) for point in points}) or [surest]


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
            key=lambda place: _p_value(logs, ends[place], ends[place + 1], ends[place + 2]),
        )
        left.pop(weakest)
    return left


def _sure(logs: Sequence[float], cuts: Sequence[int], settings: FinderSettings) -> list[int]:
    """The cuts without those that may be chance: each would make the levels beside it worse."""
    left = list(cuts)
    while left:
        ends = [0, *left, len(logs)]
        p_values = [
            _p_value(logs, *bounds) for bounds in zip(ends[:-2], ends[1:-1], ends[2:], strict=True)
        ]
        if settings.looks * max(p_values) <= settings.false_discovery_rate:
            return left
        left.pop(p_values.index(max(p_values)))
    return left


def _p_value(logs: Sequence[float], begin: int, place: int, end: int) -> float:
    before, after = logs[begin:place], logs[place:end]
    spread = _pooled(before, after)
    difference = statistics.fmean(after) - statistics.fmean(before)
    return two_sided_p(difference / _error(spread, before, after), spread.degrees)


def _change(
    logs: Sequence[float], begin: int, place: int, end: int, settings: FinderSettings
) -> Change:
    before = logs[max(begin, place - settings.level_points) : place]
    after = logs[place : min(end, place + settings.level_points)]
    spread = _pooled(before, after)
    levels = statistics.fmean(before), statistics.fmean(after)
    difference = levels[1] - levels[0]
    error = _error(spread, before, after)
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


def _pooled(before: Sequence[float], after: Sequence[float]) -> Spread:
    """As `Spread.pooled`, in plain floats: exact fractions are slow, and not needed here."""
    degrees = len(before) + len(after) - 2
    return Spread(math.sqrt((_squares(before) + _squares(after)) / degrees), degrees)


def _error(spread: Spread, before: Sequence[float], after: Sequence[float]) -> float:
    deviation = max(spread.deviation, LEAST_DEVIATION)
    return deviation * math.sqrt(1 / len(before) + 1 / len(after))


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
    part = logs[first:last]
    squares = {
        cut: _squares(part[: cut - first]) + _squares(part[cut - first :])
        for cut in range(first + 1, last)
    }
    best = squares[place]
    drops = {cut: max(0.0, (s - best) / (2 * deviation**2)) for cut, s in squares.items()}
    return {cut: round(drop, 3) for cut, drop in drops.items() if drop <= PLACE_DROP}


def _squares(values: Sequence[float]) -> float:
    mean = statistics.fmean(values)
    return sum((value - mean) ** 2 for value in values)
