"""One run of a history: the contract of `data/runs/<run>.json.gz`. See history.py for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field, SerializeAsAny, model_validator

from springbench.matrix.profiles import CapacityPercent
from springbench.results.base import Record, check_indices, check_lengths
from springbench.results.history_names import (
    CaseId,
    HostClass,
    Mark,
    MeasurementConfiguration,
    RunId,
    Sha,
    UtcTime,
)
from springbench.results.published_answers import PublishedAnswer, PublishedClaim
from springbench.results.records import Status
from springbench.results.run import DIRTY, BottleneckKind

HISTORY_SCHEMA_VERSION = 2
DRIFTED = "drifted"
UNSOUND = frozenset({DRIFTED, DIRTY})
"""Marks of what is never evaluated. What has no commit is not either."""
# most of a history is numbers: each is written as what it is, without a look at what it may be
Numbers = SerializeAsAny[list[int | float | None]]


class Columns(Record):
    """One metric of several points: medians, and their intervals at 95 %."""

    median: Numbers
    low: Numbers
    high: Numbers

    def by_name(self, metric: str) -> Iterator[tuple[str, Numbers]]:
        """Its columns, each with a name for messages."""
        return ((f"{metric}.{name}", getattr(self, name)) for name in ("median", "low", "high"))


class PublishedCommit(Record):
    """The commit that was measured; `message` is its first line."""

    sha: Sha
    time: UtcTime
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
    harness: str | None = None
    """Another harness that has measured, such as `JMH 1.37`; then `wrk` is empty."""
    oha: str | None = None
    """The load generator at a constant rate, where there was such a load."""
    h2load: str | None = None
    """The load generator over HTTP/2, where there was such a load."""
    springbench: str
    boots: dict[str, str] = {}
    """The version of each Spring Boot line."""
    jdks: dict[str, str] = {}
    """By release, the version of each JDK that cases name."""


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
    warnings: list[str] = []
    """What is to be said of the host and of all its numbers, each sentence once."""


class ReportedRow(Record):
    """What another harness has measured, in the words of its file.

    `harness` is `JMH`; `figure` is what of the benchmark, such as `average time`; `unit` is that of
    the file, such as `us/op`. Numbers of the history are in base units all the same.
    """

    harness: str
    benchmark: str
    parameters: dict[str, str] = {}
    figure: str
    unit: str


def reported_words(row: ReportedRow) -> str:
    """`ParseBench.parse, size=10: average time in us/op`."""
    parameters = [f"{name}={value}" for name, value in row.parameters.items()]
    return f"{', '.join([row.benchmark, *parameters])}: {row.figure} in {row.unit}"


class CaseRow(Record):
    """A case, its axes spelled out, and the measurement configuration in which it was measured.

    Of another harness, `reported` says what it is: the axes are no more than parts of the id.
    """

    case: CaseId
    configuration: MeasurementConfiguration
    boot: str
    server: str
    model: str
    runtime: str
    workload: str
    connections: int
    reported: ReportedRow | None = None


class PublishedDistribution(Record):
    """Latencies of a case at a constant rate, of `n` forks that count.

    Each column of `latency_s` has one number for each of `percent`: the middle one of the forks,
    the least and the most, in seconds.
    """

    capacity_percent: CapacityPercent
    offered_rps: float
    n: int
    percent: list[float]
    latency_s: Columns


class PublishedCase(CaseRow):
    """One case of a run; `shard` is an index into the run's shards, `n` the forks that count."""

    shard: int
    status: Status
    reason: str | None = None
    n: int
    theoretical_max_rps: float | None = None
    bottleneck: BottleneckKind | None = None
    warnings: list[str]
    notes: list[str] = []
    """What the report says of the number, sentence by sentence."""
    distributions: list[PublishedDistribution] | None = None


class PublishedRanking(Record):
    """The order of the cases of one load by one metric, as the run concluded it, the best first.

    `case` holds indices into the run's cases; the other columns have one entry for each of these:
    the rank range, and the ratio to the best. Its interval, `low` to `high`, is published of a
    throughput alone, as a history is to stay small.
    """

    metric: str
    rounds: int
    interleaved: bool
    spread_ratio: float
    case: list[int]
    first: list[int]
    last: list[int]
    ratio: list[float]
    low: list[float] = []
    high: list[float] = []

    @model_validator(mode="after")
    def _is_whole(self) -> PublishedRanking:
        columns = {name: getattr(self, name) for name in ("first", "last", "ratio", "low", "high")}
        known = [(name, column) for name, column in columns.items() if column or name == "ratio"]
        check_lengths(len(self.case), known)
        return self


class PublishedRun(Record):
    """`data/runs/<run>.json.gz`. Each column of `metrics` has one number for each of `cases`."""

    schema_: Literal[2] = Field(alias="schema")
    id: RunId
    started_at: UtcTime
    finished_at: str | None = None
    profile: str
    trigger: str
    url: str | None = None
    commit: PublishedCommit | None = None
    marks: list[Mark]
    shards: list[PublishedShard]
    cases: list[PublishedCase]
    metrics: dict[str, Columns]
    rankings: list[PublishedRanking] = []
    answers: list[PublishedAnswer] = []
    claims: list[PublishedClaim] = []

    @model_validator(mode="after")
    def _is_whole(self) -> PublishedRun:
        for ranking in self.rankings:
            check_indices(f"ranking by {ranking.metric}", ranking.case, len(self.cases))
        for metric, columns in self.metrics.items():
            check_lengths(len(self.cases), columns.by_name(metric))
        check_indices("shard", (case.shard for case in self.cases), len(self.shards))
        return self
