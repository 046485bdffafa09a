"""`springbench base`: which measured commit a new one is to be compared with."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from springbench.commands.history_source import (
    BranchOption,
    HistoryOption,
    PathOption,
    RemoteOption,
    opened,
)
from springbench.errors import ConfigurationError
from springbench.github import step
from springbench.history.base import HistoryLookup, find_base
from springbench.history.reading import read_index
from springbench.host.git import commit_of, first_parents, is_ancestor
from springbench.host.shell import RealShell
from springbench.paths import REPOSITORY, ROOT, SERVICE
from springbench.project.service_names import service_name


def base(
    head: Annotated[str, typer.Argument(help="The commit that is compared with it.")] = "HEAD",
    history: HistoryOption = None,
    remote: RemoteOption = None,
    branch: BranchOption = "gh-pages",
    path: PathOption = "",
    service: Annotated[
        str | None,
        typer.Option("--service", help="Whose commits count; that of a springbench.toml here."),
    ] = None,
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
    past = HistoryLookup(
        partial(commit_of, root=REPOSITORY, shell=shell),
        partial(is_ancestor, root=REPOSITORY, shell=shell),
        partial(first_parents, root=REPOSITORY, shell=shell),
    )
    with opened(shell, history, remote, branch, path) as files:
        index = read_index(files)
    found = find_base(index, sha, past, service or _service())
    for line in found.messages:
        typer.echo(line, err=True)
    step.summarise("\n".join(found.messages))
    step.write_outputs({"base": found.sha or ""})
    if found.sha:
        typer.echo(found.sha)


def _service() -> str | None:
    """The service here; empty in a clone of springbench, None where no file names one."""
    if SERVICE.is_file():
        return service_name(SERVICE) or None
    return "" if REPOSITORY == ROOT else None
