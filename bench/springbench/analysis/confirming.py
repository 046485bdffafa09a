"""Which candidate changes another job is to check next, and how. Pure.

A candidate change is checked by comparing the commits that it lies between. The newest and largest
come first, those never checked before those that were undecided, as long as the day's
budget lasts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from springbench import units
from springbench.analysis.commit_range import moment, span
from springbench.analysis.comparable import ERRORS, CasesOf, profile_for
from springbench.results.events import AffectedSeries, Direction, Event
from springbench.results.history_names import CommitRow, variant_of
from springbench.results.published_comparison import PublishedComparison, Purpose

# few, those that show it most clearly
MAX_CASES = 4
# for each case of a first try
CASE_BUDGET_S = 300.0


@dataclass(frozen=True)
class Confirmation:
    """A comparison to make, and the events that it checks. `attempt` counts from 1."""

    events: tuple[str, ...]
    base: str
    head: str
    host_class: str
    profile: str
    cases: tuple[str, ...]
    attempt: int
    budget_s: float


def plan_confirmations(
    events: Sequence[Event],
    comparisons: Sequence[PublishedComparison],
    cases_of: CasesOf,
    reachable: Reachable,
    budget: DayBudget,
) -> tuple[list[Confirmation], list[NotNow]]:
    """What to compare now, and what not; the day's budget is promised to it."""
    suspected = [event for event in events if event.state == "suspected"]
    candidate_changes, left = candidate_changes_of(
        suspected, comparisons, cases_of, reachable, "confirm"
    )
    chosen: list[Confirmation] = []
    for confirmation in _comparisons(candidate_changes, cases_of, budget):
        if reason := budget.why_not(CASE_BUDGET_S * len(confirmation.cases), confirmation.attempt):
            left += [NotNow(event, reason) for event in confirmation.events]
        else:
            budget.promise(confirmation.budget_s)
            chosen.append(confirmation)
    return chosen, left


def _comparisons(
    candidate_changes: Sequence[CandidateChange], cases_of: CasesOf, budget: DayBudget
) -> Iterator[Confirmation]:
    """Those of the same two commits together, as far as one comparison can tell of them."""
    pairs: dict[tuple[str, str], list[CandidateChange]] = {}
    for candidate in sorted(candidate_changes, key=in_order):
        pairs.setdefault((candidate.base, candidate.head), []).append(candidate)
    for members in pairs.values():
        waiting = members
        while waiting:
            confirmation = _one(waiting, cases_of, budget)
            waiting = [member for member in waiting if member.event.id not in confirmation.events]
            yield confirmation


def _one(members: Sequence[CandidateChange], cases_of: CasesOf, budget: DayBudget) -> Confirmation:
    """A comparison for the first of them, and for all others that it can tell of."""
    tries, lead = max(candidate.tries for candidate in members), members[0].affected_series[0]

    def kind(affected: AffectedSeries) -> tuple[str, str | None]:
        return affected.host_class, profile_for(affected, tries, cases_of)

    events: list[str] = []
    cases: list[str] = []
    alternatives: list[AffectedSeries] = []
    for member in members:
        alike = [series for series in member.affected_series if kind(series) == kind(lead)]
        if alike and (alike[0].case in cases or len(cases) < MAX_CASES):
            events.append(member.event.id)
            cases += [alike[0].case] if alike[0].case not in cases else []
            alternatives += alike[1:]
    host_class, profile = kind(lead)
    filled = _filled(cases, sorted(alternatives, key=clearness, reverse=True))
    return Confirmation(
        events=tuple(events),
        base=members[0].base,
        head=members[0].head,
        host_class=host_class,
        profile=profile or "",
        cases=filled,
        attempt=tries + 1,
        budget_s=budget.required_s(CASE_BUDGET_S * len(filled), tries + 1),
    )


def _filled(cases: Sequence[str], alternatives: Sequence[AffectedSeries]) -> tuple[str, ...]:
    """More cases, those of other processes first: they are another opinion."""
    found = list(cases)
    for only_new in (True, False):
        for case in (affected.case for affected in alternatives):
            known = {variant_of(name) for name in found}
            if case in found or len(found) >= MAX_CASES or (only_new and variant_of(case) in known):
                continue
            found.append(case)
    return tuple(found)


# --- Whether an event can be measured again, and by which of its affected series ------------------


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
            return NotNow(event.id, _missing_commit_words(commit))
        ends.append(found)
    tries = sum(
        comparison.purpose == purpose and _tried(event, comparison) for comparison in comparisons
    )
    if tries >= MAX_TRIES:
        return NotNow(event.id, f"{tries} tries could not tell; it waits for another measurement")
    usable = [
        affected
        for affected in event.affected_series
        if step(affected) and profile_for(affected, tries, cases_of)
    ]
    if not usable:
        return NotNow(
            event.id, "no profile of matrix.toml compares what its affected series measured"
        )
    clearest = sorted(
        usable, key=lambda affected: (-clearness(affected), affected.case, affected.metric)
    )
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
    about = {finding.case for finding in comparison.findings}
    return not about or any(affected.case in about for affected in event.affected_series)


def _missing_commit_words(commit: CommitRow) -> str:
    return (
        f"its commit {commit.sha[:12]!r} is not in this repository any more, as after a push by "
        "force, or the clone is shallow"
    )


# --- Minutes that measuring again may take in 24 hours --------------------------------------------


