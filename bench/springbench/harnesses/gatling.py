"""Gatling's reports: the table of `index.html`, and the files that older versions wrote with it,
`js/stats.json` and `js/global_stats.json`.

A report aggregates a run as a whole, so a figure has no repetitions. Response times are in
milliseconds and count all requests, also those that failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from springbench.harnesses.measurement import Measurement, NoResultError, Results, number
from springbench.results.metrics import REPORTED_RATE, REPORTED_RATIO, REPORTED_TIME
from springbench.untrusted import sanitise

CONFIGURATION = "gatling"
_TABLE = "container_statistics_head"
_MILLISECOND_S = 1e-3
# ranks are settings of Gatling, and its JSON does not say them
_PERCENTILES = {
    f"percentiles{position}": f"percentile {position} (p{rank} unless configured)"
    for position, rank in enumerate((50, 75, 95, 99), 1)
}
# of the table: columns of counts, and the words by which a column of times is a percentile's
_TOTAL, _FAILED, _RATE, _MEAN = "Total", "KO", "Cnt/s", "Mean"
_RANK = re.compile(r"([0-9.]+)(?:st|nd|rd|th) pct")


@dataclass
class _Row:
    """A request, a group or all of them; `times_ms` are by what people call them."""

    name: str
    requests: Any
    failed: Any
    rate: Any
    times_ms: dict[str, Any] = field(default_factory=dict)


def accepts(document: Any) -> bool:
    """Whether a document is a report of Gatling, or the JSON beside one."""
    if isinstance(document, str):
        return _TABLE in document
    stats = document.get("stats", document) if isinstance(document, dict) else None
    return isinstance(stats, dict) and "meanNumberOfRequestsPerSecond" in stats


def read(document: Any) -> Results:
    """The requests of a report, and all of them together."""
    results = Results()
    rows = _rows_of_page(document) if isinstance(document, str) else _rows_of_json(document)
    for row in rows:
        try:
            results.found += _measurements(row)
        except NoResultError as error:
            results.leave_out(row.name, str(error))
    return results


def _measurements(row: _Row) -> Iterator[Measurement]:
    requests = _number(row.requests, "the number of requests")
    if not requests:
        raise NoResultError("there was no request")
    yield _measurement(row, "rate", REPORTED_RATE, "1/s", _number(row.rate, "the rate"))
    failed = _number(row.failed, "the number of failed requests") / requests
    yield _measurement(row, "failed", REPORTED_RATIO, "ratio", failed)
    for figure, value in row.times_ms.items():
        time_s = _MILLISECOND_S * _number(value, figure)
        yield _measurement(row, figure, REPORTED_TIME, "ms", time_s)


def _measurement(row: _Row, figure: str, metric: Any, unit: str, value: float) -> Measurement:
    return Measurement(
        benchmark=row.name,
        figure=figure,
        metric=metric,
        unit=unit,
        value=value,
        configuration=CONFIGURATION,
    )


def _number(value: Any, name: str) -> float:
    """Of a text too, as older files and the page have them; a dash is no request of that kind."""
    if isinstance(value, str):
        if value.strip() == "-":
            return 0.0
        try:
            value = float(value)
        except ValueError as error:
            shown = sanitise(repr(value), 40)
            raise NoResultError(f"{name} is {shown} and no number") from error
    if value is None:
        raise NoResultError(f"{name} is missing")
    return number(value, name)


def _rows_of_json(node: dict[str, Any]) -> Iterator[_Row]:
    stats = node.get("stats", node)

    def total(name: str, part: str = "total") -> Any:
        figure = stats.get(name)
        return figure.get(part) if isinstance(figure, dict) else None

    times = {figure: total(name) for name, figure in _PERCENTILES.items() if name in stats}
    yield _Row(
        name=str(node.get("path") or stats.get("name") or "all requests"),
        requests=total("numberOfRequests"),
        failed=total("numberOfRequests", "ko"),
        rate=total("meanNumberOfRequestsPerSecond"),
        times_ms={"mean": total("meanResponseTime"), **times},
    )
    contents = node.get("contents")
    for child in contents.values() if isinstance(contents, dict) else ():
        if isinstance(child, dict) and isinstance(child.get("stats"), dict):
            yield from _rows_of_json(child)


class _Table(HTMLParser):
    """The words of cells by column, a mapping for each row; heads by column in `heads`."""

    def __init__(self) -> None:
        super().__init__()
        self.heads: dict[str, str] = {}
        self.rows: list[dict[str, str]] = []
        self._into: dict[str, str] | None = None
        self._cell = ""
        self._is_name = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        words = (attributes.get("class") or "").split()
        column = next((word for word in words if word.startswith("col-")), "")
        if tag == "tr" and attributes.get("id"):
            self.rows.append(
                {"id": attributes["id"] or "", "parent": attributes.get("data-parent") or ""}
            )
        elif tag == "th" and (attributes.get("id") or "").startswith("col-"):
            self._into, self._cell = self.heads, attributes["id"] or ""
        elif tag == "td" and column and self.rows:
            # besides its name the first cell has a place and a button
            self._into = None if column == "col-1" else self.rows[-1]
            self._cell = column
        elif tag == "span" and "ellipsed-name" in words and self.rows:
            self._into, self._cell, self._is_name = self.rows[-1], "name", True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") or (tag == "span" and self._is_name):
            self._into, self._is_name = None, False

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into[self._cell] = self._into.get(self._cell, "") + data


def _rows_of_page(text: str) -> Iterator[_Row]:
    table = _Table()
    table.feed(text)
    columns = {words.strip(): column for column, words in table.heads.items()}
    ranks = {
        f"p{found[1]}": column
        for words, column in columns.items()
        if (found := _RANK.fullmatch(words))
    }
    full: dict[str, str] = {}
    rows = [row for row in table.rows if "name" in row]
    for index, row in enumerate(rows):
        # the first is of all requests, and names nothing that others lie in
        above = full.get(row["parent"], "") if index else ""
        full[row["id"]] = f"{above}{row['name'].strip()} / " if index else ""
        yield _row(f"{above}{row['name'].strip()}", row, columns, ranks)


def _row(
    name: str, row: Mapping[str, str], columns: Mapping[str, str], ranks: Mapping[str, str]
) -> _Row:
    def cell(words: str) -> str | None:
        return row.get(columns.get(words, ""))

    return _Row(
        name=name,
        requests=cell(_TOTAL),
        failed=cell(_FAILED),
        rate=cell(_RATE),
        times_ms={
            "mean": cell(_MEAN),
            **{figure: row.get(column) for figure, column in ranks.items()},
        },
    )
