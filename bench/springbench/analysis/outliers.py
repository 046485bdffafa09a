"""Forks that lie far from the others. They are named, and they stay in every statistic."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

# Iglewicz and Hoaglin, How to detect and handle outliers (1993): the modified z-score
THRESHOLD = 3.5
SCALE = 0.6745
MIN_FORKS = 4


def outliers(values: Sequence[float]) -> list[int]:
    """The positions of values far from the median, measured in median absolute deviations.

    None with fewer than four values, which cannot tell who is odd.
    """
    if len(values) < MIN_FORKS:
        return []
    middle = statistics.median(values)
    deviation = statistics.median(abs(value - middle) for value in values)
    if not deviation:
        return []
    scores = [SCALE * abs(value - middle) / deviation for value in values]
    return [index for index, score in enumerate(scores) if score > THRESHOLD]
