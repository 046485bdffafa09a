"""The steps of many series of one host class, and which of them are more than chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

from springbench.analysis.finder.noise import MIN_POINTS
from springbench.analysis.finder.observations import (
    MetricSeries,
    at_one_speed,
    by_commit,
    is_whole,
    stretches,
    without_spikes,
)
from springbench.analysis.finder.settings import FinderSettings
from springbench.analysis.finder.steps import Change, change_at, changes_of
from springbench.results.steps import MeasuredCommit, Place, StepRow

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAR_POINTS = 10
"""So many points on either side of an environment change tell what it did."""
MOST_SERIES = 1000
"""So many are looked at together: a history has thousands, and each takes memory meanwhile."""


def load_libraries() -> None:
    """Import what the finder needs: a fifth of a second, in which files can come meanwhile."""
    import scipy.special  # noqa: F401, PLC0415

    import springbench.analysis.finder.noise  # noqa: F401, PLC0415


def steps_of(
    series: Iterable[MetricSeries], settings: FinderSettings | None = None
) -> tuple[list[StepRow], int]:
    """The steps that stand out among all of them, and how many series were looked at.

    The share of false ones among these is held by Benjamini and Hochberg (1995).
    """
    settings = settings or FinderSettings()
    steps: list[StepRow] = []
    looked_at = quiet = 0
    for alike in _alike(
        metric_series
        for metric_series in series
        if metric_series.key.metric in settings.minimum_ratios
    ):
        for of_series in _steps_in(alike, settings):
            steps += of_series
            looked_at += 1
            quiet += not of_series
    p_values = _adjusted([step.p_value for step in steps], len(steps) + quiet)
    notable = [
        step.model_copy(update={"p_value": p})
        for step, p in zip(steps, p_values, strict=True)
        if p <= settings.false_discovery_rate and _is_notable(step, settings)
    ]
    return sorted(notable, key=lambda step: (step.case, step.configuration, step.metric)), looked_at


def _adjusted(p_values: Sequence[float], tests: int) -> list[float]:
    """Benjamini and Hochberg's p-values among so many tests, of which the others found nothing.

    As `scipy.stats.false_discovery_control`, whose import takes as much memory as a publish.
    """
    ranked = sorted(range(len(p_values)), key=lambda index: p_values[index], reverse=True)
    adjusted, least = [1.0] * len(p_values), 1.0
    for above, index in enumerate(ranked):
        least = min(least, p_values[index] * tests / (len(p_values) - above))
        adjusted[index] = least
    return adjusted


@dataclass(frozen=True)
class _Alike:
    """Series of the same runs: their logarithms are the rows of a matrix."""

    measured: tuple[MeasuredCommit, ...]
    series: list[MetricSeries]
    logs: NDArray[Any]


def _alike(series: Iterable[MetricSeries]) -> Iterator[_Alike]:
    shared: dict[int, list[MetricSeries]] = {}
    for metric_series in series:
        runs = id(metric_series.measured)
        shared.setdefault(runs, []).append(metric_series)
        if len(shared[runs]) == MOST_SERIES:
            yield from _rows(shared.pop(runs))
    for same in shared.values():
        yield from _rows(same)


def _rows(same: Sequence[MetricSeries]) -> Iterator[_Alike]:
    """One matrix of all series, but for those that do not have one positive value a commit."""
    import numpy as np  # noqa: PLC0415 - most commands need it not

    measured = same[0].measured
    values = np.array([metric_series.values for metric_series in same])
    fit = is_whole(measured) & np.all((values > 0) & np.isfinite(values), axis=-1)
    if fit.any():
        yield _Alike(measured, list(compress(same, fit)), np.log(values[fit]))
    for metric_series in compress(same, ~fit):
        commits, merged = by_commit(measured, metric_series.values)
        yield _Alike(commits, [metric_series], np.log([merged]))


def _steps_in(alike: _Alike, settings: FinderSettings) -> list[list[StepRow]]:
    """Of each series all changes of level, sure or not, in the order of the history."""
    found: list[list[StepRow]] = [[] for _ in alike.series]
    if not alike.measured:
        return found
    logs = alike.logs
    parts = stretches(alike.measured)
    before: list[NDArray[Any]] = []
    for number, (begin, end) in enumerate(parts):
        part = at_one_speed(logs[:, begin:end], alike.measured[begin:end])
        rows = list(without_spikes(part))
        for row, (series, changes) in enumerate(
            zip(alike.series, changes_of(rows, settings), strict=True)
        ):
            steps = found[row]
            if number:
                environment_change = (parts[number - 1], (begin, end))
                steps += _at_environment_change(
                    series, alike.measured, before[row], rows[row], environment_change
                )
            steps += [_row(series, alike.measured[begin:end], change) for change in changes]
        before = rows
    return found


def _at_environment_change(
    series: MetricSeries,
    measured: Sequence[MeasuredCommit],
    before: NDArray[Any],
    after: NDArray[Any],
    parts: tuple[tuple[int, int], tuple[int, int]],
) -> list[StepRow]:
    """The change of level where the host changed: the host's, until a comparison says otherwise."""
    import numpy as np  # noqa: PLC0415

    # only what is near: a side may have steps of its own
    near = [before[-NEAR_POINTS:], after[:NEAR_POINTS]]
    if min(map(len, near)) < MIN_POINTS:
        return []
    change = change_at(np.concatenate(near), len(near[0]))
    (_, last), (first, end) = parts
    environment_change = _what_changed(measured[last - 1].environment, measured[first].environment)
    row = _row(series, measured[last - len(near[0]) : end], change)
    return [row.model_copy(update={"environment_change": environment_change})]


def _what_changed(before: str, after: str) -> str:
    """The parts of the environment that are not the same, as `from → to`."""
    old, new = before.split("; "), after.split("; ")
    if len(old) != len(new):
        return f"{before} → {after}"
    return "; ".join(f"{was} → {now}" for was, now in zip(old, new, strict=True) if was != now)


def _row(series: MetricSeries, measured: Sequence[MeasuredCommit], change: Change) -> StepRow:
    positions = sorted(change.positions)
    return StepRow(
        kind=change.kind,
        case=series.key.case,
        configuration=series.key.configuration,
        host_class=series.key.host_class,
        metric=series.key.metric,
        unit=series.unit,
        better=series.better,
        before=_round_significant(change.before),
        after=_round_significant(change.after),
        ratio=_round_significant(change.ratio),
        low_ratio=_round_significant(change.low_ratio),
        high_ratio=_round_significant(change.high_ratio),
        p_value=_round_significant(change.p_value),
        last_before=measured[positions[0] - 1].commit,
        places=[
            Place(
                commit=measured[position].commit,
                run=measured[position].run,
                drop=change.positions[position],
            )
            for position in positions
        ],
        until=measured[-1].commit,
    )


def _is_notable(step: StepRow, settings: FinderSettings) -> bool:
    return abs(step.ratio - 1) >= settings.minimum_ratios[step.metric]


def _round_significant(value: float) -> float:
    """Five significant digits, as all of a history has."""
    return float(f"{value:.5g}")
