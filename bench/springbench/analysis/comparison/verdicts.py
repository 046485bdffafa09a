"""Base against head: from paired measurements to findings. Pure.

Each fork pair gives one logarithm of head ÷ base for each metric. What comes from a side's place
in its pair is taken out (crossover.py). The mean of what is left is the change, its spread
(moderated by the other cases of the same metric) the noise, and the false discovery rate over all
cases and metrics is held by Benjamini and Hochberg (1995).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from springbench.analysis.comparison.crossover import Paired, without_position
from springbench.analysis.comparison.metrics import EQUIVALENT_RATIO, NOTABLE_RATIO
from springbench.analysis.intervals import Spread, detectable_ratio, t_quantile, two_sided_p
from springbench.results.comparison import Verdict
from springbench.results.metrics import Better

# two in a hundred and not five, because the pairs are looked at again after each new one
FALSE_DISCOVERY_RATE = 0.02
# how many degrees of freedom the spread of the other cases counts for
PRIOR_DEGREES = 4.0
MIN_PAIRS = 2
# pairs that differ by so many times the usual speak for themselves: the host is of another kind
UNUSUAL = 2.0


@dataclass(frozen=True)
class Key:
    """One thing compared: a metric of a case."""

    case: str
    metric: str


@dataclass(frozen=True)
class PairSample:
    """Measurements of it: log(head ÷ base), one for each fork pair.

    `head_first` says for each pair whether head was the first to start, `usual_spread` how much
    such logarithms mostly differ. Samples of one `kind` are
    taken to be equally noisy, and to suffer equally from the place in a pair.
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
    spread: Spread
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
        degrees = self.spread.degrees + pairs - self.pairs
        half = t_quantile(degrees) * self.spread.deviation / math.sqrt(pairs)
        notable = change >= math.log1p(self.notable_ratio) and change > half
        return notable or change + half <= math.log1p(self.equivalent_ratio)


@dataclass(frozen=True)
class _Tested:
    sample: PairSample
    mean: float
    half: float
    p_value: float
    detectable: float
    spread: Spread


def judge(samples: Sequence[PairSample]) -> list[Finding]:
    """A finding for each sample with two pairs or more, in the order given."""
    usable = [sample for sample in samples if len(sample.log_ratios) >= MIN_PAIRS]
    if not usable:
        return []
    usable = _without_position(usable)
    priors = _priors(usable)
    # a change that stands alone must be this sure (Benjamini and Hochberg's first step)
    level = 1 - FALSE_DISCOVERY_RATE / len(usable)
    tested = [_test(sample, priors[sample.kind], level) for sample in usable]
    adjusted = adjust([each.p_value for each in tested])
    return [_finding(each, p) for each, p in zip(tested, adjusted, strict=True)]


def adjust(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's adjusted p-values."""
    from scipy.stats import false_discovery_control  # noqa: PLC0415 - see intervals.py

    return [float(p) for p in false_discovery_control(list(p_values), method="bh")]


def _without_position(samples: Sequence[PairSample]) -> list[PairSample]:
    """The samples, each kind freed of what a side's place in its pair adds."""
    freed: dict[Key, tuple[float, ...]] = {}
    for kind in {sample.kind for sample in samples}:
        same = [sample for sample in samples if sample.kind == kind]
        values = without_position([Paired(s.log_ratios, s.head_first) for s in same])
        freed |= {sample.key: value for sample, value in zip(same, values, strict=True)}
    return [replace(sample, log_ratios=freed[sample.key]) for sample in samples]


def _priors(samples: Sequence[PairSample]) -> Mapping[str, Spread | None]:
    return {
        kind: Spread.pooled([s.log_ratios for s in samples if s.kind == kind])
        for kind in {sample.kind for sample in samples}
    }


def _test(sample: PairSample, prior: Spread | None, level: float) -> _Tested:
    values = sample.log_ratios
    spread, wanted = Spread.of(values), len(values) - 1 + PRIOR_DEGREES
    if prior is not None and prior.degrees > spread.degrees:
        spread = spread.moderated(prior, min(PRIOR_DEGREES, prior.degrees - spread.degrees))
    if spread.degrees < wanted and spread.deviation <= UNUSUAL * sample.usual_spread:
        # few cases are compared: what is usual stands in for the others
        usual = Spread(sample.usual_spread, PRIOR_DEGREES)
        spread = spread.moderated(usual, wanted - spread.degrees)
    mean = statistics.fmean(values)
    error = spread.deviation / math.sqrt(len(values))
    detectable = detectable_ratio(spread, len(values), groups=1, level=level)
    return _Tested(
        sample=sample,
        mean=mean,
        half=t_quantile(spread.degrees) * error,
        p_value=two_sided_p(mean / error, spread.degrees) if error else float(mean == 0),
        detectable=max(sample.notable_ratio, detectable),
        spread=spread,
    )


def _finding(tested: _Tested, p_value: float) -> Finding:
    sample = tested.sample
    ratio, low, high = (
        math.exp(tested.mean),
        math.exp(tested.mean - tested.half),
        math.exp(tested.mean + tested.half),
    )
    return Finding(
        key=sample.key,
        verdict=verdict_of(sample, ratio, low, high, p_value),
        ratio=ratio,
        low=low,
        high=high,
        p_value=p_value,
        pairs=len(sample.log_ratios),
        detectable=tested.detectable,
        spread=tested.spread,
        notable_ratio=sample.notable_ratio,
        equivalent_ratio=sample.equivalent_ratio,
    )


class Judgeable(Protocol):
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


def verdict_of(metric: Judgeable, ratio: float, low: float, high: float, p_value: float) -> Verdict:
    """Verdict on a ratio with its interval and its adjusted p-value."""
    notable = abs(ratio - 1) >= metric.notable_ratio
    if p_value <= FALSE_DISCOVERY_RATE and notable:
        return "improvement" if (ratio > 1) == (metric.better == "higher") else "regression"
    if low >= 1 - metric.equivalent_ratio and high <= 1 + metric.equivalent_ratio:
        return "unchanged"
    return "undecided"
