"""A quick look at a series: whether any place in it could be a step at all.

Most series are quiet, and otava looks at each for milliseconds. Here Student's t of every split of
every window is had at once, from running sums.
"""

from __future__ import annotations

from collections.abc import Sequence

from springbench.analysis.finder.observations import LEAST_DEVIATION
from springbench.analysis.finder.settings import FinderSettings


def surest_split(logs: Sequence[float], settings: FinderSettings) -> int | None:
    """The first place after the surest split of any window; None where none is as sure as otava is
    asked to be.
    """
    import numpy as np  # noqa: PLC0415 - most commands need it not
    from scipy.special import stdtrit  # noqa: PLC0415

    least, length = settings.min_points, 2 * settings.level_points
    values = np.asarray(logs)
    surest, found = 1.0, None
    for begin in range(0, max(1, len(logs) - length // 2), length // 4):
        part = values[begin : begin + length]
        if len(part) < 2 * least:
            continue
        split = np.arange(least, len(part) - least + 1)
        sums, squares = np.cumsum(part - part.mean()), np.cumsum((part - part.mean()) ** 2)
        before, after = sums[split - 1], sums[-1] - sums[split - 1]
        rest = squares[-1] - before**2 / split - after**2 / (len(part) - split)
        deviation = np.sqrt(np.maximum(rest / (len(part) - 2), LEAST_DEVIATION**2))
        error = deviation * np.sqrt(1 / split + 1 / (len(part) - split))
        apart = np.abs(after / (len(part) - split) - before / split) / error
        # windows differ in their length: how far past the threshold each is, is comparable
        sure = abs(float(stdtrit(len(part) - 2, settings.first_p_value / 2)))
        if (best := float(apart.max()) / sure) >= surest:
            surest, found = best, begin + int(split[apart.argmax()])
    return found
