"""One number for each pair: the logarithm of head ÷ base, and how sure it is. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from springbench.analysis.comparison.metrics import Compared
from springbench.results.middle import median_error
from springbench.results.pairs import PairRecord


@dataclass(frozen=True)
class PairValue:
    """Value of one pair for one metric of one case."""

    base: float
    head: float
    log_ratio: float
    head_first: bool
    error: float
    """How far off the logarithm may be by how it was measured, as a standard error; 0 where nothing
    tells. Other processes differ by more."""


def pair_values(metric: Compared, case: str, pairs: Sequence[PairRecord]) -> list[PairValue]:
    """Values of each pair, without those that lack it on either side."""
    return [value for pair in pairs if (value := _value(metric, case, pair)) is not None]


def _value(metric: Compared, case: str, pair: PairRecord) -> PairValue | None:
    """The median over neighbouring bursts: what disturbs one mostly disturbs the other too."""
    both = [
        (base, head)
        for base, head in zip(
            metric.read(pair.sides["base"], case),
            metric.read(pair.sides["head"], case),
            strict=False,
        )
        if base and head
    ]
    if not both:
        return None
    log_ratios = [math.log(head / base) for base, head in both]
    return PairValue(
        base=statistics.median(base for base, _ in both),
        head=statistics.median(head for _, head in both),
        log_ratio=statistics.median(log_ratios),
        head_first=pair.pair % 2 == 1,
        error=_error_of_sides(metric, case, pair) or median_error(log_ratios) or 0.0,
    )


def _error_of_sides(metric: Compared, case: str, pair: PairRecord) -> float | None:
    """What the windows of both sides tell of it; None where they do not."""
    if metric.error is None:
        return None
    errors = [
        [error for error in metric.error(side, case) if error is not None]
        for side in pair.sides.values()
    ]
    if not all(errors):
        return None
    # a ratio has the errors of both
    return math.sqrt(sum(statistics.fmean(e * e for e in of_side) for of_side in errors))
