"""The statistical model: a block design. Pure.

    log(metric) = treatment + block + residual

A treatment is what is asked about: a variant of a ranking, a side of a comparison. A block is what
was measured in the same measurement configuration: a round of fresh processes of all variants, a
pair of base and head. What the host did to all processes of a block is the block's effect, and
drops out (Fisher, The design of experiments, 1935). The residual is how identical processes
differ, and is all the noise that there is.

Two questions are asked of it. `half_widths`: which of several treatments differ, with 5 % for a
single wrong difference among all of them (Tukey's range test). `contrast`: by how much two
treatments differ, and how surely.

scipy and numpy are imported where they are used: they cost half a second, which most commands need
not pay.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from springbench.analysis.intervals import LEVEL, PRIOR_DEGREES, Spread, t_quantile, two_sided_p

LEAST_BLOCKS = 2
BASE, HEAD = "base", "head"
# processes that differ by so many times the usual speak for themselves: the host is of another kind
UNUSUAL = 2.0
# as if the order effect had been found to be zero in so many pairs before. In recorded comparisons
# it is up to half of what pairs differ by; fitted freely to three pairs it absorbed an outlier
PRIOR_PAIRS = 4.0

Logs = Mapping[str, Mapping[int, float]]
"""Logarithms of a metric by treatment, then by block."""


@dataclass(frozen=True)
class Fit:
    """Levels of treatments as logarithms, had each been measured in all blocks."""

    treatments: tuple[str, ...]
    levels: tuple[float, ...]
    blocks: int
    residual: Spread
    """Of identical processes within a block."""
    errors: tuple[tuple[float, ...], ...]
    """For each two treatments, the standard error of their difference ÷ the residual deviation."""


def fit(logs: Logs) -> Fit | None:
    """Least squares of treatment and block.

    None where fewer than two treatments met in two blocks, or some never met the others, not even
    through a third.
    """
    import numpy as np  # noqa: PLC0415

    known = {n for treatment_logs in logs.values() for n in treatment_logs}
    blocks = sorted(
        n for n in known if sum(n in treatment_logs for treatment_logs in logs.values()) > 1
    )
    names = sorted(
        name for name, treatment_logs in logs.items() if any(n in treatment_logs for n in blocks)
    )
    if len(names) < 2 or len(blocks) < LEAST_BLOCKS:
        return None
    cells = [
        (t, b) for t, name in enumerate(names) for b, n in enumerate(blocks) if n in logs[name]
    ]
    design = np.zeros((len(cells), len(names) + len(blocks)))
    for row, (t, b) in enumerate(cells):
        design[row, t] = design[row, len(names) + b] = 1.0
    values = np.array([logs[names[t]][blocks[b]] for t, b in cells])
    effects, _, rank, _ = np.linalg.lstsq(design, values, rcond=None)
    degrees = len(cells) - int(rank)
    if rank < len(names) + len(blocks) - 1 or degrees < 1:
        return None
    squares = float(((values - design @ effects) ** 2).sum())
    inverse = np.linalg.pinv(design.T @ design)

    def error(a: int, b: int) -> float:
        return math.sqrt(max(0.0, float(inverse[a, a] + inverse[b, b] - 2 * inverse[a, b])))

    indices = range(len(names))
    return Fit(
        treatments=tuple(names),
        levels=tuple(float(effects[t]) for t in indices),
        blocks=len(blocks),
        residual=Spread(math.sqrt(squares / degrees), degrees),
        errors=tuple(tuple(error(a, b) for b in indices) for a in indices),
    )


def fit_pairs(log_ratios: Sequence[float]) -> Fit:
    """The fit of pairs: two treatments, both measured in each of two blocks or more.

    `log_ratios` holds log(head ÷ base) of each pair. The same as `fit`, in closed form.
    """
    spread = Spread.of(log_ratios)
    error = math.sqrt(2 / len(log_ratios))
    return Fit(
        treatments=(BASE, HEAD),
        levels=(0.0, statistics.fmean(log_ratios)),
        blocks=len(log_ratios),
        residual=Spread(spread.deviation / math.sqrt(2), spread.degrees),
        errors=((0.0, error), (error, 0.0)),
    )


def noise(residual: Spread, usual: float, other_spread: Spread | None = None) -> Spread:
    """The residual spread, steadied by what is known beforehand.

    `other_spread` is that of other cases of the same comparison, `usual` the deviation that
    identical processes mostly have. Few blocks tell little of their own spread, so it is drawn
    towards these (Smyth, 2004, the moderated t-statistic). A spread far beyond the usual one is
    left as it is.
    """
    found, target_degrees = residual, residual.degrees + PRIOR_DEGREES
    if other_spread is not None:
        found = residual.steadied(other_spread)
    if found.degrees < target_degrees and found.deviation <= UNUSUAL * usual:
        found = found.moderated(Spread(usual, PRIOR_DEGREES), target_degrees - found.degrees)
    return found


def half_widths(fitted: Fit, residual: Spread) -> tuple[tuple[float, ...], ...]:
    """For each two treatments, the half width of the interval of their difference.

    All intervals hold together at `LEVEL`: two treatments differ where they lie farther apart.
    """
    quantile = _range_quantile(len(fitted.treatments), residual.degrees) / math.sqrt(2)
    return tuple(
        tuple(quantile * residual.deviation * error for error in row) for row in fitted.errors
    )


@cache
def _range_quantile(treatments: int, degrees: float) -> float:
    """Of the studentised range, at `LEVEL`. It takes a second, and the same is asked for again."""
    if treatments == 2:
        return t_quantile(degrees) * math.sqrt(2)
    from scipy.stats import studentized_range  # noqa: PLC0415

    return float(studentized_range.ppf(LEVEL, treatments, degrees))


@dataclass(frozen=True)
class Contrast:
    """By how much two treatments differ, as a logarithm, with the half width of its interval."""

    difference: float
    half_width: float
    p_value: float


def contrast(fitted: Fit, residual: Spread) -> Contrast:
    """The difference of the second treatment from the first, by Student's t."""
    difference = fitted.levels[1] - fitted.levels[0]
    error = residual.deviation * fitted.errors[1][0]
    return Contrast(
        difference,
        t_quantile(residual.degrees) * error,
        two_sided_p(difference / error, residual.degrees) if error else float(difference == 0),
    )


