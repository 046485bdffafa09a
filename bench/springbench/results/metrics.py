"""The metrics of a fork: where each stands, its unit, and which direction is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from springbench.measure.records import ForkRecord, LoadRecord

Better = Literal["higher", "lower"]
Unit = Literal["s", "bytes", "rps", "ratio", "count"]


@dataclass(frozen=True)
class Metric:
    """A number that every fork has, or lacks for a reason."""

    name: str
    unit: Unit
    better: Better
    read: Callable[[ForkRecord], float | None]


def _load(name: str) -> Callable[[ForkRecord], float | None]:
    assert name in LoadRecord.model_fields, name  # noqa: S101 - a slip here is a slip in the code
    return lambda fork: getattr(fork.load, name) if fork.load else None


METRICS: tuple[Metric, ...] = (
    Metric("throughput_rps", "rps", "higher", _load("throughput_rps")),
    Metric("latency_p50_s", "s", "lower", _load("latency_p50_s")),
    Metric("latency_p99_s", "s", "lower", _load("latency_p99_s")),
    Metric("error_ratio", "ratio", "lower", _load("error_ratio")),
    Metric("cpu_per_request_s", "s", "lower", _load("cpu_per_request_s")),
    Metric("memory_peak_bytes", "bytes", "lower", _load("memory_peak_bytes")),
    Metric("threads_max", "count", "lower", _load("threads_max")),
    Metric("gc_pause_ratio", "ratio", "lower", _load("gc_pause_ratio")),
    Metric("startup_s", "s", "lower", lambda fork: fork.startup.first_200_s),
    Metric("memory_idle_bytes", "bytes", "lower", lambda fork: fork.idle.rss_bytes),
    Metric("server_cpu_ratio", "ratio", "lower", _load("server_cpu_ratio")),
    Metric("load_cpu_ratio", "ratio", "lower", _load("load_cpu_ratio")),
)
