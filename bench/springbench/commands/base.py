"""`springbench base`: which measured commit a new one is to be compared with."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from springbench.errors import ConfigurationError
from springbench.github import step
from springbench.history.base import Past, find_base
from springbench.history.push import Remote
from springbench.history.reading import branch_to_read, folder_to_read, read_index
from springbench.host.git import address_of, commit_of, first_parents, is_ancestor
from springbench.host.shell import RealShell, Shell
from springbench.paths import REPOSITORY
from springbench.results.history import Index


def base(
    head: Annotated[str, typer.Argument(help="The commit that is compared with it.")] = "HEAD",
    history: Annotated[
        Path | None, typer.Option("--history", help="The folder that holds `data/`.")
    ] = None,
    remote: Annotated[
        str | None,
        typer.Option(
            "--remote", help="Read a branch of this remote or address; `origin` if unset."
        ),
    ] = None,
    branch: Annotated[str, typer.Option("--branch", help="The history branch.")] = "gh-pages",
) -> None:
    """Print the nearest commit of a history that came before another one; nothing if there is none.

    Example: `springbench base HEAD --remote origin`

    In a workflow it is the output `base`, and the summary says why it is none.
    """
    shell = RealShell()
    sha = commit_of(head, REPOSITORY, shell)
    if sha is None:
        raise ConfigurationError(
            f"{head!r}: no commit of this repository; allowed: a branch, a tag or an id"
        )
    past = Past(
        partial(commit_of, root=REPOSITORY, shell=shell),
        partial(is_ancestor, root=REPOSITORY, shell=shell),
        partial(first_parents, root=REPOSITORY, shell=shell),
    )
    found = find_base(_index(shell, history, remote, branch), sha, past)
    for line in found.told:
        typer.echo(line, err=True)
    step.summarise("\n".join(found.told))
    step.write_outputs({"base": found.sha or ""})
    if found.sha:
        typer.echo(found.sha)


def _index(shell: Shell, history: Path | None, remote: str | None, branch: str) -> Index | None:
    if history and remote:
        raise ConfigurationError("--history and --remote: a history is a folder or a branch; one")
    if history:
        with folder_to_read(history) as files:
            return read_index(files)
    address = address_of(remote or "origin", REPOSITORY, shell, "--remote")
    with branch_to_read(shell, Remote(address, branch)) as files:
        return read_index(files)
