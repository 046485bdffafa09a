"""`springbench comment`: a comparison as one comment of a pull request, updated in place."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from springbench.commands.options import FailOn, FailOnOption
from springbench.errors import ConfigurationError, ExitCode
from springbench.github.event import EventContext, read_event
from springbench.github.marker import RunOrder
from springbench.report.comment import Failure, Report, render
from springbench.report.github_text import is_address
from springbench.results.untrusted import find_comparisons, load_comparison

NO_REPORT = "it left no comparison"
WAS_ENDED = "it was ended before it had a result: over the time that its job may take, or by hand"
GONE = (
    "no open pull request has the measured commit as its newest: it was closed, or has moved on "
    "and its next run will write; nothing was written"
)

NO_FORK = (
    "the repository that was measured is gone, and with it what names the pull request; nothing "
    "was written"
)


def comment(
    path: Annotated[
        Path,
        typer.Argument(help="A comparison.json, its folder, or a folder with one for each shard."),
    ],
    repo: Annotated[
        str | None, typer.Option("--repo", envvar="GITHUB_REPOSITORY", help="OWNER/NAME.")
    ] = None,
    pull_request: Annotated[
        int | None,
        typer.Option("--pull-request", min=1, help="Its number, as the event gives it."),
    ] = None,
    run_url: Annotated[
        str | None, typer.Option("--run-url", help="The page of the run that measured.")
    ] = None,
    run_number: Annotated[
        int | None,
        typer.Option("--run-number", min=0, help="Of that run: a newer one is not overwritten."),
    ] = None,
    run_attempt: Annotated[
        int | None, typer.Option("--run-attempt", min=0, help="Which attempt of that run.")
    ] = None,
    event: Annotated[
        Path | None,
        typer.Option("--event", help="GITHUB_EVENT_PATH: tells the number and the run."),
    ] = None,
    failed: Annotated[
        list[str] | None,
        typer.Option("--failed", help="A shard that failed, as NAME or NAME: REASON. Repeatable."),
    ] = None,
    site: Annotated[
        str | None,
        typer.Option("--site", envvar="SPRINGBENCH_SITE", help="The dashboard, to be linked."),
    ] = None,
    fail_on: FailOnOption = FailOn.NEVER,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the comment and send nothing.")
    ] = False,
) -> None:
    """Write a comparison into a pull request: one comment, updated in place.

    The token comes from GITHUB_TOKEN, the address of the API from GITHUB_API_URL. What the files
    say is checked and quoted; the number of the pull request is never taken from them.

    Example: `springbench comment artifacts --event "$GITHUB_EVENT_PATH"`
    """
    check_address("--site", site)
    context = read_event(event, os.environ) if event else None
    known = context.order if context else RunOrder()
    order = RunOrder(
        known.number if run_number is None else run_number,
        known.attempt if run_attempt is None else run_attempt,
    )
    why = WAS_ENDED if context and context.was_ended else NO_REPORT
    report = read(path, failed or [], run_url or (context.run_url if context else None), why)
    report = replace(report, site=site or None)
    report = _whose(report, context) if context else report
    body = render(report, order.marker())
    if dry_run:
        typer.echo(body, nl=False)
    else:
        typer.echo(_post(body, order, repo, pull_request or context))
    if fail_on.met_by(report.statements):
        raise typer.Exit(ExitCode.REGRESSION)


def _whose(report: Report, context: EventContext) -> Report:
    """The report with who answers for its numbers, by the event and not by what was uploaded."""
    owner = context.head.owner or "a repository that is gone"
    return replace(report, head=context.head.sha, fork=owner if context.is_fork else None)


def read(path: Path, failed: list[str], run_url: str | None, why: str = NO_REPORT) -> Report:
    """Report of the files and options; `why` is said of what left nothing.

    Raises `ConfigurationError`.
    """
    check_address("--run-url", run_url)
    failures = [_failure(text, why) for text in failed]
    if path.exists() or not failures:
        files, empty = find_comparisons(path)
    else:
        # every shard has failed, and there was nothing to download
        files, empty = [], []
    known = {failure.name for failure in failures}
    failures += [Failure(name, why) for name in empty if name not in known]
    if not files and not failures:
        raise ConfigurationError(
            f"{path}: no comparison.json in its folders; download the reports of the shards into "
            "it, or name those that failed with --failed"
        )
    return Report([load_comparison(file) for file in files], failures, run_url)


def check_address(option: str, text: str | None) -> None:
    """Raises `ConfigurationError` for what is no address that could be linked."""
    if text and not is_address(text):
        raise ConfigurationError(
            f"{option} {text!r}: allowed: an http or https address without blanks or brackets"
        )


def _post(body: str, order: RunOrder, repo: str | None, where: int | EventContext | None) -> str:
    # the HTTP client is slow to import, and few commands need it
    from springbench.github.comment import Thread  # noqa: PLC0415
    from springbench.github.pulls import find_pull_request  # noqa: PLC0415
    from springbench.github.token import api_of_job, checked_repo  # noqa: PLC0415

    repo = checked_repo(repo)
    if where is None:
        raise ConfigurationError(
            "--pull-request is missing: give the number, or the event that tells it with --event"
        )
    api = api_of_job(os.environ)
    if isinstance(where, int):
        number: int | None = where
    else:
        # where a newer push ended it, the comment is that push's to write
        known = None if where.was_ended else where.pull_request
        number = known or find_pull_request(api, repo, where.head)
    if number is None:
        is_known = isinstance(where, int) or where.head.owner
        return f"{repo}: {GONE if is_known else NO_FORK}"
    outcome = Thread(api, repo, number).put(body, order)
    return f"{repo}#{number}: comment {outcome}"


def _failure(text: str, why: str) -> Failure:
    name, _, reason = text.partition(":")
    return Failure(name.strip(), reason.strip() or why)
