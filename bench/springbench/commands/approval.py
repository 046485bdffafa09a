"""`springbench approval`: whether a pull request's code may run on your own runners."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer
from pydantic import BaseModel

from springbench.commands.options import RepoOption
from springbench.errors import ConfigurationError, SpringbenchError
from springbench.github.event import read_as
from springbench.github.jobs import parse_runner
from springbench.github.step import write_outputs
from springbench.paths import REPOSITORY

RUNNER_FILE = REPOSITORY / ".github" / "runner.json"


def approval(
    event: Annotated[
        Path,
        typer.Option("--event", envvar="GITHUB_EVENT_PATH", help="What happened, as GitHub says."),
    ],
    repo: RepoOption = None,
) -> None:
    """Say whether a pull request's commit may run on your own runners, or approve one.

    A `pull_request` event: writes the outputs `approved` and `runner` of the step. Approved are
    branches of the repository by people, and commits that somebody approved.

    An `issue_comment` event: a comment `/benchmark SHA` by who may write approves that commit.

    Example: `springbench approval --event "$GITHUB_EVENT_PATH"`
    """
    # the HTTP client is slow to import, and few commands need it
    from springbench.github import approval as rule  # noqa: PLC0415
    from springbench.github.api import api_of_job, checked_repo  # noqa: PLC0415

    repo = checked_repo(repo)
    api = api_of_job(os.environ)
    if _is_comment(event):
        comment = read_as(event, rule.CommentEvent)
        found = rule.grant(api, repo, comment)
        if found.reply:
            path = f"/repos/{repo}/issues/{comment.issue.number}/comments"
            api.call("POST", path, {"body": found.reply})
        typer.echo(f"{found.answer}: {found.reason}")
        return
    pull = read_as(event, rule.PullRequestEvent)
    try:
        decision = rule.decide(api, repo, pull)
    except SpringbenchError as error:
        # no answer is no approval, and the comparison goes on elsewhere
        decision = rule.Decision(approved=False, reason=str(error))
    write_outputs({"approved": str(decision.approved).lower(), **_runner(decision.approved)})
    typer.echo(f"{'approved' if decision.approved else 'not approved'}: {decision.reason}")


def _runner(approved: bool) -> dict[str, str]:
    """The repository's own runner: GitHub gives a fork's event no variables."""
    if not approved or not RUNNER_FILE.is_file():
        return {}
    text = RUNNER_FILE.read_text(encoding="utf-8", errors="replace")
    return {"runner": json.dumps(parse_runner(text, RUNNER_FILE.name))}


class _Kind(BaseModel):
    comment: dict[str, object] | None = None
    pull_request: dict[str, object] | None = None


def _is_comment(event: Path) -> bool:
    kind = read_as(event, _Kind)
    if kind.comment is None and kind.pull_request is None:
        raise ConfigurationError(
            f"--event {event}: allowed: a pull_request or an issue_comment event"
        )
    return kind.comment is not None