class Ordered(Protocol):
    """Pairs of one case."""

    @property
    def log_ratios(self) -> tuple[float, ...]:
        """log(head ÷ base) of each pair."""

    @property
    def head_first(self) -> tuple[bool, ...]:
        """Whether head was the first to start, of each pair."""


def without_order_effect(cases: Sequence[Ordered]) -> list[tuple[float, ...]]:
    """The logarithms of each case without the order effect, which is common to all.

    The process of a pair that starts second finds another machine than the first: less free
    memory, other caches. With both orders measured, that can be distinguished from a
    change (Jones and Kenward, Design and analysis of cross-over trials).

    The effect is fitted to the deviations within each case, so a change of one case cannot pass
    for it. Few pairs show little of it, so it is shrunk towards zero (ridge regression: Hoerl and
    Kennard, 1970). It costs up to one degree of freedom, for which the deviations are widened.
    Without both orders in any case, or with nothing left to tell noise from effect, nothing is
    changed.
    """
    degrees = sum(len(case.log_ratios) - 1 for case in cases)
    products = squares = 0.0
    for case in cases:
        signs = _signs(case)
        mean, centre = statistics.fmean(case.log_ratios), statistics.fmean(signs)
        products += sum(
            (value - mean) * (sign - centre)
            for value, sign in zip(case.log_ratios, signs, strict=True)
        )
        squares += sum((sign - centre) ** 2 for sign in signs)
    if not squares or degrees < 2:
        return [case.log_ratios for case in cases]
    effect = products / (squares + PRIOR_PAIRS)
    spent = squares / (squares + PRIOR_PAIRS)
    widened = math.sqrt(degrees / (degrees - spent))
    return [_freed(case, effect, widened) for case in cases]


def _freed(case: Ordered, effect: float, widened: float) -> tuple[float, ...]:
    values = [
        value - effect * sign for value, sign in zip(case.log_ratios, _signs(case), strict=True)
    ]
    mean = statistics.fmean(values)
    return tuple(mean + (value - mean) * widened for value in values)


def _signs(case: Ordered) -> list[float]:
    return [1.0 if first else -1.0 for first in case.head_first]
