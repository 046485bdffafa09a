"""One comment of our own in a pull request's thread, updated in place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from springbench.errors import HostError
from springbench.github.account import is_author, login_of
from springbench.github.api import Api
from springbench.github.marker import RunOrder
from springbench.github.retry import MissingError, TryAgainError

ROUNDS = 4
Outcome = Literal["created", "updated", "left: a newer run has written already"]


@dataclass(frozen=True)
class _Own:
    id: int
    order: RunOrder


@dataclass(frozen=True)
class Thread:
    """The conversation of one pull request of `repo` (OWNER/NAME)."""

    api: Api
    repo: str
    pull_request: int

    def put(self, body: str, order: RunOrder) -> Outcome:
        """Make our comment say `body`, which begins with the marker of `order`.

        The oldest of our comments is kept and others of ours are removed, so that a thread which
        two jobs have written to at once ends with one. Raises as `Api.call` does.
        """
        login = login_of(self.api)
        for left in reversed(range(ROUNDS)):
            own = [each for page in self.api.pages(self._comments) for each in _own(page, login)]
            if order.number and any(each.order > order for each in own):
                return "left: a newer run has written already"
            try:
                return self._write(own, body)
            except MissingError:
                # somebody has just removed it
                if not own or not left:
                    raise
            except TryAgainError as error:
                # a new comment may be there all the same: look again before another is written
                if own or not left or not error.unsure:
                    raise
                self.api.sleep(2.0 ** (ROUNDS - left))
        raise AssertionError

    @property
    def _comments(self) -> str:
        return f"/repos/{self.repo}/issues/{self.pull_request}/comments"

    def _write(self, own: list[_Own], body: str) -> Outcome:
        if not own:
            self.api.call("POST", self._comments, {"body": body})
            return "created"
        kept, *others = sorted(own, key=lambda each: each.id)
        self.api.call("PATCH", self._comment(kept), {"body": body})
        for other in others:
            try:
                self.api.call("DELETE", self._comment(other))
            except MissingError:
                continue
        return "updated"

    def _comment(self, own: _Own) -> str:
        return f"/repos/{self.repo}/issues/comments/{own.id}"


def _own(page: list[Any], login: str) -> list[_Own]:
    found = []
    for comment in page:
        try:
            user, body, number = comment["user"] or {}, comment["body"] or "", comment["id"]
        except (KeyError, TypeError) as error:
            raise HostError("GitHub's list of comments is not as expected") from error
        order = RunOrder.of(body)
        if order and is_author(user, login):
            found.append(_Own(int(number), order))
    return found
