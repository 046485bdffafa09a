"""`index.json`: kept in step with the months, without reading more of them than the newest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from springbench.history.charts import has_charts
from springbench.history.comparisons import groups_of
from springbench.history.entries import (
    Entry,
    entries_of,
    joined,
    run_columns,
    series_key,
)
from springbench.history.events import Coverage, read_events
from springbench.history.files import INDEX, Files, load, missing, month_path, run_path, save
from springbench.history.latest import LatestPoints, as_columns, as_points, latest_of, merge
from springbench.history.months import read_heads
from springbench.history.served import write_served
from springbench.history.studies import study_rows
from springbench.results.history import ClassRow, Index, MetricRow, MonthRow
from springbench.results.metrics import HISTORY_METRICS
from springbench.results.published_answers import Concluded, PublishedAnswer, PublishedClaim
from springbench.results.published_comparison import PublishedComparison
from springbench.results.published_run import (
    HISTORY_SCHEMA_VERSION,
    CaseRow,
    PublishedHost,
    PublishedRun,
)

Conclusion = TypeVar("Conclusion", bound=Concluded)
RECENT_RUNS = 100
"""So many of the newest runs stand in the index itself."""


@dataclass
class ClassState:
    """Entry of the index for a host class: its months, how often it has each case, and what is
    concluded from it."""

    months: list[MonthRow] = field(default_factory=list)
    points: Counter[str] = field(default_factory=Counter)
    latest: LatestPoints = field(default_factory=dict)
    answers: dict[str, PublishedAnswer] = field(default_factory=dict)
    claims: dict[str, PublishedClaim] = field(default_factory=dict)


@dataclass
class State:
    """Sources of an index. `cases` may hold more than the classes have points for."""

    runs_total: int = 0
    cases: dict[str, CaseRow] = field(default_factory=dict)
    classes: dict[str, ClassState] = field(default_factory=dict)


def read_state(files: Files) -> State:
    """State that the stored index tells; nothing where there is none."""
    index = load(files, INDEX, Index)
    if index is None:
        return State()
    names = [series_key(row) for row in index.cases]
    return State(
        runs_total=index.runs_total,
        cases=dict(zip(names, index.cases, strict=True)),
        classes={
            row.host_class: ClassState(
                list(row.months),
                +Counter(dict(zip(names, row.points, strict=True))),
                as_points(row.latest, names),
                {answer.about: answer for answer in row.answers},
                {claim.about: claim for claim in row.claims},
            )
            for row in index.classes
            # others have comparisons alone, which tell the same again
            if row.months
        },
    )


def add_cases(state: State, run: PublishedRun) -> None:
    """Learn the axes of a run's cases."""
    fields = set(CaseRow.model_fields)
    for case in run.cases:
        state.cases[series_key(case)] = CaseRow(**case.model_dump(include=fields))


def add_run(state: State, run: PublishedRun) -> dict[str, Entry]:
    """Take in a run that is not there yet, all but its months. Returns it by host class."""
    add_cases(state, run)
    state.runs_total += 1
    entries = entries_of(run)
    for name, entry in entries.items():
        class_state = state.classes.setdefault(name, ClassState())
        class_state.points.update(entry.points.keys())
        merge(class_state.latest, latest_of(run, name))
        merge(class_state.answers, of_class(run.answers, name))
        merge(class_state.claims, of_class(run.claims, name))
    return entries


def of_class(conclusions: Iterable[Conclusion], host_class: str) -> dict[str, Conclusion]:
    """Those of a host class, by the id of the question or claim."""
    return {
        conclusion.about: conclusion
        for conclusion in conclusions
        if conclusion.host_class == host_class
    }


