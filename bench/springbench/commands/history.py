"""`springbench history`: the events of a history, and series of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any

import typer

from springbench.commands.history_source import (
    BranchOption,
    HistoryOption,
    PathOption,
    RemoteOption,
    named,
    opened,
)
from springbench.commands.options import FailOn, FailOnEventOption
from springbench.errors import ConfigurationError, ExitCode
from springbench.history.files import INDEX, Files
from springbench.history.reading import read_index
from springbench.history.series import WholeSeries, read_series
from springbench.host.shell import RealShell
from springbench.report.console import console
from springbench.report.event_console import count_line, metrics_of, print_events, print_series, row
from springbench.results.events import Event
from springbench.results.history import Index
from springbench.results.published_run import reported_words
from springbench.untrusted import one_line

LAST = 20


def history(
    history: HistoryOption = None,
    remote: RemoteOption = None,
    branch: BranchOption = "gh-pages",
    path: PathOption = "",
    case: Annotated[
        str | None,
        typer.Option("--case", help="Print the series of cases that match this glob, too."),
    ] = None,
    last: Annotated[
        int, typer.Option("--last", min=1, help="So many of the newest runs of each series.")
    ] = LAST,
    all_: Annotated[bool, typer.Option("--all", help="Events that are closed, too.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    fail_on: FailOnEventOption = "never",
) -> None:
    """Print what got slower or faster for good: when, by how much, through which commit.

    Example: `springbench history --remote origin --case '*-tomcat-virtual-jvm/hello/*'`
    """
    with opened(RealShell(), history, remote, branch, path) as files:
        index = _index(files, named(history, remote, branch, path))
        events = _touching(index.events, case)
        series = _series(files, index, case)
    shown = [event for event in events if all_ or event.is_open]
    if json_:
        typer.echo(json.dumps(_as_json(index, shown, series, last), indent=2))
    else:
        _print(index, shown, events, series, last)
    if is_met(fail_on, events):
        raise typer.Exit(ExitCode.REGRESSION)


def is_met(fail_on: FailOn, events: Sequence[Event]) -> bool:
    """Whether an open regression is what the caller asked to fail on."""
    states = {
        "never": (),
        "regression": ("confirmed",),
        "suspected": ("confirmed", "suspected"),
    }[fail_on]
    return any(event.direction == "regression" and event.state in states for event in events)


def _index(files: Files, where: str) -> Index:
    index = read_index(files)
    if index is None:
        raise ConfigurationError(
            f"{where}: there is no history ({INDEX}); check --history, --remote and --branch, or "
            "make one with `springbench publish`"
        )
    return index


def _touching(events: Sequence[Event], case: str | None) -> list[Event]:
    if case is None:
        return list(events)
    return [
        event for event in events if any(fnmatchcase(w.case, case) for w in event.affected_series)
    ]


def _series(files: Files, index: Index, case: str | None) -> list[WholeSeries]:
    if case is None:
        return []
    found = read_series(files, index, lambda _, row: fnmatchcase(row.case, case))
    if not found:
        known = [row.case for row in index.cases][:3]
        raise ConfigurationError(
            f"--case {case!r}: no case of the history matches; it has "
            f"{len(index.cases)} series, such as {', '.join(known) or 'none'}"
        )
    return found


def _print(
    index: Index,
    shown: Sequence[Event],
    events: Sequence[Event],
    series: Sequence[WholeSeries],
    last: int,
) -> None:
    out = console()
    print_events(shown, index.events, out)
    for one_series in series:
        touching = [
            e for e in index.events if any(w.case == one_series.row.case for w in e.affected_series)
        ]
        measured = {name for point in one_series.points for name in point.values}
        metrics = metrics_of(one_series.row.case, touching, measured)
        rows = [
            row(point.entry.commit, point.entry.started_at, point.values, metrics, touching)
            for point in one_series.points[-last:]
        ]
        print_series(f"{_title(one_series)}, {_count(one_series, last)}", rows, metrics, out)
    for line in (count_line(shown, events), _length(index)):
        if line:
            out.print(one_line(line), markup=False)


def _title(series: WholeSeries) -> str:
    reported = series.row.reported
    what = f"{reported_words(reported)}, measured by {reported.harness}: " if reported else ""
    return f"{what}{series.row.case} ({series.row.configuration}) on {series.host_class}"


def _count(series: WholeSeries, last: int) -> str:
    total = len(series.points)
    runs = f"{total} run{'' if total == 1 else 's'}"
    return runs if total <= last else f"the newest {last} of {runs}"


def _length(index: Index) -> str:
    if index.runs_total == 0:
        return "the history has no runs yet"
    if index.runs_total == 1:
        return "the history has one run: a change of level needs more"
    return ""


def _as_json(
    index: Index, shown: Sequence[Event], series: Sequence[WholeSeries], last: int
) -> dict[str, Any]:
    return {
        "runs_total": index.runs_total,
        "events": [event.model_dump(by_alias=True) for event in shown],
        "series": [
            {
                "case": one_series.row.case,
                "configuration": one_series.row.configuration,
                "host_class": one_series.host_class,
                "points": [
                    {
                        "run": point.entry.id,
                        "started_at": point.entry.started_at,
                        "commit": point.entry.commit.model_dump() if point.entry.commit else None,
                        "marks": list(point.entry.marks),
                        "status": point.status,
                        "forks": point.n,
                        "metrics": {
                            name: dict(zip(("median", "low", "high"), triple, strict=True))
                            for name, triple in point.values.items()
                        },
                    }
                    for point in one_series.points[-last:]
                ],
            }
            for one_series in series
        ],
    }
