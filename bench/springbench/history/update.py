"""A run goes into a history: its own file, and every file that is derived from the runs.

Only the chunk that the run falls into is read and written. What comes out is what `rebuild` makes
of the same runs, in whatever order they came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from springbench.history.chunks import (
    check_fits,
    delete_chunk,
    read_chunk,
    read_heads,
    write_chunk,
)
from springbench.history.entries import (
    CHUNK_EVERY,
    Entry,
    begins_chunk,
    chunk_of,
    chunked,
    entries_of,
)
from springbench.history.evidence import read_evidence, rebuild_evidence
from springbench.history.files import (
    INDEX,
    RUN_SUFFIX,
    RUNS,
    SERIES,
    Files,
    is_older,
    load,
    missing,
    run_path,
    save,
    series_path,
)
from springbench.history.index import ClassState, State, add_cases, read_state, write_index
from springbench.history.latest import LatestPoint, latest_of, merge
from springbench.history.packing import BrokenFileError
from springbench.history.steps import forget_steps, renew_steps
from springbench.results.history import ChunkRow, Series
from springbench.results.published_run import PublishedRun

Result = TypeVar("Result")


def add(files: Files, run: PublishedRun, every: int = CHUNK_EVERY) -> bool:
    """Add a run, in the place of the one with its id. Returns whether there was one.

    Raises `BrokenFileError` for a damaged file: see `mended`.
    """
    files.expect([INDEX, run_path(run.id)])
    try:
        before = load(files, run_path(run.id), PublishedRun)
    except BrokenFileError:
        # its place is taken; but what was derived from it can no longer be told from the rest
        files.delete(run_path(run.id))
        raise
    index = files.read(INDEX)
    if is_older(index) if index else bool(files.names(RUNS)):
        save(files, run_path(run.id), run)
        rebuild(files, every)
        return before is not None
    state = read_state(files)
    gone = entries_of(before) if before else {}
    come = entries_of(run)
    save(files, run_path(run.id), run)
    add_cases(state, run)
    for name in sorted({*gone, *come}):
        of = state.classes.pop(name, ClassState())
        _exchange(files, name, of, gone.get(name), come.get(name), every)
        _renew_latest(files, name, of, run, before)
        if of.chunks:
            state.classes[name] = of
    state.runs_total += before is None
    write_index(files, state, read_evidence(files))
    return before is not None


def mended(files: Files, change: Callable[[], Result], tell: Callable[[str], None]) -> Result:
    """The result of a change; where it meets a damaged file, what is derived is made anew first.

    Raises `ConfigurationError` for what cannot be derived, and for a history of a newer schema.
    """
    try:
        return change()
    except BrokenFileError as error:
        tell(f"all that is derived is made anew, since a file is damaged: {error}")
        rebuild(files, tell=tell)
        return change()


def rebuild(
    files: Files, every: int = CHUNK_EVERY, tell: Callable[[str], None] = lambda _: None
) -> int:
    """Make every derived file from the runs alone. Returns how many runs there are.

    A run or comparison that cannot be read is told, left where it is, and costs no other.
    """
    # nothing is made of them here: what cannot be read is told all the same
    state = State()
    heads: dict[str, list[Entry]] = {}
    for run in _runs(files, tell):
        add_cases(state, run)
        state.runs_total += 1
        for name, entry in entries_of(run).items():
            of = state.classes.setdefault(name, ClassState())
            of.points.update(entry.points.keys())
            merge(of.latest, latest_of(run, name))
            # the points of all runs together would not fit into memory
            heads.setdefault(name, []).append(replace(entry, points={}))
    for name in files.folders(SERIES):
        _clear(files, name, heads.get(name, []), every)
    for name, of in state.classes.items():
        chunks = chunked(sorted(heads[name], key=lambda entry: entry.key), every)
        for chunk, entries in chunks.items():
            write_chunk(files, name, chunk, [_whole(files, name, entry.id) for entry in entries])
        of.chunks = _rows(chunks)
        renew_steps(files, name, [], of.chunks, chunks)
    forget_steps(files, state.classes)
    write_index(files, state, rebuild_evidence(files, tell))
    return state.runs_total


def _exchange(
    files: Files,
    name: str,
    of: ClassState,
    gone: Entry | None,
    come: Entry | None,
    every: int,
) -> None:
    """Take one entry out of a host class and put another in."""
    touched = _touched(of.chunks, gone, come, every)
    names = [of.chunks[place].chunk for place in touched]
    entries = [entry for chunk in names for entry in read_chunk(files, name, chunk)]
    entries = [entry for entry in entries if gone is None or entry.id != gone.id]
    if come:
        entries.append(come)
    chunks = chunked(sorted(entries, key=lambda entry: entry.key), every)
    for chunk in set(names) - set(chunks):
        delete_chunk(files, name, chunk)
    for chunk, members in chunks.items():
        write_chunk(files, name, chunk, members)
    kept = [row for row in of.chunks if row.chunk not in names]
    before, of.chunks = of.chunks, sorted([*kept, *_rows(chunks)], key=lambda row: row.begin)
    renew_steps(files, name, before, of.chunks, chunks)
    # a Counter's + and - drop what is not above 0
    points = Counter(come.points.keys()) if come else Counter()
    of.points = (of.points + points) - (Counter(gone.points.keys()) if gone else Counter())


def _renew_latest(
    files: Files, name: str, of: ClassState, run: PublishedRun, before: PublishedRun | None
) -> None:
    """The newest points of a host class, now that a run has come, or has become another one."""
    now = latest_of(run, name)
    was = latest_of(before, name) if before else {}
    for series in {*now, *was}:
        known = of.latest.get(series)
        gone = of.latest.pop(series) if known and known.run == run.id else None
        come = now.get(series)
        if gone and (come is None or come.key < gone.key):
            # another run may be the newest now: the chunks know
            come = _newest(files, name, of, series)
        if come:
            merge(of.latest, {series: come})


def _newest(files: Files, name: str, of: ClassState, series: str) -> LatestPoint | None:
    for row in reversed(of.chunks):
        stored = load(files, series_path(name, row.chunk, series), Series)
        if stored and stored.run:
            heads = read_heads(files, name, row.chunk)
            check_fits(series_path(name, row.chunk, series), stored, heads)
            newest = heads[stored.run[-1]]
            run = load(files, run_path(newest.id), PublishedRun)
            if run is None or series not in (points := latest_of(run, name)):
                raise missing(run_path(newest.id))
            return points[series]
    return None


def _touched(rows: list[ChunkRow], gone: Entry | None, come: Entry | None, every: int) -> list[int]:
    touched = {chunk_of(rows, entry.key) for entry in (gone, come) if entry and rows}
    if gone and begins_chunk(gone.id, every):
        # without its first run a chunk is the end of the one before it
        touched.add(max(0, chunk_of(rows, gone.key) - 1))
    return sorted(touched)


def _rows(chunks: dict[str, list[Entry]]) -> list[ChunkRow]:
    return [
        ChunkRow(chunk=chunk, runs=len(entries), begin=entries[0].key)
        for chunk, entries in chunks.items()
    ]


def _clear(files: Files, name: str, heads: list[Entry], every: int) -> None:
    keep = chunked(sorted(heads, key=lambda entry: entry.key), every)
    for chunk in files.folders(f"{SERIES}/{name}"):
        if chunk not in keep:
            delete_chunk(files, name, chunk)


def _runs(files: Files, tell: Callable[[str], None]) -> Iterator[PublishedRun]:
    names = [name for name in files.names(RUNS) if name.endswith(RUN_SUFFIX)]
    files.expect(f"{RUNS}/{name}" for name in names)
    for name in names:
        try:
            run = load(files, f"{RUNS}/{name}", PublishedRun)
        except BrokenFileError as error:
            tell(f"left out: {error}")
            continue
        if run and name != run.id + RUN_SUFFIX:
            # counted twice it would be two points
            tell(
                f"left out: {RUNS}/{name}: is the run {run.id} under another name; rename the file "
                "or delete it"
            )
        elif run:
            yield run


def _whole(files: Files, name: str, run_id: str) -> Entry:
    run = load(files, run_path(run_id), PublishedRun)
    assert run is not None, run_id  # noqa: S101 - it was read a moment ago
    return entries_of(run)[name]
