"""Options of commands that read a history: a folder of this host, or a branch of a remote."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from springbench.errors import ConfigurationError
from springbench.history.files import Files
from springbench.history.reading import branch_to_read, folder_to_read
from springbench.history.remote import Remote
from springbench.host.git import address_of
from springbench.host.shell import Shell
from springbench.paths import REPOSITORY

HistoryOption = Annotated[
    Path | None, typer.Option("--history", help="The folder that holds `data/`.")
]
RemoteOption = Annotated[
    str | None, typer.Option("--remote", help="Read a branch of this remote or address instead.")
]
BranchOption = Annotated[str, typer.Option("--branch", help="The history branch.")]
PathOption = Annotated[
    str,
    typer.Option("--path", help="The folder of the branch that holds it; its top if left out."),
]


def opened(
    shell: Shell, history: Path | None, remote: str | None, branch: str, path: str
) -> AbstractContextManager[Files]:
    """The history that the options name. Raises `ConfigurationError`."""
    if history and remote:
        raise ConfigurationError("--history and --remote: a history is a folder or a branch; one")
    if history and path:
        raise ConfigurationError(
            f"--path {path}: a folder of a branch; --history {history} is one itself"
        )
    if history:
        return folder_to_read(history)
    address = address_of(remote or "origin", REPOSITORY, shell, "--remote")
    return branch_to_read(shell, Remote(address, branch, path))


def named(history: Path | None, remote: str | None, branch: str, path: str) -> str:
    """What messages call it."""
    name = remote or "origin"
    return str(history) if history else f"{Remote(name, branch, path).place} of {name}"
