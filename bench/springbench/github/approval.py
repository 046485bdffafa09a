"""Whose code may run on a repository's own runners, and how a commit of a stranger is approved.

What is approved is one commit, by its whole hash: a branch may hold something else a moment later.
The approval is a status of that commit, which only who may write to the repository can set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from springbench.errors import ConfigurationError, HostError
from springbench.github.api import Api, MissingError

CONTEXT = "springbench/approved"
COMMAND = "/benchmark"
WORKFLOW = "pull-request.yml"
_NAMED = re.compile(rf"{COMMAND}[ \t]+([0-9a-f]{{40}})")
_MAY_WRITE = ("admin", "maintain", "write")


class _Account(BaseModel):
    login: str
    # a suffix of the login does not tell: that of GitHub Copilot is "Copilot"
    type: str


class _Repository(BaseModel):
    id: int


class _Head(BaseModel):
    sha: str
    # null where the fork has been removed
    repo: _Repository | None = None


class _Base(BaseModel):
    repo: _Repository


class _Pull(BaseModel):
    user: _Account | None = None
    head: _Head
    base: _Base


class PullRequestEvent(BaseModel):
    """As much of a `pull_request` event as the rule reads."""

    pull_request: _Pull
    sender: _Account | None = None


class _Issue(BaseModel):
    number: int
    # there for pull requests alone
    pull_request: dict[str, Any] | None = None


class _Comment(BaseModel):
    body: str | None = None
    user: _Account | None = None


class CommentEvent(BaseModel):
    """As much of an `issue_comment` event as the rule reads."""

    action: str
    issue: _Issue
    comment: _Comment


@dataclass(frozen=True)
class Decision:
    """Whether, and why."""

    approved: bool
    reason: str


Answer = Literal["nothing was asked", "approved", "refused"]


@dataclass(frozen=True)
class Approval:
    """What came of a comment. `reply` is for the thread, empty without an answer."""

    answer: Answer
    reason: str
    reply: str = ""


def decide(api: Api, repo: str, event: PullRequestEvent) -> Decision:
    """Whether the code of a pull request may run on the runners of `repo` (OWNER/NAME).

    Raises as `Api.call` does; then nothing is approved.
    """
    pull = event.pull_request
    is_same_repository = pull.head.repo is not None and pull.head.repo.id == pull.base.repo.id
    people = all(user and user.type == "User" for user in (pull.user, event.sender))
    if is_same_repository and people:
        return Decision(approved=True, reason="the branch is one of this repository")
    for page in api.pages(f"/repos/{repo}/commits/{pull.head.sha}/statuses"):
        for status in page:
            # the newest comes first
            if isinstance(status, dict) and status.get("context") == CONTEXT:
                good = status.get("state") == "success"
                return Decision(good, f"the commit's {CONTEXT} says {status.get('state')}")
    whose = "a bot" if is_same_repository else "another repository"
    return Decision(
        approved=False,
        reason=f"the commit is from {whose}, and nobody has approved it: who may write comments "
        f"`{COMMAND} {pull.head.sha}`",
    )


def grant(api: Api, repo: str, event: CommentEvent) -> Approval:
    """Approve the commit that a comment names, if who wrote it may. Raises as `Api.call` does."""
    author, text = event.comment.user, (event.comment.body or "").strip()
    if event.action != "created" or event.issue.pull_request is None:
        return Approval("nothing was asked", "no new comment of a pull request")
    if not text.startswith(COMMAND):
        return Approval("nothing was asked", f"the comment does not begin with {COMMAND}")
    if author is None or author.type != "User" or not _may_write(api, repo, author.login):
        # whoever may not approve is not answered either
        return Approval("refused", "whoever wrote it may not write to this repository")
    return _of_writer(api, repo, event.issue.number, author.login, text.splitlines()[0].strip())


def _of_writer(api: Api, repo: str, number: int, login: str, line: str) -> Approval:
    """Approve what the line names, where that is the newest commit of an open pull request."""
    pull = api.call("GET", f"/repos/{repo}/pulls/{number}")
    try:
        state, sha = str(pull["state"]), str(pull["head"]["sha"])
    except (KeyError, TypeError) as error:
        raise HostError("GitHub's pull request is not as expected") from error
    named = _NAMED.fullmatch(line)
    if named is None:
        return _refused(f"after {COMMAND} comes the whole hash of the commit that you have read")
    if state != "open":
        return _refused("the pull request is closed")
    if named[1] != sha:
        # the newest is not offered for copying: it is to be read first
        return _refused(f"there is a newer commit than {named[1][:12]}; read that one")
    body = {"state": "success", "context": CONTEXT, "description": f"{login} in #{number}"}
    api.call("POST", f"/repos/{repo}/statuses/{sha}", body)
    return Approval("approved", f"{sha}, by {login}", _run_again(api, repo, sha))


def _refused(reason: str) -> Approval:
    return Approval("refused", reason, f"Not approved: {reason}.")


def _may_write(api: Api, repo: str, login: str) -> bool:
    # an account's name has no other characters, and this one becomes part of an address
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", login):
        return False
    try:
        answer = api.call("GET", f"/repos/{repo}/collaborators/{login}/permission")
    except MissingError:
        return False
    return isinstance(answer, dict) and answer.get("permission") in _MAY_WRITE


def _run_again(api: Api, repo: str, sha: str) -> str:
    """Start the comparison of that commit anew; what to tell of it."""
    path = f"/repos/{repo}/actions/workflows/{WORKFLOW}/runs?event=pull_request&head_sha={sha}"
    runs = (api.call("GET", path) or {}).get("workflow_runs") or []
    if not runs:
        return f"Approved {sha}. No comparison of it was found: push again or re-open to start one."
    try:
        api.call("POST", f"/repos/{repo}/actions/runs/{int(runs[0]['id'])}/rerun")
    except ConfigurationError:
        # GitHub runs nothing again that has not ended
        return f"Approved {sha}. Its comparison still runs; *Re-run* it once it has ended."
    return f"Approved {sha}: it is compared again, on this repository's own runner."
