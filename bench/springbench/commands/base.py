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
from springbench.host.git import address_of, commit_of, is_ancestor
from springbench.host.shell import RealShell, Shell
from springbench.paths import REPOSITORY, ROOT, SERVICE
from springbench.project.service_names import service_name
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
    service: Annotated[
        str | None,
        typer.Option("--service", help="Whose commits count; that of a springbench.toml here."),
    ] = None,
) -> None:
    """Print the newest commit of a history that came before another one; nothing if there is none.

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
    )
    found = find_base(_index(shell, history, remote, branch), sha, past, service or _service())
    for line in found.told:
        typer.echo(line, err=True)
    step.summarise("\n".join(found.told))
    step.write_outputs({"base": found.sha or ""})
    if found.sha:
        typer.echo(found.sha)


def _service() -> str | None:
    """The service here; empty in a clone of springbench, None where no file names one."""
    if SERVICE.is_file():
        return service_name(SERVICE) or None
    return "" if REPOSITORY == ROOT else None


def _index(shell: Shell, history: Path | None, remote: str | None, branch: str) -> Index | None:
    if history and remote:
        raise ConfigurationError("--history and --remote: a history is a folder or a branch; one")
    if history:
        with folder_to_read(history) as files:
            return read_index(files)
    address = address_of(remote or "origin", REPOSITORY, shell, "--remote")
    with branch_to_read(shell, Remote(address, branch)) as files:
        return read_index(files)
