"""A history in a folder of this host: one publisher at a time, and none that half succeeded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.history.comparisons import Added
from springbench.history.events import write_acknowledged
from springbench.history.files import DATA, Folder
from springbench.history.update import add, add_with_evidence, mended, rebuild
from springbench.host.lock import exclusive
from springbench.results.acknowledged import Acknowledged
from springbench.results.published_comparison import PublishedComparison
from springbench.results.published_run import PublishedRun

UNFINISHED = f"{DATA}/.unfinished"


def add_to_folder(path: Path, run: PublishedRun) -> bool:
    """Add a run. Returns whether it took the place of one. Raises `ConfigurationError`."""
    with _changing(path) as folder:
        return mended(folder, lambda: add(folder, run))


def add_comparisons_to_folder(path: Path, comparisons: Sequence[PublishedComparison]) -> Added:
    """Add comparisons. Raises `ConfigurationError`."""
    with _changing(path) as folder:
        return mended(folder, lambda: add_with_evidence(folder, comparisons))


def acknowledge_in_folder(path: Path, acknowledged: Acknowledged) -> None:
    """Keep what is acknowledged, for what is added next. Raises `ConfigurationError`."""
    with _changing(path) as folder:
        write_acknowledged(folder, acknowledged)


def rebuild_folder(path: Path) -> int:
    """Make the derived files anew. Returns the number of runs. Raises `ConfigurationError`."""
    with _changing(path) as folder:
        return rebuild(folder)


@contextmanager
def _changing(path: Path) -> Iterator[Folder]:
    folder = Folder(path)
    try:
        (path / DATA).mkdir(parents=True, exist_ok=True)
        with exclusive(path / DATA):
            if (path / UNFINISHED).exists():
                rebuild(folder)
            (path / UNFINISHED).touch()
            yield folder
            (path / UNFINISHED).unlink()
    except OSError as error:
        raise ConfigurationError(
            f"--history {path}: {error.strerror}; name a folder that can be written to"
        ) from error
