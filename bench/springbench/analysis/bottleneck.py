"""Bounds of a throughput. Pure: rules over a summary, the theoretical maximum and the known cap.

A closed loop keeps requests in the server at throughput × latency (Little, 1961); for a
workload that waits by design that is throughput × delay, which tells a thread cap from the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from springbench import units
from springbench.results.records import BUSY_SERVER_RATIO
from springbench.results.run import Bottleneck

# wrk at this share of its CPUs delays its own requests
BUSY_LOAD_RATIO = 0.95
# beyond it answers queue for the link
BUSY_LINK_RATIO = 0.8
# a throughput this near a limit is at the limit
NEAR_RATIO = 0.03
LATE_UPSTREAM_S = 0.05
MANY_ERRORS_RATIO = 0.01
# stopped in every second period of its quota, a server is slower than its code
BUSY_QUOTA_RATIO = 0.5
# above this share of the window in pauses the collector is the limit, not the code
BUSY_COLLECTOR_RATIO = 0.2
# connections that worked all the time, less what a pool takes to hand one on
BUSY_POOL_RATIO = 0.9
# pauses that last this share of what is missing to the theoretical maximum explain it: who waits
# waits longer
EXPLAINING_SHARE = 0.5
# where nothing waits by design, more than so many of the connections ask for as much as all
ENOUGH_ACCEPTED_RATIO = 0.9
# below it a server had time for more requests than it got
SPARE_SERVER_RATIO = 0.5


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
    cpu_quota: float | None = None
    """In CPUs; None where no control group holds the server to one."""
    throttled_ratio: float | None = None
    """Of the periods of the quota, those in which it was used up."""
    throttled_s: float | None = None
    """How long the server waited for the next period then."""
    window_s: float = 0.0
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
    def theoretical_max_rps(self) -> float | None:
        """What physics allows; on another host each answer is on its way for a while, too."""
        wait_s = self.delay_s + self.round_trip_s
        return self.connections / wait_s if self.delay_s else None


def classify(seen: Observed) -> Bottleneck:
    """The first rule that fits, surest first."""
    rules = (
        _not_warmed_up,
        _errors,
        _thread_cap,
        _latency,
        _upstream,
        _memory,
        _backlog,
        _database_pool,
        _cpu_quota,
        _server_cpu,
        _link,
        _load_generator,
        _cpu_waves,
    )
    found = next((bottleneck for rule in rules if (bottleneck := rule(seen))), None) or _at_once(
        seen
    )
    return _with_connections(found or _UNKNOWN, seen)


def _with_connections(bottleneck: Bottleneck, seen: Observed) -> Bottleneck:
    """What connections met, which no throughput tells."""
    text = bottleneck.text
    if seen.unanswered_ratio:
        silent = seen.unanswered_ratio * seen.connections
        text += f" {silent:,.0f} of {seen.connections:,} connections were never answered."
    if seen.closing:
        text += " Each answer closes its connection: every request costs a new one."
    return bottleneck.model_copy(update={"text": text})


_UNKNOWN = Bottleneck(
    kind="unknown",
    label="not known",
    text="None of the limits that were watched explains this throughput.",
    remedy="look at the timelines in raw/",
)


def _at_once(seen: Observed) -> Bottleneck | None:
    """A server with time to spare that lets no more requests wait: by Little's law, how many."""
    if seen.theoretical_max_rps is None or seen.server_cpu_ratio is None:
        return None
    if seen.server_cpu_ratio >= SPARE_SERVER_RATIO or not seen.throughput_rps:
        return None
    return Bottleneck(
        kind="unknown",
        label=f"not known: {seen.at_once:.0f} at once",
        text=f"{seen.at_once:.0f} of {seen.connections:,} requests waited at once while the server "
        f"used {seen.server_cpu_ratio:.0%} of its CPUs: something lets no more of them in.",
        remedy="look for a limit of that size: threads, a pool, a semaphore, connections",
    )


def _not_warmed_up(seen: Observed) -> Bottleneck | None:
    """Whatever else is seen then is that of another program than the one that is there later."""
    if seen.compilers_had is None:
        return None
    quota = seen.cpu_quota
    shared = f" Requests and compilers share its quota of {quota:g} CPUs." if quota else ""
    return Bottleneck(
        kind="not-warmed-up",
        label="not warmed up",
        text=f"Just-in-time compilers had {seen.compilers_had}: it can do at least "
        f"{units.rate(seen.throughput_rps)} req/s once JIT compilation has settled.{shared}",
        remedy=MORE_COMPILING.text(seen.of_service),
    )


