"""The middle of a few values, and how sure it is. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

LEAST_VALUES = 3
# for normal values 1.48 of their median distance are a standard deviation, and a median has 1.25
# times the error of a mean
_ERROR_BY_DISTANCE = 1.48 * 1.25


def median_error(values: Sequence[float]) -> float | None:
    """The standard error of the median, by how far values lie from it; what one moment disturbed is
    in neither. None with fewer than three values, since two have no middle one."""
    if len(values) < LEAST_VALUES:
        return None
    middle = statistics.median(values)
    apart = statistics.median(abs(value - middle) for value in values)
    return _ERROR_BY_DISTANCE * apart / math.sqrt(len(values))
