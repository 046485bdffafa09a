"""Run folders: `results/<run-id>/run.json` and `raw/` beside it. Nothing measured is lost."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from springbench.errors import ConfigurationError, HostError
from springbench.results.run import SCHEMA_VERSION, Run

LATEST = "latest"
RUN_FILE = "run.json"
# what to do after a full disk where nothing can be resumed
AGAIN = "run it again"
_DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}


@dataclass(frozen=True)
class RunFolder:
    """The folder of one run."""

    path: Path

    @classmethod
    def create(cls, results: Path, run_id: str) -> RunFolder:
        """Make the folder and let `latest` point to it. Raises `ConfigurationError`."""
        path = results / run_id
        try:
            (path / "raw").mkdir(parents=True)
            _point_latest(results, run_id)
        except OSError as error:
            raise ConfigurationError(
                f"{path}: cannot be made: {error.strerror}; --results names another folder"
            ) from error
        return cls(path)

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """The folder of a run that is there; links such as `latest` are followed."""
        path = path.resolve()
        return cls(path.parent if path.name == RUN_FILE else path)

    @property
    def raw(self) -> Path:
        """Folder of raw output, by case and fork."""
        return self.path / "raw"

    @property
    def file(self) -> Path:
        return self.path / RUN_FILE

    def save(self, run: Run) -> None:
        """Replace `run.json` in one step: a crash leaves the old file or the new one, whole."""
        write_atomically(self.file, run.model_dump_json(by_alias=True, indent=2) + "\n")


def load_run(path: Path) -> Run:
    """The run in a folder or file. Raises `ConfigurationError` that says what is wrong with it."""
    file = path / RUN_FILE if path.is_dir() else path
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigurationError(
            f"{file}: there is no such run; `springbench run` makes one, "
            "results/latest is the newest"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file}: cannot be read: {error}") from error
    except json.JSONDecodeError as error:
        raise ConfigurationError(
            f"{file}:{error.lineno}: not valid JSON ({error.msg}); it was cut short or changed"
        ) from error
    version = data.get("schema") if isinstance(data, dict) else None
    if version != SCHEMA_VERSION:
        raise ConfigurationError(
            f"{file}: schema {version!r}; this springbench reads schema {SCHEMA_VERSION}. "
            "Use the version that wrote the file, or a newer one"
        )
    try:
        return Run.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ConfigurationError(f"{file}: {where}: {first['msg']}") from error


def write_atomically(file: Path, content: str | bytes) -> None:
    """Write beside, flush to the disk, rename. A text becomes UTF-8."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        beside.chmod(0o644)
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


@contextmanager
def full_disk_told(results: Path, then: str | None = None) -> Iterator[None]:
    """Raises `HostError` in the place of what the system says of a disk that takes no more.

    `then` is what to do once there is room; without it, to resume the latest run.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _DISK_ERRORS:
            raise
        raise HostError(
            f"{results}: {error.strerror}; what was saved before is whole: "
            f"make room, then {then or f'go on with `springbench run --resume {results / LATEST}`'}"
        ) from error


def _point_latest(results: Path, run_id: str) -> None:
    beside = results / f".{LATEST}.{os.getpid()}"
    beside.unlink(missing_ok=True)
    beside.symlink_to(run_id, target_is_directory=True)
    beside.replace(results / LATEST)
