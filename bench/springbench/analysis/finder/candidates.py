"""Where a series may have a step: the detector of otava (E-divisive as in Fleming et al., ICPE
2023), in windows in which there is something to see.

Most windows are quiet, and otava looks at each for a millisecond. So Student's t of every split of
every window is had first, of all series at once, from running sums. Of otava the detector alone is
used: what it tests with imports `scipy.stats`, as much memory as all the rest of a publish.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from springbench.analysis.finder.observations import LEAST_DEVIATION
from springbench.analysis.finder.settings import FinderSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray


def candidates(logs: NDArray[Any], settings: FinderSettings) -> list[list[int]]:
    """Of each row of logarithms the places at which a new level may begin, in order.

    In a row without a place as sure as `settings.first_p_value` there is none.
    """
    import numpy as np  # noqa: PLC0415 - most commands need it not

    from springbench.analysis.finder.divide import divide  # noqa: PLC0415

    rows = range(len(logs))
    found: list[set[int]] = [set() for _ in rows]
    surest = np.ones(len(logs))
    surest_at = np.zeros(len(logs), dtype=int)
    for begin, end in _windows(logs.shape[1], settings):
        sure, split = _surest_splits(logs[:, begin:end], settings)
        better = sure > surest
        surest[better], surest_at[better] = sure[better], begin + split[better]
        for row in np.nonzero(sure >= 1)[0]:
            # as otava: what the last window has divided is not divided again
            first = max(found[row], default=0)
            if first > begin and not _may_divide(logs[row, first:end], settings):
                continue
            first = max(first, begin)
            found[row].update(first + place for place in divide(logs[row, first:end], settings))
    # the detector tests one place of a window: where that is not the step's, it passes one over
    return [
        sorted(found[row]) or ([int(surest_at[row])] if surest[row] > 1 else []) for row in rows
    ]


def _may_divide(part: NDArray[Any], settings: FinderSettings) -> bool:
    if len(part) < 2 * settings.min_points:
        return False
    sure, _ = _surest_splits(part[None, :], settings)
    return bool(sure[0] >= 1)


def _windows(points: int, settings: FinderSettings) -> list[tuple[int, int]]:
    """Windows that overlap by half; the last one reaches the end."""
    length = settings.window_points
    last = max(0, points - length)
    begins = [*range(0, last, length // 2), last]
    return [
        (begin, min(points, begin + length))
        for begin in begins
        if points - begin >= 2 * settings.min_points
    ]


def _surest_splits(
    part: NDArray[Any], settings: FinderSettings
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Of each row how far the surest split lies past the threshold (1 on it), and the place."""
    import numpy as np  # noqa: PLC0415
    from scipy.special import stdtrit  # noqa: PLC0415

    points = part.shape[1]
    split = np.arange(settings.min_points, points - settings.min_points + 1)
    off = part - part.mean(axis=1, keepdims=True)
    sums, squares = np.cumsum(off, axis=1), np.cumsum(off**2, axis=1)
    before, after = sums[:, split - 1], sums[:, -1:] - sums[:, split - 1]
    rest = squares[:, -1:] - before**2 / split - after**2 / (points - split)
    deviation = np.sqrt(np.maximum(rest / (points - 2), LEAST_DEVIATION**2))
    error = deviation * np.sqrt(1 / split + 1 / (points - split))
    apart = np.abs(after / (points - split) - before / split) / error
    # windows differ in their length: how far past the threshold each is, is comparable
    threshold = abs(float(stdtrit(points - 2, settings.first_p_value / 2)))
    return apart.max(axis=1) / threshold, split[apart.argmax(axis=1)]
