"""From steps, comparisons and acknowledgements to the events that are reported. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from itertools import combinations

from springbench.analysis.evidence import evaluate
from springbench.analysis.finder.grouping import (
    Chain,
    Group,
    chains_of,
    commit_key,
    drifts_of_comparisons,
    group_steps,
    is_excluded,
    steps_of_comparisons,
)
from springbench.analysis.narrowing import narrowed
from springbench.results.events import Acknowledgement, AffectedSeries, Culprit, Event
from springbench.results.history_names import EventName
from springbench.results.published_comparison import PublishedComparison, PublishedExplanation
from springbench.results.published_run import CaseRow, ReportedRow, reported_words
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
    return Event(
        id=str(EventName(group.direction, place.commit.sha, group.kind == "drift", group.service)),
        kind=group.kind,
        direction=group.direction,
        state="suspected",
        culprit=_culprit(group),
        also=_also(group, place.commit.sha),
        run=place.run,
        shared=_shared({step.case for step in group.steps}, cases),
        affected_series=[_affected(step) for step in group.steps[:MAX_AFFECTED_SERIES]],
        affected_series_total=len(group.steps),
        environment_change=_environment_change(group),
    )


def _shared(touched: Set[str], cases: Sequence[CaseRow]) -> str:
    """What the touched cases have in common. Of what was only compared a history has no rows: then
    they are named."""
    rows = [row for row in cases if row.case in touched]
    if {row.case for row in rows} == touched:
        return shared_words(rows, cases)
    return _first_of(sorted(touched))


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
        comparison
        for comparison in comparisons
        if comparison.base.time <= high
        and low <= comparison.head.time
        and comparison.service == event.service
    ]
    state, evidence = evaluate(event, near)
    if state == "suspected" and is_excluded(event, chains):
        state = "rejected"
    agreeing = {row.comparison for row in evidence if row.agrees}
    explanations = _explanations(
        event, [comparison for comparison in near if comparison.id in agreeing]
    )
    update = {"state": state, "evidence": evidence, "explanations": explanations}
    seen = event.model_copy(update=update)
    return seen.model_copy(update={"culprit": narrowed(seen, near)})


def _explanations(
    event: Event, agreeing: Sequence[PublishedComparison]
) -> list[PublishedExplanation]:
    """Of each affected case and kind of profile the newest."""
    touched = {affected.case for affected in event.affected_series}
    found: dict[tuple[str, str], PublishedExplanation] = {}
    for comparison in sorted(agreeing, key=lambda item: item.started_at, reverse=True):
        for explanation in comparison.explanations:
            if explanation.case in touched:
                found.setdefault((explanation.case, explanation.event), explanation)
    return list(found.values())[:MAX_EXPLANATIONS]


def names_of(event: Event) -> tuple[str, str]:
    """By which a row acknowledges an event: its id, and that without its service.

    One that names no service is of each: older versions put all of a commit into one event.
    """
    return event.id, event.id.partition("-of-")[0]


def _acknowledged(event: Event, known: Mapping[str, Acknowledgement]) -> Event:
    """A person's word stands above a candidate change, and not above what is over."""
    by = next((known[name] for name in names_of(event) if name in known), None)
    if by is None or not event.is_open:
        return event
    return event.model_copy(update={"state": "acknowledged", "acknowledgement": by})


def _unique(events: Sequence[Event]) -> list[Event]:
    """One event an id: of two groups at one commit the one with more affected series."""
    by_id: dict[str, Event] = {}
    for event in sorted(events, key=lambda item: -len(item.affected_series)):
        by_id.setdefault(event.id, event)
    return list(by_id.values())


# --- What the affected series of an event have in common, in words --------------------------------


_AXES = ("workload", "server", "model", "runtime", "boot", "connections")
# with more, a sentence says less than a list
_MOST_NAMED = 3


