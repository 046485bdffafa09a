"""The names of a history, which become names of files, and a commit in short."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import StringConstraints

from springbench.matrix.service_name import IDENTIFIER
from springbench.results.base import Record

_NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,119}"
# these become file names: nothing that leads out of the folder
RunId = Annotated[str, StringConstraints(pattern=rf"^{_NAME}$")]
HostClass = Annotated[str, StringConstraints(pattern=rf"^{_NAME}$")]
CaseId = Annotated[str, StringConstraints(pattern=rf"^{_NAME}/{_NAME}/[0-9]{{1,9}}$")]
MeasurementConfiguration = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9._-]{0,79}$")
]
"""`nightly-3x10s`: the profile, forks and window; the profile alone where no more is known.
`nightly-3x10s-apart`, where the connections of a load began one after the other."""
APART = "-apart"
PASSED = "-env-"
"""With a digest of the variables that were passed from outside, where there were any."""
REQUESTS = "-ask-"
"""With a digest of the requests, where these are more than plain GETs."""
Profile = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9._-]{0,59}$")]
_MONTH = r"[0-9]{4}-(0[1-9]|1[0-2])"
MonthName = Annotated[str, StringConstraints(pattern=rf"^{_MONTH}$")]
UtcTime = Annotated[str, StringConstraints(pattern=rf"^{_MONTH}-[0-9]{{2}}T[0-9:]{{8}}Z$")]
"""To the second, so that times sort as texts do, and begin with their month."""
Sha = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{1,64}$")]
"""A commit, in short or in full."""
Mark = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
"""`drifted`, `unfinished`, `dirty`, `shared-host`, and what `--mark` gave."""

EVENT_ID = rf"^(regression|improvement)-[0-9a-f]{{1,40}}(-drift)?(-of-{IDENTIFIER})?$"
EventId = Annotated[str, StringConstraints(pattern=EVENT_ID)]
"""The direction, the commit that the event begins with, and the service that it is of."""


class CommitRow(Record):
    """A commit in short: twelve digits of its hash, and the first line of its message."""

    sha: Sha
    time: str
    message: str
    author: str


_RELEASE = re.compile(r"Spring Boot ([0-9]{1,3}(?:\.[0-9]{1,3}){2})", re.ASCII)


def release_of(commit: CommitRow) -> str | None:
    """The version of Spring Boot, `4.0.3`, whose release this commit is: see releases/release.py.
    None for any other commit, and for a release with other libraries than its own.
    """
    found = _RELEASE.fullmatch(commit.message)
    return found[1] if found else None


def profile_of(configuration: str) -> str:
    """The profile that was measured in this measurement configuration."""
    more = rf"({APART})?({PASSED}[0-9a-f]+)?({REQUESTS}[0-9a-f]+)?"
    return re.sub(rf"-[0-9]+x[0-9.e+]+s{more}$", "", configuration)


@dataclass(frozen=True)
class EventName:
    """What the id of an event says."""

    direction: str
    sha: str
    drift: bool
    service: str | None

    @classmethod
    def of(cls, event: str) -> EventName | None:
        """None for what is no id of an event."""
        if not re.fullmatch(EVENT_ID, event):
            return None
        first, _, service = event.partition("-of-")
        direction, sha, *drift = first.split("-")
        return cls(direction, sha, bool(drift), service or None)

    def __str__(self) -> str:
        drift = "-drift" if self.drift else ""
        service = f"-of-{self.service}" if self.service else ""
        return f"{self.direction}-{self.sha}{drift}{service}"


def variant_of(case: str) -> str:
    """The variant that a case is of."""
    return case.split("/", 1)[0]
