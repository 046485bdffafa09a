"""Pairs in which either side comes first in turn: what the place itself costs is taken out. Pure.

The process of a pair that starts second finds another machine than the first: less free memory,
other caches. Over all cases that effect is one number for each metric, and with both orders
measured it can be told from a change (Jones and Kenward, Design and analysis of cross-over trials).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

# as if the effect had been found to be none in so many pairs before. In recorded comparisons it is
# up to half of what pairs differ by; freely fitted to three pairs it took an outlier for itself
PRIOR_PAIRS = 4.0


@dataclass(frozen=True)
class Paired:
    """log(head ÷ base) of each pair of one case, and whether head was the first to start."""

    log_ratios: tuple[float, ...]
    head_first: tuple[bool, ...]


def without_position(cases: Sequence[Paired]) -> list[tuple[float, ...]]:
    """The logarithms of each case without the effect that is common to all.

    The effect is fitted to the deviations within each case, so a change of one case cannot pass
    for it. Few pairs show little of it, so it is shrunk towards none (ridge regression: Hoerl and
    Kennard, 1970). It costs up to one degree of freedom, for which the deviations are widened.
    Without both orders in any case, or with nothing left to tell noise from effect, nothing is
    changed.
    """
    degrees = sum(len(case.log_ratios) - 1 for case in cases)
    products = squares = 0.0
    for case in cases:
        places = _places(case)
        middle, centre = statistics.fmean(case.log_ratios), statistics.fmean(places)
        products += sum(
            (value - middle) * (place - centre)
            for value, place in zip(case.log_ratios, places, strict=True)
        )
        squares += sum((place - centre) ** 2 for place in places)
    if not squares or degrees < 2:
        return [case.log_ratios for case in cases]
    effect = products / (squares + PRIOR_PAIRS)
    spent = squares / (squares + PRIOR_PAIRS)
    widened = math.sqrt(degrees / (degrees - spent))
    return [_freed(case, effect, widened) for case in cases]


def _freed(case: Paired, effect: float, widened: float) -> tuple[float, ...]:
    values = [
        value - effect * place for value, place in zip(case.log_ratios, _places(case), strict=True)
    ]
    middle = statistics.fmean(values)
    return tuple(middle + (value - middle) * widened for value in values)


def _places(case: Paired) -> list[float]:
    return [1.0 if first else -1.0 for first in case.head_first]
