"""`run.json`, schema 1: the versioned contract that every later part stands on."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from springbench.matrix.profiles import CapacityPercent
from springbench.results.base import Record
from springbench.results.history_names import CaseId, HostClass, Profile, RunId, Sha
from springbench.results.metrics import Better, Unit
from springbench.results.records import ForkRecord, Status

SCHEMA_VERSION = 1
INTERRUPTED = "interrupted before it was measured"
# cautions that say why a run stands for no commit
NO_COMMIT, DIRTY = "no-commit", "dirty"
BottleneckKind = Literal[
    "server-cpu",
    "cpu-quota",
    "thread-cap",
    "memory",
    "latency",
    "load-generator",
    "link",
    "upstream",
    "backlog",
    "database-pool",
    "cpu-waves",
    "errors",
    "not-warmed-up",
    "unknown",
]
# what a number is then is not the server's: it stands below all others, and nobody evaluates it
UNRANKED: frozenset[BottleneckKind] = frozenset({"load-generator", "link", "not-warmed-up"})


class FiltersInfo(Record):
    """Filters that were asked for, so that a run can be finished later."""

    only: list[str] = []
    connections: list[int] = []
    forks: int | None = None
    window_s: float | None = None
    rates: list[CapacityPercent] = []


class RunInfo(Record):
    """Which run this is. `continues`: the runs before it of one bisection, in their order."""

    id: str
    started_at: str
    finished_at: str | None = None
    interrupted: bool = False
    profile: Profile
    plan_digest: str
    continues: list[RunId] = []
    filters: FiltersInfo = FiltersInfo()
    trigger: str
    measured_s: float = 0.0
    estimate_s: float


class CommitInfo(Record):
    """The state of the sources that were measured."""

    sha: Sha
    message: str
    author: str
    time: str
    branch: str
    dirty: bool


class LimitsInfo(Record):
    """Limits that kept the processes apart, and their means."""

    server_cpus: list[int]
    load_cpus: list[int]
    upstream_cpus: list[int]
    cpus_enforced_by: str
    memory_limit_bytes: int
    memory_enforced_by: str

    @property
    def cpus(self) -> str:
        """Server, load and upstream, as `--cpus` takes them: `2,3:1:0`."""
        roles = (self.server_cpus, self.load_cpus, self.upstream_cpus)
        return ":".join(",".join(map(str, cpus)) for cpus in roles)


class LoadHostInfo(Record):
    """The other host that the load came from, and the link to it, as it was before the run.

    `round_trip_s` is a byte's median time there and back, `link_bytes_per_s` what the link carried
    from the server's host.
    """

    cpu_model: str
    cores: int
    memory_bytes: int
    kernel: str
    load_cpus: list[int]
    upstream_cpus: list[int]
    wrk: str
    round_trip_s: float
    link_bytes_per_s: float


class HostInfo(Record):
    """The machine. `host_class` names the hosts whose results may be compared with these.

    `core_kinds`, where cores are of several kinds, has the usable CPUs of each, the fastest first.
    """

    fingerprint: str
    host_class: HostClass = Field(alias="class")
    os: str
    cpu_model: str
    cores: int
    physical_cores: int | None
    memory_bytes: int
    kernel: str
    governor: str | None
    smt: bool | None
    turbo: bool | None
    virtualisation: str | None
    clock_source: str | None = None
    thp: str | None = None
    swap_bytes: int | None = None
    core_kinds: list[list[int]] = []
    limits: LimitsInfo
    load_host: LoadHostInfo | None = None


class ToolsInfo(Record):
    """The versions of what measured; `boots` those of the Spring Boot lines that were measured,
    `jdks` those of the JDKs that cases name, by release."""

    jdk: str
    jdks: dict[str, str] = {}
    wrk: str
    oha: str | None = None
    h2load: str | None = None
    springbench: str
    boots: dict[str, str] = {}


class Caution(Record):
    """Something the reader must know, and what to do about it."""

    code: str
    message: str
    remedy: str | None = None

    @property
    def words(self) -> str:
        """What it is, and what to do."""
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


class Summary(Record):
    """One metric over the forks of a case: the median, and its interval at 95 %.

    From one fork both edges are the value. `detectable_ratio` is the smallest change that as
    many forks of another commit would show with 80 % probability; null from one fork.
    """

    median: float
    low: float
    high: float
    n: int
    detectable_ratio: float | None = None
    unit: Unit
    better: Better


class Bottleneck(Record):
    """Bound of a throughput: a kind, a few words for a table, a sentence."""

    kind: BottleneckKind
    label: str
    text: str
    remedy: str | None = None


class CanaryInfo(Record):
    """Speed of the host when the run began, whatever the servers do.

    `cpu_probe_s` is the time of a fixed piece of work. The rest is a target of known throughput,
    measured as servers are; null in short runs, which leave it out.
    """

    cpu_probe_s: float
    target: str | None = None
    measured_rps: float | None = None
    error_ratio: float | None = None


class RequestInfo(Record):
    """One request of a load, as its file has it: nothing is filled in, and no header or body is
    here. `success` is what its answers must be."""

    name: str
    method: str
    path: str
    success: str
    weight: int = 1


class PlannedInfo(Record):
    """How a case was to be measured: its forks, and the seconds of each.

    `java_options`: what its profile gave the JVM, as for the first compiler alone.
    `begin_over_s`: over how long the connections of its load began; 0 for all at once.
    `passed_variables`: what the declaration passed through of the environment of whoever measured;
    `passed_digest` tells their values apart, and nothing of them.
    `requests`: what was asked, where that is more than a plain GET; `requests_digest` tells their
    methods, headers, bodies, statuses and weights from others; `checked` says how success was.
    """

    forks: int
    warmup_min_s: float
    warmup_max_s: float
    window_s: float
    java_options: list[str] = []
    begin_over_s: float = 0.0
    passed_variables: list[str] = []
    passed_digest: str | None = None
    requests: list[RequestInfo] = []
    requests_digest: str | None = None
    checked: str | None = None


LimitVerdict = Literal["kept", "broken", "undecided"]


class LimitRecord(Record):
    """A limit that a service's owner has set, in the unit of its metric; `name` is its key there.

    Without a `value` the metric was not measured, and the limit is undecided. From one fork the
    interval is what identical processes usually differ by.
    """

    name: str
    metric: str
    limit: float
    verdict: LimitVerdict
    value: float | None = None
    low: float | None = None
    high: float | None = None


class Result(Record):
    """Result of one case of one run."""

    case: CaseId
    boot: str
    server: str
    model: str
    runtime: str
    workload: str
    connections: int
    theoretical_max_rps: float | None = None
    planned: PlannedInfo | None = None
    status: Status
    reason: str | None = None
    forks: list[ForkRecord] = []
    summary: dict[str, Summary] = {}
    bottleneck: Bottleneck | None = None
    limits: list[LimitRecord] = []
    warnings: list[Caution] = []

    @property
    def unranked(self) -> bool:
        """Whether the number says something else than what the server can do."""
        return self.bottleneck is not None and self.bottleneck.kind in UNRANKED


class Rank(Record):
    """A server in a ranking.

    `first` to `last` is its rank range: the ranks that it may have. Several of first rank 1 are
    tied: they are not statistically distinguishable from the best. `ratio` is to the best, with its
    interval; the intervals of all hold together at 95 %.
    """

    case: str
    first: int
    last: int
    ratio: float
    low: float
    high: float

    @property
    def rank_range(self) -> str:
        """`1`, or `2–5`."""
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


class Ranking(Record):
    """The order under one load by one metric, the best first.

    `spread_ratio` is how far identical processes lie apart within a round: a standard deviation.
    """

    metric: str
    workload: str
    connections: int
    rounds: int
    interleaved: bool
    spread_ratio: float
    ranks: list[Rank]


class Run(Record):
    """The whole file."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    run: RunInfo
    commit: CommitInfo | None
    host: HostInfo
    tools: ToolsInfo
    canary: CanaryInfo | None = None
    warnings: list[Caution] = []
    results: list[Result] = []
    rankings: list[Ranking] = []

    def find(self, case_id: str) -> Result | None:
        """The result of a case, if it has one."""
        return next((result for result in self.results if result.case == case_id), None)
