"""Base against head: from paired measurements to findings. Pure.

Each fork pair is a block of the design (block_design.py) and gives one logarithm of head ÷ base
for each metric. The order effect, common to all cases, is taken out; the contrast of the two sides
is the change, and the false discovery rate over all cases and metrics is held by Benjamini and
Hochberg (1995).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from springbench.analysis.block_design import (
    Contrast,
    Fit,
    contrast,
    fit_pairs,
    noise,
    without_order_effect,
)
from springbench.analysis.comparison.metrics import EQUIVALENT_RATIO, NOTABLE_RATIO
from springbench.analysis.intervals import Spread, detectable_ratio, t_quantile
from springbench.results.comparison import Verdict
from springbench.results.metrics import Better

# two in a hundred and not five, because the pairs are looked at again after each new one
FALSE_DISCOVERY_RATE = 0.02
MIN_PAIRS = 2


@dataclass(frozen=True)
class Key:
    """One thing compared: a metric of a case."""

    case: str
    metric: str


@dataclass(frozen=True)
class PairSample:
    """Measurements of it: log(head ÷ base), one for each fork pair.

    `head_first` says for each pair whether head was the first to start, `usual_spread` how much
    such logarithms mostly differ. Samples of one `kind` are taken to be equally noisy, and to have
    the same order effect.
    """

    key: Key
    kind: str
    better: Better
    log_ratios: tuple[float, ...]
    head_first: tuple[bool, ...]
    usual_spread: float
    notable_ratio: float = NOTABLE_RATIO
    equivalent_ratio: float = EQUIVALENT_RATIO


@dataclass(frozen=True)
class Finding:
    """Finding about it. Ratios are head ÷ base; the interval is at 95 %."""

    key: Key
    verdict: Verdict
    ratio: float
    low: float
    high: float
    p_value: float
    pairs: int
    detectable: float
    residual: Spread
    """Of identical processes within a pair."""
    notable_ratio: float = NOTABLE_RATIO
    equivalent_ratio: float = EQUIVALENT_RATIO

    @property
    def is_change(self) -> bool:
        """Whether the verdict calls it a change, for better or worse."""
        return self.verdict in ("regression", "improvement")

    @property
    def within(self) -> float:
        """The largest change that the interval admits, as a ratio above 0."""
        return max(abs(self.low - 1), abs(self.high - 1))

    def within_reach(self, pairs: int) -> bool:
        """Whether so many pairs would settle it, did they go on as those until now."""
        change = abs(math.log(self.ratio))
        degrees = self.residual.degrees + pairs - self.pairs
        half = t_quantile(degrees) * self.residual.deviation * math.sqrt(2 / pairs)
        notable = change >= math.log1p(self.notable_ratio) and change > half
        return notable or change + half <= math.log1p(self.equivalent_ratio)


def evaluate(samples: Sequence[PairSample]) -> list[Finding]:
    """A finding for each sample with two pairs or more, in the order given."""
    usable = [sample for sample in samples if len(sample.log_ratios) >= MIN_PAIRS]
    if not usable:
        return []
    usable = _without_order_effect(usable)
    fits = [fit_pairs(sample.log_ratios) for sample in usable]
    residuals = _residuals(usable, fits)
    contrasts = [contrast(each, spread) for each, spread in zip(fits, residuals, strict=True)]
    adjusted = adjust([each.p_value for each in contrasts])
    # a change that stands alone must be this sure (Benjamini and Hochberg's first step)
    level = 1 - FALSE_DISCOVERY_RATE / len(usable)
    return [
        _finding(*each, level) for each in zip(usable, contrasts, residuals, adjusted, strict=True)
    ]


def adjust(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's adjusted p-values."""
    from scipy.stats import false_discovery_control  # noqa: PLC0415 - see intervals.py

    return [float(p) for p in false_discovery_control(list(p_values), method="bh")]


def _without_order_effect(samples: Sequence[PairSample]) -> list[PairSample]:
    """The samples, each kind without the order effect that is common to it."""
    freed: dict[Key, tuple[float, ...]] = {}
    for kind in {sample.kind for sample in samples}:
        same = [sample for sample in samples if sample.kind == kind]
        values = without_order_effect(same)
        freed |= {sample.key: value for sample, value in zip(same, values, strict=True)}
    return [replace(sample, log_ratios=freed[sample.key]) for sample in samples]


def _residuals(samples: Sequence[PairSample], fits: Sequence[Fit]) -> list[Spread]:
    """The noise of each sample, steadied by all of its kind."""
    kinds: dict[str, list[Spread]] = {}
    for sample, fitted in zip(samples, fits, strict=True):
        kinds.setdefault(sample.kind, []).append(fitted.residual)
    pooled = {kind: Spread.pooled(spreads) for kind, spreads in kinds.items()}
    return [
        # a ratio varies as two processes do
        noise(fitted.residual, sample.usual_spread / math.sqrt(2), pooled[sample.kind])
        for sample, fitted in zip(samples, fits, strict=True)
    ]


def _finding(
    sample: PairSample, found: Contrast, residual: Spread, p_value: float, level: float
) -> Finding:
    pairs = len(sample.log_ratios)
    ratio, low, high = (math.exp(found.difference + sign * found.half_width) for sign in (0, -1, 1))
    return Finding(
        key=sample.key,
        verdict=verdict_of(sample, ratio, low, high, p_value),
        ratio=ratio,
        low=low,
        high=high,
        p_value=p_value,
        pairs=pairs,
        detectable=max(sample.notable_ratio, detectable_ratio(residual, pairs, level=level)),
        residual=residual,
        notable_ratio=sample.notable_ratio,
        equivalent_ratio=sample.equivalent_ratio,
    )


class MetricThresholds(Protocol):
    """What is known of a metric before it is measured."""

    @property
    def better(self) -> Better:
        """The direction that people want."""

    @property
    def notable_ratio(self) -> float:
        """The least change that matters."""

    @property
    def equivalent_ratio(self) -> float:
        """The widest interval that still says that nothing has changed."""


def verdict_of(
    metric: MetricThresholds, ratio: float, low: float, high: float, p_value: float
) -> Verdict:
    """Verdict on a ratio with its interval and its adjusted p-value."""
    notable = abs(ratio - 1) >= metric.notable_ratio
    if p_value <= FALSE_DISCOVERY_RATE and notable:
        return "improvement" if (ratio > 1) == (metric.better == "higher") else "regression"
    if low >= 1 - metric.equivalent_ratio and high <= 1 + metric.equivalent_ratio:
        return "unchanged"
    return "undecided"
