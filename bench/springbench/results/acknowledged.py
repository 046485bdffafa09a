"""`acknowledged.toml`: events that are to stay as they are, each with a reason.

It stands beside the matrix. A row is

    [[events]]
    id = "regression-0123456789ab"
    reason = "TLS by default costs this"
    by = "the server team"            # may be left out
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from springbench.errors import ConfigurationError
from springbench.matrix.fields import Row
from springbench.matrix.mistakes import Mistake, located, mistakes_of_rows
from springbench.matrix.toml_file import parse_text, read_text
from springbench.results.base import Record
from springbench.results.events import Acknowledgement
from springbench.results.history_names import EventId

FILE_NAME = "acknowledged.toml"
ACKNOWLEDGED_SCHEMA_VERSION = 1
TABLE = "events"
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class AcknowledgedRow(Row):
    """One event. The reason is reported wherever the event is."""

    id: EventId
    reason: Words
    by: Words | None = None


class AcknowledgedFile(Row):
    """The whole file; one without rows acknowledges nothing."""

    events: tuple[AcknowledgedRow, ...] = ()


class PublishedAcknowledgements(Record):
    """`data/acknowledged.json`, schema 1: the sound rows, by the id of their event."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    events: dict[EventId, Acknowledgement] = {}


@dataclass(frozen=True)
class Acknowledged:
    """What a file says: its sound rows, and a line for each mistake.

    `events` is None where nothing can be said of any row: what was known before still holds then.
    """

    events: Mapping[str, Acknowledgement] | None
    mistakes: Sequence[str] = field(default=())


_ROW_TYPES: dict[str, type[Row]] = {"": AcknowledgedFile, TABLE: AcknowledgedRow}


def load_acknowledged(path: Path) -> Acknowledged:
    """The rows of the file; none where there is no such file. A mistake costs its own row only."""
    if not path.exists():
        return Acknowledged({})
    try:
        text = read_text(path)
        data = parse_text(text, str(path))
    except ConfigurationError as error:
        return Acknowledged(None, [str(error)])
    return read_rows(data, text, str(path))


def read_rows(data: dict[str, Any], text: str, name: str) -> Acknowledged:
    """As `load_acknowledged`, of a parsed file; `name` is what messages call it."""
    mistakes = [*_mistakes(data), *_duplicates(data)]
    messages = [located(name, text, *mistake) for mistake in mistakes]
    rows = data.get(TABLE, [])
    if not isinstance(rows, list):
        return Acknowledged(None, messages)
    bad = {location[1] for location, _ in mistakes if len(location) > 1}
    good = [
        AcknowledgedRow.model_validate(row) for index, row in enumerate(rows) if index not in bad
    ]
    return Acknowledged(
        {row.id: Acknowledgement(reason=row.reason, by=row.by) for row in good}, messages
    )


def _mistakes(data: dict[str, Any]) -> Iterator[Mistake]:
    try:
        AcknowledgedFile.model_validate(data)
    except ValidationError as error:
        yield from mistakes_of_rows(error.errors(), _ROW_TYPES)


def _duplicates(data: dict[str, Any]) -> Iterator[Mistake]:
    """Later rows of one event: the first holds."""
    rows = data.get(TABLE)
    seen: set[str] = set()
    for index, row in enumerate(rows if isinstance(rows, list) else []):
        name = row.get("id") if isinstance(row, dict) else None
        if isinstance(name, str) and name in seen:
            yield (TABLE, index, "id"), f"{name!r} stands here twice; the first row holds"
        elif isinstance(name, str):
            seen.add(name)
