"""`comparison.json`, schema 1: what a comparison measured, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from springbench.matrix.profiles import CapacityPercent
from springbench.matrix.service_name import one_service
from springbench.results.base import Record
from springbench.results.metrics import Better, Unit
from springbench.results.records import ConstantRateRecord, LoadRecord, LoadSummary, Status
from springbench.results.run import Caution, HostInfo, LimitRecord, ToolsInfo
from springbench.results.stacks import StackTree

# --- What the two sides of a fork pair did --------------------------------------------------------


class BurstRecord(Record):
    """One short load on one side of a pair."""

    throughput_rps: float
    cpu_per_request_s: float | None
    reads_per_request: float | None = None
    writes_per_request: float | None = None
    services_cpu_per_request_s: float | None = None
    error_ratio: float
    load_cpu_ratio: float | None
    compiler_cpu_ratio: float | None = None


class AnsweredRecord(Record):
    """What one process answered to one case, under all of its load.

    `failed` of the `requests` got no answer, or one with a status over 399; `bytes` are those of
    all answers on the wire. `headers` are those of one answer. `queries_per_request` are statements
    of the database, by the name of the request, where it counts them.
    """

    requests: int = 0
    failed: int = 0
    answers: int = 0
    bytes: int = 0
    headers: dict[str, str] = {}
    allocated_bytes_per_request: float | None = None
    queries_per_request: dict[str, float] = {}

    def count(self, summary: LoadSummary) -> None:
        """Add what wrk has counted."""
        errors = summary.errors
        failed_outright = errors.connect + errors.read + errors.write
        self.requests += summary.requests + failed_outright
        self.failed += failed_outright + errors.status
        self.answers += summary.requests
        self.bytes += summary.bytes

    @property
    def bytes_per_answer(self) -> float | None:
        """The mean; None without an answer."""
        return self.bytes / self.answers if self.answers else None


SideName = Literal["base", "head"]
ProfiledEvent = Literal["cpu", "alloc"]


class SideRecord(Record):
    """One process of a fork pair. By case id: its bursts in the order of time, or its windows
    where requests wait by design; then its loads at constant rates, which are shares of what base
    had just before. `stacks` are samples of its CPU time, and of what it allocated,
    behind the bursts."""

    startup_s: float | None = None
    artifact_bytes: int | None = None
    collector: str | None = None
    memory_idle_bytes: int | None = None
    memory_peak_bytes: int | None = None
    threads_max: int | None = None
    bursts: dict[str, list[BurstRecord]] = {}
    windows: dict[str, list[LoadRecord]] = {}
    constant_rates: dict[str, list[ConstantRateRecord]] = {}
    answered: dict[str, AnsweredRecord] = {}
    stacks: dict[str, dict[ProfiledEvent, StackTree]] = {}

    def at_rate(self, case: str, percent: CapacityPercent) -> list[ConstantRateRecord]:
        """The loads of a case at that percentage of base's capacity."""
        loads = self.constant_rates.get(case, [])
        return [load for load in loads if load.capacity_percent == percent]

    def sampled(self, case: str, event: ProfiledEvent) -> StackTree | None:
        """Samples of a case; None where there are none."""
        tree = self.stacks.get(case, {}).get(event)
        return tree if tree and tree.samples else None

    def answered_to(self, case: str) -> AnsweredRecord:
        """The record of a case, made where there is none."""
        return self.answered.setdefault(case, AnsweredRecord())


class PairRecord(Record):
    """A fork pair: base and head, measured side by side. Of a failed one the side that failed.

    `not_sampled` says why there are no stacks, where they were asked for.
    """

    pair: int
    status: Status
    reason: str | None = None
    failed_side: SideName | None = None
    not_sampled: str | None = None
    sides: dict[SideName, SideRecord]

    def sampled(self, case: str, event: ProfiledEvent) -> tuple[StackTree, StackTree] | None:
        """Samples of base and head; None where a side has none, or the pair failed."""
        if self.status != "ok":
            return None
        base, head = (self.sides[side].sampled(case, event) for side in ("base", "head"))
        return (base, head) if base and head else None


# --- `comparison.json`, schema 1: what a comparison measured, and what it says --------------------


