"""Records from files that anybody may have written: bounded, checked, refused in one line."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from springbench.errors import ConfigurationError
from springbench.matrix.service_name import identifier
from springbench.results.comparison import COMPARISON_FILE, COMPARISON_SCHEMA_VERSION, Comparison
from springbench.untrusted import MAX_BYTES, parse_json, parse_model, read_file, sanitise, unpack

MAX_FILES = 100
PACKED = ".gz"
_PATH_LENGTH = 400
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class FileKind(Generic[M]):
    """A kind of file: its record, the one schema that is read, and words of messages."""

    record: type[M]
    schema: int
    noun: str
    made_by: str
    """What makes such a file, as a clause."""
    limit_bytes: int = MAX_BYTES


COMPARISON = FileKind(
    Comparison,
    COMPARISON_SCHEMA_VERSION,
    "comparison",
    "`springbench compare` makes one",
    20 << 20,
)


def load_comparison(file: Path) -> Comparison:
    """The comparison in a file. Raises `ConfigurationError` that says what is wrong with it."""
    return load_record(file, COMPARISON)


def load_record(file: Path, kind: FileKind[M]) -> M:
    """The record in a file. Raises `ConfigurationError` that says in one line what is wrong."""
    return checked_record(file, kind, *read_document(file, kind))


def read_document(file: Path, kind: FileKind[Any]) -> tuple[bytes, Any]:
    """The JSON in a file and what it says; unpacked where the name ends in `.gz`.

    Raises `ConfigurationError`.
    """
    try:
        data = read_file(file, kind.limit_bytes)
        if file.suffix == PACKED:
            data = unpack(data, kind.limit_bytes)
        return data, parse_json(data)
    except FileNotFoundError as error:
        raise ConfigurationError(
            f"{_where(file)}: there is no such {kind.noun}; {kind.made_by}"
        ) from error
    except OSError as error:
        raise ConfigurationError(
            f"{_where(file)}: cannot be read: {error.strerror}; {kind.made_by}"
        ) from error
    except ValueError as error:
        raise ConfigurationError(
            f"{_where(file)}: not valid JSON ({error}); it was cut short or changed"
        ) from error


def checked_record(file: Path, kind: FileKind[M], data: bytes, document: Any) -> M:
    """The record that `read_document` has found. Raises `ConfigurationError`."""
    version = document.get("schema") if isinstance(document, dict) else None
    if type(version) is not int or version != kind.schema:
        raise ConfigurationError(
            f"{_where(file)}: schema {sanitise(reprlib.repr(version))}; this springbench reads "
            f"{kind.noun}s of schema {kind.schema}. "
            "Use the version that wrote the file, or a newer one"
        )
    try:
        return parse_model(data, kind.record, strict=True)
    except ValueError as error:
        raise ConfigurationError(f"{_where(file)}: {error}; {kind.made_by}") from error


def find_comparisons(path: Path) -> tuple[list[Path], dict[str, str | None]]:
    """Every comparison in a file or folder, and the folders of shards without any that is read.

    A folder with a comparison of its own is that one; in any other, each folder is a shard's. The
    names of the others have the reason, or None where a shard has left nothing.
    """
    if not path.is_dir():
        return [path], {}
    if os.path.lexists(path / COMPARISON_FILE):
        return [path / COMPARISON_FILE], {}
    files: list[Path] = []
    without: dict[str, str | None] = {}
    for shard in sorted(entry for entry in path.iterdir() if entry.is_dir()):
        found = _inside(shard)
        if 0 < len(found) <= MAX_FILES:
            files += found
        else:
            crowd = f"holds {len(found)} comparisons; at most {MAX_FILES} of a shard are read"
            without[shard.name] = crowd if found else None
    return files, without


def _inside(folder: Path) -> list[Path]:
    found: list[Path] = []
    # links are not followed: a folder that was downloaded has no business outside itself
    for where, _, names in os.walk(folder) if not folder.is_symlink() else ():
        if COMPARISON_FILE in names:
            found.append(Path(where) / COMPARISON_FILE)
    return sorted(found)


def _where(file: Path) -> str:
    return sanitise(str(file), _PATH_LENGTH)


# --- What the jobs of several services have left, by service --------------------------------------


# what a job writes before anything can fail: the name of its service
NAME_FILE = "service.txt"
MAX_SERVICES = 10
MAX_JOBS = 2 * MAX_SERVICES
_MAX_NAME_BYTES = 200


@dataclass
class ServiceComparisons:
    """Comparisons by the identifier of their service; none of one whose job left only its name.

    `left_out` has a line for what cannot be read, and for what is more than is read.
    """

    by_service: dict[str, list[Comparison]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def service_comparisons(path: Path) -> ServiceComparisons:
    """Those in a folder, and in the folders in it, one for each job; none where there is none."""
    found = ServiceComparisons()
    folders = list(_folders(path))
    unread = max(0, len(folders) - MAX_JOBS)
    for folder in folders[:MAX_JOBS]:
        try:
            comparison = _comparison_in(folder)
        except ConfigurationError as error:
            found.left_out.append(str(error))
            continue
        name = _name_in(folder)
        if comparison is None and name is None:
            continue
        service = (comparison and comparison.service) or identifier(name or "")
        if service not in found.by_service and len(found.by_service) >= MAX_SERVICES:
            unread += 1
            continue
        known = found.by_service.setdefault(service, [])
        known += [comparison] if comparison else []
    if unread:
        found.left_out.append(
            f"{unread} more left out: at most {MAX_SERVICES} services and {MAX_JOBS} folders "
            "are read"
        )
    return found


def _folders(path: Path) -> Iterator[Path]:
    """One artifact alone may lie in the folder itself. Links are not followed."""
    if path.is_dir():
        yield path
        inside = sorted(path.iterdir())
        yield from (entry for entry in inside if entry.is_dir() and not entry.is_symlink())


def _comparison_in(folder: Path) -> Comparison | None:
    file = folder / COMPARISON_FILE
    return load_comparison(file) if file.is_symlink() or file.exists() else None


def _name_in(folder: Path) -> str | None:
    file = folder / NAME_FILE
    if file.is_symlink() or not file.is_file():
        return None
    with file.open("rb") as stream:
        data = stream.read(_MAX_NAME_BYTES)
    return sanitise(data.decode("utf-8", "replace").strip())
