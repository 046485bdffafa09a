"""The steps of many series of one host class, and which of them are more than chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from springbench.analysis.comparison.verdicts import adjust
from springbench.analysis.finder.drifts import drift_in
from springbench.analysis.finder.observations import (
    MetricSeries,
    Observation,
    by_commit,
    stretches,
    without_spikes,
)
from springbench.analysis.finder.settings import FinderSettings
from springbench.analysis.finder.steps import Change, change_at, changes_in
from springbench.results.events import EventKind
from springbench.results.steps import Place, StepRow


def steps_of(
    series: Iterable[MetricSeries], settings: FinderSettings | None = None
) -> tuple[list[StepRow], int]:
    """The steps that stand out among all of them, and how many series were looked at.

    The share of false ones among these is held by Benjamini and Hochberg (1995).
    """
    settings = settings or FinderSettings()
    found: list[StepRow] = []
    quiet = looked_at = 0
    for each in series:
        if each.key.metric in settings.minimum_ratios:
            steps = steps_in(each, settings)
            found += steps
            quiet += not steps
            looked_at += 1
    if not found:
        return [], looked_at
    p_values = adjust([*(step.p_value for step in found), *[1.0] * quiet])
    kept = [
        step.model_copy(update={"p_value": p})
        for step, p in zip(found, p_values, strict=False)
        if p <= settings.false_discovery_rate and _is_notable(step, settings)
    ]
    return kept, looked_at


def steps_in(series: MetricSeries, settings: FinderSettings) -> list[StepRow]:
    """All changes of level of one series, sure or not, in the order of the history."""
    observations = by_commit(series.observations)
    logs = [math.log(each.value) for each in observations]
    parts = stretches(observations)
    steps: list[StepRow] = []
    for number, (begin, end) in enumerate(parts):
        if number:
            steps += _at_seam(series, observations, logs, parts[number - 1], (begin, end), settings)
        cleaned = without_spikes(logs[begin:end])
        changes = changes_in(cleaned, settings)
        drift = drift_in(cleaned, changes, settings)
        kind: EventKind = "drift" if drift else "step"
        for change in [drift] if drift else changes:
            steps.append(_row(series, observations[begin:end], change, kind))
    return steps


def _at_seam(
    series: MetricSeries,
    observations: Sequence[Observation],
    logs: Sequence[float],
    before: tuple[int, int],
    after: tuple[int, int],
    settings: FinderSettings,
) -> list[StepRow]:
    """The change of level where the host changed: the host's, until a comparison says otherwise."""
    sides = (before[1] - before[0], after[1] - after[0])
    if min(sides) < settings.min_points:
        return []
    whole = [*without_spikes(logs[slice(*before)]), *without_spikes(logs[slice(*after)])]
    # only what is near: a side may have steps of its own
    near = replace(settings, level_points=settings.level_points // 3)
    change = change_at(whole, 0, sides[0], len(whole), near)
    there = replace(change, places={sides[0]: 0.0})
    seam = _what_changed(
        observations[before[1] - 1].environment, observations[after[0]].environment
    )
    part = observations[before[0] : after[1]]
    return [_row(series, part, there, "step").model_copy(update={"seam": seam})]


def _what_changed(before: str, after: str) -> str:
    """The parts of the environment that are not the same, as `from → to`."""
    old, new = before.split("; "), after.split("; ")
    if len(old) != len(new):
        return f"{before} → {after}"
    return "; ".join(f"{was} → {now}" for was, now in zip(old, new, strict=True) if was != now)


def _row(
    series: MetricSeries, observations: Sequence[Observation], change: Change, kind: EventKind
) -> StepRow:
    places = sorted(change.places)
    return StepRow(
        kind=kind,
        case=series.key.case,
        conditions=series.key.conditions,
        host_class=series.key.host_class,
        metric=series.key.metric,
        unit=series.unit,
        better=series.better,
        before=_short(change.before),
        after=_short(change.after),
        ratio=_short(change.ratio),
        low_ratio=_short(change.low_ratio),
        high_ratio=_short(change.high_ratio),
        p_value=_short(change.p_value),
        last_before=observations[places[0] - 1].commit,
        places=[
            Place(
                commit=observations[place].commit,
                run=observations[place].run,
                drop=change.places[place],
            )
            for place in places
        ],
        until=observations[-1].commit,
    )


def _is_notable(step: StepRow, settings: FinderSettings) -> bool:
    return abs(step.ratio - 1) >= settings.minimum_ratios[step.metric]


def _short(value: float) -> float:
    """Five significant digits, as all of a history has."""
    return float(f"{value:.5g}")
