"""Hidden first lines of what we have written on GitHub: which run a comment comes from, which event
an issue is about. Imports no HTTP client.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from springbench.matrix.service_name import IDENTIFIER
from springbench.results.history_names import EVENT_ID

# at the very beginning of the body: words of others that are quoted further down do not count
_MARKER = re.compile(
    r"<!-- springbench-comment run=(?P<run>[0-9]{1,15}) attempt=(?P<attempt>[0-9]{1,9})"
    rf"(?: workflow=(?P<workflow>[0-9]{{1,15}}))?(?: service=(?P<service>{IDENTIFIER}))? -->"
)
_EVENT_MARKER = re.compile(
    rf"<!-- springbench-event (?P<id>{EVENT_ID.strip('^$')}) state=(?P<state>[a-z]{{1,20}}) -->"
)


@dataclass(frozen=True, order=True)
class RunOrder:
    """Which run of a workflow writes; 0 where nobody said."""

    number: int = 0
    attempt: int = 0


@dataclass(frozen=True)
class CommentMark:
    """What a comment is of, and the run that it comes from.

    One of springbench's own benchmark names neither workflow nor service. Where services are
    compared, each has a comment for each workflow that compares it, as the numbers of runs are
    those of one workflow; the one without a service is of a run that left nothing.
    """

    order: RunOrder = field(default=RunOrder())
    workflow: int = 0
    service: str = ""

    @classmethod
    def of(cls, body: str) -> CommentMark | None:
        """The mark that a comment begins with; None where it is no comment of springbench."""
        found = _MARKER.match(body)
        if found is None:
            return None
        order = RunOrder(int(found["run"]), int(found["attempt"]))
        return cls(order, int(found["workflow"] or 0), found["service"] or "")

    def line(self) -> str:
        """The hidden first line of the comment."""
        workflow = f" workflow={self.workflow}" if self.workflow else ""
        service = f" service={self.service}" if self.service else ""
        order = f"run={self.order.number} attempt={self.order.attempt}"
        return f"<!-- springbench-comment {order}{workflow}{service} -->"

    @property
    def is_of_one_of_several(self) -> bool:
        """Whether a pull request may have comments of others beside it."""
        return bool(self.workflow or self.service)

    def is_of_same(self, other: CommentMark) -> bool:
        """Whether both are of one service, by one workflow."""
        return (self.workflow, self.service) == (other.workflow, other.service)

    def replaces_failure(self, other: CommentMark) -> bool:
        """Whether the other one says that an earlier run of the workflow left nothing."""
        is_failure = bool(other.workflow) and not other.service
        return is_failure and self.workflow == other.workflow and self.order >= other.order


@dataclass(frozen=True)
class EventMark:
    """Which event an issue is about, and the state that was reported last."""

    id: str
    state: str

    @classmethod
    def of(cls, body: str) -> EventMark | None:
        """The mark that an issue begins with; None where it is none of ours."""
        found = _EVENT_MARKER.match(body)
        return cls(found["id"], found["state"]) if found else None

    def line(self) -> str:
        """The hidden first line of the issue."""
        return f"<!-- springbench-event {self.id} state={self.state} -->"