def shared_words(affected_series: Sequence[CaseRow], measured: Sequence[CaseRow]) -> str:
    """`every virtual case on boot4`, or of how many, or the case itself.

    `measured` are all cases that could have been touched: those of the same host classes.
    """
    touched = {row.case for row in affected_series}
    if reported := [row.reported for row in affected_series if row.reported]:
        return _reported_words(reported)
    if len(touched) == 1:
        return next(iter(touched))
    everything = {row.case: row for row in measured} | {row.case: row for row in affected_series}
    if touched == everything.keys():
        return "every case"
    common = {
        axis: value
        for axis in _AXES
        if len(values := _values(affected_series, axis)) == 1
        for value in values
    }
    # of each axis the cases that are alike in it
    alike = {
        axis: {row.case for row in everything.values() if str(getattr(row, axis)) == value}
        for axis, value in common.items()
    }
    for size in range(1, len(common) + 1):
        for axes in combinations(common, size):
            if set.intersection(*(alike[axis] for axis in axes)) == touched:
                return f"every {_phrase(common, axes)}"
    all_alike = set(everything).intersection(*alike.values())
    what = _phrase(common, tuple(common)) if common else "case"
    return f"{len(touched)} of {len(all_alike)}: {what}{_differing(affected_series, common)}"


def _reported_words(rows: Sequence[ReportedRow]) -> str:
    """The words of another harness, whose results have no axes: `JMH: 3 series of ParseBench`."""
    first, *other_rows = rows
    if not other_rows:
        return f"{first.harness}: {reported_words(first)}"
    benchmarks = list(dict.fromkeys(row.benchmark for row in rows))
    return f"{first.harness}: {len(rows)} series of {_first_of(benchmarks)}"


def _first_of(names: Sequence[str]) -> str:
    """`a, b, c, 2 more`."""
    more = len(names) - _MOST_NAMED
    return ", ".join([*names[:_MOST_NAMED], *([f"{more} more"] if more > 0 else [])])


def _values(rows: Sequence[CaseRow], axis: str) -> set[str]:
    return {str(getattr(row, axis)) for row in rows}


def _phrase(common: dict[str, str], axes: Sequence[str]) -> str:
    """`virtual hello case of jetty on boot4`."""
    words = [common[axis] for axis in ("model", "runtime", "workload") if axis in axes]
    text = " ".join([*words, "case"])
    if "server" in axes:
        text += f" of {common['server']}"
    if "boot" in axes:
        text += f" on {common['boot']}"
    if "connections" in axes:
        text += f" at {common['connections']} connections"
    return text


def _differing(affected_series: Sequence[CaseRow], common: dict[str, str]) -> str:
    """The values of the axes in which they differ, where these are few."""
    parts = [
        " and ".join(sorted(values))
        for axis in ("server", "model", "workload")
        if axis not in common and len(values := _values(affected_series, axis)) <= _MOST_NAMED
    ]
    return f" ({'; '.join(parts)})" if parts else ""


# --- Events that took each other back, and cost that moved from one case to another ---------------


# a level is back where it is nearer to the old one than to the new, by this share of the step
_NEAR = 1 / 3
# so many of its affected series must be back
_MOST = 0.5


def with_returns(events: Sequence[Event]) -> list[Event]:
    """The events, with which later one brought the level back, and which came with them."""
    ordered = sorted(events, key=lambda event: commit_key(event.culprit.after))
    return [_moved(_fixed(event, ordered), events) for event in events]


def _fixed(event: Event, ordered: Sequence[Event]) -> Event:
    begin = commit_key(event.culprit.after)
    for other in ordered:
        if (
            other.direction != event.direction
            and other.state != "rejected"
            and commit_key(other.culprit.after) > begin
            and _brings_back(event, other)
        ):
            return event.model_copy(update={"state": "fixed", "fixed_by": other.id})
    return event


def _brings_back(event: Event, other: Event) -> bool:
    now = {_series(affected): affected for affected in other.affected_series}
    back = [
        _is_back(was, now[_series(was)]) for was in event.affected_series if _series(was) in now
    ]
    return bool(back) and sum(back) >= _MOST * len(event.affected_series)


def _series(affected: AffectedSeries) -> tuple[str, str, str, str]:
    return (affected.case, affected.metric, affected.configuration, affected.host_class)


def _is_back(was: AffectedSeries, now: AffectedSeries) -> bool:
    step = math.log(was.ratio)
    if was.before is None or now.after is None:
        return abs(step + math.log(now.ratio)) <= _NEAR * abs(step)
    return abs(math.log(now.after / was.before)) <= _NEAR * abs(step)


def _moved(event: Event, events: Sequence[Event]) -> Event:
    """With the event of the other direction that began with the same commit, if there is one."""
    for other in events:
        turned = other.direction != event.direction and other.culprit.after == event.culprit.after
        if turned and other.service == event.service:
            return event.model_copy(update={"moved": other.id})
    return event
