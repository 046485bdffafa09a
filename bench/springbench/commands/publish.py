"""`springbench publish`: add runs and comparisons to a history, and export them for other tools."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from springbench.commands.history_source import PathOption
from springbench.commands.options import DEFAULT_MATRIX
from springbench.commands.publish_from import Harness, reported_run
from springbench.commands.publish_to import Target, export_lists, report
from springbench.errors import ConfigurationError, ExitCode
from springbench.history.comparisons import Added
from springbench.history.condense import Publication, condense, shards_missing
from springbench.history.condense_comparison import Occasion
from springbench.history.remote import Remote
from springbench.history.soundness import FactsOf, Shards, sound_comparisons, sound_shards
from springbench.host.git import GitError, address_of, facts_of, is_shallow
from springbench.host.shell import RealShell, Shell
from springbench.paths import REPOSITORY
from springbench.results.acknowledged import FILE_NAME, load_acknowledged
from springbench.results.published_comparison import Purpose
from springbench.results.published_run import PublishedRun


def publish(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RUN...",
            help="The run folder, or the folders of all its shards; with --from, files.",
        ),
    ] = None,
    from_: Annotated[
        Harness | None,
        typer.Option("--from", help="The files are results of this harness."),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option(
            "--suite", help="With --from, tells apart what has one name in several files."
        ),
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
    path: PathOption = "",
    export_to: Annotated[
        Path | None,
        typer.Option("--export", metavar="DIR", help="Write lists for github-action-benchmark."),
    ] = None,
    charts_page: Annotated[
        bool,
        typer.Option(
            "--charts-page",
            help="With --push, put a page over github-action-benchmark's charts there: its own "
            "loads a script from elsewhere.",
        ),
    ] = False,
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
        bool,
        typer.Option(
            "--force",
            help="Publish what drifted too, marked; leave one commit of others' files too.",
        ),
    ] = False,
    comparison: Annotated[
        list[Path] | None,
        typer.Option(
            "--comparison",
            metavar="FOLDER",
            help="Add a comparison of two commits, or all that a folder has. Repeatable.",
        ),
    ] = None,
    purpose: Annotated[
        Purpose | None,
        typer.Option("--purpose", help="What the comparisons were made for; else `manual`."),
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make the derived files anew from `data/runs`.")
    ] = False,
    squash_history: Annotated[
        bool, typer.Option("--squash-history", help="Leave one commit of the branch, same files.")
    ] = False,
) -> None:
    """Add a run to a history: a folder, or the branch of a remote. Again changes nothing.

    Example: `springbench publish results/latest --push origin --branch gh-pages --export lists`

    Results of another harness, of the commit that is checked out: `springbench publish --from jmh
    jmh-result.json --push origin`. They are shown as its own, with what its file says of them.

    A shard whose canary drifted is left out unless forced; one that did not finish is published as
    far as it came, marked. Refused (2) is a run of which nothing is left, and comparisons of which
    none is; the other is published all the same. A run that no history evaluates (of no commit, of
    changed files, drifted) is published and said; where it is pushed unforced, the exit code is 2.
    """
    _check_places(history, push, path, lists=bool(export_to and runs and not comparison))
    _check_what(
        bool(runs), bool(comparison), bool(rebuild or squash_history), id_=id_, purpose=purpose
    )
    _check_url(url)
    _check_from(from_, suite, shards)
    if charts_page and not push:
        raise ConfigurationError("--charts-page: a page of a branch; name its remote with --push")
    if squash_history and not push:
        raise ConfigurationError("--squash-history: a folder has no commits; --push REMOTE has")
    shell = RealShell()
    remote = Remote(address_of(push, REPOSITORY, shell), branch, path) if push else None
    target = Target(shell, history, remote, charts_page)
    if rebuild:
        target.rebuild()
    problems: list[str] = []
    marks = tuple(mark or ())
    facts = _facts_of_commits(shell) if runs or comparison else lambda _: None
    publication = Publication(id_, url, marks, shards)
    run: PublishedRun | None
    if runs and from_:
        reported = reported_run(runs, from_, suite, publication, facts, shell)
        run, not_evaluated = reported.run, reported.not_evaluated
    else:
        found = _read_shards(runs or (), facts, problems, force=force)
        run = _condensed(found, publication, problems)
        not_evaluated = found.not_evaluated if run and found else []
    occasion = Occasion(purpose or "manual", url, marks)
    sound = sound_comparisons(comparison or (), occasion, facts, force=force)
    acknowledged = load_acknowledged(DEFAULT_MATRIX.with_name(FILE_NAME))
    report(acknowledged.mistakes)
    added = Added()
    if run or sound.comparisons:
        added = target.add(run, sound.comparisons, acknowledged, charts=export_to is not None)
    if run and export_to:
        export_lists(run, export_to)
    report(not_evaluated)
    left_out = [*sound.left_out, *added.refused]
    if comparison and not (added.new or added.known):
        problems.append(f"no comparison is published: {'; '.join(left_out)}")
    else:
        report(left_out)
    if problems:
        raise ConfigurationError("; ".join(problems))
    if squash_history:
        target.squash(force=force)
    if push and not_evaluated and not force:
        # whoever pushes feeds a history that others watch; a folder may be for a look
        raise typer.Exit(ExitCode.USAGE)


def _facts_of_commits(shell: Shell) -> FactsOf:
    """What the clone says of commits; a line where it does not know which came before which."""
    facts: FactsOf = partial(facts_of, root=REPOSITORY, shell=shell)
    try:
        if not is_shallow(REPOSITORY, shell):
            return facts
        reason = "this clone is shallow; `fetch-depth: 0` for actions/checkout fetches their past"
    except GitError as error:
        facts, reason = (lambda _: None), str(error)
    report([f"commits are ordered by the clocks of their committers alone: {reason}"])
    return facts


def _read_shards(
    folders: Sequence[Path], facts: FactsOf, problems: list[str], *, force: bool
) -> Shards | None:
    """These shards as far as they are fit. Why none is, is a problem, and no reason to stop."""
    try:
        return sound_shards(folders, facts, force=force) if folders else None
    except ConfigurationError as error:
        problems.append(str(error))
        return None


def _condensed(
    found: Shards | None, publication: Publication, problems: list[str]
) -> PublishedRun | None:
    """The run of these shards."""
    if found is None:
        return None
    try:
        run = condense(found.runs, publication, found.earlier)
    except ConfigurationError as error:
        problems.append(str(error))
        return None
    lines = [*found.left_out, *found.not_whole]
    if shards_missing(found.runs, publication):
        lines.append(f"{len(found.runs)} of {publication.shards} shards are published")
    report(lines)
    return run


def _check_places(history: Path | None, push: str | None, path: str, *, lists: bool) -> None:
    if history and push:
        raise ConfigurationError("--history and --push: a history is a folder or a branch; one")
    if path and not push:
        raise ConfigurationError(f"--path {path}: a folder of a branch; --push REMOTE is missing")
    if not (history or push or lists):
        raise ConfigurationError(
            "nowhere to publish to: --history DIR, --push REMOTE, or --export DIR for the lists"
        )


def _check_what(
    runs: bool, comparisons: bool, upkeep: bool, *, id_: str | None, purpose: str | None
) -> None:
    if not (runs or comparisons or upkeep):
        raise ConfigurationError(
            "RUN is missing: a run folder such as results/latest, --comparison FOLDER, --rebuild "
            "or --squash-history"
        )
    if id_ and not runs:
        raise ConfigurationError(f"--id {id_!r}: names a run, and there is none; leave it out")
    if purpose and not comparisons:
        raise ConfigurationError(f"--purpose {purpose}: --comparison FOLDER is missing")


def _check_from(from_: Harness | None, suite: str | None, shards: int | None) -> None:
    if suite is not None and from_ is None:
        raise ConfigurationError(f"--suite {suite!r}: names files of another harness; add --from")
    if suite is not None and not re.fullmatch(r"\w[\w ./-]{0,39}", suite):
        raise ConfigurationError(
            f"--suite {suite[:40]!r}: allowed are up to 40 letters, digits, blanks and `_ . / -`"
        )
    if shards and from_:
        raise ConfigurationError(f"--shards {shards}: of a run of springbench; --from has files")


def _check_url(url: str | None) -> None:
    if url and not re.fullmatch(r"https?://[^\s\"'<>]{1,300}", url):
        raise ConfigurationError(f"--url {url!r}: allowed is an address that begins with https://")
