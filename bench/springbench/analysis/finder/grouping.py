"""Steps of single series put together: those that may lie at one commit are one event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from springbench.analysis.finder.steps import PLACE_DROP
from springbench.matrix.service_name import service_of
from springbench.results.events import Direction, EventKind
from springbench.results.history_names import CommitRow
from springbench.results.steps import Place, StepRow

Key = tuple[str, str]
"""The order of commits in a history: when it was made, and its hash."""


@dataclass(frozen=True)
class Group:
    """Steps in one direction that share a range of commits: after `before`, up to `after`.

    They are of one service, or of servers of Spring Boot: services share commits, and no cause.
    """

    kind: EventKind
    direction: Direction
    steps: tuple[StepRow, ...]
    before: CommitRow
    after: CommitRow

    @property
    def service(self) -> str | None:
        """The service that it is of; None for servers of Spring Boot."""
        return service_of(self.steps[0].case)

    @property
    def place(self) -> Place:
        """Where all of them together are most likely to begin; the earliest of equals."""
        low, high = commit_key(self.before), commit_key(self.after)
        places = {
            commit_key(place.commit): place
            for step in self.steps
            for place in step.places
            if low < commit_key(place.commit) <= high
        }
        return places[min(sorted(places), key=self._drop)]

    def _drop(self, key: Key) -> float:
        return sum(_drop_at(step, key) for step in self.steps)


def commit_key(commit: CommitRow) -> Key:
    """Where a commit stands in the history."""
    return (commit.time, commit.sha)


def group_steps(steps: Sequence[StepRow]) -> list[Group]:
    """The groups, the surest step first in each. A series is in a group once."""
    groups: list[Group] = []
    # those that a step may join, by kind, direction and service
    alike: dict[tuple[str, str, str | None], list[int]] = {}
    for step in sorted(steps, key=lambda each: (each.p_value, each.case, each.metric)):
        numbers = alike.setdefault((step.kind, step.direction, service_of(step.case)), [])
        for number in numbers:
            if joined := _joined(groups[number], step):
                groups[number] = joined
                break
        else:
            numbers.append(len(groups))
            groups.append(
                Group(step.kind, step.direction, (step,), step.last_before, _newest(step))
            )
    return groups


def _newest(step: StepRow) -> CommitRow:
    return step.until if step.kind == "drift" else step.places[-1].commit


def _joined(group: Group, step: StepRow) -> Group | None:
    """The group with the step in it; None where they have no commit in common."""
    newest = _newest(step)
    if not (
        commit_key(step.last_before) < commit_key(group.after)
        and commit_key(group.before) < commit_key(newest)
    ):
        return None
    if any(_series(other) == _series(step) for other in group.steps):
        return None
    before = max(group.before, step.last_before, key=commit_key)
    after = min(group.after, newest, key=commit_key)
    joined = Group(group.kind, group.direction, (*group.steps, step), before, after)
    return joined if _has_place(joined) else None


def _has_place(group: Group) -> bool:
    low, high = commit_key(group.before), commit_key(group.after)
    return any(
        low < commit_key(place.commit) <= high for step in group.steps for place in step.places
    )


def _series(step: StepRow) -> tuple[str, str, str, str]:
    return (step.case, step.configuration, step.host_class, step.metric)


def _drop_at(step: StepRow, key: Key) -> float:
    """How unlikely a step begins there: what was measured next counts."""
    following = [place for place in step.places if commit_key(place.commit) >= key]
    return following[0].drop if following else PLACE_DROP
