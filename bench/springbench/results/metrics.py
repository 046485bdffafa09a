"""The metrics of a fork: where each stands, its unit, and which direction is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from springbench.matrix.profiles import RATE_SHARES, RateShare
from springbench.results.base import Record
from springbench.results.constant_rate import ConstantRateRecord
from springbench.results.records import (
    BuildRecord,
    ColdRecord,
    ForkRecord,
    IdleRecord,
    LoadRecord,
    StartupRecord,
)

Better = Literal["higher", "lower"]
Unit = Literal["s", "bytes", "rps", "ratio", "count", "bytes_per_s"]
# of what is published, which stays small
HistoryUnit = Literal["s", "bytes", "rps", "ratio", "count"]


@dataclass(frozen=True)
class Metric:
    """A number that every fork has, or lacks for a reason."""

    name: str
    unit: Unit
    better: Better
    read: Callable[[ForkRecord], float | None]


def _of(part: str, record: type[Record], name: str) -> Callable[[ForkRecord], float | None]:
    assert name in record.model_fields, name  # noqa: S101 - a slip here is a slip in the code
    return lambda fork: getattr(getattr(fork, part), name) if getattr(fork, part) else None


def _load(name: str) -> Callable[[ForkRecord], float | None]:
    return _of("load", LoadRecord, name)


def _cold(name: str) -> Callable[[ForkRecord], float | None]:
    return _of("cold", ColdRecord, name)


def _idle(name: str) -> Callable[[ForkRecord], float | None]:
    return _of("idle", IdleRecord, name)


def _after(name: str) -> Callable[[ForkRecord], float | None]:
    return _of("after", IdleRecord, name)


def _at(share: RateShare, name: str) -> Callable[[ForkRecord], float | None]:
    """Of the load at that constant rate, where its figures count."""
    assert name in ConstantRateRecord.model_fields, name  # noqa: S101 - as above
    return lambda fork: next(
        (getattr(at, name) for at in fork.constant_rates if at.share == share and at.counts), None
    )


def rate_metric(share: RateShare, name: str) -> str:
    """Name of a metric at a constant rate: `half_rate_latency_p99_s`."""
    return f"{share.replace('-', '_')}_rate_{name}"


def _rate_metrics(*names: str) -> tuple[Metric, ...]:
    return tuple(
        Metric(rate_metric(share, name), "s", "lower", _at(share, name))
        for share in RATE_SHARES
        for name in names
    )


HISTORY_METRICS: tuple[Metric, ...] = (
    Metric("throughput_rps", "rps", "higher", _load("throughput_rps")),
    Metric("latency_p50_s", "s", "lower", _load("latency_p50_s")),
    Metric("latency_p99_s", "s", "lower", _load("latency_p99_s")),
    Metric("error_ratio", "ratio", "lower", _load("error_ratio")),
    Metric("cpu_per_request_s", "s", "lower", _load("cpu_per_request_s")),
    Metric("memory_peak_bytes", "bytes", "lower", _load("memory_peak_bytes")),
    Metric("threads_max", "count", "lower", _load("threads_max")),
    Metric("unanswered_ratio", "ratio", "lower", _load("unanswered_ratio")),
    Metric("fairness", "ratio", "higher", _load("fairness")),
    Metric("gc_pause_ratio", "ratio", "lower", _load("gc_pause_ratio")),
    Metric("startup_s", "s", "lower", _of("startup", StartupRecord, "first_200_s")),
    Metric("memory_idle_bytes", "bytes", "lower", _idle("rss_bytes")),
    Metric("server_cpu_ratio", "ratio", "lower", _load("server_cpu_ratio")),
    Metric("load_cpu_ratio", "ratio", "lower", _load("load_cpu_ratio")),
    Metric("compiler_cpu_ratio", "ratio", "lower", _load("compiler_cpu_ratio")),
    *_rate_metrics("latency_p50_s", "latency_p99_s", "cpu_per_request_s"),
)

# what a study looks at, and what nobody wants to follow over commits
_STUDY_METRICS: tuple[Metric, ...] = (
    Metric("latency_min_s", "s", "lower", _load("latency_min_s")),
    Metric("latency_mean_s", "s", "lower", _load("latency_mean_s")),
    Metric("latency_stdev_s", "s", "lower", _load("latency_stdev_s")),
    Metric("latency_max_s", "s", "lower", _load("latency_max_s")),
    Metric("received_bytes_per_s", "bytes_per_s", "higher", _load("received_bytes_per_s")),
    Metric("sent_bytes_per_s", "bytes_per_s", "higher", _load("sent_bytes_per_s")),
    Metric("bytes_per_response", "bytes", "lower", _load("bytes_per_response")),
    Metric("server_cpu_peak_ratio", "ratio", "lower", _load("server_cpu_peak_ratio")),
    Metric("heap_after_gc_bytes", "bytes", "lower", _load("heap_after_gc_bytes")),
    Metric("allocated_bytes_per_request", "bytes", "lower", _load("allocated_bytes_per_request")),
    Metric("connections_accepted", "count", "higher", _load("connections_accepted")),
    Metric("host_work_s", "s", "lower", _load("host_work_s")),
    Metric("cold_throughput_rps", "rps", "higher", _cold("throughput_rps")),
    Metric("cold_error_ratio", "ratio", "lower", _cold("error_ratio")),
    Metric("cold_latency_min_s", "s", "lower", _cold("latency_min_s")),
    Metric("cold_latency_mean_s", "s", "lower", _cold("latency_mean_s")),
    Metric("cold_latency_stdev_s", "s", "lower", _cold("latency_stdev_s")),
    Metric("cold_latency_p99_s", "s", "lower", _cold("latency_p99_s")),
    Metric("cold_latency_max_s", "s", "lower", _cold("latency_max_s")),
    Metric("cold_received_bytes_per_s", "bytes_per_s", "higher", _cold("received_bytes_per_s")),
    Metric("cold_sent_bytes_per_s", "bytes_per_s", "higher", _cold("sent_bytes_per_s")),
    Metric("cold_bytes_per_response", "bytes", "lower", _cold("bytes_per_response")),
    Metric("started_in_s", "s", "lower", _of("startup", StartupRecord, "started_in_s")),
    Metric("memory_idle_pss_bytes", "bytes", "lower", _idle("pss_bytes")),
    Metric("heap_committed_idle_bytes", "bytes", "lower", _idle("heap_committed_bytes")),
    Metric("heap_used_idle_bytes", "bytes", "lower", _idle("heap_used_bytes")),
    Metric("heap_max_bytes", "bytes", "lower", _idle("heap_max_bytes")),
    Metric("threads_idle", "count", "lower", _idle("threads_live")),
    Metric("threads_started_idle", "count", "lower", _idle("threads_started")),
    Metric("gc_count_idle", "count", "lower", _idle("gc_count")),
    Metric("gc_pause_idle_s", "s", "lower", _idle("gc_pause_s")),
    Metric("memory_after_bytes", "bytes", "lower", _after("rss_bytes")),
    Metric("memory_after_pss_bytes", "bytes", "lower", _after("pss_bytes")),
    Metric("heap_committed_after_bytes", "bytes", "lower", _after("heap_committed_bytes")),
    Metric("heap_used_after_bytes", "bytes", "lower", _after("heap_used_bytes")),
    Metric("threads_after", "count", "lower", _after("threads_live")),
    Metric("threads_started_after", "count", "lower", _after("threads_started")),
    Metric("gc_count_after", "count", "lower", _after("gc_count")),
    Metric("gc_pause_after_s", "s", "lower", _after("gc_pause_s")),
    Metric("artifact_bytes", "bytes", "lower", _of("build", BuildRecord, "artifact_bytes")),
    Metric("build_s", "s", "lower", _of("build", BuildRecord, "build_s")),
    *_rate_metrics("latency_mean_s", "latency_p90_s", "latency_p999_s", "latency_max_s"),
)

METRICS = HISTORY_METRICS + _STUDY_METRICS
