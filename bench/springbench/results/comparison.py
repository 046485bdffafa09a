"""`comparison.json`, schema 1: what a comparison measured, and what it says."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from springbench.results.metrics import Better, Unit
from springbench.results.records import PairRecord, Record
from springbench.results.run import Caution, HostInfo, ToolsInfo

COMPARISON_SCHEMA_VERSION = 1
COMPARISON_FILE = "comparison.json"
# "suspected" looks like a change, and was not measured again for want of time
Verdict = Literal["regression", "suspected", "improvement", "unchanged", "undecided"]


class SideInfo(Record):
    """Kind of one side: a commit, a folder of jars, a variant or a stored run."""

    kind: Literal["commit", "jars", "variant", "run"]
    label: str
    sha: str | None = None


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


class ComparisonInfo(Record):
    """Which comparison this is, and what it was allowed to cost."""

    id: str
    started_at: str
    finished_at: str | None = None
    profile: str
    budget_s: float
    measured_s: float = 0.0
    interleaved: bool = True


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
    pairs: dict[str, list[PairRecord]] = {}

    def with_verdict(self, verdict: Verdict) -> list[FindingRecord]:
        """The findings that say so."""
        return [finding for finding in self.findings if finding.verdict == verdict]
