"""A series of a history as rows for the terminal. Pure but for the printing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from springbench import units
from springbench.report.comparison import value_words
from springbench.report.console import print_rows
from springbench.report.headline import metric_words
from springbench.results.events import Event
from springbench.results.history_names import CommitRow
from springbench.results.metrics import BY_NAME, REPORTED, metrics_in
from springbench.untrusted import clipped, one_line

_MESSAGE_LIMIT = 40
Triple = tuple[float | None, float | None, float | None]


def columns(metrics: Sequence[str]) -> tuple[str, ...]:
    """Of the table of a series."""
    return ("commit", "time", *map(metric_words, metrics), "what begins here")


def metrics_of(case: str, events: Sequence[Event], measured: Collection[str]) -> tuple[str, ...]:
    """Those that everybody asks for, then those in which events touch the case.

    Of another harness, what the series has: one of its metrics.
    """
    if reported := [metric.name for metric in REPORTED if metric.name in measured]:
        return tuple(reported)
    touched = (w.metric for event in events for w in event.affected_series if w.case == case)
    named = dict.fromkeys((*(each.name for each in metrics_in("series")), *touched))
    return tuple(name for name in named if name in BY_NAME and BY_NAME[name].published)


def row(
    commit: CommitRow | None,
    started_at: str,
    values: Mapping[str, Triple],
    metrics: Sequence[str],
    events: Sequence[Event],
) -> tuple[str, ...]:
    """One run of the series; `events` are those that touch the case."""
    here = [event for event in events if commit and event.culprit.after.sha == commit.sha]
    begins = ", ".join(f"{event.id} ({event.state})" for event in here)
    message = f" {clipped(commit.message, _MESSAGE_LIMIT)}" if commit else ""
    texts = (
        f"{commit.sha}{message}" if commit else units.ABSENT,
        (commit.time if commit else started_at)[:16].replace("T", " "),
        *(_number(name, values) for name in metrics),
        begins,
    )
    return tuple(map(one_line, texts))


def print_series(
    title: str, rows: Sequence[tuple[str, ...]], metrics: Sequence[str], out: Console
) -> None:
    """A table; in parts where the terminal is narrow."""
    out.print(Text(one_line(title), style="bold"))
    print_rows(columns(metrics), rows, {"commit", "time", "what begins here"}, out)


def _number(metric: str, values: Mapping[str, Triple]) -> str:
    median = values.get(metric, (None, None, None))[0]
    return units.ABSENT if median is None else value_words(median, BY_NAME[metric].unit)
