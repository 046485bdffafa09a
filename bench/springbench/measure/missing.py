"""Why a figure of a fork is null. What is at rest says so itself: see `at_rest`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from springbench.results.metrics import METRICS, Source
from springbench.results.records import BuildRecord, LatencyRecord, LoadRecord, StartupRecord

NO_BUSY_TIME = "the database does not tell how long its statements took (PostgreSQL 14 or newer)"
NO_STATEMENTS = "the database does not count its statements (its extension pg_stat_statements)"
NO_DATABASE = "its requests need no database of springbench"
NOT_SAID = "the server's log does not say how long its start took"
NOT_BUILT = "its build's duration is not known: it was built elsewhere, or is not built at all"
NO_GC_LOG = "its runtime, or a JDK before 9, keeps no log of collections"
ODD_GC_LOG = "its log of collections has lines that could not be understood"
TOO_FEW_COLLECTIONS = "too few collections within the window to tell it"
NO_ARTIFACT = "what is started is no file of the build"
NOT_STOLEN = "this system does not tell what the hypervisor gave to others (/proc/stat)"
NO_OTHERS = (
    "background load is not reported by this system (/proc/stat), where nothing is pinned, or "
    "beside a database or what a service needs"
)
NO_MIDDLE = "its requests do not wait by design, or there are not three delays of a timeline"
NO_LOAD_HOST = "the load came from the server's own host, or its host does not tell (/proc/stat)"
NO_COMPILERS = "it has no threads of a just-in-time compiler, or this system does not tell them"
NO_HOST_SPEED = (
    "nothing is pinned here: there are no CPUs of the server whose speed could be measured"
)
NOT_COUNTED = "this system does not list the server's connections (/proc/net/tcp)"
NO_OHA = "oha, the load generator at a constant rate, is not here"
NO_TIMELINE = "this system keeps no I/O counters of processes (/proc/<pid>/io)"
# facts of the host, beside the metrics
OF_THE_HOST = {
    "steal_ratio": NOT_STOLEN,
    "background_cpu_ratio": NO_OTHERS,
    "load_host_steal_ratio": NO_LOAD_HOST,
    "load_host_background_cpu_ratio": NO_LOAD_HOST,
}
WITHOUT: Mapping[Source, str] = {
    "connections": NOT_COUNTED,
    "compilers": NO_COMPILERS,
    "cpus": NO_HOST_SPEED,
}
INTERRUPTED = "the pauses in which other servers ran interrupted too many of its requests"
INCONSISTENT = (
    "throughput × mean latency is another number than that of the connections (Little's law): the "
    "latencies are of the whole load, its start included"
)
RENEWED = "the server closed connections under the load: those that are open do not tell"
LONGEST = "the longest answers are those that a pause interrupts, in which other servers ran"
IN_SLICES = "it ran in slices of a tenth of a second; all servers of a round meet the same host"
NO_THROTTLING = "its control group does not tell what its quota did (cpu.stat)"
WARMED_BY_ANOTHER = "its process had answered another case before"
WARMED_WITHOUT_WAIT = "it was warmed up without the wait that its requests have by design"
NEVER_SETTLED = "its JIT compilation never settled: there is no steady throughput to come to"
NO_PEAK = "its throughput did not come within 5 % of that of the window while it warmed up"
SHARED = "the servers of a round share the database"
# the name of a figure, and the reason
Reasons = Iterator[tuple[str, str]]


def of_build(build: BuildRecord) -> Reasons:
    """Of what was made before anything was started."""
    if build.artifact_bytes is None:
        yield "build.artifact_bytes", NO_ARTIFACT
    if build.build_s is None:
        yield "build.build_s", NOT_BUILT


def of_startup(startup: StartupRecord) -> Reasons:
    """Of a start that went well."""
    if startup.started_in_s is None:
        yield "startup.started_in_s", NOT_SAID


def of_load(load: LoadRecord, *, database: bool) -> Reasons:
    """Of a load; `database`: it reads one."""
    absent = dict(_of_interleaved()) if load.interleaving else {}
    absent = dict(_of_any_load(load, database=database)) | absent
    if not load.is_consistent:
        absent |= dict.fromkeys(LatencyRecord.model_fields, INCONSISTENT)
    if load.cpu_quota is not None:
        absent |= dict.fromkeys(("cpu_periods", "throttled_periods", "throttled_s"), NO_THROTTLING)
    if database:
        absent["database_busy_connections"] = SHARED if load.interleaving else NO_BUSY_TIME
    yield from ((f"load.{name}", why) for name, why in absent.items() if not _has(load, name))


def no_peak(load: LoadRecord, *, waits: bool, fresh: bool) -> str | None:
    """Why nothing can tell when a process came to the throughput of its window; None where loads
    can. `fresh`: it had answered no other case."""
    if waits:
        return WARMED_WITHOUT_WAIT
    if not fresh:
        return WARMED_BY_ANOTHER
    if load.compiling:
        return NEVER_SETTLED
    return None if load.from_timeline else NO_TIMELINE


def _has(load: LoadRecord, name: str) -> bool:
    return getattr(load, name) is not None


def _of_any_load(load: LoadRecord, *, database: bool) -> Reasons:
    without = {**WITHOUT, "statements": NO_STATEMENTS if database else NO_DATABASE}
    if load.gc_count is None:
        no_log = ODD_GC_LOG if load.unknown_gc_line else NO_GC_LOG
        without |= {"gc-log": no_log, "collections": no_log}
        yield "gc_count", no_log
    else:
        without["collections"] = TOO_FEW_COLLECTIONS
    if load.connections:
        yield "fairness", RENEWED
    if not load.from_timeline:
        without["io-counters"] = NO_TIMELINE
    for metric in METRICS:
        if metric.source in without:
            yield metric.name, without[metric.source]
    yield from OF_THE_HOST.items()
    yield "middle_throughput_rps", NO_MIDDLE
    yield "middle_error_ratio", NO_MIDDLE


def _of_interleaved() -> Reasons:
    """Of a load that was paused while others ran."""
    yield from dict.fromkeys(LatencyRecord.model_fields, INTERRUPTED).items()
    yield "latency_max_s", LONGEST
    yield "server_cpu_peak_ratio", IN_SLICES
    yield "calibration_probe_s", IN_SLICES
