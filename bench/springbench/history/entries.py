"""A published run as each host class saw it. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from springbench.matrix.service_name import service_of
from springbench.results.history import RunColumns
from springbench.results.history_names import CommitRow
from springbench.results.metrics import HISTORY_METRICS
from springbench.results.published_run import (
    CaseRow,
    Columns,
    PublishedCase,
    PublishedRun,
    PublishedShard,
)

SHA_DIGITS = 12
Key = tuple[str, str, str]
Triple = tuple[float | None, float | None, float | None]


@dataclass(frozen=True)
class Point:
    """Figures of a case in one run: by metric the median, low and high."""

    status: str
    bottleneck: str | None
    n: int
    values: dict[str, Triple]


@dataclass(frozen=True)
class Entry:
    """A run on one host class. Ordered by its key: commit time, start, id."""

    id: str
    started_at: str
    commit: CommitRow | None
    profile: str
    trigger: str
    marks: tuple[str, ...]
    ok: int
    failed: int
    url: str | None = None
    branch: str | None = None
    boots: Mapping[str, str] = field(default_factory=dict)
    environment: str = ""
    """Software of the hosts, which may shift a level by itself."""
    service: str | None = None
    """The service that it measured; empty for servers of Spring Boot, None where nothing tells."""
    cpu_probe_s: float | None = None
    """How long a fixed piece of work took on its hosts, the median of its shards."""
    points: dict[str, Point] = field(default_factory=dict)
    """By the name of the series."""

    @property
    def key(self) -> Key:
        return (self.commit.time if self.commit else self.started_at, self.started_at, self.id)

    @property
    def month(self) -> str:
        """The month of its key, in whose files it stands."""
        return self.key[0][:7]


def series_key(case: CaseRow) -> str:
    """The name of a series: the case, and the measurement configuration in which it was
    measured.
    """
    return f"{case.case}@{case.configuration}"


def measured_service(series: Iterable[str]) -> str | None:
    """What the entry of these series has as its service."""
    found = {service_of(name) or "" for name in series}
    return found.pop() if len(found) == 1 else None


def time_of(run: PublishedRun) -> str:
    """What runs are ordered by: when the commit was made, or else when the run began."""
    return run.commit.time if run.commit else run.started_at


def marks_of(run: PublishedRun, host_class: str) -> tuple[str, ...]:
    """What speaks against the part of a run that a host class measured."""
    shards = [shard for shard in run.shards if shard.host.host_class == host_class]
    return tuple(sorted({mark for shard in shards for mark in shard.marks}))


def entries_of(run: PublishedRun) -> dict[str, Entry]:
    """The run by host class. Cases that were skipped are no points."""
    commit = run.commit and CommitRow(
        sha=run.commit.sha[:SHA_DIGITS],
        time=run.commit.time,
        message=run.commit.message,
        author=run.commit.author,
    )
    return {name: _entry(run, commit or None, name) for name in host_classes(run)}


def host_classes(run: PublishedRun) -> list[str]:
    """The host classes that a run was measured on."""
    return sorted({shard.host.host_class for shard in run.shards})


def _entry(run: PublishedRun, commit: CommitRow | None, host_class: str) -> Entry:
    indices = {i for i, shard in enumerate(run.shards) if shard.host.host_class == host_class}
    points = {
        series_key(case): _point(run, position, case)
        for position, case in enumerate(run.cases)
        if case.status != "skipped" and case.shard in indices
    }
    statuses = [point.status for point in points.values()]
    return Entry(
        id=run.id,
        started_at=run.started_at,
        commit=commit,
        profile=run.profile,
        trigger=run.trigger,
        marks=marks_of(run, host_class),
        ok=statuses.count("ok"),
        failed=statuses.count("failed"),
        url=run.url,
        branch=run.commit.branch if run.commit else None,
        boots={
            boot: version for i in indices for boot, version in run.shards[i].tools.boots.items()
        },
        environment=" | ".join(sorted({environment_of(run.shards[i]) for i in indices})),
        service=measured_service(points),
        cpu_probe_s=_cpu_probe_s(run.shards[i] for i in indices),
        points=points,
    )


def _cpu_probe_s(shards: Iterable[PublishedShard]) -> float | None:
    probes_s = [shard.canary_cpu_probe_s for shard in shards]
    return statistics.median([probe_s for probe_s in probes_s if probe_s] or [0.0]) or None


def environment_of(shard: PublishedShard) -> str:
    """What of a host its class does not name, and a level may hang on; parts between `; `."""
    host, tools = shard.host, shard.tools
    if tools.harness:
        # this springbench has measured nothing, and limits are the harness's own
        parts = (f"kernel {host.kernel}", host.os, tools.jdk and f"JDK {tools.jdk}", tools.harness)
        return "; ".join(filter(None, parts))
    return "; ".join(
        (
            f"kernel {host.kernel}",
            host.os,
            f"JDK {tools.jdk}",
            f"wrk {tools.wrk}",
            f"springbench {tools.springbench}",
            f"CPUs by {host.cpus_enforced_by}",
            f"memory by {host.memory_enforced_by}",
        )
    )


def _point(run: PublishedRun, position: int, case: PublishedCase) -> Point:
    return Point(case.status, case.bottleneck, case.n, triples_at(run.metrics, position))


def triples_at(metrics: Mapping[str, Columns], position: int) -> dict[str, Triple]:
    """By metric the median, low and high of one position; without those that were not taken."""
    return {
        name: (columns.median[position], columns.low[position], columns.high[position])
        for name, columns in metrics.items()
        if columns.median[position] is not None
    }


def columns_of(values: Sequence[Mapping[str, Triple]]) -> dict[str, Columns]:
    """The columns that `triples_at` reads, of as many points; without metrics that none has."""
    missing: Triple = (None, None, None)
    columns = {}
    for metric in HISTORY_METRICS:
        triples = [point.get(metric.name, missing) for point in values]
        if any(triple is not missing for triple in triples):
            median, low, high = (list(column) for column in zip(*triples, strict=True))
            columns[metric.name] = Columns(median=median, low=low, high=high)
    return columns


def joined(one: Entry, other: Entry) -> Entry:
    """A run that several host classes share, without its points."""
    marks = tuple(sorted({*one.marks, *other.marks}))
    ok, failed = one.ok + other.ok, one.failed + other.failed
    boots = {**one.boots, **other.boots}
    return replace(
        one,
        marks=marks,
        ok=ok,
        failed=failed,
        boots=boots,
        environment="",
        cpu_probe_s=None,
        service=one.service if one.service == other.service else None,
        points={},
    )


def run_columns(entries: Sequence[Entry]) -> tuple[list[CommitRow], RunColumns]:
    """The commits of runs, each once, and the runs in columns."""
    commits: dict[str, CommitRow] = {}
    for entry in entries:
        if entry.commit:
            commits.setdefault(entry.commit.model_dump_json(), entry.commit)
    positions = {text: position for position, text in enumerate(commits)}
    environments = list(dict.fromkeys(entry.environment for entry in entries))
    probes_s = [entry.cpu_probe_s for entry in entries]
    columns = RunColumns(
        id=[entry.id for entry in entries],
        started_at=[entry.started_at for entry in entries],
        commit=[
            positions[entry.commit.model_dump_json()] if entry.commit else None for entry in entries
        ],
        profile=[entry.profile for entry in entries],
        trigger=[entry.trigger for entry in entries],
        marks=[list(entry.marks) for entry in entries],
        ok=[entry.ok for entry in entries],
        failed=[entry.failed for entry in entries],
        url=[entry.url for entry in entries],
        branch=[entry.branch for entry in entries],
        boots=[dict(entry.boots) for entry in entries],
        environments=environments,
        environment=[environments.index(entry.environment) for entry in entries],
        service=[entry.service for entry in entries],
        cpu_probe_s=probes_s if any(probes_s) else None,
    )
    return list(commits.values()), columns
