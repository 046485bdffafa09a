"""Records of one fork. They are part of the contract `run.json`.

Base units: seconds, bytes, requests per second, ratios. A figure that could not be taken is
null, and `missing` says why; it is never 0.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from springbench.matrix.profiles import CapacityPercent
from springbench.results.base import Record

# --- Record of a load at a constant rate: a part of the contract `run.json` -----------------------


# why the figures of such a load do not count
RateFlaw = Literal["behind", "unanswered", "load-generator", "compiling", "stolen"]
RATE_FLAW_WORDS: dict[RateFlaw, str] = {
    "behind": "the server fell behind",
    "unanswered": "requests without an answer",
    "load-generator": "oha was the limit",
    "compiling": "compiling",
    "stolen": "stolen",
}


TENTH_S = 0.1


class SlowRecord(Record):
    """How many requests of a load took longer than `over_s`, and in how many tenths of a second
    one of them was due: a stall has many of them in one or two."""

    over_s: float
    requests: int
    tenths: int


class ConstantRateRecord(Record):
    """A load on an open schedule: requests are sent when they are due, whatever became of others.

    `offered_rps` is `capacity_percent` of the throughput that the case's first window had.
    `achieved_rps` are the answers that came in the window; the rest is of the requests that were
    due in it. A latency counts from when its request was due, so what waited for a free connection
    counts in full. `unanswered` are those of the whole load that never got an answer.
    `lateness_p99_s`: how late the generator sent while it had a free connection. `slow`: those that
    took longer than certain times, from what they wait by design on. `histogram`: the latencies in
    microseconds, in HdrHistogram's compressed format, base 64.
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
    slow: list[SlowRecord] = []
    histogram: str | None = None

    @property
    def counts(self) -> bool:
        """Whether nothing speaks against its figures."""
        return not self.flaws


# --- Records of one fork. They are part of the contract `run.json` --------------------------------
# Base units: seconds, bytes, requests per second, ratios. A figure that could not be taken is
# null, and `missing` says why; it is never 0.


Status = Literal["ok", "failed", "skipped"]
# what goes on in a window beside the answers, and changes how fast they come
Instability = Literal[
    "compiling", "unknown-compilers", "loading-classes", "growing-heap", "stolen", "disturbed"
]


# of the server's CPUs: these are the limit then
BUSY_SERVER_RATIO = 0.90


class LoadErrors(BaseModel):
    """Failed requests by kind; `timeout` counts answers slower than the histogram's ceiling."""

    model_config = ConfigDict(frozen=True)
    connect: int
    read: int
    write: int
    status: int
    timeout: int

    @property
    def total(self) -> int:
        return self.connect + self.read + self.write + self.status + self.timeout


class LoadLatency(BaseModel):
    """Closed-loop latencies in seconds: they miss what a waiting client would have seen."""

    model_config = ConfigDict(frozen=True)
    min: float
    mean: float
    stdev: float
    p50: float
    p90: float
    p99: float
    max: float


class LoadSummary(BaseModel):
    """One closed loop, from its first connection to its end.

    `latencies_us`: latencies in microseconds, to three digits, and how many requests had each; none
    where the generator does not tell.
    """

    model_config = ConfigDict(frozen=True)
    duration_s: float
    requests: int
    bytes: int
    errors: LoadErrors
    latency_s: LoadLatency
    latencies_us: tuple[tuple[int, int], ...] = ()

    @property
    def bytes_per_response(self) -> float | None:
        """Mean size of a response on the wire; None when none came, or nobody counted them."""
        return self.bytes / self.requests if self.requests and self.bytes else None

    @property
    def answered_ratio(self) -> float:
        """Answers, of whatever status, over the requests that were sent and have ended."""
        sent = self.requests + self.errors.read + self.errors.write
        return self.requests / sent if sent else 0.0

    @property
    def error_ratio(self) -> float:
        """Failed over attempted. Answers with a status over 399 stand in `requests` too."""
        errors = self.errors
        failed_outright = errors.connect + errors.read + errors.write
        attempted = self.requests + failed_outright
        return (failed_outright + errors.status) / attempted if attempted else 0.0


class StartupRecord(Record):
    """From the start of the process to its first answer with status 200.

    `started_in_s` is what the server itself says of it in its log.
    """

    first_200_s: float | None = None
    started_in_s: float | None = None


class IdleRecord(Record):
    """At rest: after the first answer, before any load; or after the load.

    `pss_bytes` counts a page that several processes share in part. `threads` are the kernel's;
    `threads_live` and `threads_started` those that Java knows of, virtual threads left out.
    Collections since the process began.
    """

    rss_bytes: int | None = None
    pss_bytes: int | None = None
    threads: int | None = None
    heap_committed_bytes: int | None = None
    heap_used_bytes: int | None = None
    heap_max_bytes: int | None = None
    threads_live: int | None = None
    threads_started: int | None = None
    gc_count: int | None = None
    gc_pause_s: float | None = None


