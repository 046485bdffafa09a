"""A run goes into a history: its own file, and every file that is derived from the runs.

Only the month that the run falls into is read and written. What comes out is what `rebuild` makes
of the same runs, in whatever order they came.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from springbench.analysis.finder.series_steps import load_libraries
from springbench.history.comparisons import (
    Added,
    add_compared,
    add_comparisons,
    read_evidence,
    rebuild_evidence,
    save_evidence,
)
from springbench.history.entries import Entry, entries_of, host_classes, time_of
from springbench.history.files import (
    ACKNOWLEDGED,
    BADGES,
    EVIDENCE,
    INDEX,
    RUN_SUFFIX,
    RUNS,
    SERIES,
    STEPS,
    BrokenFileError,
    Files,
    context_path,
    load,
    missing,
    month_path,
    run_path,
    save,
)
from springbench.history.index import (
    ClassState,
    State,
    add_cases,
    add_run,
    of_class,
    read_state,
    write_index,
)
from springbench.history.latest import LatestPoint, latest_of, merge, replace_run
from springbench.history.months import MonthFiles, load_series, read_heads
from springbench.history.steps import forget_steps, renew_steps
from springbench.results.history import MonthRow
from springbench.results.published_comparison import PublishedComparison
from springbench.results.published_run import PublishedRun

logger = logging.getLogger(__name__)

Result = TypeVar("Result")


def add(files: Files, run: PublishedRun) -> bool:
    """Add a run, in the place of the one with its id. Returns whether there was one.

    Raises `BrokenFileError` for a damaged file: see `mended`.
    """
    new_entries = entries_of(run)
    expect_run(files, run)
    load_libraries()
    try:
        before = load(files, run_path(run.id), PublishedRun)
    except BrokenFileError:
        # its place is taken; but what was derived from it cannot be distinguished from the rest
        files.delete(run_path(run.id))
        raise
    if _lacks_index(files):
        save(files, run_path(run.id), run)
        rebuild(files)
        return before is not None
    state = read_state(files)
    old_entries = entries_of(before) if before else {}
    save(files, run_path(run.id), run)
    add_cases(state, run)
    for name in sorted({*old_entries, *new_entries}):
        class_state = state.classes.pop(name, ClassState())
        _exchange(files, name, class_state, old_entries.get(name), new_entries.get(name))
        _renew_latest(files, name, class_state, run)
        _renew_conclusions(files, name, class_state, run)
        if class_state.months:
            state.classes[name] = class_state
    state.runs_total += before is None
    write_index(files, state, read_evidence(files))
    return before is not None


def expect_run(files: Files, run: PublishedRun) -> None:
    """All that is read for a run, in this order: its months' series are the most of it.

    And badges, which are replaced: git pushes differences from what is here, and would fetch them.
    """
    months = [(name, time_of(run)[:7]) for name in host_classes(run)]
    files.expect(
        [
            INDEX,
            run_path(run.id),
            *(month_path(*pair) for pair in months),
            *(context_path(*pair) for pair in months),
        ]
    )
    for folder in (f"{SERIES}/{name}/{month}" for name, month in months):
        files.expect(f"{folder}/{file}" for file in files.names(folder))
    files.expect([EVIDENCE, ACKNOWLEDGED])
    for folder in (*(f"{STEPS}/{name}" for name in files.folders(STEPS)), BADGES):
        files.expect(f"{folder}/{file}" for file in files.names(folder))


def add_with_evidence(files: Files, comparisons: Sequence[PublishedComparison]) -> Added:
    """Add comparisons, and renew what is derived from them."""
    added = add_comparisons(files, comparisons)
    new = [comparison for comparison in comparisons if comparison.id in added.new]
    add_compared(files, new)
    if new:
        evidence = save_evidence(files, [*read_evidence(files), *new])
        if _lacks_index(files):
            rebuild(files)
        else:
            write_index(files, read_state(files), evidence)
    return added


def _lacks_index(files: Files) -> bool:
    """Whether there are runs that no index tells of."""
    return files.read(INDEX) is None and bool(files.names(RUNS))


def mended(files: Files, change: Callable[[], Result]) -> Result:
    """The result of a change; where it meets a damaged file, what is derived is made anew first.

    Raises `ConfigurationError` for what cannot be derived, and for a history of a newer schema.
    """
    try:
        return change()
    except BrokenFileError as error:
        logger.info(f"all that is derived is made anew, since a file is damaged: {error}")
        rebuild(files)
        return change()


def rebuild(files: Files) -> int:
    """Make every derived file from the runs alone. Returns how many runs there are.

    A run or comparison that cannot be read is reported, left where it is, and does not affect the
    others.
    """
    # nothing is made of them here: what cannot be read is reported all the same
    state = State()
    months: dict[str, dict[str, list[str]]] = {}
    for run in _runs(files):
        for name, entry in add_run(state, run).items():
            # the points of all runs together would not fit into memory
            months.setdefault(name, {}).setdefault(entry.month, []).append(entry.id)
    for name in files.folders(SERIES):
        for month in files.folders(f"{SERIES}/{name}"):
            if month not in months.get(name, {}):
                list(MonthFiles(files, name, month).write())
    for name, class_state in state.classes.items():
        ids = months[name]
        class_state.months = [MonthRow(month=month, runs=len(ids[month])) for month in sorted(ids)]

        def make_month(month: str, name: str = name, ids: dict[str, list[str]] = ids) -> MonthFiles:
            files_of = MonthFiles(files, name, month)
            files_of.put(_full_entry(files, name, run_id) for run_id in ids[month])
            return files_of

        renew_steps(files, name, [], class_state.months, make_month)
    forget_steps(files, state.classes)
    write_index(files, state, rebuild_evidence(files))
    return state.runs_total


def _exchange(
    files: Files, name: str, class_state: ClassState, removed: Entry | None, added: Entry | None
) -> None:
    """Take one entry out of a host class and put another in."""
    counts = {row.month: row.runs for row in class_state.months}
    changed: dict[str, MonthFiles] = {}
    for month in {entry.month for entry in (removed, added) if entry}:
        changed[month] = MonthFiles(files, name, month)
        if month in counts:
            changed[month].read()
    if removed:
        changed[removed.month].remove(removed.id)
    if added:
        changed[added.month].put([added])
    counts |= {month: len(month_files.heads) for month, month_files in changed.items()}
    before, class_state.months = (
        class_state.months,
        [MonthRow(month=month, runs=runs) for month, runs in sorted(counts.items()) if runs],
    )
    for month, month_files in changed.items():
        if not counts[month]:
            list(month_files.write())
    renew_steps(files, name, before, class_state.months, changed.get)
    # a Counter's + and - drop what is not above 0
    points = Counter(added.points.keys()) if added else Counter()
    class_state.points = (class_state.points + points) - (
        Counter(removed.points.keys()) if removed else Counter()
    )


def _renew_latest(files: Files, name: str, class_state: ClassState, run: PublishedRun) -> None:
    """The newest points of a host class, now that a run has come, or has become another one."""
    for series in replace_run(class_state.latest, run.id, latest_of(run, name)):
        if newest := _newest(files, name, class_state, series):
            merge(class_state.latest, {series: newest})


def _renew_conclusions(files: Files, name: str, class_state: ClassState, run: PublishedRun) -> None:
    """The best answers and verdicts of a host class, now that a run has come, or has become
    another one."""
    answers, claims = of_class(run.answers, name), of_class(run.claims, name)
    doubtful = replace_run(class_state.answers, run.id, answers) + replace_run(
        class_state.claims, run.id, claims
    )
    months = class_state.months if doubtful else []
    for head in [head for row in months for head in read_heads(files, name, row.month)]:
        if other := load(files, run_path(head.id), PublishedRun):
            merge(class_state.answers, of_class(other.answers, name))
            merge(class_state.claims, of_class(other.claims, name))


def _newest(files: Files, name: str, class_state: ClassState, series: str) -> LatestPoint | None:
    for row in reversed(class_state.months):
        heads = read_heads(files, name, row.month)
        stored = load_series(files, name, row.month, series, heads)
        if stored and stored.run:
            newest = heads[stored.run[-1]]
            run = load(files, run_path(newest.id), PublishedRun)
            if run is None or series not in (points := latest_of(run, name)):
                raise missing(run_path(newest.id))
            return points[series]
    return None


def _runs(files: Files) -> Iterator[PublishedRun]:
    names = [name for name in files.names(RUNS) if name.endswith(RUN_SUFFIX)]
    files.expect(f"{RUNS}/{name}" for name in names)
    for name in names:
        try:
            run = load(files, f"{RUNS}/{name}", PublishedRun)
        except BrokenFileError as error:
            logger.info(f"left out: {error}")
            continue
        if run and name != run.id + RUN_SUFFIX:
            # counted twice it would be two points
            logger.info(
                f"left out: {RUNS}/{name}: is the run {run.id} under another name; rename the file "
                "or delete it"
            )
        elif run:
            yield run


def _full_entry(files: Files, name: str, run_id: str) -> Entry:
    run = load(files, run_path(run_id), PublishedRun)
    assert run is not None, run_id  # noqa: S101 - it was read a moment ago
    return entries_of(run)[name]
