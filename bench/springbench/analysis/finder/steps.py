"""Changes of level in the series of one stretch, between environment changes.

Places are proposed by windows, since a level that came back explains itself away over more; whether
one counts, and how large it is, is decided by all that lies between its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from springbench.analysis.finder.noise import (
    INDEPENDENT,
    LONGEST,
    MIN_POINTS,
    Fit,
    Noise,
    fits,
    noises,
    significant,
)
from springbench.analysis.finder.observations import LEAST_DEVIATION
from springbench.analysis.finder.settings import FinderSettings
from springbench.analysis.intervals import t_quantile
from springbench.results.events import EventKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

WINDOW = LONGEST // 2
"""In windows of so many points, which overlap by half, places are looked for."""
# how much less likely a place may be than the best and still be where the change is: exp(-7)
PLACE_DROP = 7.0
# by so much must a slope explain more than steps, for its number of parameters (Schwarz, 1978):
# from 6 on it is "strong" (Kass and Raftery, 1995)
SURELY_BETTER = 6.0
# a host that wanders makes slopes sooner than steps: so much surer must one be
SLOPE_P = 1 / 10
# by so many deviations of the noise do two speeds of a host differ that are seen as such
FAR_APART = 5.0
TIMES_CHANGED = 2
# sizes of steps that differ by less are alike
SAME_SIZE = 1 / 3
MOST_ROUNDS = 20


@dataclass(frozen=True)
class Change:
    """A change of level at `position`, the first point on the new one. Ratios are after ÷ before.

    `positions` are all that it may as well be, with how much less likely each is (0 for the best).
    """

    kind: EventKind
    position: int
    positions: dict[int, float]
    before: float
    after: float
    ratio: float
    low_ratio: float
    high_ratio: float
    p_value: float


def changes_of(rows: Sequence[NDArray[Any]], settings: FinderSettings) -> list[list[Change]]:
    """Of each row of logarithms the changes, in order, that are sure if it is the only series.

    What is too small to matter is still among them.
    """
    most = settings.false_discovery_rate
    cuts, noise = _proposed(rows, most)
    steps = _sure(rows, cuts, noise, most)
    drifts = _drifts(rows, steps, most * SLOPE_P)
    return [
        [drifts[row]] if row in drifts else _without_speeds(logs, steps[row])
        for row, logs in enumerate(rows)
    ]


def change_at(logs: NDArray[Any], position: int) -> Change:
    """The change at this place, whatever it is."""
    (fit,) = fits([logs], at=position)
    return _step(fit, 0, len(logs))


Part = tuple[int, int, int]
"""A row, begin and end."""


def _proposed(
    rows: Sequence[NDArray[Any]], most: float
) -> tuple[list[list[int]], dict[int, Noise]]:
    """Of each row the places at which a new level may begin: the surest first, then the surest of
    what lies on its sides, in the noise around the levels that there are now.

    Returns that noise too, of rows that were looked at after their last place was found.
    """
    cuts: list[list[int]] = [[] for _ in rows]
    noise: dict[int, Noise] = {}
    parts = _doubtful(
        rows,
        [(row, *bounds) for row, logs in enumerate(rows) for bounds in _windows(len(logs))],
        most,
    )
    while parts:
        noise |= _noise_around(rows, cuts, {row for row, *_ in parts})
        best: dict[int, tuple[float, int]] = {}
        around = [noise[row] for row, *_ in parts]
        for at, fit in significant(_points(rows, parts), most, around):
            row, begin, _ = parts[at]
            best[row] = min(best.get(row, (1.0, 0)), (fit.p_value, begin + fit.position))
        for row, (_, cut) in best.items():
            cuts[row] = sorted([*cuts[row], cut])
            del noise[row]
        parts = [part for part in parts if part[0] in best]
        intact, sides = [], []
        for row, begin, end in parts:
            cut = best[row][1]
            if begin < cut < end:
                sides += [(row, begin, cut), (row, cut, end)]
            else:
                intact.append((row, begin, end))
        parts = intact + _doubtful(rows, list(dict.fromkeys(sides)), most)
    return cuts, noise


def _doubtful(rows: Sequence[NDArray[Any]], parts: Sequence[Part], most: float) -> list[Part]:
    """Those parts that independent noise does not explain: few, so only these are looked at."""
    independent = [INDEPENDENT] * len(parts)
    return [parts[at] for at, _ in significant(_points(rows, parts), most, independent)]


def _points(rows: Sequence[NDArray[Any]], parts: Sequence[Part]) -> list[NDArray[Any]]:
    return [rows[row][begin:end] for row, begin, end in parts]


def _noise_around(
    rows: Sequence[NDArray[Any]], cuts: Sequence[Sequence[int]], row_numbers: Collection[int]
) -> dict[int, Noise]:
    """By row its noise around the levels between the cuts."""
    import numpy as np  # noqa: PLC0415 - most commands need it not

    around = [
        np.concatenate([part - part.mean() for part in np.split(rows[row], cuts[row])])
        for row in row_numbers
    ]
    return dict(zip(row_numbers, noises([part[-LONGEST:] for part in around]), strict=True))


def _windows(points: int) -> Iterator[tuple[int, int]]:
    """Windows that overlap by half; the last one reaches the end."""
    last = max(0, points - WINDOW)
    for begin in (*range(0, last, WINDOW // 2), last):
        if points - begin >= 2 * MIN_POINTS:
            yield begin, min(points, begin + WINDOW)


def _sure(
    rows: Sequence[NDArray[Any]],
    cuts: Sequence[Sequence[int]],
    known: Mapping[int, Noise],
    most: float,
) -> list[list[Change]]:
    """The changes at these places, without those that may be chance: each would make the levels
    beside it worse. `known`: the noise around them, of some rows."""
    sure: list[list[Change]] = [[] for _ in rows]
    left = {row: tuple(row_cuts) for row, row_cuts in enumerate(cuts) if row_cuts}
    noise = {**known, **_noise_around(rows, cuts, left.keys() - known.keys())}
    for _ in range(MOST_ROUNDS):
        parts = [
            (row, max(before, cut - LONGEST // 2), min(after, cut + LONGEST // 2))
            for row, row_cuts in left.items()
            for before, cut, after in _neighbours(row_cuts, len(rows[row]))
        ]
        changes: dict[int, list[Change]] = {row: [] for row in left}
        found = fits(_points(rows, parts), [noise[row] for row, *_ in parts])
        for (row, begin, end), fit in zip(parts, found, strict=True):
            changes[row].append(_step(fit, begin, end))
        for row, row_changes in changes.items():
            worst = max(row_changes, key=lambda change: change.p_value)
            is_sure = worst.p_value <= most
            # beside other neighbours a change may lie elsewhere
            positions = tuple(
                sorted(
                    {change.position for change in row_changes if is_sure or change is not worst}
                )
            )
            if positions == left[row]:
                sure[row] = row_changes
            if positions in ((), left[row]):
                del left[row]
            else:
                left[row] = positions
    return sure


def _neighbours(cuts: Sequence[int], points: int) -> Iterator[tuple[int, int, int]]:
    ends = [0, *cuts, points]
    return zip(ends[:-2], ends[1:-1], ends[2:], strict=True)


def _step(fit: Fit, begin: int, end: int) -> Change:
    near = (fit.drops <= PLACE_DROP).nonzero()[0].tolist()
    positions = {begin + position: round(float(fit.drops[position]), 3) for position in near}
    return _change("step", begin + fit.position, positions, fit, end - begin)


def _drift(fit: Fit, begin: int, end: int) -> Change:
    # the change of each point times those after the last on the old level
    after = end - begin - 1 - fit.position
    total = fit._replace(change=fit.change * after, error=fit.error * after)
    position = begin + fit.position + 1
    return _change("drift", position, {position: 0.0}, total, end - begin)


def _change(
    kind: EventKind, position: int, positions: dict[int, float], fit: Fit, points: int
) -> Change:
    half = t_quantile(max(1, points - 2)) * fit.error
    return Change(
        kind=kind,
        position=position,
        positions=positions,
        before=math.exp(fit.level),
        after=math.exp(fit.level + fit.change),
        ratio=math.exp(fit.change),
        low_ratio=math.exp(fit.change - half),
        high_ratio=math.exp(fit.change + half),
        p_value=min(1.0, fit.p_value),
    )


def _drifts(
    rows: Sequence[NDArray[Any]], steps: Sequence[Sequence[Change]], most: float
) -> dict[int, Change]:
    """By row the slope up to its end that explains it better than its steps.

    Where steps lie in both directions there is none.
    """
    drifts: dict[int, Change] = {}
    likely = [
        row
        for row, row_steps in enumerate(steps)
        if len({change.ratio > 1 for change in row_steps}) <= 1
    ]
    # what independent noise explains is none; nor are bad runs at the end: it is there without them
    for last, noise in ((None, INDEPENDENT), (None, None), (1 - MIN_POINTS, None)):
        parts = [(row, part) for row in likely if len(part := rows[row][:last][-LONGEST:])]
        likely = []
        for at, fit in significant(
            [part for _, part in parts], most, [noise] * len(parts) if noise else None, "slope"
        ):
            row, part = parts[at]
            first = len(rows[row][:last]) - len(part)
            if _explains_more(part, fit.position, [step.position - first for step in steps[row]]):
                likely.append(row)
                if last is None:
                    drifts[row] = _drift(fit, first, len(rows[row]))
    return {row: drifts[row] for row in likely}


def _explains_more(part: NDArray[Any], begin: int, cuts: Sequence[int]) -> bool:
    """Whether a slope from there explains more than levels between the cuts."""
    import numpy as np  # noqa: PLC0415 - most commands need it not

    slope = np.maximum(0.0, np.arange(len(part)) - begin)
    slope -= slope.mean()
    around = part - part.mean()
    ends = [0, *(cut for cut in cuts if 0 < cut < len(part)), len(part)]
    levels = np.concatenate([np.full(b - a, part[a:b].mean()) for a, b in pairwise(ends)])
    left = around - slope * (slope @ around) / (slope @ slope)
    steps = _criterion(part - levels, 2 * len(ends) - 3)
    return _criterion(left, 3) + SURELY_BETTER <= steps


def _criterion(left: NDArray[Any], parameters: int) -> float:
    points = len(left)
    least = points * LEAST_DEVIATION**2
    return points * math.log(max(float(left @ left), least) / points) + parameters * math.log(
        points
    )


def _without_speeds(logs: NDArray[Any], steps: Sequence[Change]) -> list[Change]:
    """The steps without those that a host with two speeds may have made: none is larger than what
    lies between these."""
    most = (1 + SAME_SIZE) * _between_speeds(logs) if steps else 0.0
    return [step for step in steps if abs(math.log(step.ratio)) > most]


def _between_speeds(logs: NDArray[Any]) -> float:
    """How far two levels are apart between which a series changes; 0 where there are none such.

    What is broken and mended changes the level twice; what does so more often is the host.
    """
    import numpy as np  # noqa: PLC0415 - most commands need it not

    points, ordered = len(logs), np.sort(logs)
    below, sums = np.arange(1, points), np.cumsum(ordered)
    low = sums[:-1] / below
    high = (sums[-1] - sums[:-1]) / (points - below)
    # the two groups with the least squares around their means
    cut = int((below * (points - below) * (high - low) ** 2).argmax())
    apart = float(high[cut] - low[cut])
    groups = np.concatenate([ordered[: cut + 1] - low[cut], ordered[cut + 1 :] - high[cut]])
    if apart < FAR_APART * float(groups.std()):
        return 0.0
    fast = logs > (low[cut] + high[cut]) / 2
    ends = [0, *(np.flatnonzero(fast[1:] != fast[:-1]) + 1).tolist(), points]
    # single points aside
    stays = [bool(fast[begin]) for begin, end in pairwise(ends) if end - begin > 1]
    changes = sum(one != other for one, other in pairwise(stays))
    return apart if changes > TIMES_CHANGED else 0.0