DAY = timedelta(hours=24)
SPENDING: frozenset[Purpose] = frozenset(("confirm", "bisect"))
# what builds and the last pair take in addition fits into a job of compare.yml
LONGEST_S = 5400.0
# what `springbench compare` takes at the least
LEAST_S = 30.0
# what was cut short took, and nobody knows how long
CUT_SHORT = timedelta(minutes=10)


@dataclass
class DayBudget:
    """Seconds of a day, of which some were spent, and some are promised now."""

    daily_s: float
    spent_s: float
    promised_s: float = 0.0

    @classmethod
    def after(
        cls, comparisons: Sequence[PublishedComparison], daily_s: float, now: datetime
    ) -> DayBudget:
        """What confirming and bisecting took in the last 24 hours is spent."""
        counted = [comparison for comparison in comparisons if comparison.purpose in SPENDING]
        return cls(daily_s, sum(_took_s(comparison, now - DAY) for comparison in counted))

    @property
    def left_s(self) -> float:
        """What may still be promised."""
        return max(0.0, self.daily_s - self.spent_s - self.promised_s)

    def required_s(self, first_s: float, attempt: int) -> float:
        """What an attempt gets: twice the one before it, and no more than a job or a day has."""
        return float(min(first_s * 2 ** (attempt - 1), LONGEST_S, self.daily_s))

    def why_not(self, first_s: float, attempt: int) -> str | None:
        """The reason why an attempt is not made now; None where it can be."""
        required_s = self.required_s(first_s, attempt)
        day = f"the day's {units.duration(self.daily_s)}"
        if required_s < LEAST_S:
            return f"{day} are less than a pair takes"
        if attempt > 1 and required_s <= self.required_s(first_s, attempt - 1):
            return f"{units.duration(required_s)} could not tell, and a day or a job has no more"
        if required_s > self.left_s:
            left = units.duration(self.left_s)
            return f"it takes {units.duration(required_s)}, and {left} of {day} are left"
        return None

    def promise(self, required_s: float) -> None:
        """Take so much of what is left."""
        self.promised_s += required_s


def _took_s(comparison: PublishedComparison, begin: datetime) -> float:
    began, ended = moment(comparison.started_at), moment(comparison.finished_at)
    if began is None:
        return 0.0
    if ended is None or ended < began:
        ended = began + CUT_SHORT
    return max(0.0, (ended - max(began, begin)).total_seconds())


# --- All that is measured again now ---------------------------------------------------------------
# Within one day's budget: candidate changes first, then ranges, which are confirmed events whose
# ends have several commits between them: bisecting one is worth its minutes.


# for both ends again, and some halves
FIRST_BUDGET_S = 1800.0


@dataclass(frozen=True)
class PlannedBisection:
    """A range to bisect, by the affected series that shows the step most clearly."""

    event: str
    good: str
    bad: str
    case: str
    metric: str
    direction: Direction
    profile: str
    attempt: int
    budget_s: float


@dataclass(frozen=True)
class Measurements:
    """What is to be measured now, what is not, and the day's budget in seconds."""

    comparisons: list[Confirmation]
    bisections: list[PlannedBisection]
    left: list[NotNow]
    spent_s: float
    daily_s: float


def plan_measurements(
    events: Sequence[Event],
    comparisons: Sequence[PublishedComparison],
    cases_of: CasesOf,
    reachable: Reachable,
    daily_s: float,
    now: datetime,
    directions: Collection[Direction] = frozenset(("regression",)),
) -> Measurements:
    """What to measure now, within what is left of the budget of the last 24 hours.

    `directions` are those of the events that are bisected.
    """
    budget = DayBudget.after(comparisons, daily_s, now)
    chosen, left = plan_confirmations(events, comparisons, cases_of, reachable, budget)
    ranges = [event for event in events if event.direction in directions and _is_a_range(event)]
    found, unreachable = candidate_changes_of(ranges, comparisons, cases_of, reachable, "bisect")
    left += unreachable
    bisections: list[PlannedBisection] = []
    for candidate in sorted(found, key=in_order):
        attempt = candidate.tries + 1
        if reason := budget.why_not(FIRST_BUDGET_S, attempt):
            left.append(NotNow(candidate.event.id, reason))
        elif planned := _bisection(candidate, cases_of, budget.required_s(FIRST_BUDGET_S, attempt)):
            budget.promise(planned.budget_s)
            bisections.append(planned)
        else:
            left.append(
                NotNow(candidate.event.id, "none of its affected series is a ratio to bisect by")
            )
    return Measurements(chosen, bisections, left, budget.spent_s, daily_s)


def _is_a_range(event: Event) -> bool:
    return event.state == "confirmed" and event.kind == "step" and not event.culprit.exact


def _bisection(
    candidate_change: CandidateChange, cases_of: CasesOf, budget_s: float
) -> PlannedBisection | None:
    for affected in candidate_change.affected_series:
        profile = profile_for(affected, candidate_change.tries, cases_of)
        # errors are reported as exact counts, which have no ratio
        if profile and affected.metric != ERRORS:
            return PlannedBisection(
                event=candidate_change.event.id,
                good=candidate_change.base,
                bad=candidate_change.head,
                case=affected.case,
                metric=affected.metric,
                direction=candidate_change.event.direction,
                profile=profile,
                attempt=candidate_change.tries + 1,
                budget_s=budget_s,
            )
    return None
