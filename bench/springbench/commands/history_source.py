"""Options of commands that read a history: a folder of this host, or a branch of a remote."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from springbench.errors import ConfigurationError
from springbench.history.files import Files
from springbench.history.push import Remote
from springbench.history.reading import branch_to_read, folder_to_read
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


def opened(
    shell: Shell, history: Path | None, remote: str | None, branch: str
) -> AbstractContextManager[Files]:
    """The history that the options name. Raises `ConfigurationError`."""
    if history and remote:
        raise ConfigurationError("--history and --remote: a history is a folder or a branch; one")
    if history:
        return folder_to_read(history)
    address = address_of(remote or "origin", REPOSITORY, shell, "--remote")
    return branch_to_read(shell, Remote(address, branch))


def named(history: Path | None, remote: str | None, branch: str) -> str:
    """What messages call it."""
    return str(history) if history else f"branch {branch} of {remote or 'origin'}"
