"""One comment of our own in the thread of a pull request, updated in place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from springbench.errors import ConfigurationError, HostError
from springbench.github.api import (
    Api,
    LookAgainError,
    MissingError,
    TryAgainError,
    is_author,
    login_of,
    looking_again,
)
from springbench.github.event import CommentMark, Head

# a pull request names its services itself: nobody's thread is flooded
MAX_COMMENTS = 20
Outcome = Literal[
    "created",
    "updated",
    "left: a newer run has written already",
    "left: the pull request has as many comments of services as it may have",
]


def find_pull_request(api: Api, repo: str, head: Head) -> int | None:
    """The open pull request whose newest commit is `head`; None where it was closed or moved on,
    or where the fork is gone that would name it.

    Raises `ConfigurationError` where several have that commit, and as `Api.pages` does.
    """
    if not (head.owner and head.branch):
        return None
    pages = api.pages(f"/repos/{repo}/pulls", state="open", head=f"{head.owner}:{head.branch}")
    found = [int(pull["number"]) for page in pages for pull in page if _is_of(pull, head)]
    if len(found) > 1:
        raise ConfigurationError(
            f"{repo}: {len(found)} open pull requests have the commit {head.sha[:12]}; "
            "--pull-request says which is meant"
        )
    return found[0] if found else None


def _is_of(pull: dict[str, Any], head: Head) -> bool:
    try:
        return bool(pull["head"]["sha"] == head.sha)
    except (KeyError, TypeError) as error:
        raise HostError("GitHub's list of pull requests is not as expected") from error


@dataclass(frozen=True)
class _OwnComment:
    id: int
    mark: CommentMark


@dataclass(frozen=True)
class Thread:
    """The conversation of one pull request of `repo` (OWNER/NAME)."""

    api: Api
    repo: str
    pull_request: int

    def put(self, body: str, mark: CommentMark) -> Outcome:
        """Make our comment of this mark say `body`, which begins with it.

        The oldest of these is kept and the others are removed, so that a thread which two jobs have
        written to at once ends with one; so is what says that the workflow left nothing before.
        Comments of other services stay. Raises as `Api.call` does.
        """
        login = login_of(self.api)
        return looking_again(self.api, partial(self._put, body, mark, login))

    def _put(self, body: str, mark: CommentMark, login: str) -> Outcome:
        comments = [
            comment
            for page in self.api.pages(self._comments)
            for comment in _own_comments(page, login)
        ]
        targets = [comment for comment in comments if comment.mark.is_of_same(mark)]
        # a run that left nothing does not say of which service: any of its workflow is newer
        newer = (
            targets if mark.service or not mark.workflow else _of_workflow(comments, mark.workflow)
        )
        if mark.order.number and any(comment.mark.order > mark.order for comment in newer):
            return "left: a newer run has written already"
        if not targets and mark.is_of_one_of_several and len(comments) >= MAX_COMMENTS:
            return "left: the pull request has as many comments of services as it may have"
        obsolete = [
            comment
            for comment in comments
            if comment not in targets and mark.replaces_failure(comment.mark)
        ]
        try:
            return self._write(targets, obsolete, body)
        except MissingError as error:
            if not targets:
                raise
            # somebody has just removed it
            raise LookAgainError from error
        except TryAgainError as error:
            if targets or not error.unsure:
                raise
            # a new comment may be there all the same: look before another is written
            raise LookAgainError from error

    @property
    def _comments(self) -> str:
        return f"/repos/{self.repo}/issues/{self.pull_request}/comments"

    def _write(self, targets: list[_OwnComment], obsolete: list[_OwnComment], body: str) -> Outcome:
        """Write to the first of `targets`; the others, and `obsolete`, are removed."""
        ordered = sorted(targets, key=lambda comment: comment.id)
        if ordered:
            self.api.call("PATCH", self._comment(ordered[0]), {"body": body})
        else:
            self.api.call("POST", self._comments, {"body": body})
        for other in (*ordered[1:], *obsolete):
            try:
                self.api.call("DELETE", self._comment(other))
            except MissingError:
                continue
        return "updated" if ordered else "created"

    def _comment(self, comment: _OwnComment) -> str:
        return f"/repos/{self.repo}/issues/comments/{comment.id}"


def _own_comments(page: list[Any], login: str) -> list[_OwnComment]:
    found = []
    for comment in page:
        try:
            user, body, number = comment["user"] or {}, comment["body"] or "", comment["id"]
        except (KeyError, TypeError) as error:
            raise HostError("GitHub's list of comments is not as expected") from error
        mark = CommentMark.of(body)
        if mark and is_author(user, login):
            found.append(_OwnComment(int(number), mark))
    return found


def _of_workflow(comments: list[_OwnComment], workflow: int) -> list[_OwnComment]:
    return [comment for comment in comments if comment.mark.workflow == workflow]
