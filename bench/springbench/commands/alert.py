"""`springbench alert`: one issue on GitHub for each confirmed regression of a history."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Annotated

import typer

from springbench.analysis.finder.events import names_of
from springbench.commands.comment import check_address
from springbench.commands.history import is_met
from springbench.commands.history_source import (
    BranchOption,
    HistoryOption,
    PathOption,
    RemoteOption,
    named,
    opened,
)
from springbench.commands.options import FailOnEventOption, RepoOption, SiteOption
from springbench.errors import ExitCode
from springbench.github import step
from springbench.history.events import read_acknowledged
from springbench.history.files import CHART_SUFFIX, CHARTS, BrokenFileError
from springbench.history.reading import read_index
from springbench.host.shell import RealShell
from springbench.report import event_issue
from springbench.report.event_words import headline_of, in_order, last_words
from springbench.results.acknowledged import FILE_NAME
from springbench.results.events import Event
from springbench.untrusted import one_line

GITHUB = "https://github.com"
MOST_OPENED = 5


def alert(
    history: HistoryOption = None,
    remote: RemoteOption = None,
    branch: BranchOption = "gh-pages",
    path: PathOption = "",
    repo: RepoOption = None,
    site: SiteOption = None,
    most: Annotated[
        int, typer.Option("--most", min=0, max=100, help="So many issues are opened at once.")
    ] = MOST_OPENED,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the issues and send nothing.")
    ] = False,
    fail_on: FailOnEventOption = "never",
) -> None:
    """Open, update, close and reopen the issues of confirmed regressions.

    The token comes from GITHUB_TOKEN, the address of the API from GITHUB_API_URL.

    Example: `springbench alert --remote origin --repo octo/app --site https://octo.github.io/app/`
    """
    check_address("--site", site)
    with opened(RealShell(), history, remote, branch, path) as files:
        index = read_index(files)
        charts = {name.removesuffix(CHART_SUFFIX) for name in files.names(CHARTS)}
        acknowledged: Collection[str] = ()
        # a damaged file is made anew by who publishes next, and costs no issue
        with suppress(BrokenFileError):
            acknowledged = read_acknowledged(files)
    if index is None:
        typer.echo(
            f"{named(history, remote, branch, path)}: there is no history with events yet: "
            "`springbench publish` makes one",
            err=True,
        )
        return
    repository = f"{_server()}/{repo}" if repo else None
    places = event_issue.Places(repository, site or None, charts)
    if dry_run:
        if not repo:
            typer.echo("without --repo OWNER/NAME nothing links to commits", err=True)
        _print(index.events, places)
    elif index.runs_total or index.events:
        # an empty history closes nothing: it is a wrong one, or was just begun
        _post(index.events, repo, places, most)
    known = {name for event in index.events for name in names_of(event)}
    unknown = sorted(name for name in acknowledged if name not in known)
    _summarise(index.events, unknown)
    if is_met(fail_on, index.events):
        raise typer.Exit(ExitCode.REGRESSION)


def _post(events: list[Event], repo: str | None, places: event_issue.Places, most: int) -> None:
    # the HTTP client is slow to import, and few commands need it
    from springbench.github.api import (  # noqa: PLC0415
        api_of_job,
        checked_repo,
        login_of,
    )
    from springbench.github.issues import OwnIssues, RegressionIssues  # noqa: PLC0415

    repo = checked_repo(repo)
    api = api_of_job(os.environ)
    issues = RegressionIssues(OwnIssues(api, repo, login_of(api)), places, most)
    issues.update(events)
    for line in issues.lines or ["issues: nothing to do"]:
        typer.echo(f"{repo}: {line}")
    step.summarise("\n".join(issues.lines or ["issues: nothing to do"]))
    if issues.failures:
        raise issues.failures[0]


def _print(events: list[Event], places: event_issue.Places) -> None:
    for event in in_order(events):
        if event.direction == "regression" and event.is_alerting:
            typer.echo(f"{event_issue.title(event)}\n\n{event_issue.body(event, events, places)}")


def _summarise(events: list[Event], unknown: Sequence[str]) -> None:
    worse = [
        event for event in in_order(events) if event.is_alerting and event.direction == "regression"
    ]
    regressions = [event for event in worse if event.harness is None]
    lines = [f"{len(regressions)} confirmed regression{'' if len(regressions) == 1 else 's'} open"]
    lines += [one_line(f"{event.id}: {headline_of(event)}") for event in regressions]
    lines += [
        one_line(f"suspected, measured by {event.harness}: {event.id}: {headline_of(event)}")
        for event in worse
        if event.harness
    ]
    lines += [
        one_line(f"no longer measured: {event.id}: {headline_of(event)}; {last_words(event)}")
        for event in in_order(events)
        if event.state == "unmeasured" and event.direction == "regression"
    ]
    lines += [
        f"{FILE_NAME} names {name}, which is no event of this history: the row acknowledges "
        "nothing; correct its id or remove it"
        for name in unknown
    ]
    typer.echo("\n".join(lines))
    step.summarise("\n".join(lines))


def _server() -> str:
    address = os.environ.get("GITHUB_SERVER_URL") or GITHUB
    check_address("GITHUB_SERVER_URL", address)
    return address.rstrip("/")
