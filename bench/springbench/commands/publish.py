"""`springbench publish`: add a run to a history, and export it for other tools."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from springbench.errors import ConfigurationError
from springbench.github import step
from springbench.history.charts import chart_of
from springbench.history.condense import Publication, condense, shards_missing
from springbench.history.export import FILES, export
from springbench.history.folder import add_to_folder, rebuild_folder
from springbench.history.push import Remote, push_rebuild, push_run
from springbench.history.soundness import sound_shards
from springbench.host.git import address_of
from springbench.host.shell import RealShell
from springbench.paths import ROOT, shown
from springbench.results.history import PublishedRun
from springbench.results.run import Run
from springbench.results.store import write_atomically


def publish(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="RUN...", help="The run folder, or the folders of all its shards."),
    ] = None,
    history: Annotated[
        Path | None, typer.Option("--history", help="The folder that holds `data/`.")
    ] = None,
    push: Annotated[
        str | None,
        typer.Option("--push", metavar="REMOTE", help="Push to this remote or address instead."),
    ] = None,
    branch: Annotated[
        str, typer.Option("--branch", help="The branch to push to; made when missing.")
    ] = "gh-pages",
    export_to: Annotated[
        Path | None,
        typer.Option("--export", metavar="DIR", help="Write lists for github-action-benchmark."),
    ] = None,
    id_: Annotated[
        str | None,
        typer.Option("--id", help="Publish under this id; the same id again replaces the run."),
    ] = None,
    url: Annotated[
        str | None, typer.Option("--url", help="Where a reader finds the whole run (https://).")
    ] = None,
    mark: Annotated[
        list[str] | None,
        typer.Option("--mark", help="Mark the run, e.g. `shared-host`. Repeatable."),
    ] = None,
    shards: Annotated[
        int | None,
        typer.Option("--shards", min=1, help="How many shards the plan has; fewer: unfinished."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Publish shards that drifted too, marked.")
    ] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make the derived files anew from `data/runs`.")
    ] = False,
) -> None:
    """Add a run to a history: a folder, or the branch of a remote. Again changes nothing.

    Example: `springbench publish results/latest --push origin --branch gh-pages --export lists`

    A shard whose canary drifted is left out unless forced; one that did not finish is published as
    far as it came, marked. Refused (2) is a run of which nothing is left.
    """
    _check(runs, history, push, export_to, url, rebuild=rebuild)
    shell = RealShell()
    remote = Remote(address_of(push, ROOT, shell), branch) if push else None
    if rebuild:
        _rebuild(shell, remote, history)
    if not runs:
        return
    publication = Publication(id_, url, tuple(mark or ()), shards)
    found = sound_shards(runs, force=force)
    run = condense(found.kept, publication)
    _tell([*found.left_out, *found.not_whole], found.kept, publication)
    if history:
        replaced = add_to_folder(history, run)
        typer.echo(f"{'replaced' if replaced else 'added'} {run.id} in {shown(history)}")
    if remote:
        pushed = push_run(shell, remote, run, _say)
        state = "pushed" if pushed.changed else "nothing new:"
        typer.echo(f"{state} {run.id} on branch {branch}, attempt {pushed.attempts}")
    if export_to:
        _export(run, export_to)


def _tell(lines: list[str], kept: list[Run], publication: Publication) -> None:
    """What is not published, for the log and for the summary of a job."""
    if shards_missing(kept, publication):
        lines = [*lines, f"{len(kept)} of {publication.shards} shards are published"]
    for line in lines:
        _say(line)
    if lines:
        step.summarise("\n".join(lines))


def _check(
    runs: list[Path] | None,
    history: Path | None,
    push: str | None,
    export_to: Path | None,
    url: str | None,
    *,
    rebuild: bool,
) -> None:
    if history and push:
        raise ConfigurationError("--history and --push: a history is a folder or a branch; one")
    if not (history or push or (export_to and not rebuild)):
        raise ConfigurationError(
            "nowhere to publish to: --history DIR, --push REMOTE, or --export DIR for the lists"
        )
    if not runs and not rebuild:
        raise ConfigurationError(
            "RUN is missing: a run folder such as results/latest, or --rebuild"
        )
    if url and not re.fullmatch(r"https?://[^\s\"'<>]{1,300}", url):
        raise ConfigurationError(f"--url {url!r}: allowed is an address that begins with https://")


def _rebuild(shell: RealShell, remote: Remote | None, history: Path | None) -> None:
    if history:
        typer.echo(f"rebuilt {shown(history)} from {rebuild_folder(history, _say)} runs")
    if remote:
        pushed = push_rebuild(shell, remote, _say)
        state = "rebuilt" if pushed.changed else "nothing to rebuild on"
        typer.echo(f"{state} branch {remote.branch}")


def _export(run: PublishedRun, folder: Path) -> None:
    texts = export(run)
    step.write_outputs({"chart": chart_of(run)})
    for name in FILES:
        file = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # a list of an earlier run must not pass for this one's
            file.unlink(missing_ok=True)
            if name in texts:
                write_atomically(file, texts[name])
        except OSError as error:
            raise ConfigurationError(f"--export {folder}: {error.strerror}") from error
        written = f"wrote {shown(file)}" if name in texts else f"no {name}: no case counts for it"
        typer.echo(written)


def _say(line: str) -> None:
    typer.echo(line, err=True)
