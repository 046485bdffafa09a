"""Chunks of series: read into entries, and written from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from springbench.history.entries import (
    Entry,
    Point,
    columns_of,
    measured_service,
    run_columns,
    triples_at,
)
from springbench.history.files import (
    MAKE_ANEW,
    SERIES,
    Files,
    chunk_path,
    load,
    missing,
    save,
    series_path,
)
from springbench.history.packing import BrokenFileError
from springbench.results.base import check_indices
from springbench.results.history import Chunk, Series
from springbench.results.published_run import HISTORY_SCHEMA_VERSION
from springbench.untrusted import sanitise


def read_heads(files: Files, host_class: str, chunk: str) -> list[Entry]:
    """The runs of a chunk without their points, from `chunk.json` alone."""
    return _entries(_head(files, host_class, chunk))


def _head(files: Files, host_class: str, chunk: str) -> Chunk:
    path = chunk_path(host_class, chunk)
    head = load(files, path, Chunk)
    if head is None:
        raise missing(path)
    return head


def _entries(head: Chunk) -> list[Entry]:
    runs = head.runs
    return [
        Entry(
            id=runs.id[i],
            started_at=runs.started_at[i],
            commit=None if (commit := runs.commit[i]) is None else head.commits[commit],
            profile=runs.profile[i],
            trigger=runs.trigger[i],
            marks=tuple(runs.marks[i]),
            ok=runs.ok[i],
            failed=runs.failed[i],
            url=runs.url[i],
            branch=runs.branch[i],
            boots=runs.boots[i],
            environment=runs.environments[runs.environment[i]] if runs.environment else "",
            service=runs.service[i] if runs.service else None,
        )
        for i in range(len(runs.id))
    ]


def read_chunk(files: Files, host_class: str, chunk: str) -> list[Entry]:
    """The runs of a chunk in order, with every point."""
    folder = f"{SERIES}/{host_class}/{chunk}"
    paths = [f"{folder}/{name}" for name in files.names(folder)]
    files.expect(paths)
    head = _head(files, host_class, chunk)
    for name in head.series or ():
        if (path := series_path(host_class, chunk, name)) not in paths:
            raise missing(path)
    entries = _entries(head)
    for path in paths:
        if path != chunk_path(host_class, chunk) and (series := load(files, path, Series)):
            check_fits(path, series, entries)
            _spread(series, entries)
    # what an older version wrote does not say it
    return [replace(entry, service=measured_service(entry.points)) for entry in entries]


def check_fits(path: str, series: Series, entries: Sequence[Entry]) -> None:
    """Raises `BrokenFileError` where a series has runs that its chunk has not."""
    try:
        check_indices("run", series.run, len(entries))
    except ValueError as error:
        raise BrokenFileError(f"{sanitise(path)}: {error} of its chunk; {MAKE_ANEW}") from error


def write_chunk(files: Files, host_class: str, chunk: str, entries: Sequence[Entry]) -> None:
    """Make the files of a chunk, and remove those of cases that it no longer has."""
    commits, runs = run_columns(entries)
    names = sorted({name for entry in entries for name in entry.points})
    head = Chunk.model_validate(
        {
            "schema": HISTORY_SCHEMA_VERSION,
            "class": host_class,
            "chunk": chunk,
            "commits": commits,
            "runs": runs,
            "series": names,
        }
    )
    save(files, chunk_path(host_class, chunk), head)
    paths = {chunk_path(host_class, chunk)}
    for name in names:
        path = series_path(host_class, chunk, name)
        save(files, path, _series(host_class, chunk, name, entries))
        paths.add(path)
    _delete_others(files, f"{SERIES}/{host_class}/{chunk}", paths)


def delete_chunk(files: Files, host_class: str, chunk: str) -> None:
    """Remove every file of a chunk."""
    _delete_others(files, f"{SERIES}/{host_class}/{chunk}", ())


def _delete_others(files: Files, folder: str, paths: Iterable[str]) -> None:
    for name in files.names(folder):
        if f"{folder}/{name}" not in paths:
            files.delete(f"{folder}/{name}")


def _spread(series: Series, entries: Sequence[Entry]) -> None:
    for position, run in enumerate(series.run):
        entries[run].points[f"{series.case}@{series.conditions}"] = Point(
            status=series.status[position],
            bound=series.bound[position],
            n=series.n[position],
            values=triples_at(series.metrics, position),
        )


def _series(host_class: str, chunk: str, name: str, entries: Sequence[Entry]) -> Series:
    places = [place for place, entry in enumerate(entries) if name in entry.points]
    points = [entries[place].points[name] for place in places]
    case, _, conditions = name.partition("@")
    return Series.model_validate(
        {
            "schema": HISTORY_SCHEMA_VERSION,
            "case": case,
            "conditions": conditions,
            "class": host_class,
            "chunk": chunk,
            "run": places,
            "status": [point.status for point in points],
            "bound": [point.bound for point in points],
            "n": [point.n for point in points],
            "metrics": columns_of([point.values for point in points]),
        }
    )
