"""`comparison.json`, schema 1: what a comparison measured, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from springbench.matrix.service_name import one_service
from springbench.results.base import Record
from springbench.results.metrics import Better, Unit
from springbench.results.pairs import PairRecord
from springbench.results.run import Caution, HostInfo, LimitRecord, ToolsInfo

COMPARISON_SCHEMA_VERSION = 1
COMPARISON_FILE = "comparison.json"
FIRST_COMPILER = "-XX:TieredStopAtLevel=1"
"""Option of a JVM that has C1 alone: what it costs is comparable, and not what it can do."""
# "suspected" looks like a change, and was not measured again for want of time; "changed" is another
# answer than before, and nobody but its author can say whether that is meant
Verdict = Literal["regression", "suspected", "improvement", "changed", "unchanged", "undecided"]
FactName = Literal[
    "failed", "errors", "answer_bytes", "headers", "artifact_bytes", "collector", "bottleneck"
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

    Sides that failed, errors that were counted, and what is the same each time: an answer's size
    and headers, an artifact's size, what limits a throughput. `base` and `head` are words.
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
    return any(isinstance(each, FindingRecord) for each in statements)


class HeadLimitRecord(LimitRecord):
    """A limit of a service's owner, held against head; the interval is that of its processes.

    `case` is a variant where the limit is of the process. `reason` says why a comparison cannot
    decide it, whatever was measured.
    """

    case: str
    reason: str | None = None


ProfiledEvent = Literal["cpu", "alloc"]


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
        return [each for each in self.limits if each.verdict == "broken"]

    @property
    def service(self) -> str | None:
        """The service that it is of; None for servers of Spring Boot."""
        return one_service([*self.pairs, *(each.case for each in self.statements)])

    def with_verdict(self, verdict: Verdict) -> list[Statement]:
        """The statements that say so."""
        return [each for each in self.statements if each.verdict == verdict]
