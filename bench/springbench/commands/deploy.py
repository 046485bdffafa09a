"""`springbench deploy`: the dashboard goes beside the history that it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from springbench import units
from springbench.commands.history_source import PathOption
from springbench.errors import ConfigurationError
from springbench.history.files import DATA, MANIFEST
from springbench.history.push import push_site
from springbench.history.remote import Remote
from springbench.host.git import address_of
from springbench.host.shell import RealShell
from springbench.paths import REPOSITORY
from springbench.untrusted import one_line

PAGE = "index.html"


def deploy(
    site: Annotated[Path, typer.Argument(help="The folder with the built dashboard.")],
    push: Annotated[
        str, typer.Option("--push", metavar="REMOTE", help="Push to this remote or address.")
    ],
    branch: Annotated[
        str, typer.Option("--branch", help="The branch to push to; made when missing.")
    ] = "gh-pages",
    path: PathOption = "",
) -> None:
    """Put a built dashboard beside the history on a branch, in the place of the last one.

    Example: `springbench deploy site/dist --push origin --path springbench`

    Only what springbench wrote itself is replaced or removed; files of others are refused by name.
    """
    files = read_site(site)
    shell = RealShell()
    remote = Remote(address_of(push, REPOSITORY, shell), branch, path)
    pushed = push_site(shell, remote, files)
    state = (
        f"deployed {units.counted(len(files), 'file')} to"
        if pushed.changed
        else "nothing has changed on"
    )
    typer.echo(f"{state} {remote.place}, attempt {pushed.attempts}")


def read_site(folder: Path) -> dict[str, bytes]:
    """The files of a built dashboard, by path. Raises `ConfigurationError` for another folder."""
    if not (folder / PAGE).is_file():
        raise ConfigurationError(
            f"{folder}: no built dashboard: it has no {PAGE}; `npm run build` in site/ makes dist/"
        )
    files: dict[str, bytes] = {}
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        parts = name.lower().split("/")
        if parts[0] in (DATA, MANIFEST) or ".git" in parts:
            raise ConfigurationError(f"{file}: no dashboard has a file of that name; remove it")
        if file.is_symlink() or not (file.is_dir() or file.is_file()):
            raise ConfigurationError(f"{one_line(str(file))}: neither a file nor a folder")
        if file.is_file():
            files[name] = file.read_bytes()
    return files
