"""Events that took each other back, and cost that moved from one case to another."""

from __future__ import annotations

import math
from collections.abc import Sequence

from springbench.analysis.finder.grouping import commit_key
from springbench.results.events import AffectedSeries, Event

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
