"""Issues that we have opened for events, as GitHub has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from springbench.errors import ConfigurationError, HostError, SpringbenchError
from springbench.github.api import (
    Api,
    LookAgainError,
    MissingError,
    TryAgainError,
    is_author,
    looking_again,
)
from springbench.github.event import EventMark
from springbench.report import event_issue
from springbench.report.event_issue import Places
from springbench.report.event_words import size, state_name
from springbench.results.events import Event
from springbench.results.history_names import EVENT_ID, EventName
from springbench.untrusted import one_line

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
            for issue in self._select(page):
                found.setdefault(issue.mark.id, []).append(issue)
        return {event: sorted(issues, key=lambda i: i.number) for event, issues in found.items()}

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

    def _select(self, page: list[Any]) -> Iterator[Issue]:
        for entry in page:
            try:
                if "pull_request" in entry or not is_author(entry["user"] or {}, self.login):
                    continue
                body = str(entry["body"] or "")
                mark = EventMark.of(body)
                if mark:
                    is_open = entry["state"] == "open"
                    yield Issue(int(entry["number"]), str(entry["title"]), body, is_open, mark)
            except (KeyError, TypeError, ValueError) as error:
                raise HostError("GitHub's list of issues is not as expected") from error


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip()


# --- One issue for each confirmed regression: opened once, kept true, closed and reopened ---------
# Regressions in the results of another harness have one while they are suspected: nothing confirms
# them.
#
# The hidden first line of an issue says what was reported last. So what a person has closed stays
# closed, and what a person has reopened stays open, until the event itself changes.


MOST_OPENED = 5
REPORTED_OPEN = "open"
REMOVED = "gone"
# as GitHub calls why an issue is closed
_CLOSING = {
    "fixed": "completed",
    "acknowledged": "not_planned",
    "rejected": "not_planned",
    "unmeasured": "not_planned",
}


@dataclass
class RegressionIssues:
    """Brings the issues into step with the events. `most` are opened at once.

    `lines` say what was done, `failures` what could not be, one for each issue.
    """

    own_issues: OwnIssues
    places: Places
    most: int = MOST_OPENED
    lines: list[str] = field(default_factory=list)
    failures: list[SpringbenchError] = field(default_factory=list)

    def update(self, events: Sequence[Event]) -> None:
        """Do all that is to be done. Raises as `Api.call` where the issues cannot be listed."""
        known = {event.id: event for event in regressions(events)}
        labelled = self.own_issues.labelled()
        issues = renamed(labelled, known)
        new = to_open(list(known.values()), issues)
        if new:
            # somebody may have taken the label off
            issues = renamed({**self.own_issues.find(**_since(new)), **labelled}, known)
            new = [event for event in new if event.id not in issues]
        for event_id, of_event in issues.items():
            self._attempt(event_id, partial(self._keep, of_event, known.get(event_id), events))
        self._open_all(new, events)

    def _open_all(self, new: Sequence[Event], events: Sequence[Event]) -> None:
        for event in new[: self.most]:
            self._attempt(event.id, partial(self._open, event, events))
        if left := [event.id for event in new[self.most :]]:
            self._note(
                f"{len(left)} more regressions got no issue in this run, which opens at "
                f"most {self.most}: {', '.join(left)}"
            )
        if new:
            # another job may have opened the same ones meanwhile: the oldest stays
            for of_event in self.own_issues.labelled().values():
                self._attempt(of_event[0].mark.id, partial(self._without_duplicates, of_event))

    def _open(self, event: Event, events: Sequence[Event]) -> None:
        title, body = self._text(event, events, REPORTED_OPEN)
        self.own_issues.make_label()
        is_first = True

        def open_once() -> int:
            nonlocal is_first
            # it may be there all the same: look before another is opened
            found = [] if is_first else self.own_issues.labelled().get(event.id, [])
            is_first = False
            if found:
                return found[0].number
            try:
                return self.own_issues.open(title, body)
            except TryAgainError as error:
                if not error.unsure:
                    raise
                raise LookAgainError from error

        self._note(f"opened #{looking_again(self.own_issues.api, open_once)} for {event.id}")

    def _keep(self, issues: Sequence[Issue], event: Event | None, events: Sequence[Event]) -> None:
        """The oldest is kept true; duplicates are closed."""
        self._without_duplicates(issues)
        issue = issues[0]
        if event is None:
            self._close_removed(issue)
        elif event.state in _CLOSING:
            self._close(issue, event, events)
        elif event.is_alerting and not issue.is_open and issue.mark.state != REPORTED_OPEN:
            self._change(issue, event, events, REPORTED_OPEN, state="open")
            self.own_issues.comment(issue, event_issue.reopening(event))
            self._note(f"reopened #{issue.number}: {event.id} is back")
        else:
            reported = REPORTED_OPEN if event.is_alerting else issue.mark.state
            if self._change(issue, event, events, reported):
                self._note(f"updated #{issue.number} of {event.id}")

    def _close(self, issue: Issue, event: Event, events: Sequence[Event]) -> None:
        if not issue.is_open or issue.mark.state == event.state:
            # closed already, or opened again by a person who was informed
            if self._change(issue, event, events, event.state):
                self._note(f"updated #{issue.number} of {event.id}")
            return
        why = _CLOSING[event.state]
        self._change(issue, event, events, event.state, state="closed", state_reason=why)
        self.own_issues.comment(issue, event_issue.closing(event, events, self.places))
        self._note(f"closed #{issue.number}: {event.id} is {state_name(event)}")

    def _close_removed(self, issue: Issue) -> None:
        if not issue.is_open or issue.mark.state == REMOVED:
            return
        text = issue.body.replace(issue.mark.line(), replace(issue.mark, state=REMOVED).line(), 1)
        self.own_issues.change(issue, body=text, state="closed", state_reason="not_planned")
        self.own_issues.comment(issue, event_issue.removed())
        self._note(f"closed #{issue.number}: the history has no {issue.mark.id} any more")

    def _without_duplicates(self, issues: Sequence[Issue]) -> None:
        first, *duplicates = issues
        for duplicate in duplicates:
            if duplicate.is_open:
                self.own_issues.change(duplicate, state="closed", state_reason="not_planned")
                self.own_issues.comment(duplicate, f"The same as #{first.number}, which is older.")
                self._note(f"closed #{duplicate.number}: the same as #{first.number}")

    def _change(
        self, issue: Issue, event: Event, events: Sequence[Event], reported: str, **fields: str
    ) -> bool:
        """Whether there was anything to change."""
        title, body = self._text(event, events, reported)
        if not issue.says(title, body):
            fields = {"title": title, "body": body, **fields}
        if fields:
            self.own_issues.change(issue, **fields)
        return bool(fields)

    def _text(self, event: Event, events: Sequence[Event], reported: str) -> tuple[str, str]:
        mark = EventMark(event.id, reported).line()
        return event_issue.title(event), event_issue.body(event, events, self.places, mark)

    def _attempt(self, event_id: str, act: Callable[[], None]) -> None:
        """What fails for one event keeps nothing of the others back."""
        try:
            act()
        except SpringbenchError as error:
            self.failures.append(error)
            self._note(f"not done for {event_id}: {error}")

    def _note(self, line: str) -> None:
        self.lines.append(one_line(line))


def regressions(events: Sequence[Event]) -> Iterator[Event]:
    """Those that an issue may be about; what has no proper id can have none."""
    return (e for e in events if e.direction == "regression" and re.fullmatch(EVENT_ID, e.id))


def renamed(
    issues: Mapping[str, Sequence[Issue]], events: Mapping[str, Event]
) -> dict[str, Sequence[Issue]]:
    """The issues by the names that their events have now.

    With more runs an event may turn out to begin with a neighbour of the commit that it was named
    by. Its issue stays the same one. So does one that names no service, as older versions did.
    """
    named = dict(issues)
    for old in sorted(issues.keys() - events.keys()):
        for event in events.values():
            if event.id not in named and _may_be(old, event):
                named[event.id] = named.pop(old)
                break
    return named


def _may_be(old: str, event: Event) -> bool:
    was, now = EventName.of(old), EventName.of(event.id)
    if was is None or now is None or was.drift != now.drift:
        return False
    return was.service in (None, now.service) and was.sha in (now.sha, *event.also)


def to_open(events: Sequence[Event], issues: Container[str]) -> list[Event]:
    """Regressions that are to have an issue and have none, the largest first."""
    new = [event for event in events if event.is_alerting and event.id not in issues]
    return sorted(new, key=lambda event: (-size(event), event.id))


def _since(events: Sequence[Event]) -> dict[str, str]:
    """Narrows a list of all issues: none is older than the commit of its event."""
    try:
        first = min(datetime.fromisoformat(event.culprit.after.time) for event in events)
        return {"since": first.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
    except (ValueError, TypeError, OverflowError):
        return {}
