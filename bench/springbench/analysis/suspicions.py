"""Whether an event can be measured again, and by which of its witnesses. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date

from springbench.analysis.commit_range import moment, span
from springbench.analysis.comparable import CasesOf, profile_for
from springbench.results.events import Event, Witness
from springbench.results.history_names import CommitRow
from springbench.results.published_comparison import PublishedComparison, Purpose

MAX_TRIES = 3
# no interval is narrower than this, when it is asked which witness is the clearest
_LEAST_WIDTH = 0.005
_SHA = re.compile(r"[0-9a-f]{7,40}")

Reachable = Callable[[str], str | None]
"""The full id of a commit; None where there is no such commit any more."""


@dataclass(frozen=True)
class Suspicion:
    """An event between two commits that are there, and its witnesses, the clearest first."""

    event: Event
    base: str
    head: str
    tries: int
    witnesses: tuple[Witness, ...]

    @property
    def size(self) -> float:
        """The largest step of its witnesses, as a logarithm."""
        return max(map(step, self.witnesses))


@dataclass(frozen=True)
class NotNow:
    """An event that is not measured now, and why."""

    event: str
    reason: str


def suspicions_of(
    events: Iterable[Event],
    comparisons: Sequence[PublishedComparison],
    cases_of: CasesOf,
    reachable: Reachable,
    purpose: Purpose,
) -> tuple[list[Suspicion], list[NotNow]]:
    """The events that can be measured for this purpose, and those that cannot."""
    can: list[Suspicion] = []
    cannot: list[NotNow] = []
    for event in events:
        found = _suspicion(event, comparisons, cases_of, reachable, purpose)
        if isinstance(found, Suspicion):
            can.append(found)
        else:
            cannot.append(found)
    return can, cannot


def _suspicion(
    event: Event,
    comparisons: Sequence[PublishedComparison],
    cases_of: CasesOf,
    reachable: Reachable,
    purpose: Purpose,
) -> Suspicion | NotNow:
    ends = []
    for commit in (event.culprit.before, event.culprit.after):
        # a name from a file is not for git to interpret
        found = reachable(commit.sha) if _SHA.fullmatch(commit.sha) else None
        if found is None:
            return NotNow(event.id, _gone(commit))
        ends.append(found)
    tries = sum(each.purpose == purpose and _tried(event, each) for each in comparisons)
    if tries >= MAX_TRIES:
        return NotNow(event.id, f"{tries} tries could not tell; it waits for another measurement")
    usable = [each for each in event.witnesses if step(each) and profile_for(each, tries, cases_of)]
    if not usable:
        return NotNow(event.id, "no profile of matrix.toml compares what its witnesses measured")
    clearest = sorted(usable, key=lambda each: (-clearness(each), each.case, each.metric))
    return Suspicion(event, ends[0], ends[1], tries, tuple(clearest))


def in_order(suspicion: Suspicion) -> tuple[int, int, float, str]:
    """Never tried before tried, then by the day of the commit, and the largest of a day."""
    event = suspicion.event
    when = moment(event.culprit.after.time)
    day = when.astimezone(UTC).date() if when else date.min
    return suspicion.tries, -day.toordinal(), -suspicion.size, event.id


def step(witness: Witness) -> float:
    """How large its step is in either direction, as a logarithm; 0 for what is no ratio."""
    return abs(math.log(witness.ratio)) if 0 < witness.ratio < math.inf else 0.0


def clearness(witness: Witness) -> float:
    """Its step in widths of its interval."""
    ordered = 0 < witness.low_ratio <= witness.high_ratio < math.inf
    width = math.log(witness.high_ratio / witness.low_ratio) if ordered else math.inf
    return step(witness) / max(width, _LEAST_WIDTH)


def _tried(event: Event, comparison: PublishedComparison) -> bool:
    """Whether it compared these commits for a witness, or could say nothing of its service."""
    if span(comparison, event.culprit) != "exact" or comparison.service != event.service:
        return False
    about = {each.case for each in comparison.findings}
    return not about or any(witness.case in about for witness in event.witnesses)


def _gone(commit: CommitRow) -> str:
    return (
        f"its commit {commit.sha[:12]!r} is not in this repository any more, as after a push by "
        "force, or the clone is shallow"
    )
