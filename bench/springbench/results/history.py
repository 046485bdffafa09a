"""The files of a history, schema 1: the contract between `springbench publish` and the site.

    data/index.json                               what there is (Index)
    data/runs/<run>.json.gz                       one run, never changed but by a re-run of it
    data/series/<class>/<chunk>/chunk.json        the runs of a chunk, in order (Chunk)
    data/series/<class>/<chunk>/<case>.json       one case over the runs of a chunk (Series)

All but the runs is derived from them, and is all that a page needs to draw; the runs are packed, so
that a long history stays below what GitHub Pages takes. In a file's name a case has `~` for `/`.
Runs are in the order of their commits, then of their start. Base units as everywhere; numbers have
five significant digits, times are UTC. A field that has nothing to say is left out.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from springbench.results.metrics import Better, HistoryUnit
from springbench.results.records import Record, Status
from springbench.results.run import BoundKind

HISTORY_SCHEMA_VERSION = 1
_NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,119}"
# these become file names: nothing that leads out of the folder
RunId = Annotated[str, StringConstraints(pattern=rf"^{_NAME}$")]
HostClass = Annotated[str, StringConstraints(pattern=rf"^{_NAME}$")]
CaseId = Annotated[str, StringConstraints(pattern=rf"^{_NAME}/{_NAME}/[0-9]{{1,9}}$")]
Mark = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
"""`drifted`, `unfinished`, `dirty`, `shared-host`, and what `--mark` gave."""
Numbers = list[int | float | None]


class Columns(Record):
    """One metric of several points: medians, and their intervals at 95 %."""

    median: Numbers
    low: Numbers
    high: Numbers


class PublishedCommit(Record):
    """The commit that was measured; `message` is its first line."""

    sha: str
    time: str
    message: str
    author: str
    branch: str | None = None
    dirty: bool


class PublishedHost(Record):
    """The machine of a shard, as far as it tells numbers apart."""

    host_class: HostClass = Field(alias="class")
    fingerprint: str
    cpu_model: str
    cores: int
    memory_bytes: int
    os: str
    kernel: str
    virtualisation: str | None = None
    server_cpus: int
    memory_limit_bytes: int
    cpus_enforced_by: str
    memory_enforced_by: str


class PublishedTools(Record):
    """The versions of what measured."""

    jdk: str
    wrk: str
    springbench: str


class PublishedShard(Record):
    """The part of a run that one host measured."""

    run: str
    started_at: str
    finished_at: str | None = None
    measured_s: float
    host: PublishedHost
    tools: PublishedTools
    canary_cpu_probe_s: float | None = None
    canary_error_ratio: float | None = None
    marks: list[Mark]


class CaseRow(Record):
    """A case, its axes spelled out."""

    case: CaseId
    boot: str
    server: str
    model: str
    runtime: str
    workload: str
    connections: int


class PublishedCase(CaseRow):
    """One case of a run; `shard` is an index into the run's shards, `n` the forks that count."""

    shard: int
    status: Status
    reason: str | None = None
    n: int
    ideal_rps: float | None = None
    bound: BoundKind | None = None
    warnings: list[str]


class PublishedRun(Record):
    """`data/runs/<run>.json.gz`. Each column of `metrics` has one number for each of `cases`."""

    schema_: Literal[1] = Field(alias="schema")
    id: RunId
    started_at: str
    finished_at: str | None = None
    profile: str
    trigger: str
    url: str | None = None
    commit: PublishedCommit | None = None
    marks: list[Mark]
    shards: list[PublishedShard]
    cases: list[PublishedCase]
    metrics: dict[str, Columns]


class CommitRow(Record):
    """A commit in short: twelve digits of its hash, and the first line of its message."""

    sha: str
    time: str
    message: str
    author: str


class RunColumns(Record):
    """Runs in order, oldest first. `commit` is an index into `commits`, null outside git."""

    id: list[RunId]
    started_at: list[str]
    commit: list[int | None]
    profile: list[str]
    trigger: list[str]
    marks: list[list[Mark]]
    ok: list[int]
    failed: list[int]


class Chunk(Record):
    """`chunk.json`: consecutive runs of one host class. Counts and marks are this class's own."""

    schema_: Literal[1] = Field(alias="schema")
    host_class: HostClass = Field(alias="class")
    chunk: str
    commits: list[CommitRow]
    runs: RunColumns


class Series(Record):
    """`<case>.json`: one case on one host class over the runs of a chunk.

    `run` holds indices into the runs of the chunk; every other column has one entry for each.
    A metric that no run of the chunk has is left out.
    """

    schema_: Literal[1] = Field(alias="schema")
    case: CaseId
    host_class: HostClass = Field(alias="class")
    chunk: str
    run: list[int]
    status: list[Status]
    bound: list[BoundKind | None]
    n: list[int]
    metrics: dict[str, Columns]


class MetricRow(Record):
    """A metric: its unit, and which direction is better."""

    name: str
    unit: HistoryUnit
    better: Better


class ChunkRow(Record):
    """A chunk in order: how many runs it has, and where it begins (commit, start, run id)."""

    chunk: str
    runs: int
    begin: tuple[str, str, str]


class Latest(Record):
    """The newest run of a host class. Columns have one entry for each of `case`.

    `case` holds indices into the cases of the index; `data/runs/<run>.json.gz` has the rest.
    """

    run: RunId
    case: list[int]
    status: list[Status]
    bound: list[BoundKind | None]
    ideal_rps: Numbers
    median: dict[str, Numbers]


class ClassRow(Record):
    """A host class. `points` has one count for each case of the index: how long its series is."""

    host_class: HostClass = Field(alias="class")
    host: PublishedHost
    chunks: list[ChunkRow]
    points: list[int]
    latest: Latest


class Index(Record):
    """`data/index.json`. `runs` are the newest of all host classes; their chunks name the rest."""

    schema_: Literal[1] = Field(alias="schema")
    runs_total: int
    metrics: list[MetricRow]
    cases: list[CaseRow]
    classes: list[ClassRow]
    commits: list[CommitRow]
    runs: RunColumns
