"""Which candidate changes another job is to check next, and how. Pure.

A candidate change is checked by comparing the commits that it lies between. The newest and largest
come first, those never checked before those that were undecided, as long as the day's
budget lasts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from springbench.analysis.candidate_changes import (
    CandidateChange,
    NotNow,
    Reachable,
    candidate_changes_of,
    clearness,
    in_order,
)
from springbench.analysis.comparable import CasesOf, profile_for
from springbench.analysis.day_budget import DayBudget
from springbench.results.events import AffectedSeries, Event
from springbench.results.history_names import variant_of
from springbench.results.published_comparison import PublishedComparison

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
    for wanted in _comparisons(candidate_changes, cases_of, budget):
        if reason := budget.why_not(CASE_BUDGET_S * len(wanted.cases), wanted.attempt):
            left += [NotNow(event, reason) for event in wanted.events]
        else:
            budget.promise(wanted.budget_s)
            chosen.append(wanted)
    return chosen, left


def _comparisons(
    candidate_changes: Sequence[CandidateChange], cases_of: CasesOf, budget: DayBudget
) -> Iterator[Confirmation]:
    """Those of the same two commits together, as far as one comparison can tell of them."""
    pairs: dict[tuple[str, str], list[CandidateChange]] = {}
    for each in sorted(candidate_changes, key=in_order):
        pairs.setdefault((each.base, each.head), []).append(each)
    for members in pairs.values():
        waiting = members
        while waiting:
            made = _one(waiting, cases_of, budget)
            waiting = [each for each in waiting if each.event.id not in made.events]
            yield made


def _one(members: Sequence[CandidateChange], cases_of: CasesOf, budget: DayBudget) -> Confirmation:
    """A comparison for the first of them, and for all others that it can tell of."""
    tries, lead = max(each.tries for each in members), members[0].affected_series[0]

    def kind(affected: AffectedSeries) -> tuple[str, str | None]:
        return affected.host_class, profile_for(affected, tries, cases_of)

    events: list[str] = []
    cases: list[str] = []
    others: list[AffectedSeries] = []
    for member in members:
        alike = [each for each in member.affected_series if kind(each) == kind(lead)]
        if alike and (alike[0].case in cases or len(cases) < MAX_CASES):
            events.append(member.event.id)
            cases += [alike[0].case] if alike[0].case not in cases else []
            others += alike[1:]
    host_class, profile = kind(lead)
    filled = _filled(cases, sorted(others, key=clearness, reverse=True))
    return Confirmation(
        events=tuple(events),
        base=members[0].base,
        head=members[0].head,
        host_class=host_class,
        profile=profile or "",
        cases=filled,
        attempt=tries + 1,
        budget_s=budget.wanted_s(CASE_BUDGET_S * len(filled), tries + 1),
    )


def _filled(cases: Sequence[str], others: Sequence[AffectedSeries]) -> tuple[str, ...]:
    """More cases, those of other processes first: they are another opinion."""
    found = list(cases)
    for only_new in (True, False):
        for case in (each.case for each in others):
            known = {variant_of(each) for each in found}
            if case in found or len(found) >= MAX_CASES or (only_new and variant_of(case) in known):
                continue
            found.append(case)
    return tuple(found)
