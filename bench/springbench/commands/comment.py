"""`springbench comment`: a comparison as one comment of a pull request, updated in place."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from springbench.commands.options import FailOnOption, FailOnVerdict, RepoOption, SiteOption
from springbench.errors import ConfigurationError
from springbench.github.event import CommentMark, EventContext, RunOrder, read_event
from springbench.report.comment import Report, render
from springbench.report.comparison import Failure
from springbench.report.github_text import is_address
from springbench.results.comparison import Comparison
from springbench.results.untrusted import find_comparisons, load_comparison, service_comparisons
from springbench.untrusted import sanitise

NO_REPORT = "it left no comparison"
WAS_ENDED = "it was ended before it had a result: over the time that its job may take, or by hand"
NO_PULL_REQUEST = (
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
    repo: RepoOption = None,
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
    site: SiteOption = None,
    page: Annotated[
        str | None,
        typer.Option("--page", help="A page made of the checked comparison, to be linked."),
    ] = None,
    by_service: Annotated[
        bool,
        typer.Option("--by-service", help="A comment for each service, from what their jobs left."),
    ] = False,
    fail_on: FailOnOption = FailOnVerdict.NEVER,
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
    check_address("--page", page)
    context = read_event(event, os.environ) if event else None
    known = context.order if context else RunOrder()
    order = RunOrder(
        known.number if run_number is None else run_number,
        known.attempt if run_attempt is None else run_attempt,
    )
    why = WAS_ENDED if context and context.was_ended else NO_REPORT
    url = run_url or (context.run_url if context else None)
    left_out: list[str] = []
    if by_service:
        reports = list(_of_services(path, failed or [], url, why, left_out))
    else:
        reports = [read(path, failed or [], url, why)]
    reports = [replace(report, site=site or None, page=page or None) for report in reports]
    reports = [_whose(report, context) if context else report for report in reports]
    workflow = context.workflow if by_service and context else 0
    for report in reports:
        mark = CommentMark(order, workflow, report.service)
        body = render(report, mark.line())
        if dry_run:
            typer.echo(body, nl=False)
        else:
            typer.echo(_post(body, mark, repo, pull_request or context))
    if left_out:
        raise ConfigurationError("; ".join(left_out))
    statements = [statement for report in reports for statement in report.statements]
    limits = [limit for report in reports for limit in report.limits]
    if code := fail_on.exit_code(statements, limits):
        raise typer.Exit(code)


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
        files, without = find_comparisons(path)
    else:
        # every shard has failed, and there was nothing to download
        files, without = [], {}
    known = {failure.name for failure in failures}
    failures += [
        Failure(name, f"it {reason}" if reason else why)
        for name, reason in without.items()
        if name not in known
    ]
    if not files and not failures:
        raise ConfigurationError(
            f"{path}: no comparison.json in its folders; download the reports of the shards into "
            "it, or name those that failed with --failed"
        )
    comparisons, unreadable = _readable(path, files)
    if unreadable and not (comparisons or failures):
        raise next(iter(unreadable.values()))
    for name, error in unreadable.items():
        typer.echo(f"{sanitise(name)} is left out: {error}", err=True)
        # without its path, which is of this host
        failures.append(Failure(name, f"its comparison: {str(error).partition(': ')[2]}"))
    return Report(comparisons, failures, run_url)


def _readable(
    path: Path, files: Sequence[Path]
) -> tuple[list[Comparison], dict[str, ConfigurationError]]:
    """The comparisons, and what is wrong with others by the names of their shards."""
    comparisons, unreadable = [], {}
    for file in files:
        try:
            comparisons.append(load_comparison(file))
        except ConfigurationError as error:
            shard, *below = file.relative_to(path).parts or (file.name,)
            unreadable[shard if below else file.parent.name] = error
    return comparisons, unreadable


def _of_services(
    path: Path, failed: list[str], run_url: str | None, why: str, left_out: list[str]
) -> Iterator[Report]:
    """A report of each service that a job has left something of, else one of all that failed.

    `failed` is said of a service whose job left no comparison.
    """
    check_address("--run-url", run_url)
    failures = [_failure(text, why) for text in failed]
    found = service_comparisons(path)
    left_out += found.left_out
    if not found.by_service and not left_out:
        if not failures:
            raise ConfigurationError(f"{path}: no service in it; name what failed with --failed")
        yield Report([], failures, run_url)
    for service, comparisons in found.by_service.items():
        yield Report(comparisons, () if comparisons else failures, run_url, service=service)


def check_address(option: str, text: str | None) -> None:
    """Raises `ConfigurationError` for what is no address that could be linked."""
    if text and not is_address(text):
        raise ConfigurationError(
            f"{option} {text!r}: allowed: an http or https address without blanks or brackets"
        )


def _post(body: str, mark: CommentMark, repo: str | None, where: int | EventContext | None) -> str:
    # the HTTP client is slow to import, and few commands need it
    from springbench.github.api import api_of_job, checked_repo  # noqa: PLC0415
    from springbench.github.comment import Thread, find_pull_request  # noqa: PLC0415

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
        return f"{repo}: {NO_PULL_REQUEST if is_known else NO_FORK}"
    outcome = Thread(api, repo, number).put(body, mark)
    service = f" of {mark.service}" if mark.service else ""
    return f"{repo}#{number}: comment{service} {outcome}"


def _failure(text: str, why: str) -> Failure:
    name, _, reason = text.partition(":")
    return Failure(name.strip(), reason.strip() or why)
