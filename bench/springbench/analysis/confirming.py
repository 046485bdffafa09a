"""Which suspicions another job is to check next, and how. Pure.

A suspicion is checked by comparing the commits that it lies between. The newest and largest come
first, those never checked before those that could not be told, as long as the day's budget lasts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from springbench import units
from springbench.analysis.commit_range import moment
from springbench.analysis.comparable import CasesOf, profile_for
from springbench.analysis.suspicions import (
    NotNow,
    Reachable,
    Suspicion,
    clearness,
    suspicion_of,
)
from springbench.results.events import Event, Witness
from springbench.results.history_names import variant_of
from springbench.results.published_comparison import PublishedComparison, Purpose

DAY = timedelta(hours=24)
# what the day's budget is spent on
SPENDING: frozenset[Purpose] = frozenset(("confirm", "bisect"))
# few, those that show it most clearly
MAX_CASES = 4
# for each case of a first try; each further try has twice as much
CASE_BUDGET_S = 300.0
# builds and the last pair beside it fit into the job of compare.yml
LONGEST_BUDGET_S = 5400.0
# what `springbench compare` takes at the least
LEAST_BUDGET_S = 30.0


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

    def budget_s(self, daily_s: float) -> float:
        """What this attempt may measure, no more than a job or a day has."""
        return self._limited(self.attempt, daily_s)

    def has_more_than_before(self, daily_s: float) -> bool:
        """Whether this attempt may measure for longer than the one before it."""
        return self.attempt == 1 or self.budget_s(daily_s) > self._limited(
            self.attempt - 1, daily_s
        )

    def _limited(self, attempt: int, daily_s: float) -> float:
        wanted_s: float = CASE_BUDGET_S * len(self.cases) * 2 ** (attempt - 1)
        return min(wanted_s, LONGEST_BUDGET_S, daily_s)


@dataclass(frozen=True)
class Confirmations:
    """What is to be compared now, what is not, and the day's budget in seconds."""

    chosen: tuple[Confirmation, ...]
    left: tuple[NotNow, ...]
    spent_s: float
    daily_s: float


def plan_confirmations(
    events: Sequence[Event],
    comparisons: Sequence[PublishedComparison],
    cases_of: CasesOf,
    reachable: Reachable,
    daily_s: float,
    now: datetime,
) -> Confirmations:
    """What to compare now, within what is left of the budget of the last 24 hours."""
    spent_s = spent(comparisons, now)
    suspicions: list[Suspicion] = []
    left: list[NotNow] = []
    for event in events:
        if event.state != "suspected":
            continue
        found = suspicion_of(event, comparisons, cases_of, reachable)
        if isinstance(found, Suspicion):
            suspicions.append(found)
        else:
            left.append(found)
    chosen: list[Confirmation] = []
    for wanted in _comparisons(suspicions, cases_of):
        left_s = daily_s - spent_s - sum(each.budget_s(daily_s) for each in chosen)
        if reason := _why_not(wanted, left_s, daily_s):
            left += [NotNow(event, reason) for event in wanted.events]
        else:
            chosen.append(wanted)
    return Confirmations(tuple(chosen), tuple(left), spent_s, daily_s)


def spent(comparisons: Sequence[PublishedComparison], now: datetime) -> float:
    """Seconds of the last 24 hours that confirming and bisecting took."""
    return sum(_of_the_day(each, now - DAY) for each in comparisons if each.purpose in SPENDING)


def _of_the_day(comparison: PublishedComparison, begin: datetime) -> float:
    began, ended = moment(comparison.started_at), moment(comparison.finished_at)
    if began is None:
        return 0.0
    if ended is None or ended < began:
        # it was cut short, and nobody knows when
        ended = began + timedelta(seconds=CASE_BUDGET_S)
    return max(0.0, (ended - max(began, begin)).total_seconds())


def _why_not(wanted: Confirmation, left_s: float, daily_s: float) -> str | None:
    budget_s = wanted.budget_s(daily_s)
    if budget_s < LEAST_BUDGET_S:
        return (
            f"a day has {units.duration(daily_s)} for confirming, which is less than a pair takes"
        )
    if not wanted.has_more_than_before(daily_s):
        return f"{units.duration(budget_s)} could not tell, and a day or a job has no more"
    if budget_s > left_s:
        return (
            f"it takes {units.duration(budget_s)}, and {units.duration(max(0.0, left_s))} of the "
            f"day's {units.duration(daily_s)} are left"
        )
    return None


def _comparisons(suspicions: Sequence[Suspicion], cases_of: CasesOf) -> Iterator[Confirmation]:
    """Those of the same two commits together, as far as one comparison can tell of them."""
    pairs: dict[tuple[str, str], list[Suspicion]] = {}
    for each in sorted(suspicions, key=_order):
        pairs.setdefault((each.base, each.head), []).append(each)
    for members in pairs.values():
        waiting = members
        while waiting:
            made = _one(waiting, cases_of)
            waiting = [each for each in waiting if each.event.id not in made.events]
            yield made


def _one(members: Sequence[Suspicion], cases_of: CasesOf) -> Confirmation:
    """A comparison for the first of them, and for all others that it can tell of."""
    tries, lead = max(each.tries for each in members), members[0].witnesses[0]

    def kind(witness: Witness) -> tuple[str, str | None]:
        return witness.host_class, profile_for(witness, tries, cases_of)

    events: list[str] = []
    cases: list[str] = []
    others: list[Witness] = []
    for member in members:
        alike = [each for each in member.witnesses if kind(each) == kind(lead)]
        if alike and (alike[0].case in cases or len(cases) < MAX_CASES):
            events.append(member.event.id)
            cases += [alike[0].case] if alike[0].case not in cases else []
            others += alike[1:]
    host_class, profile = kind(lead)
    return Confirmation(
        tuple(events),
        members[0].base,
        members[0].head,
        host_class,
        profile or "",
        _filled(cases, sorted(others, key=clearness, reverse=True)),
        tries + 1,
    )


def _filled(cases: Sequence[str], others: Sequence[Witness]) -> tuple[str, ...]:
    """More cases, those of other processes first: they are another opinion."""
    found = list(cases)
    for only_new in (True, False):
        for case in (each.case for each in others):
            known = {variant_of(each) for each in found}
            if case in found or len(found) >= MAX_CASES or (only_new and variant_of(case) in known):
                continue
            found.append(case)
    return tuple(found)


def _order(suspicion: Suspicion) -> tuple[int, int, float, str]:
    """Never tried before tried, then by the day of the commit, and the largest of a day."""
    event = suspicion.event
    when = moment(event.culprit.after.time)
    day = when.astimezone(UTC).date() if when else date.min
    return suspicion.tries, -day.toordinal(), -suspicion.size, event.id
