"""Comparisons from a file that anybody may have written: bounded, checked, refused in one line."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import from_json

from springbench.errors import ConfigurationError
from springbench.results.comparison import (
    COMPARISON_FILE,
    COMPARISON_SCHEMA_VERSION,
    Comparison,
)

MAX_BYTES = 5 << 20
MAX_FILES = 100


def load_comparison(file: Path, limit: int = MAX_BYTES) -> Comparison:
    """The comparison in a file. Raises `ConfigurationError` that says what is wrong with it."""
    data = _read(file, limit)
    try:
        document = from_json(data, allow_inf_nan=False)
    except ValueError as error:
        raise ConfigurationError(
            f"{_where(file)}: not valid JSON ({harmless(str(error))})"
        ) from error
    version = document.get("schema") if isinstance(document, dict) else None
    if type(version) is not int or version != COMPARISON_SCHEMA_VERSION:
        raise ConfigurationError(
            f"{_where(file)}: schema {harmless(repr(version))}; this springbench reads "
            f"comparisons of schema {COMPARISON_SCHEMA_VERSION}. "
            "Use the version that wrote the file, or a newer one"
        )
    try:
        return Comparison.model_validate_json(data, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = harmless(".".join(map(str, first["loc"])))
        raise ConfigurationError(
            f"{_where(file)}: {where}: {harmless(first['msg'])}; "
            "`springbench compare` writes such files"
        ) from error


def find_comparisons(path: Path) -> tuple[list[Path], list[str]]:
    """Every comparison in a file or folder, and the folders of shards that hold none.

    A folder with a comparison of its own is that one; in any other, each folder is a shard's.
    Raises `ConfigurationError`.
    """
    if not path.is_dir():
        return [path], []
    if os.path.lexists(path / COMPARISON_FILE):
        return [path / COMPARISON_FILE], []
    files, empty = [], []
    for shard in sorted(entry for entry in path.iterdir() if entry.is_dir()):
        found = _inside(shard)
        files += found
        if not found:
            empty.append(shard.name)
    if len(files) > MAX_FILES:
        raise ConfigurationError(
            f"{path}: {len(files)} comparisons; at most {MAX_FILES} are read at once"
        )
    return files, empty


def _inside(folder: Path) -> list[Path]:
    found = []
    # links are not followed: a folder that was downloaded has no business outside itself
    for where, _, names in os.walk(folder):
        if COMPARISON_FILE in names:
            found.append(Path(where) / COMPARISON_FILE)
    return sorted(found)


def _read(file: Path, limit: int) -> bytes:
    if file.is_symlink() or (file.exists() and not file.is_file()):
        raise ConfigurationError(f"{_where(file)}: not a regular file; a comparison is one")
    try:
        with file.open("rb") as stream:
            data = stream.read(limit + 1)
    except OSError as error:
        raise ConfigurationError(
            f"{_where(file)}: cannot be read: {error.strerror}; "
            "`springbench compare` makes a comparison"
        ) from error
    if len(data) > limit:
        raise ConfigurationError(
            f"{_where(file)}: longer than {limit >> 20} MiB; no comparison is, so it is not read"
        )
    return data


def _where(file: Path) -> str:
    return harmless(str(file), 400)


def harmless(text: str, limit: int = 120) -> str:
    """A stranger's words in a log, where GitHub takes `##[` for a command."""
    plain = "".join(c if c.isprintable() else " " for c in text[: limit + 1])
    cut = plain if len(plain) <= limit else f"{plain[:limit]}…"
    return cut.replace("##[", "# [")
