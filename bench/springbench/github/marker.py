"""Hidden first lines of what we have written on GitHub: which run a comment comes from, which event
an issue is about. Imports no HTTP client."""

from __future__ import annotations

import re
from dataclasses import dataclass

from springbench.results.history_names import EVENT_ID

# at the very beginning of the body: words of others that are quoted further down do not count
_MARKER = re.compile(r"<!-- springbench-comment run=([0-9]{1,15}) attempt=([0-9]{1,9}) -->")
_EVENT_MARKER = re.compile(
    rf"<!-- springbench-event ({EVENT_ID.strip('^$')}) state=([a-z]{{1,20}}) -->"
)


@dataclass(frozen=True, order=True)
class RunOrder:
    """Which run of a workflow writes; 0 where nobody said."""

    number: int = 0
    attempt: int = 0

    @classmethod
    def of(cls, body: str) -> RunOrder | None:
        """The order that a comment begins with; None where it is no comment of springbench."""
        found = _MARKER.match(body)
        return cls(int(found[1]), int(found[2])) if found else None

    def marker(self) -> str:
        """The hidden first line of the comment."""
        return f"<!-- springbench-comment run={self.number} attempt={self.attempt} -->"


@dataclass(frozen=True)
class EventMark:
    """Which event an issue is about, and the state that we have told last."""

    id: str
    state: str

    @classmethod
    def of(cls, body: str) -> EventMark | None:
        """The mark that an issue begins with; None where it is none of ours."""
        found = _EVENT_MARKER.match(body)
        return cls(found[1], found[4]) if found else None

    def line(self) -> str:
        """The hidden first line of the issue."""
        return f"<!-- springbench-event {self.id} state={self.state} -->"
