"""Which run a comment comes from, and the hidden line that says so. Imports no HTTP client."""

from __future__ import annotations

import re
from dataclasses import dataclass

# at the very beginning of the body: words of others that are quoted further down do not count
_MARKER = re.compile(r"<!-- springbench-comment run=([0-9]{1,15}) attempt=([0-9]{1,9}) -->")


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