class BuildRecord(Record):
    """Size of what is started, and how long it took to make: the last build, not this run's."""

    artifact_bytes: int | None = None
    build_s: float | None = None
    # what made it beside Maven and the JDK of the run: native-image and its version, of an image
    made_with: str | None = None


class LatencyRecord(Record):
    """Closed-loop latencies, each as it was measured; null where nothing was answered."""

    latency_min_s: float | None = None
    latency_mean_s: float | None = None
    latency_stdev_s: float | None = None
    latency_p50_s: float | None = None
    latency_p90_s: float | None = None
    latency_p99_s: float | None = None
    latency_max_s: float | None = None

    def take(self, summary: LoadSummary) -> None:
        """Those of a load, if it had an answer."""
        if summary.requests:
            for name, value in summary.latency_s.model_dump().items():
                setattr(self, f"latency_{name}_s", value)


class ColdRecord(LatencyRecord):
    """The first load that a fresh process gets, connecting included, as wrk tells it."""

    duration_s: float
    requests: int
    throughput_rps: float
    error_ratio: float
    bytes_per_response: float | None = None
    received_bytes_per_s: float | None = None
    sent_bytes_per_s: float | None = None


class Stall(Record):
    """A block of the window in which hardly anything came."""

    at_s: float
    throughput_ratio: float


class InterleavingRecord(Record):
    """How a window was interleaved with those of other servers, all up at once.

    The `servers` ran in slices, in `blocks` of a second and more; `left_out` of these were
    disturbed by the host, or by JIT compilation that resumed, and measured again while there was
    time.
    """

    servers: int
    blocks: int
    left_out: int


class RouteRecord(Record):
    """One request of a mix: its share of all that were sent, and its part of the throughput.

    The share is exact, by the order in which the load asks; `wrong_answer_ratio` is of its probes.
    Its latency is not known: the generator tells those of all requests together.
    """

    name: str
    share_ratio: float
    throughput_rps: float
    probes: int
    wrong_answer: str | None = None
    wrong_answer_ratio: float = 0.0
    queries_per_request: float | None = None


# throughput × mean latency may be off by so much of the connections: where requests wait by design,
# and elsewhere, where the start of the load, which is in the mean alone, may be slower than the
# window
LITTLE_RATIO = 0.1
LITTLE_BUSY_RATIO = 0.25
# answers of a connection, on average, from which one without any is no bad luck
ANSWERS_PER_CONNECTION_MIN = 5


