"""`data/steps/`: the changes of level in each chunk, kept in step with the chunks.

A chunk is looked at with the runs before it, since a level is known by what came before. What lies
near the end of a closed chunk belongs to the next one, which sees both sides of it. So a publish
looks at one chunk, or at few, and a rebuild finds the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from springbench.analysis.finder.observations import MetricSeries, Observation, SeriesKey
from springbench.analysis.finder.series_steps import steps_of
from springbench.analysis.finder.settings import FinderSettings
from springbench.history.chunks import read_chunk
from springbench.history.condense import UNSOUND
from springbench.history.entries import Entry
from springbench.history.files import STEPS, Files, load, save, steps_path
from springbench.results.history import ChunkRow
from springbench.results.metrics import BY_NAME
from springbench.results.run import UNRANKED
from springbench.results.steps import StepRow, Steps

CONTEXT_RUNS = 60
"""So many runs before a chunk are looked at with it."""
TAIL_RUNS = 10
"""So many at the end of a closed chunk are left to the next."""


def renew_steps(
    files: Files,
    host_class: str,
    before: Sequence[ChunkRow],
    rows: Sequence[ChunkRow],
    written: Iterable[str],
) -> None:
    """Look again at the chunks that were written, and at those that follow on other runs now.

    `before` are the chunks that there were, `rows` those that there are.
    """
    known: dict[str, list[Entry]] = {}
    contexts = _contexts(rows)
    for chunk in _stale(_contexts(before), contexts, set(written)):
        context = contexts[chunk]
        for name in known.keys() - {chunk, *context.chunks}:
            # the points of all runs together would not fit into memory
            del known[name]
        _write(files, host_class, chunk, context, known)
    for name in files.names(f"{STEPS}/{host_class}"):
        if name.removesuffix(".json") not in contexts:
            files.delete(f"{STEPS}/{host_class}/{name}")


@dataclass(frozen=True)
class _Context:
    """What a chunk is looked at with: the chunks before it, and whether it is still open."""

    chunks: tuple[str, ...]
    is_open: bool


def _contexts(rows: Sequence[ChunkRow]) -> dict[str, _Context]:
    """By chunk, in order: of the chunks before it as many as have runs enough."""
    contexts = {}
    for place, row in enumerate(rows):
        chunks: list[str] = []
        runs = 0
        for earlier in reversed(rows[:place]):
            if runs >= CONTEXT_RUNS:
                break
            chunks.insert(0, earlier.chunk)
            runs += earlier.runs
        contexts[row.chunk] = _Context(tuple(chunks), place == len(rows) - 1)
    return contexts


def _stale(
    before: Mapping[str, _Context], now: Mapping[str, _Context], written: set[str]
) -> list[str]:
    """A chunk hangs on its own runs, on those before it, and on whether it is open."""
    return [
        chunk
        for chunk, context in now.items()
        if not written.isdisjoint((chunk, *context.chunks)) or before.get(chunk) != context
    ]


def forget_steps(files: Files, keep: Iterable[str]) -> None:
    """Remove those of host classes that are no more."""
    for name in set(files.folders(STEPS)) - set(keep):
        renew_steps(files, name, [], [], [])


def read_steps(files: Files, classes: Mapping[str, Sequence[ChunkRow]]) -> list[StepRow]:
    """The steps of every chunk; none of one that is not there."""
    paths = [steps_path(name, row.chunk) for name, rows in classes.items() for row in rows]
    files.expect(paths)
    return [step for path in paths if (found := load(files, path, Steps)) for step in found.steps]


def series_of(entries: Sequence[Entry], host_class: str) -> list[MetricSeries]:
    """The series of these runs, as the finder reads them: what is sound, of commits."""
    observations: dict[SeriesKey, list[Observation]] = {}
    for entry in entries:
        if entry.commit is None or UNSOUND & set(entry.marks):
            continue
        for name, point in entry.points.items():
            case, _, conditions = name.partition("@")
            for metric, (median, _, _) in point.values.items():
                if median is None or (BY_NAME[metric].of_capacity and point.bound in UNRANKED):
                    continue
                observations.setdefault(SeriesKey(case, conditions, host_class, metric), []).append(
                    Observation(entry.commit, entry.id, median, entry.environment)
                )
    return [
        MetricSeries(key, BY_NAME[key.metric].unit, BY_NAME[key.metric].better, tuple(found))
        for key, found in observations.items()
    ]


def _write(
    files: Files,
    host_class: str,
    chunk: str,
    around: _Context,
    known: dict[str, list[Entry]],
) -> None:
    earlier = [
        entry for name in around.chunks for entry in _entries(files, host_class, name, known)
    ]
    context, own = earlier[-CONTEXT_RUNS:], _entries(files, host_class, chunk, known)
    begin = max(0, len(context) - TAIL_RUNS)
    end = len(context) + len(own) - (0 if around.is_open else TAIL_RUNS)
    owned = {entry.id for entry in [*context, *own][begin : max(begin, end)]}
    found, looked_at = steps_of(series_of([*context, *own], host_class), FinderSettings())
    steps = Steps.model_validate(
        {
            "class": host_class,
            "chunk": chunk,
            "series": looked_at,
            "steps": [step for step in found if _best(step) in owned],
        }
    )
    save(files, steps_path(host_class, chunk), steps)


def _entries(
    files: Files, host_class: str, chunk: str, known: dict[str, list[Entry]]
) -> list[Entry]:
    if chunk not in known:
        known[chunk] = read_chunk(files, host_class, chunk)
    return known[chunk]


def _best(step: StepRow) -> str:
    return min(step.places, key=lambda place: place.drop).run
