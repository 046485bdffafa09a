"""A thread that samples the processes of a load, often and cheaply."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from springbench.host.facts.cpu_times import CpuTimes, cpu_times
from springbench.host.memory_limit.control_group import Throttling
from springbench.host.process_tree import ProcessTree
from springbench.host.remote.running import ProcessSample
from springbench.measure.load.load_host import SampleSource
from springbench.measure.load.timeline import Sample, Timeline
from springbench.measure.readings import perfdata
from springbench.measure.readings.tree import TreeReadings, cpu_time_s, io_counters_of, process_of
from springbench.measure.server.compilers import Compilers

BYTES_INTERVAL_S = 0.05
# the rest costs more to read and changes more slowly
PROCESS_INTERVAL_S = 0.25


@dataclass(frozen=True)
class Watched:
    """Process ids to sample; the load generator is watched always."""

    load: int | None
    """None where it runs on another host: then `away` has its readings."""
    server: int | TreeReadings
    """With all that it has started."""
    upstream: int | None = None
    compilers: Compilers | None = None
    """Those of the server."""
    cpus: frozenset[int] = frozenset()
    """CPUs that server, wrk and upstream run on: what is stolen of these counts."""
    alone: bool = True
    """Whether nothing else has a part in it, like a database."""
    server_cpus: frozenset[int] = frozenset()
    """Those whose speed is looked at; none where the host cannot pin."""
    away: SampleSource | None = None
    upstream_away: SampleSource | None = None
    counted: Callable[[ProcessSample], ProcessSample] = lambda sample: sample
    """A reading of the load with its requests, where they are not its writes."""
    helpers: tuple[int, ...] = ()
    """Processes of the harness's own, whose time is not that of others."""
    services_cpu_s: Callable[[], float | None] = lambda: None
    """CPU time of the services that are declared; None without one."""
    throttling: Callable[[], Throttling | None] = lambda: None
    """What the quota of the server has done so far; None without one."""


