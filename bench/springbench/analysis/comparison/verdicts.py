"""Base against head: from paired measurements to findings. Pure.

Each fork pair is a block of the design (block_design.py) and gives one logarithm of head ÷ base
for each metric. The order effect, common to all cases, is taken out; the contrast of the two sides
is the change, and the false discovery rate over all cases and metrics is held by Benjamini and
Hochberg (1995).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
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
from springbench.analysis.intervals import Spread, detectable_ratio, t_quantile
from springbench.matrix.profiles import CapacityPercent
from springbench.results.comparison import AnsweredRecord, BurstRecord, SideRecord, Verdict
from springbench.results.metrics import (
    BY_NAME,
    IMPORTANCE,
    USUAL_EFFECT,
    Better,
    Metric,
    Stage,
    Unit,
)
from springbench.results.records import LoadRecord

# --- What a comparison evaluates of two sides: its metrics, as the registry has them ----
# What varies is known by the spread of the pairs, whatever noise the registry expects.


NOTABLE_RATIO = USUAL_EFFECT.notable
EQUIVALENT_RATIO = USUAL_EFFECT.equivalent
# of a window's mean, with all pauses in it: 24 recorded pairs
ERROR_OF_A_MEAN = 0.028
# of the server's CPUs, in a burst of a second: from there on it shows what compilers took
COMPILING_RATIO = 0.1

Values = Sequence[float | None]
Read = Callable[[SideRecord, str], Values]


@dataclass(frozen=True)
class ComparedCase:
    """A case as a comparison sees it. `waits`: its requests wait by design; `rates`: constant
    rates that it is loaded at, too; `by_first_compiler`: the optimising one (C2) does not work."""

    case: str
    waits: bool
    rates: tuple[CapacityPercent, ...] = ()
    by_first_compiler: bool = False


@dataclass(frozen=True)
class Compared:
    """A metric as a comparison takes it: its values on one side, in the order of time."""

    name: str
    unit: Unit
    better: Better
    stage: Stage
    read: Read
    usual_spread: float
    """The noise of the registry for a case like this."""
    notable_ratio: float = NOTABLE_RATIO
    equivalent_ratio: float = EQUIVALENT_RATIO
    error: Read | None = None
    """How far off each value of a side may be by how it was measured: a standard error, as a ratio.
    Pairs are not taken to agree better than that."""


def compiling(burst: BurstRecord) -> bool:
    """Whether it shows a server that is not yet what it will be."""
    return (burst.compiler_cpu_ratio or 0.0) > COMPILING_RATIO


def metrics_of(case: ComparedCase, *, first: bool, in_pairs: bool = True) -> tuple[Compared, ...]:
    """What is evaluated of a case, most important first; `first` of its variant, it stands for the
    process too: what a process shows whatever load it got is evaluated once for all of its
    cases. Without `in_pairs` also what only runs have."""
    known = [metric for metric in _evaluated(case) if metric.in_pairs or not in_pairs]
    case_metrics = [metric for metric in known if metric.stage == "case"]
    process = [metric for metric in known if metric.stage != "case"]
    return tuple(_compared(metric, case) for metric in [*case_metrics, *(process if first else [])])


def _evaluated(case: ComparedCase) -> Iterator[Metric]:
    for name in IMPORTANCE:
        metric = BY_NAME[name]
        at_rate = metric.capacity_percent is None or metric.capacity_percent in case.rates
        if at_rate and _noise(metric, case) is not None:
            yield metric


def _noise(metric: Metric, case: ComparedCase) -> float | None:
    if metric.noise is None:
        return None
    return metric.noise.usual(waits=case.waits, optimised=not case.by_first_compiler)


def _compared(metric: Metric, case: ComparedCase) -> Compared:
    effect = metric.effect(waits=case.waits)
    read, error = reader_of(metric, case), None
    if case.waits and metric.name == "throughput_rps":
        read, error = _of_windows(_middle_rps), _of_windows(_error_of_middle)
    return Compared(
        metric.name,
        metric.unit,
        metric.better,
        metric.stage,
        read,
        _noise(metric, case) or 0.0,
        effect.notable,
        effect.equivalent,
        error,
    )


def reader_of(metric: Metric, case: ComparedCase) -> Read:
    """How values of a side are read, by where it has them: loads at a constant rate, the process,
    its answers, or its loads.

    There the field has the name of the metric.
    """
    name = metric.figure or metric.name
    if (percent := metric.capacity_percent) is not None:
        return lambda side, case_id: [
            getattr(at, name) if at.counts else None for at in side.at_rate(case_id, percent)
        ]
    if metric.stage != "case":
        return lambda side, _: [getattr(side, name)]
    if name in AnsweredRecord.model_fields:
        return lambda side, case_id: (
            [getattr(side.answered[case_id], name)] if case_id in side.answered else []
        )
    if case.waits:
        return _of_windows(lambda window: getattr(window, name))
    return lambda side, case_id: [
        None if compiling(burst) else getattr(burst, name) for burst in side.bursts.get(case_id, [])
    ]


def _of_windows(read: Callable[[LoadRecord], float | None]) -> Read:
    return lambda side, case_id: [read(window) for window in side.windows.get(case_id, [])]


def _middle_rps(window: LoadRecord) -> float:
    return window.middle_throughput_rps or window.throughput_rps


def _error_of_middle(window: LoadRecord) -> float | None:
    return ERROR_OF_A_MEAN if window.middle_throughput_rps is None else window.middle_error_ratio


OF_THE_START = frozenset(metric.name for metric in BY_NAME.values() if metric.stage == "start")
"""Metrics of a process before any load: the same whatever case of its variant is looked at."""


# --- Base against head: from paired measurements to findings --------------------------------------
# Each fork pair is a block of the design (block_design.py) and gives one logarithm of head ÷ base
# for each metric. The order effect, common to all cases, is taken out; the contrast of the two
# sides is the change, and the false discovery rate over all cases and metrics is held by
# Benjamini and Hochberg (1995).


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
    the same order effect; but each differs at least by its `error`, the standard error with which
    one such logarithm was measured (0: not known).
    """

    key: Key
    kind: str
    better: Better
    log_ratios: tuple[float, ...]
    head_first: tuple[bool, ...]
    usual_spread: float
    notable_ratio: float = NOTABLE_RATIO
    equivalent_ratio: float = EQUIVALENT_RATIO
    error: float = 0.0


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
    contrasts = [
        contrast(pair_fit, spread) for pair_fit, spread in zip(fits, residuals, strict=True)
    ]
    adjusted = adjust([effect.p_value for effect in contrasts])
    # a change that stands alone must be this sure (Benjamini and Hochberg's first step)
    level = 1 - FALSE_DISCOVERY_RATE / len(usable)
    return [
        _finding(*row, level) for row in zip(usable, contrasts, residuals, adjusted, strict=True)
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
    found = []
    for sample, fitted in zip(samples, fits, strict=True):
        # a ratio varies as two processes do
        usual, error = sample.usual_spread / math.sqrt(2), sample.error / math.sqrt(2)
        spread = noise(fitted.residual, usual, pooled[sample.kind])
        found.append(replace(spread, deviation=max(spread.deviation, error)))
    return found


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
