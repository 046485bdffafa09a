"""Rows of what was measured at constant rates, plain. Pure."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence

from springbench import units
from springbench.matrix.profiles import CAPACITY_PERCENTS, CapacityPercent
from springbench.results.metrics import Metric, metrics_in, rate_metric
from springbench.results.records import RATE_FLAW_WORDS, ConstantRateRecord
from springbench.results.run import Result, Run
from springbench.untrusted import one_line

TITLE = "at a constant rate"
# each stands in the registry once for each rate
FIGURES = tuple(
    metric for metric in metrics_in("rates") if metric.capacity_percent == CAPACITY_PERCENTS[0]
)
COLUMNS = ("case", "of capacity", "req/s", *(metric.head for metric in FIGURES), "")
LEFT_ALIGNED = {"case", ""}
NOTE = (
    "At a constant rate a latency counts from when its request was due (oha), so it holds what "
    "waiting clients would have seen; what does not count is in brackets, with the reason."
)


def rows(run: Run) -> list[tuple[str, ...]]:
    """A row for each case and rate, in the order of the run; none where nothing was asked for."""
    return [tuple(map(one_line, row)) for result in run.results for row in _rows(result)]


def _rows(result: Result) -> Iterator[tuple[str, ...]]:
    for percent in CAPACITY_PERCENTS:
        passes = [
            at
            for fork in result.forks
            for at in fork.constant_rates
            if at.capacity_percent == percent
        ]
        why = _not_measured(result, percent)
        if passes or why:
            yield _row(result, percent, passes, why)


def _row(
    result: Result,
    percent: CapacityPercent,
    passes: Sequence[ConstantRateRecord],
    why: str | None,
) -> tuple[str, ...]:
    counted = any(at.counts for at in passes)

    def cell(metric: Metric) -> str:
        name = str(metric.figure)
        if counted:
            summary = result.summary.get(rate_metric(percent, name))
            return metric.cell(summary.median if summary else None)
        values = [value for at in passes if (value := getattr(at, name)) is not None]
        text = metric.cell(statistics.median(values) if values else None)
        return text if text == units.ABSENT else f"({text})"

    offered = [at.offered_rps for at in passes]
    return (
        result.case,
        f"{percent} %",
        units.rate(statistics.median(offered)) if offered else units.ABSENT,
        *map(cell, FIGURES),
        _remarks(passes, why),
    )


def _remarks(passes: Sequence[ConstantRateRecord], why: str | None) -> str:
    """What speaks against how many of the passes."""
    flaws = Counter(flaw for at in passes for flaw in at.flaws)
    several = len(passes) > 1
    texts = [
        f"{RATE_FLAW_WORDS[flaw]} in {count} of {len(passes)}" if several else RATE_FLAW_WORDS[flaw]
        for flaw, count in flaws.items()
    ]
    return "; ".join([*texts, *([why] if why else [])])


def _not_measured(result: Result, percent: CapacityPercent) -> str | None:
    """Why a fork has no such load."""
    names = (f"constant_rates.{percent}", "constant_rates")
    reasons = (
        fork.missing[name] for fork in result.forks for name in names if name in fork.missing
    )
    return next(reasons, None)
