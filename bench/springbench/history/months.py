"""Months of series: read, changed by one run, and written.

Series are changed one after the other, so that a month takes the memory of one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

from springbench.history.entries import Entry, Key, Point, run_columns
from springbench.history.files import (
    MAKE_ANEW,
    SERIES,
    BrokenFileError,
    Files,
    keep_only,
    load,
    missing,
    month_path,
    save,
    series_path,
)
from springbench.results.base import check_indices
from springbench.results.history import Month, Series
from springbench.results.metrics import HISTORY_METRICS
from springbench.results.published_run import HISTORY_SCHEMA_VERSION, Columns
from springbench.untrusted import sanitise


class MonthFiles:
    """The files of a month of a host class. Without runs it has none.

    What is put in or taken out is written by `write`, which yields each series as it then is.
    """

    def __init__(self, files: Files, host_class: str, month: str) -> None:
        self.files, self.host_class, self.month = files, host_class, month
        self.heads: list[Entry] = []
        self._names: list[str] = []
        self._removed: set[str] = set()
        self._added: list[Entry] = []
        self._before: list[Entry] = []

    def read(self) -> None:
        """Take the runs that are there, without their points."""
        path = month_path(self.host_class, self.month)
        found = load(self.files, path, Month)
        if found is None:
            raise missing(path)
        self.heads = self._before = _heads(found)
        self._names = found.series

    def put(self, entries: Iterable[Entry]) -> None:
        """Put runs in, each in its place."""
        added = list(entries)
        self._added += added
        self.heads = sorted([*self.heads, *added], key=_key)

    def remove(self, run_id: str) -> None:
        """Take a run out."""
        self._removed.add(run_id)
        self.heads = [entry for entry in self.heads if entry.id != run_id]

    def write(self) -> Iterator[Series]:
        """Write every file of the month, and remove those of series that it no longer has."""
        indices = {entry.id: index for index, entry in enumerate(self.heads)}
        moved = [None if entry.id in self._removed else indices[entry.id] for entry in self._before]
        names = sorted({*self._names, *(name for entry in self._added for name in entry.points)})
        retained = []
        for name, series in zip(names, self._read_series(names), strict=True):
            _move(series, moved)
            for entry in self._added:
                if point := entry.points.get(name):
                    _insert(series, indices[entry.id], point)
            _tidy(series)
            if series.run:
                retained.append(name)
                save(self.files, series_path(self.host_class, self.month, name), series)
                yield series
        self._write_heads(retained)
        paths = [series_path(self.host_class, self.month, name) for name in retained]
        paths += [month_path(self.host_class, self.month)] if self.heads else []
        folder = f"{SERIES}/{self.host_class}/{self.month}"
        keep_only(self.files, folder, {path.removeprefix(f"{folder}/") for path in paths})

    def series(self) -> Iterator[Series]:
        """Every series that is there."""
        return self._read_series(self._names)

    def _read_series(self, names: Sequence[str]) -> Iterator[Series]:
        known = set(self._names)
        self.files.expect(series_path(self.host_class, self.month, name) for name in self._names)
        for name in names:
            if name not in known:
                yield self._empty(name)
            elif series := load_series(self.files, self.host_class, self.month, name, self._before):
                yield series
            else:
                raise missing(series_path(self.host_class, self.month, name))

    def _empty(self, name: str) -> Series:
        case, _, configuration = name.partition("@")
        return Series.model_validate(
            {
                "schema": HISTORY_SCHEMA_VERSION, "case": case, "configuration": configuration,
                "class": self.host_class, "month": self.month,
                "run": [], "status": [], "bottleneck": [], "n": [], "metrics": {},
            }
        )  # fmt: skip

    def _write_heads(self, names: list[str]) -> None:
        path = month_path(self.host_class, self.month)
        if not self.heads:
            return
        commits, runs = run_columns(self.heads)
        month = Month.model_validate(
            {
                "schema": HISTORY_SCHEMA_VERSION, "class": self.host_class, "month": self.month,
                "commits": commits, "runs": runs, "series": names,
            }
        )  # fmt: skip
        save(self.files, path, month)


def read_heads(files: Files, host_class: str, month: str) -> list[Entry]:
    """The runs of a month without their points, from `month.json` alone."""
    found = MonthFiles(files, host_class, month)
    found.read()
    return found.heads


def load_series(
    files: Files, host_class: str, month: str, name: str, heads: Sequence[Entry]
) -> Series | None:
    """A series of a month with these runs; None where there is no such file.

    Raises `BrokenFileError`, also where it has runs that its month has not.
    """
    path = series_path(host_class, month, name)
    series = load(files, path, Series)
    try:
        check_indices("run", series.run if series else [], len(heads))
    except ValueError as error:
        raise BrokenFileError(f"{sanitise(path)}: {error} of its month; {MAKE_ANEW}") from error
    return series


def _key(entry: Entry) -> Key:
    return entry.key


def _heads(month: Month) -> list[Entry]:
    runs = month.runs
    return [
        Entry(
            id=runs.id[i],
            started_at=runs.started_at[i],
            commit=None if (commit := runs.commit[i]) is None else month.commits[commit],
            profile=runs.profile[i],
            trigger=runs.trigger[i],
            marks=tuple(runs.marks[i]),
            ok=runs.ok[i],
            failed=runs.failed[i],
            url=runs.url[i],
            branch=runs.branch[i],
            boots=runs.boots[i],
            environment=runs.environments[runs.environment[i]],
            service=runs.service[i],
            cpu_probe_s=runs.cpu_probe_s[i] if runs.cpu_probe_s else None,
        )
        for i in range(len(runs.id))
    ]


def _move(series: Series, moved: Sequence[int | None]) -> None:
    """Have each run where it is now; those that are nowhere go."""
    for position in reversed(range(len(series.run))):
        run_index = moved[series.run[position]]
        if run_index is None:
            for column in _columns(series):
                del column[position]
        else:
            series.run[position] = run_index


def _insert(series: Series, run_index: int, point: Point) -> None:
    position = bisect_left(series.run, run_index)
    for metric in point.values.keys() - series.metrics.keys():
        series.metrics[metric] = Columns(
            **{name: list(repeat(None, len(series.run))) for name in Columns.model_fields}
        )
    series.run.insert(position, run_index)
    series.status.insert(position, point.status)  # type: ignore[arg-type]
    series.bottleneck.insert(position, point.bottleneck)  # type: ignore[arg-type]
    series.n.insert(position, point.n)
    for metric, columns in series.metrics.items():
        values = point.values.get(metric, (None, None, None))
        for column, value in zip(_value_columns(columns), values, strict=True):
            column.insert(position, value)


def _columns(series: Series) -> Iterator[list]:  # type: ignore[type-arg]
    yield from (series.run, series.status, series.bottleneck, series.n)
    for columns in series.metrics.values():
        yield from _value_columns(columns)


def _value_columns(columns: Columns) -> tuple[list, list, list]:  # type: ignore[type-arg]
    return columns.median, columns.low, columns.high


def _tidy(series: Series) -> None:
    """Metrics in one order, whichever run came first; without those that no run has."""
    measured = {
        metric.name: series.metrics[metric.name]
        for metric in HISTORY_METRICS
        if metric.name in series.metrics
        and any(value is not None for value in series.metrics[metric.name].median)
    }
    series.metrics.clear()
    series.metrics.update(measured)
