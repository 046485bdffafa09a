"""Run folders: `results/<run-id>/run.json` and `raw/` beside it. Nothing measured is lost."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from springbench.errors import ConfigurationError, HostError
from springbench.results.run import SCHEMA_VERSION, Run
from springbench.results.untrusted import FileKind, load_record

LATEST = "latest"
RUN_FILE = "run.json"
RUN = FileKind(
    Run, SCHEMA_VERSION, "run", "`springbench run` makes one, results/latest is the newest"
)
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
    return load_record(path / RUN_FILE if path.is_dir() else path, RUN)


def load_continued(place: Path, run: Run) -> list[Run]:
    """Those that a run of a bisection continues, from the folder of results that `place` is in.

    Raises `ConfigurationError` where one cannot be read.
    """
    results = RunFolder.open(place).path.parent
    return [load_run(results / run_id) for run_id in run.run.continues]


def write_atomically(file: Path, content: str | bytes) -> None:
    """Write beside, flush to the disk, rename. A text becomes UTF-8."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    temporary_file = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary_file.chmod(0o644)
        temporary_file.replace(file)
    except BaseException:
        temporary_file.unlink(missing_ok=True)
        raise


@contextmanager
def full_disk_reported(results: Path, then: str | None = None) -> Iterator[None]:
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
    temporary_file = results / f".{LATEST}.{os.getpid()}"
    temporary_file.unlink(missing_ok=True)
    temporary_file.symlink_to(run_id, target_is_directory=True)
    temporary_file.replace(results / LATEST)
