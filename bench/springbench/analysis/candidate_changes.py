"""Whether an event can be measured again, and by which of its affected series. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date

from springbench.analysis.commit_range import moment, span
from springbench.analysis.comparable import CasesOf, profile_for
from springbench.results.events import AffectedSeries, Event
from springbench.results.history_names import CommitRow
from springbench.results.published_comparison import PublishedComparison, Purpose

MAX_TRIES = 3
# no interval is narrower than this, when it is asked which affected series is the clearest
_LEAST_WIDTH = 0.005
_SHA = re.compile(r"[0-9a-f]{7,40}")

Reachable = Callable[[str], str | None]
"""The full id of a commit; None where there is no such commit any more."""


@dataclass(frozen=True)
class CandidateChange:
    """An event between two commits that are there, and its affected series, the clearest first."""

    event: Event
    base: str
    head: str
    tries: int
    affected_series: tuple[AffectedSeries, ...]

    @property
    def size(self) -> float:
        """The largest step of its affected series, as a logarithm."""
        return max(map(step, self.affected_series))


@dataclass(frozen=True)
class NotNow:
    """An event that is not measured now, and why."""

    event: str
    reason: str


def candidate_changes_of(
    events: Iterable[Event],
    comparisons: Sequence[PublishedComparison],
    cases_of: CasesOf,
    reachable: Reachable,
    purpose: Purpose,
) -> tuple[list[CandidateChange], list[NotNow]]:
    """The events that can be measured for this purpose, and those that cannot."""
    can: list[CandidateChange] = []
    cannot: list[NotNow] = []
    for event in events:
        found = _candidate_change(event, comparisons, cases_of, reachable, purpose)
        if isinstance(found, CandidateChange):
            can.append(found)
        else:
            cannot.append(found)
    return can, cannot


def _candidate_change(
    event: Event,
    comparisons: Sequence[PublishedComparison],
    cases_of: CasesOf,
    reachable: Reachable,
    purpose: Purpose,
) -> CandidateChange | NotNow:
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
    usable = [
        each for each in event.affected_series if step(each) and profile_for(each, tries, cases_of)
    ]
    if not usable:
        return NotNow(
            event.id, "no profile of matrix.toml compares what its affected series measured"
        )
    clearest = sorted(usable, key=lambda each: (-clearness(each), each.case, each.metric))
    return CandidateChange(event, ends[0], ends[1], tries, tuple(clearest))


def in_order(candidate_change: CandidateChange) -> tuple[int, int, float, str]:
    """Never tried before tried, then by the day of the commit, and the largest of a day."""
    event = candidate_change.event
    when = moment(event.culprit.after.time)
    day = when.astimezone(UTC).date() if when else date.min
    return candidate_change.tries, -day.toordinal(), -candidate_change.size, event.id


def step(affected: AffectedSeries) -> float:
    """How large its step is in either direction, as a logarithm; 0 for what is no ratio."""
    return abs(math.log(affected.ratio)) if 0 < affected.ratio < math.inf else 0.0


def clearness(affected: AffectedSeries) -> float:
    """Its step in widths of its interval."""
    ordered = 0 < affected.low_ratio <= affected.high_ratio < math.inf
    width = math.log(affected.high_ratio / affected.low_ratio) if ordered else math.inf
    return step(affected) / max(width, _LEAST_WIDTH)


def _tried(event: Event, comparison: PublishedComparison) -> bool:
    """Whether it compared these commits for an affected series, or could say nothing of its
    service.
    """
    if span(comparison, event.culprit) != "exact" or comparison.service != event.service:
        return False
    about = {each.case for each in comparison.findings}
    return not about or any(affected.case in about for affected in event.affected_series)


def _gone(commit: CommitRow) -> str:
    return (
        f"its commit {commit.sha[:12]!r} is not in this repository any more, as after a push by "
        "force, or the clone is shallow"
    )
