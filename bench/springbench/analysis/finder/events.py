"""From steps, comparisons and acknowledgements to the events that are reported. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from springbench.analysis.evidence import evaluate
from springbench.analysis.finder.compared import (
    Chain,
    chains_of,
    drifts_of_comparisons,
    is_excluded,
    steps_of_comparisons,
)
from springbench.analysis.finder.grouping import Group, commit_key, group_steps
from springbench.analysis.finder.returning import with_returns
from springbench.analysis.finder.shared import shared_words
from springbench.analysis.narrowing import narrowed
from springbench.results.events import Acknowledgement, AffectedSeries, Culprit, Event
from springbench.results.history_names import EventName
from springbench.results.published_comparison import PublishedComparison, PublishedExplanation
from springbench.results.published_run import CaseRow
from springbench.results.steps import StepRow

MOST_PLACES = 30
MAX_AFFECTED_SERIES = 40
"""So many stand in an event, the surest; it says how many there are."""
MAX_EXPLANATIONS = 4


def events_of(
    steps: Sequence[StepRow],
    comparisons: Sequence[PublishedComparison] = (),
    acknowledged: Mapping[str, Acknowledgement] | None = None,
    cases: Sequence[CaseRow] = (),
) -> list[Event]:
    """The events, the newest first. `cases` are those that the history has."""
    chains = chains_of(comparisons)
    measured = [*steps_of_comparisons(comparisons), *drifts_of_comparisons(chains)]
    events = [_event(group, cases) for group in group_steps([*steps, *measured])]
    evaluated = [_evaluated(event, comparisons, chains) for event in events]
    known = acknowledged or {}
    events = [_acknowledged(event, known) for event in with_returns(evaluated)]
    return sorted(_unique(events), key=lambda event: commit_key(event.culprit.after), reverse=True)


def _event(group: Group, cases: Sequence[CaseRow]) -> Event:
    place = group.place
    touched = {step.case for step in group.steps}
    rows = [row for row in cases if row.case in touched]
    return Event(
        id=str(EventName(group.direction, place.commit.sha, group.kind == "drift", group.service)),
        kind=group.kind,
        direction=group.direction,
        state="suspected",
        culprit=_culprit(group),
        also=_also(group, place.commit.sha),
        run=place.run,
        shared=shared_words(rows, cases) if rows else ", ".join(sorted(touched)),
        affected_series=[_affected(step) for step in group.steps[:MAX_AFFECTED_SERIES]],
        affected_series_total=len(group.steps),
        environment_change=_environment_change(group),
    )


def _also(group: Group, best: str) -> list[str]:
    """The other commits that some step of it may begin with, the likeliest first."""
    drops: dict[str, float] = {}
    for step in group.steps:
        for place in step.places:
            known = drops.get(place.commit.sha, place.drop)
            drops[place.commit.sha] = min(place.drop, known)
    drops.pop(best, None)
    return sorted(drops, key=lambda sha: (drops[sha], sha))[:MOST_PLACES]


def _culprit(group: Group) -> Culprit:
    low, high = commit_key(group.before), commit_key(group.after)
    between = {
        place.commit.sha
        for step in group.steps
        for place in step.places
        if low < commit_key(place.commit) <= high
    }
    exact = group.kind == "step" and between == {group.after.sha}
    return Culprit(before=group.before, after=group.after, exact=exact)


def _environment_change(group: Group) -> str | None:
    """What changed in the host, where each of its steps lies at an environment change."""
    environment_changes = [step.environment_change for step in group.steps]
    return next(iter(environment_changes)) if all(environment_changes) else None


def _affected(step: StepRow) -> AffectedSeries:
    return AffectedSeries(**step.model_dump(include=set(AffectedSeries.model_fields)))


def _evaluated(
    event: Event, comparisons: Sequence[PublishedComparison], chains: Sequence[Chain]
) -> Event:
    # of ten thousand comparisons few have anything to do with it; commits of one second, as a
    # rebase makes them, may lie inside whatever their hashes are
    low, high = event.culprit.before.time, event.culprit.after.time
    near = [
        each
        for each in comparisons
        if each.base.time <= high and low <= each.head.time and each.service == event.service
    ]
    state, evidence = evaluate(event, near)
    if state == "suspected" and is_excluded(event, chains):
        state = "rejected"
    agreeing = {each.comparison for each in evidence if each.agrees}
    explanations = _explanations(event, [each for each in near if each.id in agreeing])
    update = {"state": state, "evidence": evidence, "explanations": explanations}
    seen = event.model_copy(update=update)
    return seen.model_copy(update={"culprit": narrowed(seen, near)})


def _explanations(
    event: Event, agreeing: Sequence[PublishedComparison]
) -> list[PublishedExplanation]:
    """Of each affected case and kind of profile the newest."""
    touched = {each.case for each in event.affected_series}
    found: dict[tuple[str, str], PublishedExplanation] = {}
    for comparison in sorted(agreeing, key=lambda each: each.started_at, reverse=True):
        for each in comparison.explanations:
            if each.case in touched:
                found.setdefault((each.case, each.event), each)
    return list(found.values())[:MAX_EXPLANATIONS]


def _acknowledged(event: Event, known: Mapping[str, Acknowledgement]) -> Event:
    """A person's word stands above a candidate change, and not above what is over."""
    # one that names no service is of each: older versions put all of a commit into one event
    by = known.get(event.id) or known.get(event.id.partition("-of-")[0])
    if by is None or not event.is_open:
        return event
    return event.model_copy(update={"state": "acknowledged", "acknowledgement": by})


def _unique(events: Sequence[Event]) -> list[Event]:
    """One event an id: of two groups at one commit the one with more affected series."""
    by_id: dict[str, Event] = {}
    for event in sorted(events, key=lambda each: -len(each.affected_series)):
        by_id.setdefault(event.id, event)
    return list(by_id.values())
