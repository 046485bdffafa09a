"""The newest point of each series of a host class, with all that is said of it, and what replaces
it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from springbench.history.entries import (
    SHA_DIGITS,
    Key,
    Triple,
    columns_of,
    marks_of,
    series_key,
    time_of,
    triples_at,
)
from springbench.results.history import Latest
from springbench.results.published_run import PublishedCase, PublishedRun


@dataclass(frozen=True)
class LatestPoint:
    """A case as it was measured last. Ordered by its key: commit time, start, id of the run."""

    run: str
    started_at: str
    time: str
    sha: str | None
    marks: tuple[str, ...]
    status: str
    bottleneck: str | None
    n: int
    theoretical_max_rps: float | None
    notes: tuple[str, ...]
    values: Mapping[str, Triple] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        return (self.time, self.started_at, self.run)


LatestPoints = dict[str, LatestPoint]


class OfRun(Protocol):
    """What a run says of something, and what tells whether it counts more than another run's."""

    @property
    def run(self) -> str:
        """The id of the run."""

    @property
    def key(self) -> tuple[Any, ...]:
        """The greatest one counts."""


Item = TypeVar("Item", bound=OfRun)


def latest_of(run: PublishedRun, host_class: str) -> LatestPoints:
    """What a run says of each of its series on a host class."""
    marks = marks_of(run, host_class)
    return {
        series_key(case): _point(run, position, case, marks)
        for position, case in enumerate(run.cases)
        if case.status != "skipped" and run.shards[case.shard].host.host_class == host_class
    }


def merge(known: dict[str, Item], additions: Mapping[str, Item]) -> None:
    """Keep in `known` the one of each series, question or claim that has the greater key."""
    for name, addition in additions.items():
        stored = known.get(name)
        if stored is None or stored.key <= addition.key:
            known[name] = addition


def replace_run(known: dict[str, Item], run: str, additions: Mapping[str, Item]) -> list[str]:
    """Merge what a run says now, in the place of what it said before.

    Returns the names of which another run may have the greater key now.
    """
    removed = {name: item for name, item in known.items() if item.run == run}
    for name in removed:
        del known[name]
    merge(known, additions)
    return [name for name, was in removed.items() if name not in known or known[name].key < was.key]


def as_columns(points: Mapping[str, LatestPoint], positions: Mapping[str, int]) -> Latest:
    """The columns of the index; a text that several rows share stands there once."""
    rows = [(position, points[name]) for name, position in positions.items() if name in points]
    texts = {text: at for at, text in enumerate(dict.fromkeys(_texts(one for _, one in rows)))}
    return Latest.model_validate(
        {
            "row": [position for position, _ in rows],
            "run": [one.run for _, one in rows],
            "started_at": [one.started_at for _, one in rows],
            "time": [one.time for _, one in rows],
            "sha": [one.sha for _, one in rows],
            "marks": [list(one.marks) for _, one in rows],
            "status": [one.status for _, one in rows],
            "bottleneck": [one.bottleneck for _, one in rows],
            "n": [one.n for _, one in rows],
            "theoretical_max_rps": [one.theoretical_max_rps for _, one in rows],
            "notes": [[texts[text] for text in one.notes] for _, one in rows],
            "texts": list(texts),
            "metrics": columns_of([one.values for _, one in rows]),
        }
    )


def as_points(latest: Latest, names: Sequence[str]) -> LatestPoints:
    """The points that the columns of an index hold; `names` are the series of its rows."""
    return {
        names[row]: LatestPoint(
            run=latest.run[at],
            started_at=latest.started_at[at],
            time=latest.time[at],
            sha=latest.sha[at],
            marks=tuple(latest.marks[at]),
            status=latest.status[at],
            bottleneck=latest.bottleneck[at],
            n=latest.n[at],
            theoretical_max_rps=latest.theoretical_max_rps[at],
            notes=tuple(latest.texts[text] for text in latest.notes[at]),
            values=triples_at(latest.metrics, at),
        )
        for at, row in enumerate(latest.row)
    }


def _point(
    run: PublishedRun, position: int, case: PublishedCase, marks: tuple[str, ...]
) -> LatestPoint:
    return LatestPoint(
        run=run.id,
        started_at=run.started_at,
        time=time_of(run),
        sha=run.commit.sha[:SHA_DIGITS] if run.commit else None,
        marks=marks,
        status=case.status,
        bottleneck=case.bottleneck,
        n=case.n,
        theoretical_max_rps=case.theoretical_max_rps,
        notes=tuple(case.notes),
        values=triples_at(run.metrics, position),
    )


def _texts(points: Iterable[LatestPoint]) -> Iterable[str]:
    return (text for point in points for text in point.notes)
