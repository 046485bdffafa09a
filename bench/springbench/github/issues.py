"""Issues that we have opened for events, as GitHub has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from springbench.errors import ConfigurationError, HostError
from springbench.github.api import Api, MissingError, TryAgainError, is_author
from springbench.github.marker import EventMark

LABEL = "performance-regression"
_LABEL_LOOKS = {"color": "b60205", "description": "Something got slower for good (springbench)"}


@dataclass(frozen=True)
class Issue:
    """One issue of ours; `mark` is the event that it is about."""

    number: int
    title: str
    body: str
    is_open: bool
    mark: EventMark

    def says(self, title: str, body: str) -> bool:
        """Whether it reads so already. GitHub may have changed the ends of lines."""
        return self.title == title.strip() and _plain(self.body) == _plain(body)


@dataclass(frozen=True)
class OwnIssues:
    """What we have opened in `repo` (OWNER/NAME), writing as `login`. Raises as `Api.call`."""

    api: Api
    repo: str
    login: str

    def find(self, **query: str) -> dict[str, list[Issue]]:
        """By event, the oldest first. `query` narrows what GitHub lists."""
        found: dict[str, list[Issue]] = {}
        for page in self.api.pages(f"/repos/{self.repo}/issues", state="all", **query):
            for issue in self._own(page):
                found.setdefault(issue.mark.id, []).append(issue)
        return {event: sorted(each, key=lambda i: i.number) for event, each in found.items()}

    def labelled(self) -> dict[str, list[Issue]]:
        """Those with the label."""
        return self.find(labels=LABEL)

    def open(self, title: str, body: str) -> int:
        """Open one; the number. A `TryAgainError` that is unsure may have opened it."""
        fields = {"title": title, "body": body, "labels": [LABEL]}
        answer = self.api.call("POST", f"/repos/{self.repo}/issues", fields)
        try:
            return int(answer["number"])
        except (KeyError, TypeError, ValueError) as error:
            raise HostError("GitHub's answer to a new issue is not as expected") from error

    def change(self, issue: Issue, **fields: str) -> None:
        """Set fields of an issue in one step."""
        self.api.call("PATCH", f"/repos/{self.repo}/issues/{issue.number}", fields)

    def comment(self, issue: Issue, text: str) -> None:
        """Say something below it. What GitHub may have taken is not said twice."""
        path = f"/repos/{self.repo}/issues/{issue.number}/comments"
        try:
            self.api.call("POST", path, {"body": text})
        except TryAgainError as error:
            if not error.unsure:
                raise

    def make_label(self) -> None:
        """Make the label where it is missing; its looks may have been changed by hand."""
        path = f"/repos/{self.repo}/labels"
        try:
            self.api.call("GET", f"{path}/{LABEL}")
        except MissingError:
            try:
                self.api.call("POST", path, {"name": LABEL, **_LABEL_LOOKS})
            except (ConfigurationError, TryAgainError):
                # another job may have made it just now; if not, this tells why
                self.api.call("GET", f"{path}/{LABEL}")

    def _own(self, page: list[Any]) -> Iterator[Issue]:
        for each in page:
            try:
                if "pull_request" in each or not is_author(each["user"] or {}, self.login):
                    continue
                body = str(each["body"] or "")
                mark = EventMark.of(body)
                if mark:
                    is_open = each["state"] == "open"
                    yield Issue(int(each["number"]), str(each["title"]), body, is_open, mark)
            except (KeyError, TypeError, ValueError) as error:
                raise HostError("GitHub's list of issues is not as expected") from error


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip()