def _errors(seen: Observed) -> Bottleneck | None:
    if seen.error_ratio < MANY_ERRORS_RATIO:
        return None
    return Bottleneck(
        kind="errors",
        label=f"errors ({seen.error_ratio:.1%})",
        text=f"{seen.error_ratio:.1%} of the requests failed.",
        remedy="look at the server log in raw/, which says why",
    )


def _thread_cap(seen: Observed) -> Bottleneck | None:
    cap = seen.cap
    if cap is None or not seen.delay_s or cap.at_once >= seen.connections:
        return None
    if abs(seen.at_once / cap.at_once - 1) > NEAR_RATIO:
        return None
    return Bottleneck(
        kind="thread-cap",
        label=f"thread cap: {seen.at_once:.0f} at once ({cap.property})",
        text=f"{seen.at_once:.0f} requests waited at once, "
        f"which is the cap of {cap.at_once}: {cap.reason}.",
        remedy=f"raise {cap.property}",
    )


def _upstream(seen: Observed) -> Bottleneck | None:
    late_s = seen.upstream_lateness_s
    if late_s is None or late_s < LATE_UPSTREAM_S:
        return None
    return Bottleneck(
        kind="upstream",
        label="slow upstream",
        text=f"The slow upstream itself was up to {late_s * 1000:.0f} ms late.",
        remedy="give the upstream a CPU of its own, as with --cpus",
    )


def _latency(seen: Observed) -> Bottleneck | None:
    if (
        seen.theoretical_max_rps is None
        or seen.throughput_rps < (1 - NEAR_RATIO) * seen.theoretical_max_rps
    ):
        return None
    return Bottleneck(
        kind="latency",
        label="latency (the theoretical maximum)",
        text="Every connection did nothing but wait: the server was not the limit.",
    )


def _memory(seen: Observed) -> Bottleneck | None:
    if seen.gc_pause_ratio is None:
        return None
    # nobody else may explain what is missing to the theoretical maximum, when the pauses alone
    # would
    missing = (
        1 - seen.throughput_rps / seen.theoretical_max_rps if seen.theoretical_max_rps else None
    )
    explains = missing is not None and seen.gc_pause_ratio >= missing * EXPLAINING_SHARE
    if seen.gc_pause_ratio < BUSY_COLLECTOR_RATIO and not explains:
        return None
    text = (
        f"The garbage collector stopped the server for {seen.gc_pause_ratio:.0%} of the "
        f"window: its heap is small for {_heap_use(seen)}."
    )
    remedy = "give it more memory (--memory), another collector, or fewer connections"
    cache = seen.cache
    if cache is not None and seen.at_once > cache.at_once:
        text += f" {seen.at_once:,.0f} requests waited at once: {cache.reason}."
        remedy = f"raise {cache.property}, {remedy}"
    return Bottleneck(
        kind="memory",
        label=f"memory: {seen.gc_pause_ratio:.0%} in GC pauses",
        text=text,
        remedy=remedy,
    )


def _heap_use(seen: Observed) -> str:
    retained, allocated = seen.heap_after_gc_bytes, seen.allocated_bytes_per_request
    uses = []
    if retained is not None and seen.delay_s:
        uses.append(f"what it keeps ({units.kibibytes(retained / seen.connections)} a connection)")
    elif retained is not None:
        # a handful of connections is not what fills it
        uses.append(f"what collections leave in it ({units.megabytes(retained)} at least)")
    if allocated is not None:
        uses.append(f"what it allocates ({units.kibibytes(allocated)} a request)")
    return " and ".join(uses) or "what it keeps"


def _backlog(seen: Observed) -> Bottleneck | None:
    """Connections that nobody had accepted ask for nothing, however long the load lasts."""
    accepted = seen.connections_accepted
    # closed ones are not there when they are counted
    if accepted is None or seen.closing or accepted >= (1 - NEAR_RATIO) * seen.connections:
        return None
    # where nothing waits by design, a few connections less ask for as much as all of them
    if seen.theoretical_max_rps is None and accepted > ENOUGH_ACCEPTED_RATIO * seen.connections:
        return None
    return Bottleneck(
        kind="backlog",
        label=f"backlog: {accepted:,.0f} accepted",
        text=f"Only {accepted:,.0f} of {seen.connections:,} connections were accepted: the others "
        "waited for it to the end, or found the accept queue full.",
        remedy="raise the server's accept queue and net.core.somaxconn",
    )


