"""Series of a history over all their months, as far as somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from springbench.history.entries import Entry, Triple, series_key, triples_at
from springbench.history.files import Files, series_path
from springbench.history.months import load_series, read_heads
from springbench.results.history import ClassRow, Index, MonthRow, Series
from springbench.results.published_run import CaseRow
from springbench.results.records import Status


@dataclass(frozen=True)
class SeriesPoint:
    """A run of a series: its numbers by metric, each with the interval at 95 %."""

    entry: Entry
    status: Status
    n: int
    values: dict[str, Triple]


@dataclass(frozen=True)
class WholeSeries:
    """One case in one measurement configuration on one host class, oldest first."""

    row: CaseRow
    host_class: str
    points: list[SeriesPoint]


def read_series(
    files: Files,
    index: Index,
    selects: Callable[[str, CaseRow], bool],
    within: Callable[[Sequence[MonthRow]], Sequence[MonthRow]] = list,
) -> list[WholeSeries]:
    """The series that `selects` takes, by host class and row, `within` some months.

    Reads no others.
    """
    return [
        WholeSeries(row, class_row.host_class, points)
        for class_row in index.classes
        if (
            rows := [
                row for row in _measured(index, class_row) if selects(class_row.host_class, row)
            ]
        )
        for row, points in zip(
            rows, _points(files, class_row, rows, within(class_row.months)), strict=True
        )
    ]


def _measured(index: Index, class_row: ClassRow) -> Iterator[CaseRow]:
    return (row for row, count in zip(index.cases, class_row.points, strict=True) if count)


def _points(
    files: Files, class_row: ClassRow, rows: list[CaseRow], months: Sequence[MonthRow]
) -> list[list[SeriesPoint]]:
    found: list[list[SeriesPoint]] = [[] for _ in rows]
    for month in (row.month for row in months):
        names = [series_key(row) for row in rows]
        files.expect(series_path(class_row.host_class, month, name) for name in names)
        heads = read_heads(files, class_row.host_class, month)
        for name, points in zip(names, found, strict=True):
            if series := load_series(files, class_row.host_class, month, name, heads):
                points.extend(_of_month(series, heads))
    return found


def _of_month(series: Series, heads: list[Entry]) -> Iterator[SeriesPoint]:
    for position, run in enumerate(series.run):
        yield SeriesPoint(
            heads[run],
            series.status[position],
            series.n[position],
            triples_at(series.metrics, position),
        )
