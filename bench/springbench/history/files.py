"""Storage of a history: paths to texts. A folder here, a branch of a remote elsewhere.

Files are packed where the name ends in `.gz`, else as they are.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Container, Iterable
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar, get_args

from pydantic import BaseModel

from springbench.errors import ConfigurationError
from springbench.results.store import write_atomically
from springbench.untrusted import parse_model, read_file, sanitise, unpack

PACKED = ".gz"


class BrokenFileError(ConfigurationError):
    """File of a history that was cut short or changed."""


def encoded(path: str, text: str) -> bytes:
    """Bytes of a file of that name for a text. No time stands in it: same text, same bytes."""
    data = text.encode("utf-8")
    return gzip.compress(data, mtime=0) if path.endswith(PACKED) else data


def read_text(path: str, read: Callable[[], bytes]) -> str | None:
    """The text of a file of that name, with `read` for its bytes; None where there is none.

    Raises `BrokenFileError`.
    """
    try:
        data = read()
        return (unpack(data) if path.endswith(PACKED) else data).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BrokenFileError(f"{sanitise(path)}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BrokenFileError(f"{sanitise(path)}: cannot be read: it is not UTF-8 text") from error


DATA = "data"
INDEX = f"{DATA}/index.json"
RUNS = f"{DATA}/runs"
RUN_SUFFIX = f".json{PACKED}"
SERIES = f"{DATA}/series"
COMPARISONS = f"{DATA}/comparisons"
COMPARED = f"{DATA}/compared"
STEPS = f"{DATA}/steps"
CONTEXT = f"{DATA}/context"
EVIDENCE = f"{DATA}/evidence.json{PACKED}"
ACKNOWLEDGED = f"{DATA}/acknowledged.json"
CHARTS = f"{DATA}/charts"
BADGES = f"{DATA}/badges"
BADGE_SUFFIX = ".svg"
# what springbench wrote beside `data/`
MANIFEST = "springbench.json"
FEED = f"{DATA}/events.atom"
CHART_SUFFIX = ".svg"
MAKE_ANEW = "`springbench publish --rebuild` makes it anew from data/runs"
_SCHEMA = re.compile(r'\s*\{\s*"schema"\s*:\s*([0-9]{1,9})\s*[,}]')
Model = TypeVar("Model", bound=BaseModel)


class Files(Protocol):
    """Texts by path, `/` between the parts, relative to what holds `data/`."""

    def read(self, path: str) -> str | None:
        """The text, or None where there is no such file."""

    def write(self, path: str, text: str) -> None:
        """Make or replace a file."""

    def delete(self, path: str) -> None:
        """Remove a file; nothing happens where there is none."""

    def names(self, folder: str) -> list[str]:
        """The names of the files that lie in a folder, in order."""

    def folders(self, folder: str) -> list[str]:
        """The names of the folders in a folder, in order."""

    def expect(self, paths: Iterable[str]) -> None:
        """Say what will be read next, so that it can be brought at once."""


class Folder:
    """`Files` in a folder of this host."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, path: str) -> str | None:
        return read_text(path, partial(read_file, self.path / path))

    def write(self, path: str, text: str) -> None:
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not holds(self, path, text):
            write_atomically(file, encoded(path, text))

    def delete(self, path: str) -> None:
        file = self.path / path
        file.unlink(missing_ok=True)
        for parent in file.parents:
            if parent in (self.path / DATA, self.path) or any(parent.iterdir()):
                break
            parent.rmdir()

    def names(self, folder: str) -> list[str]:
        return sorted(entry.name for entry in self._entries(folder) if entry.is_file())

    def folders(self, folder: str) -> list[str]:
        return sorted(entry.name for entry in self._entries(folder) if entry.is_dir())

    def expect(self, paths: Iterable[str]) -> None:
        """Everything is here already."""

    def _entries(self, folder: str) -> list[Path]:
        path = self.path / folder
        return list(path.iterdir()) if path.is_dir() else []


def holds(files: Files, path: str, text: str) -> bool:
    """Whether a file is there with that text; one that is damaged holds nothing."""
    try:
        return files.read(path) == text
    except BrokenFileError:
        return False


def keep_only(files: Files, folder: str, names: Container[str]) -> None:
    """Remove the files of a folder that have other names."""
    for name in files.names(folder):
        if name not in names:
            files.delete(f"{folder}/{name}")


def run_path(run_id: str) -> str:
    return f"{RUNS}/{run_id}{RUN_SUFFIX}"


def comparison_path(comparison_id: str) -> str:
    return f"{COMPARISONS}/{comparison_id}{RUN_SUFFIX}"


def compared_path(group: str) -> str:
    return f"{COMPARED}/{group}.json"


def month_path(host_class: str, month: str) -> str:
    return f"{SERIES}/{host_class}/{month}/month.json"


def series_path(host_class: str, month: str, name: str) -> str:
    """Of the series of that name, `<case>@<configuration>`.

    git looks for the last version of a file by the last 16 characters of its path, to push no more
    than what has changed. So these are of each series alone: a digest (FNV-1a) of its name.
    """
    digest = 0x811C9DC5
    for byte in name.encode():
        digest = (digest ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{SERIES}/{host_class}/{month}/{name.replace('/', '~')}.{digest:08x}.json"


def steps_path(host_class: str, month: str) -> str:
    return f"{STEPS}/{host_class}/{month}.json"


def context_path(host_class: str, month: str) -> str:
    return f"{CONTEXT}/{host_class}/{month}.json"


def event_chart_path(event_id: str) -> str:
    """Of the picture that the issue of an event shows."""
    return f"{CHARTS}/{event_id}{CHART_SUFFIX}"


def load(files: Files, path: str, model: type[Model]) -> Model | None:
    """The record in a file. Raises `ConfigurationError` that says what is wrong with it."""
    try:
        text = files.read(path)
    except BrokenFileError as error:
        raise BrokenFileError(f"{error}; {_remedy(path)}") from error
    if text is None:
        return None
    try:
        return parse_model(text, model, strict=True)
    except ValueError as error:
        found = _SCHEMA.match(text)
        [version] = get_args(model.model_fields["schema_"].annotation)
        if found and int(found[1]) != version:
            raise ConfigurationError(
                f"{sanitise(path)}: schema {found[1]}; this springbench reads schema {version}: "
                "use the springbench that wrote it; nothing was changed"
            ) from error
        raise BrokenFileError(f"{sanitise(path)}: {error}; {_remedy(path)}") from error


def _remedy(path: str) -> str:
    for folder, what in ((RUNS, "run"), (COMPARISONS, "comparison")):
        if path.startswith(f"{folder}/"):
            return (
                "it was cut short or changed: put it back from the branch's past or from the "
                f"artifact of its {what}, or delete it"
            )
    if path == MANIFEST:
        return (
            "springbench keeps there what it wrote. If it is another tool's, choose another folder "
            "with --path (in a workflow `path:`); else put it back from the branch's past"
        )
    if path == ACKNOWLEDGED:
        return "the next `springbench publish` makes it anew from the repository's file"
    return MAKE_ANEW


def missing(path: str) -> BrokenFileError:
    """What is said of a file that another one names."""
    return BrokenFileError(
        f"{sanitise(path)}: the index names this file and it is not there; {MAKE_ANEW}"
    )


def save(files: Files, path: str, record: BaseModel) -> None:
    """Write a record."""
    files.write(path, text_of(record))


def text_of(record: BaseModel) -> str:
    """The text of its file, without what it leaves out."""
    return record.model_dump_json(by_alias=True, exclude_none=True) + "\n"