class LoadRecord(LatencyRecord):
    """One window of one load: no figure is of another load.

    Throughput, CPU time, threads, collections and allocation are of the window; latencies, errors
    and connections of the whole load around it. With `interleaving` it was paused while other
    servers ran: times are those in which it ran itself.

    `middle_throughput_rps`, where requests wait by design, is that of the median piece of the
    window, each a delay long: a moment in which server or host was stopped is not in it.
    `middle_error_ratio` is its standard error, by how far the pieces differ.

    `steady`: the throughput was flat, and nothing of `instability` went on. `compiler_cpu_ratio`
    is the share of the server's CPUs that its just-in-time compilers had; `calibration_probe_s`
    the CPU time that a fixed piece of work took on them (harmonic mean), which tells a slower host
    from a slower server; `steal_ratio` what the hypervisor took of the CPUs in use;
    `background_cpu_ratio` the CPU time of programs without a part in it, of one CPU.
    `load_host_…` are the same of a host that only the load comes from.

    `unanswered_ratio` is the share of wrk's open `connections` that had received nothing when a
    load of `loaded_s` ended, `fairness` how evenly they had been served: Jain's index, 1 where all
    had as much, k ÷ n where k of n had all; each had `answers_per_connection` on average.
    `streams` of HTTP/2 shared each. `in_flight` is throughput × mean latency: by Little's law the
    number of connections × streams, if each of them waits for an answer that comes. `closing`: each
    answer closes its connection.

    `reads_per_request` and `writes_per_request` are calls of the kernel, of files and sockets: a
    query of a database is a write and one read or more. `services_cpu_per_request_s` is CPU time of
    the services that `[[services]]` declares, a database for example.

    `server_cpus` is how many CPUs the server was pinned to, `cpu_quota` (in CPUs) what a control
    group held it to of them: then ratios of the server's CPUs are of the quota. In
    `throttled_periods` of the `cpu_periods` of the window (100 ms each) it had used up its quota
    before the end, and its CPUs waited for the next one for `throttled_s` together.

    `time_to_peak_s` is from the start of the process, loaded from its first answer on, until its
    throughput came within 5 % of that of the window; `requests_lost_to_peak` are those that this
    throughput would have answered in that time, and the process did not. Both are taken where the
    case names its CPUs: elsewhere compilers have further CPUs while a server warms up.

    `wrong_answer_ratio` is the share of the probe requests in the window that were answered with
    another status than 200, or not as the workload says, `wrong_answer` the most frequent of these:
    a status, and where it redirects to. `routes` are the requests of a mix.

    `queries_per_request` are statements of the database, without those that control transactions,
    over requests one after the other after the load.
    """

    warmup_s: float
    steady: bool | None
    instability: list[Instability] = []
    compiler_cpu_ratio: float | None = None
    calibration_probe_s: float | None = None
    window_begin_s: float
    window_s: float
    from_timeline: bool
    requests: int
    errors: LoadErrors
    error_ratio: float
    wrong_answer: str | None = None
    wrong_answer_ratio: float = 0.0
    throughput_rps: float
    middle_throughput_rps: float | None = None
    middle_error_ratio: float | None = None
    bytes_per_response: float | None = None
    received_bytes_per_s: float | None = None
    sent_bytes_per_s: float | None = None
    cpu_per_request_s: float | None = None
    reads_per_request: float | None = None
    writes_per_request: float | None = None
    services_cpu_per_request_s: float | None = None
    server_cpu_ratio: float | None = None
    server_cpu_peak_ratio: float | None = None
    load_cpu_ratio: float | None = None
    steal_ratio: float | None = None
    background_cpu_ratio: float | None = None
    load_host_steal_ratio: float | None = None
    load_host_background_cpu_ratio: float | None = None
    upstream_cpu_ratio: float | None = None
    upstream_lateness_max_s: float | None = None
    database_busy_connections: float | None = None
    queries_per_request: float | None = None
    memory_peak_bytes: int | None = None
    threads_max: int | None = None
    server_cpus: int | None = None
    cpu_quota: float | None = None
    cpu_periods: int | None = None
    throttled_periods: int | None = None
    throttled_s: float | None = None
    time_to_peak_s: float | None = None
    requests_lost_to_peak: int | None = None
    connections_accepted: int | None = None
    connections: int | None = None
    streams: int = 1
    unanswered_ratio: float | None = None
    closing: bool = False
    fairness: float | None = None
    answers_per_connection: float | None = None
    loaded_s: float | None = None
    in_flight: float | None = None
    gc_count: int | None = None
    gc_pause_ratio: float | None = None
    heap_after_gc_bytes: int | None = None
    allocated_bytes_per_request: float | None = None
    stalls: list[Stall] = []
    unknown_gc_line: str | None = None
    """A line of its log of collections that could not be understood: then none were counted."""
    interleaving: InterleavingRecord | None = None
    routes: list[RouteRecord] = []

    @property
    def flight_ratio(self) -> float:
        """Requests at once by Little's law, over connections that get answers; 1 if not known."""
        if self.in_flight is None or not self.connections:
            return 1.0
        answered = self.connections * self.streams * (1 - (self.unanswered_ratio or 0.0))
        return self.in_flight / answered if answered else 1.0

    @property
    def is_consistent(self) -> bool:
        """Whether throughput and latencies fit to each other, as those of one load do."""
        waits = self.middle_throughput_rps is not None
        return abs(self.flight_ratio - 1) <= (LITTLE_RATIO if waits else LITTLE_BUSY_RATIO)

    @property
    def throttled_ratio(self) -> float | None:
        """Share of the periods in which the quota was used up; None where nothing tells."""
        if self.throttled_periods is None or not self.cpu_periods:
            return None
        return min(1.0, self.throttled_periods / self.cpu_periods)

    @property
    def is_long(self) -> bool:
        """Whether a connection without an answer missed several answers, and not just its first."""
        return (self.answers_per_connection or 0.0) >= ANSWERS_PER_CONNECTION_MIN

    @property
    def compiling(self) -> bool:
        """Whether the server was still being compiled in the window."""
        return "compiling" in self.instability


class ForkRecord(Record):
    """One fresh process of a variant. `headers` are those of one answer of the workload's route."""

    fork: int
    status: Status
    reason: str | None = None
    log_tail: list[str] = []
    startup: StartupRecord = StartupRecord()
    idle: IdleRecord = IdleRecord()
    cold: ColdRecord | None = None
    load: LoadRecord | None = None
    constant_rates: list[ConstantRateRecord] = []
    after: IdleRecord = IdleRecord()
    build: BuildRecord = BuildRecord()
    headers: dict[str, str] = {}
    missing: dict[str, str] = {}
