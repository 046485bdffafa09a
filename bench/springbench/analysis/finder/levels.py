"""How unlike two levels of a series are, by Student's t."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from springbench.analysis.finder.observations import LEAST_DEVIATION
from springbench.analysis.intervals import Spread, two_sided_p


def p_value_of(logs: Sequence[float], begin: int, place: int, end: int) -> float:
    """How probable two stretches as unlike as these are where nothing changed at `place`.

    Of two points nothing is known.
    """
    if end - begin <= 2:
        return 1.0
    before, after = logs[begin:place], logs[place:end]
    spread = pooled(before, after)
    difference = statistics.fmean(after) - statistics.fmean(before)
    return two_sided_p(difference / error_of(spread, before, after), spread.degrees)


def pooled(before: Sequence[float], after: Sequence[float]) -> Spread:
    """As `Spread.pooled`, in plain floats: exact fractions are slow, and not needed here."""
    degrees = len(before) + len(after) - 2
    return Spread(math.sqrt((squares(before) + squares(after)) / degrees), degrees)


def error_of(spread: Spread, before: Sequence[float], after: Sequence[float]) -> float:
    """The standard error of the difference of the two levels."""
    deviation = max(spread.deviation, LEAST_DEVIATION)
    return deviation * math.sqrt(1 / len(before) + 1 / len(after))


def squares(values: Sequence[float]) -> float:
    """The sum of squares around the mean."""
    return math.dist(values, [statistics.fmean(values)] * len(values)) ** 2
