"""What the two sides of a fork pair did."""

from __future__ import annotations

from typing import Literal

from springbench.results.base import Record
from springbench.results.records import ConstantRateRecord, LoadRecord, LoadSummary, Status


class BurstRecord(Record):
    """One short load on one side of a pair."""

    throughput_rps: float
    cpu_per_request_s: float | None
    reads_per_request: float | None = None
    writes_per_request: float | None = None
    error_ratio: float
    load_cpu_ratio: float | None
    compiler_cpu_ratio: float | None = None


class AnsweredRecord(Record):
    """What one process answered to one case, under all of its load.

    `failed` of the `requests` got no answer, or one with a status over 399; `bytes` are those of
    all answers on the wire. `headers` are those of one answer.
    """

    requests: int = 0
    failed: int = 0
    answers: int = 0
    bytes: int = 0
    headers: dict[str, str] = {}
    allocated_bytes_per_request: float | None = None

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


class SideRecord(Record):
    """One process of a fork pair. By case id: its bursts in the order of time, or its windows
    where requests wait by design; then its loads at constant rates, which are shares of what base
    had just before."""

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

    def answered_to(self, case: str) -> AnsweredRecord:
        """The record of a case, made where there is none."""
        return self.answered.setdefault(case, AnsweredRecord())


SideName = Literal["base", "head"]


class PairRecord(Record):
    """A fork pair: base and head, measured side by side. Of a failed one the side that failed."""

    pair: int
    status: Status
    reason: str | None = None
    failed_side: SideName | None = None
    sides: dict[SideName, SideRecord]