def write_index(files: Files, state: State, comparisons: Sequence[PublishedComparison]) -> None:
    """Make the index. Reads the newest months, and the newest run of each class.

    `comparisons` are those that events may rest on.
    """
    files.expect(
        month_path(name, class_state.months[-1].month)
        for name, class_state in state.classes.items()
    )
    cases = sorted(
        (
            row
            for row in state.cases.values()
            if any(series_key(row) in class_state.points for class_state in state.classes.values())
        ),
        key=_order,
    )
    positions = {series_key(row): position for position, row in enumerate(cases)}
    ends = {
        name: _end(files, name, class_state) for name, class_state in sorted(state.classes.items())
    }
    newest = _newest(ends)
    commits, runs = run_columns(newest)
    latest = {name: class_state.latest for name, class_state in state.classes.items()}
    coverage = Coverage(newest, ends, latest, cases)
    months = {name: class_state.months for name, class_state in state.classes.items()}
    events = read_events(files, months, comparisons, cases)
    rows = [
        _class(files, name, state.classes[name], entries[-1].id, positions, state.cases)
        for name, entries in ends.items()
    ]
    rows += [
        _class_row(host, ClassState(), positions, state.cases)
        for name, host in _hosts_of_releases(comparisons).items()
        if name not in ends
    ]
    index = Index.model_validate(
        {
            "schema": HISTORY_SCHEMA_VERSION,
            "runs_total": state.runs_total,
            "charts": has_charts(files),
            "compared": groups_of(files),
            "metrics": metric_rows(),
            "cases": cases,
            "classes": sorted(rows, key=lambda row: row.host_class),
            "commits": commits,
            "runs": runs,
            "events": [coverage.closed(event) for event in events],
        }
    )
    save(files, INDEX, index)
    write_served(files, index)


def metric_rows() -> list[MetricRow]:
    """What the numbers of a history are of."""
    return [MetricRow(name=m.name, unit=m.unit, better=m.better) for m in HISTORY_METRICS]


def _order(row: CaseRow) -> tuple[str, str, str, str, str, int, str]:
    axes = (row.workload, row.boot, row.server, row.model, row.runtime)
    return (*axes, row.connections, row.configuration)


def _end(files: Files, name: str, class_state: ClassState) -> list[Entry]:
    """The newest runs of a class, as many as the index could want."""
    entries: list[Entry] = []
    for row in reversed(class_state.months):
        entries = [*read_heads(files, name, row.month), *entries]
        if len(entries) >= RECENT_RUNS:
            break
    return entries[-RECENT_RUNS:]


def _newest(ends: Mapping[str, Sequence[Entry]]) -> list[Entry]:
    """Of all classes together; a run that has several stands there once."""
    by_id: dict[str, Entry] = {}
    for entry in (entry for entries in ends.values() for entry in entries):
        other = by_id.get(entry.id)
        by_id[entry.id] = joined(other, entry) if other else entry
    return sorted(by_id.values(), key=lambda entry: entry.key)[-RECENT_RUNS:]


def _class(
    files: Files,
    name: str,
    class_state: ClassState,
    newest: str,
    positions: Mapping[str, int],
    cases: Mapping[str, CaseRow],
) -> ClassRow:
    run = load(files, run_path(newest), PublishedRun)
    hosts = [shard.host for shard in run.shards if shard.host.host_class == name] if run else []
    if not hosts:
        # deleted by hand, or changed
        raise missing(run_path(newest))
    return _class_row(hosts[0], class_state, positions, cases)


def _hosts_of_releases(comparisons: Sequence[PublishedComparison]) -> dict[str, PublishedHost]:
    """By class the newest host that compared releases: that tells something without any run."""
    of_releases = [comparison for comparison in comparisons if comparison.is_of_releases]
    return {comparison.host.host_class: comparison.host for comparison in of_releases}


def _class_row(
    host: PublishedHost,
    class_state: ClassState,
    positions: Mapping[str, int],
    cases: Mapping[str, CaseRow],
) -> ClassRow:
    measured = [name for name in positions if name in class_state.latest]
    return ClassRow.model_validate(
        {
            "class": host.host_class,
            "host": host,
            "months": class_state.months,
            "points": [class_state.points[case] for case in positions],
            "latest": as_columns(class_state.latest, positions),
            "studies": study_rows(
                [cases[name] for name in measured], [class_state.latest[name] for name in measured]
            ),
            "answers": [class_state.answers[about] for about in sorted(class_state.answers)],
            "claims": [class_state.claims[about] for about in sorted(class_state.claims)],
        }
    )