COMPARISON_SCHEMA_VERSION = 1
COMPARISON_FILE = "comparison.json"
# "suspected" looks like a change, and was not measured again for want of time; "changed" is another
# answer than before, and nobody but its author can say whether that is meant
Verdict = Literal["regression", "suspected", "improvement", "changed", "unchanged", "undecided"]
FactName = Literal[
    "failed",
    "errors",
    "slow",
    "methods",
    "answer_bytes",
    "headers",
    "queries",
    "artifact_bytes",
    "collector",
    "bottleneck",
]


class SideInfo(Record):
    """Kind of one side: a commit, a folder of jars, a variant or a stored run.

    Of a commit also the first line of its message, its author and its time, where git has them.
    """

    kind: Literal["commit", "jars", "variant", "run"]
    label: str
    sha: str | None = None
    message: str | None = None
    author: str | None = None
    time: str | None = None


class FindingRecord(Record):
    """A statement about one metric of one case. Ratios are head ÷ base, the interval at 95 %."""

    case: str
    metric: str
    unit: Unit
    better: Better
    base_median: float
    head_median: float
    ratio: float
    low_ratio: float
    high_ratio: float
    p_value: float
    pairs: int
    detectable_ratio: float
    verdict: Verdict
    confirmed: bool | None = None
    note: str | None = None

    @property
    def is_worse(self) -> bool:
        """Whether head is on the bad side of base, however surely."""
        return (self.ratio < 1) == (self.better == "higher")


class FactRecord(Record):
    """A statement about a case, or a variant, that is no ratio of noisy numbers.

    Sides that failed, errors and slow answers that were counted, and what is the same each time: an
    answer's size and headers, an artifact's size, what limits a throughput. `base` and `head` are
    words.
    """

    case: str
    metric: FactName
    base: str
    head: str
    verdict: Verdict
    worse: bool = False
    note: str | None = None

    @property
    def is_worse(self) -> bool:
        """Whether head is on the bad side of base, however surely."""
        return self.worse


Statement = FindingRecord | FactRecord


def is_measured(statements: Sequence[Statement]) -> bool:
    """Whether any of them is of measurements in pairs: an artifact's size says nothing of what it
    costs."""
    return any(isinstance(statement, FindingRecord) for statement in statements)


class HeadLimitRecord(LimitRecord):
    """A limit of a service's owner, held against head; the interval is that of its processes.

    `case` is a variant where the limit is of the process. `reason` says why a comparison cannot
    decide it, whatever was measured.
    """

    case: str
    reason: str | None = None


class ExplanationRecord(Record):
    """What grew in a profile of head beside one of base. `file` is a flame graph, in the folder of
    the comparison; none where there is no profile, and `text` says why."""

    case: str
    event: ProfiledEvent
    text: str
    file: str | None = None


class ComparisonInfo(Record):
    """Which comparison this is, and what it was allowed to cost.

    `java_options` are those that its profile gives both sides, as for the first compiler alone.
    """

    id: str
    started_at: str
    finished_at: str | None = None
    profile: str
    java_options: list[str] = []
    budget_s: float
    measured_s: float = 0.0
    interleaved: bool = True
    commits: int | None = Field(default=None, ge=1)
    """From base to head those that touch what is built, head among them; None where unknown."""


class Comparison(Record):
    """The whole file. `pairs` by variant of the base."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    comparison: ComparisonInfo
    base: SideInfo
    head: SideInfo
    host: HostInfo
    tools: ToolsInfo
    warnings: list[Caution] = []
    findings: list[FindingRecord] = []
    facts: list[FactRecord] = []
    limits: list[HeadLimitRecord] = []
    explanations: list[ExplanationRecord] = []
    pairs: dict[str, list[PairRecord]] = {}

    @property
    def statements(self) -> list[Statement]:
        """All that it says: first what is no ratio."""
        return [*self.facts, *self.findings]

    @property
    def broken_limits(self) -> list[HeadLimitRecord]:
        """The limits that head does not keep, for sure."""
        return [limit for limit in self.limits if limit.verdict == "broken"]

    @property
    def service(self) -> str | None:
        """The service that it is of; None for servers of Spring Boot."""
        return one_service([*self.pairs, *(statement.case for statement in self.statements)])

    def with_verdict(self, verdict: Verdict) -> list[Statement]:
        """The statements that say so."""
        return [statement for statement in self.statements if statement.verdict == verdict]
