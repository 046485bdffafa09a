"""Reads a TOML file of rows and checks it: one line for each mistake, with file and line."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from springbench.errors import ConfigurationError
from springbench.matrix.fields import Row
from springbench.matrix.mistakes import Mistake, located, mistakes_of_rows
from springbench.matrix.rows import ROW_TYPES
from springbench.untrusted import read_file, sanitise

T = TypeVar("T", bound=Row)
SERVICE_FILE = "springbench.toml"
_MOST_BYTES = 1 << 20


def read_text(path: Path) -> str:
    """The text of the file. Raises `ConfigurationError` where it cannot be read."""
    try:
        # a person's own file may be a link; what it leads to must be a file
        return read_file(Path(os.path.realpath(path)), _MOST_BYTES).decode("utf-8")
    except OSError as error:
        is_missing = isinstance(error, FileNotFoundError) and path.name == SERVICE_FILE
        remedy = "; `springbench init` writes one" if is_missing else ""
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}{remedy}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: cannot be read: it is not UTF-8 text") from error


def parse_text(text: str, name: str) -> dict[str, Any]:
    """The parsed file; `name` is what messages call it. Raises `ConfigurationError`."""
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise ConfigurationError(_syntax_error(name, text, sanitise(str(error)))) from error
    except RecursionError as error:
        raise ConfigurationError(f"{name}: not valid TOML: nested without end") from error


def parse_rows(
    text: str,
    name: str,
    kind: type[T],
    more: Callable[[T], Iterable[Mistake]],
    row_types: Mapping[str, type[Row]] = ROW_TYPES,
    data: Mapping[str, Any] | None = None,
) -> T:
    """The checked file; `name` is what messages call it. `data` is the text where it was parsed.

    `more` finds what a single row cannot know; it is asked where each row is right by itself.
    `row_types` says which keys are allowed in which table. Raises `ConfigurationError`.
    """
    try:
        rows = kind.model_validate(parse_text(text, name) if data is None else data)
    except ValidationError as error:
        mistakes = list(mistakes_of_rows(error.errors(), row_types))
    else:
        mistakes = list(more(rows))
        if not mistakes:
            return rows
    raise ConfigurationError("\n".join(located(name, text, *mistake) for mistake in mistakes))


def _syntax_error(name: str, text: str, message: str) -> str:
    """Message for what is no TOML at all.

    The parser ends its message with `(at line 10, column 12)` or `(at end of document)`.
    """
    found = re.search(r"at line (\d+)", message)
    line = int(found[1]) if found else max(1, len(text.splitlines()))
    return f"{name}:{line}: not valid TOML: {message}"