def _database_pool(seen: Observed) -> Bottleneck | None:
    """Little's law within the pool: throughput × time in statements = connections at work.

    A connection that the server holds without a statement does not count: where the server's CPU
    is what keeps the pool, the pool is not the limit.
    """
    busy, size = seen.database_busy, seen.pool_size
    if busy is None or size is None or size >= seen.connections:
        return None
    if busy < BUSY_POOL_RATIO * size or not seen.throughput_rps:
        return None
    statement_ms = busy / seen.throughput_rps * 1000
    return Bottleneck(
        kind="database-pool",
        label=f"database pool: {busy:.0f} of {size} at work",
        text=f"{busy:.1f} of the pool's {size} connections were at work in the database on "
        f"average, {statement_ms:.1f} ms for a request: the others waited for one.",
        remedy="raise pool_size of [database], or give the database more CPUs if it has no spare",
    )


def _cpu_quota(seen: Observed) -> Bottleneck | None:
    if seen.cpu_quota is None or (seen.throttled_ratio or 0.0) < BUSY_QUOTA_RATIO:
        return None
    share = f"{seen.throttled_ratio:.0%}"
    waited = ""
    if seen.throttled_s is not None:
        waited = f", and its CPUs waited for {seen.throttled_s:.1f} s of {seen.window_s:.1f} s"
    return Bottleneck(
        kind="cpu-quota",
        label=f"CPU quota of {seen.cpu_quota:g}: throttled in {share} of periods",
        text=f"The server used up its quota of {seen.cpu_quota:g} CPUs in {share} of the periods"
        f"{waited}.",
        remedy="raise the quota (`cpus`)",
    )


def _server_cpu(seen: Observed) -> Bottleneck | None:
    if seen.server_cpu_ratio is None or seen.server_cpu_ratio < BUSY_SERVER_RATIO:
        return None
    return Bottleneck(
        kind="server-cpu",
        label="server CPU",
        text=f"The server used {seen.server_cpu_ratio:.0%} of its CPUs.",
    )


def _link(seen: Observed) -> Bottleneck | None:
    received, carried = seen.received_bytes_per_s, seen.link_bytes_per_s
    if received is None or not carried or received < BUSY_LINK_RATIO * carried:
        return None
    return Bottleneck(
        kind="link",
        label="link: not ranked",
        text=f"The link to the load host carried {units.megabytes(received)} a second, "
        f"{received / carried:.0%} of what it can: the server could do more.",
        remedy="a faster network between the two hosts",
    )


def _load_generator(seen: Observed) -> Bottleneck | None:
    if seen.load_cpu_ratio is None or seen.load_cpu_ratio < BUSY_LOAD_RATIO:
        return None
    return Bottleneck(
        kind="load-generator",
        label="load generator: not ranked",
        text=f"The load generator used {seen.load_cpu_ratio:.0%} of its CPUs: the server could do "
        "more.",
        remedy="give the load generator more CPUs, as with --cpus",
    )


def _cpu_waves(seen: Observed) -> Bottleneck | None:
    """Equal waits that begin together end together, and queue for the CPU.

    By Little's law a request took connections ÷ throughput; what that is beyond the delay, it
    waited. It cannot have waited longer for the CPU than all of them together keep it busy.
    """
    peak, mean = seen.server_cpu_peak_ratio, seen.server_cpu_ratio
    if peak is None or mean is None or peak < BUSY_SERVER_RATIO:
        return None
    if seen.theoretical_max_rps is None or not seen.throughput_rps:
        return None
    waited_s = seen.connections / seen.throughput_rps - seen.delay_s - seen.round_trip_s
    wave_s = seen.connections * mean / seen.throughput_rps
    if waited_s > wave_s:
        return None
    return Bottleneck(
        kind="cpu-waves",
        label="server CPU, in waves",
        # ticks of the clock make a little over all of them
        text=f"The server used {mean:.0%} of its CPUs and {min(peak, 1):.0%} in the waves in which "
        f"requests that began together end: each waited {waited_s * 1000:.0f} ms for it on "
        f"average, where one wave of all of them is {wave_s * 1000:.0f} ms of work.",
        remedy="give the server more CPUs, as with --cpus",
    )


# --- Remedies that depend on who measures: a matrix has keys that a springbench.toml has not ------


class Remedy(NamedTuple):
    """What whoever has a matrix can do, and who has a springbench.toml."""

    matrix: str
    service: str

    def text(self, service: bool) -> str:
        """That of a service, or of a row of a matrix."""
        return self.service if service else self.matrix


MORE_COMPILING = Remedy(
    "raise compiling_max_s of the profile, or give the server more CPUs",
    "give the server more CPUs, as with --cpus",
)
MORE_WARMING_UP = Remedy(
    "raise warmup_max_s of the profile",
    "give it longer windows with --duration: what happens once weighs less",
)
SIZED_HEAP = Remedy(
    "give a heap its size from the start (-Xms)",
    "give a heap its size from the start (-Xms in command; with jar it has one)",
)