@dataclass
class Sampler:
    """Collects samples until it is stopped. Use as a context manager."""

    watched: Watched
    clock: Callable[[], float] = time.perf_counter
    _samples: list[Sample] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._begin_s = self.clock()
        self._load = process_of(self.watched.load)
        server = self.watched.server
        self._server = TreeReadings(ProcessTree(server)) if isinstance(server, int) else server
        self._speed = HostSpeed(self.watched.server_cpus)
        self._thread = threading.Thread(target=self._loop, name="sampler", daemon=True)

    def __enter__(self) -> Sampler:
        self._speed.__enter__()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._speed.__exit__()

    @property
    def began_at_s(self) -> float:
        """When the load began, on the sampler's clock."""
        return self._begin_s

    def now_s(self) -> float:
        """Seconds since the load began."""
        return self.clock() - self._begin_s

    @property
    def timeline(self) -> Timeline:
        """Timeline of what has been seen so far."""
        if self.watched.away is None:
            return Timeline(tuple(self._samples))
        # what was seen there comes a moment later
        return Timeline(tuple(sorted(self._samples, key=lambda sample: sample.at_s)))

    def _loop(self) -> None:
        next_full_s = 0.0
        while not self._stop.is_set():
            at_s = self.now_s()
            full = at_s >= next_full_s
            if full:
                next_full_s = at_s + PROCESS_INTERVAL_S
            self._take(full=full)
            self._stop.wait(max(0.0, BYTES_INTERVAL_S - (self.now_s() - at_s)))
        self._take(full=True)

    def _take(self, *, full: bool) -> None:
        watched = self.watched
        if watched.away is None:
            self._samples.append(self._sample(full))
            return
        for remote_sample in watched.away.samples():
            sample = watched.counted(remote_sample)
            at_s = sample.at_s - self._begin_s
            self._samples.append(
                Sample(
                    at_s,
                    sample.read_bytes,
                    sample.requests,
                    load_cpu_s=sample.cpu_s,
                    stolen_away_s=sample.stolen_s,
                    others_away_cpu_s=sample.background_cpu_s if watched.alone else None,
                )
            )
        if not full:
            return
        self._samples.append(self._sample(full))
        for sample in watched.upstream_away.samples()[-1:] if watched.upstream_away else ():
            at_s = sample.at_s - self._begin_s
            self._samples.append(Sample(at_s, None, upstream_cpu_s=sample.cpu_s))

    def _sample(self, full: bool) -> Sample:
        found = io_counters_of(self._load)
        read_bytes, requests, written_bytes = found[:3] if found else (None, None, None)
        read = ProcessSample(0.0, read_bytes, requests, None, written_bytes=written_bytes)
        requests = self.watched.counted(read).requests
        at_s = self.now_s()
        if not full:
            return Sample(at_s, read_bytes, requests)
        watched = self.watched
        # what grows, at this very moment: the rest takes long to read on a host that is busy
        server_s = self._server.cpu_time_s()
        load_s, upstream_s = map(cpu_time_s, (watched.load, watched.upstream))
        times, compilers = cpu_times(watched.cpus), watched.compilers
        compiler_s = compilers.cpu_time_s() if compilers else None
        background_s = self._others_s(times, server_s, load_s, upstream_s)
        calls = self._server.calls()
        memory, jvm = self._server.memory_often(), self._server.jvm()
        counters = perfdata.read(jvm) if jvm is not None else {}
        throttling = watched.throttling()
        return Sample(
            at_s,
            read_bytes,
            requests,
            server_cpu_s=server_s,
            server_reads=calls.reads if calls else None,
            server_writes=calls.writes if calls else None,
            services_cpu_s=watched.services_cpu_s(),
            load_cpu_s=load_s,
            upstream_cpu_s=upstream_s,
            rss_bytes=memory.resident_bytes if memory else None,
            threads=memory.threads if memory else None,
            compiler_cpu_s=compiler_s,
            compilers_runnable=compilers.runnable() if compilers else None,
            stolen_s=times.stolen_s if times else None,
            background_cpu_s=background_s,
            calibration_probe_s=self._speed.work_s,
            classes_loaded=perfdata.classes_loaded(counters),
            heap_committed_bytes=perfdata.heap(counters).get("heap_committed_bytes"),
            cpu_periods=throttling.periods if throttling else None,
            throttled_periods=throttling.throttled if throttling else None,
            throttled_s=throttling.throttled_s if throttling else None,
        )

    def _others_s(
        self,
        times: CpuTimes | None,
        server_s: float | None,
        load_s: float | None,
        upstream_s: float | None,
    ) -> float | None:
        """Rest of the CPUs' work. The clock of a process holds interrupts that it met."""
        is_local = self.watched.away is None
        if (
            times is None
            or server_s is None
            or not self.watched.alone
            or (is_local and load_s is None)
        ):
            return None
        helpers_s = sum(cpu_time_s(pid) or 0.0 for pid in self.watched.helpers)
        ours_s = server_s + (load_s or 0.0) + (upstream_s or 0.0) + helpers_s + time.process_time()
        return times.worked_s - ours_s


# --- How fast the server's CPUs are at a moment, whatever the server does with them ---------------
# A neighbour on the same core, heat or a hypervisor changes a CPU's speed by a third within
# minutes and shows nowhere. A fixed piece of work, done now and then on the server's own CPUs,
# shows it: its CPU time, in which waiting for the CPU does not count. It takes 0.3 % of one of
# them.


# about a millisecond
HASHES = 1_000
EVERY_S = 0.25


class HostSpeed:
    """Does the piece of work again and again, in a thread of its own. Use as a context manager."""

    def __init__(self, cpus: frozenset[int]) -> None:
        self._cpus = cpus
        self._latest_s: float | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="host speed", daemon=True)

    def __enter__(self) -> HostSpeed:
        if self._cpus:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._cpus:
            self._thread.join()

    @property
    def work_s(self) -> float | None:
        """CPU time that the work took last; None where the server's CPUs are not known."""
        return self._latest_s

    def _loop(self) -> None:
        try:
            os.sched_setaffinity(0, self._cpus)  # of this thread alone
        except OSError:
            return  # a CPU that is not there, or not ours: its speed stays unknown
        while not self._stop.wait(EVERY_S):
            self._latest_s = work_s()


def work_s() -> float:
    """CPU time of the piece of work, done once by this thread."""
    begin_s = time.thread_time()
    hashlib.pbkdf2_hmac("sha256", b"springbench", b"speed", HASHES)
    return time.thread_time() - begin_s
