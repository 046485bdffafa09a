"""The files that requests are made of, and the mistakes of their rows."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from springbench.matrix.mistakes import Mistake, unknown
from springbench.matrix.requests import RequestRow, is_binary
from springbench.matrix.templates import (
    ENCODING,
    ERRORS,
    ID_PLACE,
    Column,
    Part,
    Secret,
    TemplateError,
    parse,
    written,
)
from springbench.matrix.toml_lines import Location
from springbench.untrusted import read_file

# written by whoever sends a request, so that it says what the body is
_OF_THE_BODY = ("content-length", "transfer-encoding", "connection")
_MOST_BODY_BYTES = 16 << 20
_MOST_ROWS_BYTES = 8 << 20
# constants of a function of Lua
MOST_ROWS = 10_000

R = TypeVar("R", bound=RequestRow)


def with_files(row: R, folder: Path) -> R:
    """The same with the content of its files. Raises `OSError` or `ValueError`."""
    if row.body_file is not None:
        body = read_body(folder / row.body_file)
        row = row.model_copy(update={"body": body, "body_file": None})
    if row.body_bytes is not None:
        row = row.model_copy(update={"body": "x" * row.body_bytes, "body_bytes": None})
    return row if row.rows is None else row.with_rows(read_rows(folder / row.rows))


def read_body(file: Path) -> str:
    """A file as a body, whatever is in it. Raises `OSError`."""
    return read_file(Path(os.path.realpath(file)), _MOST_BODY_BYTES).decode(ENCODING, ERRORS)


def read_rows(file: Path) -> tuple[dict[str, str], ...]:
    """The rows of a CSV with a heading. Raises `OSError` or `ValueError`."""
    text = read_file(Path(os.path.realpath(file)), _MOST_ROWS_BYTES).decode("utf-8-sig")
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        rows = tuple(reader)
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: {error}") from error
    if not rows:
        raise ValueError("it has no row below its heading")
    if len(rows) > MOST_ROWS:
        raise ValueError(f"it has {len(rows):,} rows; allowed: {MOST_ROWS:,}")
    for number, row in enumerate(rows, start=1):
        if None in row or None in row.values():
            raise ValueError(f"row {number} has other columns than its heading")
    return rows


def request_mistakes(
    location: Location, row: RequestRow, path_key: str, folder: Path, *, has_login: bool
) -> Iterator[Mistake]:
    """Mistakes that a single key cannot know. `path_key` is what the row calls its path."""
    bodies = [
        key for key in ("body", "body_file", "body_bytes", "form") if getattr(row, key) is not None
    ]
    if len(bodies) > 1:
        yield (
            (*location, bodies[1]),
            f"{bodies[0]} and {bodies[1]} exclude one another; leave one out",
        )
        return
    for name in row.headers:
        if name.lower() in _OF_THE_BODY:
            yield (*location, "headers", name), "is written by springbench; leave it out"
    files = {"body_file": read_body, "rows": read_rows}
    for key, read in files.items():
        if (file := getattr(row, key)) is not None:
            try:
                read(folder / file)
            except OSError as error:
                yield (*location, key), f"{file}: cannot be read: {error.strerror}"
                return
            except ValueError as error:
                yield (*location, key), f"{file}: {error}"
                return
    full_row = with_files(row, folder)
    texts: list[tuple[Location, str]] = [((path_key,), getattr(row, path_key))]
    texts += [(("headers", name), value) for name, value in row.headers.items()]
    texts += [(("form", name), value) for name, value in (row.form or {}).items()]
    if full_row.body is not None and not is_binary(full_row.body):
        texts.append(((bodies[0],), full_row.body))
    yield from text_mistakes(location, texts, full_row, has_login=has_login)


def text_mistakes(
    location: Location,
    texts: Iterable[tuple[Location, str]],
    row: RequestRow,
    *,
    has_login: bool,
) -> Iterator[Mistake]:
    """Placeholders that are unknown, and those for which the row has nothing."""
    for key, text in texts:
        try:
            parts = parse(text.replace(ID_PLACE, "1"))
        except TemplateError as error:
            yield (*location, *key), str(error)
            continue
        for part in parts:
            if why := _unknown(part, row, has_login=has_login):
                yield (*location, *key), why
                break


def _unknown(part: Part, row: RequestRow, *, has_login: bool) -> str:
    """Why nothing can be filled in there; empty where something can."""
    if isinstance(part, Column):
        if not row.read_rows:
            return f"{written((part,))} needs rows: a CSV file beside this one"
        if part.name not in row.read_rows[0]:
            return f"{written((part,))} is no column; allowed: {', '.join(row.read_rows[0])}"
    if isinstance(part, Secret) and part.variable is None and not has_login:
        return "{token} needs a table [login], which is not there"
    return ""


def mix_mistakes(
    location: Location, weights: Mapping[str, int], known: Iterable[str]
) -> Iterator[Mistake]:
    """Mistakes of the weights of a mix, by the name of each request."""
    yield from unknown(location, weights, known)
    if not any(weights.values()):
        yield location, "all weights are 0; allowed: at least one of 1 and more"
