"""`data/comparisons/<id>.json.gz`, schema 1: what is published of a comparison of two commits.

It stands beside the runs, and is as immutable. A chain of such ratios tells steps that no drift of
the host can fake, since both sides were interleaved on one host.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from springbench.matrix.service_name import one_service
from springbench.results.base import Record
from springbench.results.comparison import FactRecord, ProfiledEvent, Verdict
from springbench.results.history_names import CaseId, CommitRow, Mark, RunId, release_of
from springbench.results.metrics import Better, Unit
from springbench.results.published_run import PublishedHost, PublishedTools

PUBLISHED_COMPARISON_SCHEMA_VERSION = 1
Purpose = Literal["push", "confirm", "bisect", "manual"]
"""`push`: a commit with the newest one that the history had; `confirm`: to check a candidate
change.
"""


JavaOption = Annotated[str, Field(pattern=r"^-[!-~]{1,200}$")]


class PublishedFinding(Record):
    """A statement about a metric of a case. Ratios are head ÷ base, the interval at 95 %."""

    case: CaseId
    metric: str
    unit: Unit
    better: Better
    ratio: float
    low_ratio: float
    high_ratio: float
    p_value: float
    pairs: int
    verdict: Verdict
    note: str | None = None


class PublishedExplanation(Record):
    """Why head is worse in a case: what grew in its profile, in a sentence."""

    case: CaseId
    event: ProfiledEvent
    text: str


class PublishedComparison(Record):
    """The whole file. `base` and `head` are commits, in short as everywhere in a history.

    `java_options` are those that its profile gave both sides. `marks` say why it is worth less:
    `drifted`, `unfinished`, `shared-host`, and what `--mark` gave.
    """

    schema_: Literal[1] = Field(default=1, alias="schema")
    id: RunId
    purpose: Purpose
    started_at: str
    finished_at: str | None = None
    profile: str
    java_options: list[JavaOption] = []
    url: str | None = None
    marks: list[Mark] = []
    base: CommitRow
    head: CommitRow
    commits: int | None = Field(default=None, ge=1)
    """From base to head those that touch what is built; None where that is not known."""
    host: PublishedHost
    tools: PublishedTools
    findings: list[PublishedFinding]
    facts: list[FactRecord] = []
    explanations: list[PublishedExplanation] = []
    warnings: list[str] = []
    """What is to be said of the hosts and of all its numbers, each sentence once."""

    @property
    def service(self) -> str | None:
        """The service that it is of; None for servers of Spring Boot."""
        cases = [*(finding.case for finding in self.findings), *(fact.case for fact in self.facts)]
        return one_service(cases)

    @property
    def is_of_releases(self) -> bool:
        """Whether both commits are releases of Spring Boot."""
        return release_of(self.base) is not None and release_of(self.head) is not None


class EvidenceFile(Record):
    """`data/evidence.json.gz`: the comparisons that events may rest on, by their start."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    comparisons: list[PublishedComparison]
