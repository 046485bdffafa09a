"""A history that is only read: a folder of this host, or the branch of a remote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.history.branch import opened
from springbench.history.files import INDEX, Files, Folder, load
from springbench.history.remote import Remote
from springbench.host.shell import Shell
from springbench.results.history import Index


@contextmanager
def folder_to_read(path: Path) -> Iterator[Files]:
    """The history in a folder. Raises `ConfigurationError` where there is no such folder."""
    if not path.is_dir():
        raise ConfigurationError(
            f"--history {path}: no such folder; name the one that holds `data/`"
        )
    yield Folder(path)


@contextmanager
def branch_to_read(shell: Shell, remote: Remote) -> Iterator[Files]:
    """The history on a branch, empty where there is no such branch. Raises `HostError`."""
    with opened(shell, remote) as branch:
        branch.fetch()
        yield branch


def read_index(files: Files) -> Index | None:
    """The index; None where there is none.

    Raises `ConfigurationError` for one of another schema, or one that cannot be read.
    """
    return load(files, INDEX, Index)
