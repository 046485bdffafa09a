"""Inputs of the classifier of bounds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownCap:
    """A row of the matrix's caps or caches, for the CPUs of this server."""

    at_once: int
    property: str
    reason: str


@dataclass(frozen=True)
class Observed:
    """Inputs of the classifier; None where it was not measured."""

    throughput_rps: float
    connections: int
    delay_s: float
    of_service: bool = False
    """Whether a springbench.toml describes it."""
    error_ratio: float = 0.0
    compilers_had: str | None = None
    """What compilers had of the server's CPUs, where they rested in no fork."""
    connections_accepted: float | None = None
    """How many of them the server had accepted when the load ended."""
    unanswered_ratio: float = 0.0
    """Of the connections, those that got no answer while the others got several."""
    closing: bool = False
    """Whether each answer closes its connection."""
    server_cpu_ratio: float | None = None
    server_cpu_peak_ratio: float | None = None
    """Over the busiest quarter of a second."""
    load_cpu_ratio: float | None = None
    upstream_lateness_s: float | None = None
    gc_pause_ratio: float | None = None
    heap_after_gc_bytes: float | None = None
    """The least that a collection of the window left."""
    allocated_bytes_per_request: float | None = None
    cap: KnownCap | None = None
    cache: KnownCap | None = None
    """Things kept for so many requests at once, and made anew for each beyond them."""
    database_busy: float | None = None
    """How many connections executed a statement, on average."""
    pool_size: int | None = None

    received_bytes_per_s: float | None = None
    link_bytes_per_s: float | None = None
    """What the link to the load host carries; None where the load comes from the same host."""
    round_trip_s: float = 0.0
    """Time of a byte on it, there and back."""

    @property
    def at_once(self) -> float:
        """Requests that wait in the server at once."""
        return self.throughput_rps * self.delay_s

    @property
    def ideal_rps(self) -> float | None:
        """What physics allows; on another host each answer is on its way for a while, too."""
        wait_s = self.delay_s + self.round_trip_s
        return self.connections / wait_s if self.delay_s else None
