"""Check of a host: what was found, what is wanted, and how to get there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

UNKNOWN = "not reported by this host"


class Severity(StrEnum):
    """Meaning of a failed check for a run."""

    ERROR = "error"
    """Nothing can be measured."""
    WARNING = "warning"
    """It can, but some cases may fail or the numbers are worth less."""
    INFO = "info"
    """Worth knowing."""


@dataclass(frozen=True)
class Check:
    """One finding about the host."""

    name: str
    found: str
    wanted: str
    ok: bool
    severity: Severity
    remedy: str = ""
    """The command that changes it, or what to do where no command does."""
    tool: str = ""
    """Name under which `--install` brings what is missing; empty when it cannot."""
    group: str = "tools"
    matters: str = ""
    """How much it moves a number: a figure where one was measured, else in which direction."""

    @property
    def is_known(self) -> bool:
        """Whether the host gave an answer at all."""
        return self.found != UNKNOWN


def check(
    name: str,
    found: str | None,
    wanted: str,
    ok: bool,
    remedy: str = "",
    *,
    group: str,
    matters: str = "",
    severity: Severity = Severity.WARNING,
) -> Check:
    """A finding; where the host keeps silent (`found` is None) there is no guess, and no blame."""
    if found is None:
        return Check(name, UNKNOWN, wanted, False, Severity.INFO, group=group, matters=matters)
    return Check(name, found, wanted, ok, severity, remedy, group=group, matters=matters)
