"""Record of a load at a constant rate: a part of the contract `run.json`."""

from __future__ import annotations

from typing import Literal

from springbench.matrix.profiles import CapacityPercent
from springbench.results.base import Record

# why the figures of such a load do not count
RateFlaw = Literal["behind", "unanswered", "load-generator", "compiling", "stolen"]


class ConstantRateRecord(Record):
    """A load on an open schedule: requests are sent when they are due, whatever became of others.

    `offered_rps` is `capacity_percent` of the throughput that the case's first window had.
    `achieved_rps` are the answers that came in the window; the rest is of the requests that were
    due in it. A latency counts from when its request was due, so what waited for a free connection
    counts in full. `unanswered` are those of the whole load that never got an answer.
    `lateness_p99_s`: how late the generator sent while it had a free connection. `histogram`: the
    latencies in microseconds, in HdrHistogram's compressed format, base 64.
    """

    capacity_percent: CapacityPercent
    offered_rps: float
    window_s: float
    achieved_rps: float
    requests: int
    unanswered: int
    error_ratio: float
    latency_mean_s: float | None = None
    latency_p50_s: float | None = None
    latency_p90_s: float | None = None
    latency_p99_s: float | None = None
    latency_p999_s: float | None = None
    latency_max_s: float | None = None
    lateness_p99_s: float | None = None
    cpu_per_request_s: float | None = None
    server_cpu_ratio: float | None = None
    load_cpu_ratio: float | None = None
    steal_ratio: float | None = None
    flaws: list[RateFlaw] = []
    histogram: str | None = None

    @property
    def counts(self) -> bool:
        """Whether nothing speaks against its figures."""
        return not self.flaws
