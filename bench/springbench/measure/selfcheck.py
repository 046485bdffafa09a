"""How far off the harness is: known targets, measured the way servers are."""

from __future__ import annotations

import asyncio
import hashlib
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from pathlib import Path
from typing import Literal

from springbench.errors import CaseError
from springbench.host.shell import Running
from springbench.matrix.servers import HTTP1, HttpProtocol
from springbench.matrix.templates import get
from springbench.measure.at_rate import EDGE_S
from springbench.measure.load.driver import Driver
from springbench.measure.load.open_schedule import Schedule
from springbench.measure.load.timeline import Timeline, mean_rate
from springbench.measure.server.process import ServerProcess
from springbench.measure.services import upstream
from springbench.measure.services.http import HOST
from springbench.measure.testbed import Testbed
from springbench.measure.warmup import TAIL_S
from springbench.plan.cases import RAMP_S

WARMUP_S = 3.0
SECOND_CLIENT_WINDOW_S = 4.0
# where in the window the target is stopped
STALL_AT = 0.4
# how often the target is asked for its count, and how long before the window
COUNT_INTERVAL_S = 0.05
COUNTING_LEAD_S = 0.7
# as servers are asked over it
H2C = HttpProtocol(id="h2c", description="HTTP/2 without TLS", streams=8, generator="h2load")
PROBE_ROUNDS = 5
PROBE_HASHES = 200_000


@dataclass(frozen=True)
class Target:
    """The slow upstream with a fixed delay. `at_once` caps how many it serves at a time; it is
    stopped for `stall_s` once. wrk asks over HTTP/1.1, h2load over HTTP/2, where `connections` are
    the streams of all of them."""

    delay_ms: int
    connections: int
    at_once: int | None = None
    generator: Literal["wrk", "h2load"] = "wrk"
    stall_s: float = 0.0

    @property
    def delay_s(self) -> float:
        return self.delay_ms / 1000

    @property
    def known_rps(self) -> float:
        """Rate that physics allows: connections, or the cap, ÷ delay."""
        return min(self.connections, self.at_once or self.connections) / self.delay_s

    @property
    def protocol(self) -> HttpProtocol:
        return H2C if self.generator == H2C.generator else HTTP1

    @property
    def name(self) -> str:
        cap = f", {self.at_once} at once" if self.at_once else ""
        at_once = "streams" if self.protocol.is_http2 else "connections"
        by = "" if self.generator == "wrk" else f", by {self.generator}"
        stall = f", stopped for {1000 * self.stall_s:.0f} ms" if self.stall_s else ""
        return f"{self.connections} {at_once} at {self.delay_ms} ms{cap}{stall}{by}"


@dataclass(frozen=True)
class Checked:
    """Rates of one target, by the harness, by the target's own count and by a second client."""

    target: Target
    measured_rps: float
    counted_rps: float
    """What the target has answered in the same window, by its own count."""
    second_client_rps: float | None
    lateness_mean_s: float
    lateness_p99_s: float
    cpu_per_request_s: float | None
    load_cpu_per_request_s: float | None = None
    """Of the load generator; the one before is the target's."""
    round_trip_s: float = 0.0
    """Of the link, where the load comes from another host."""
    stalled_s: float = 0.0
    """For how long the target was really stopped."""
    slowest_s: float | None = None
    """The slowest answer that the generator tells of."""

    @property
    def error_ratio(self) -> float:
        """How far the harness is off what the target counted; negative when it reads low."""
        return self.measured_rps / self.counted_rps - 1

    @property
    def below_known_ratio(self) -> float:
        """How far the load is off the rate that is known: what the generator takes from an answer
        to its next request, in proportion to the delay.

        A target that is late by its own clock is slower by as much, and not the generator; nor is
        the link that an answer travels. A cap is the target's, whatever the link takes.
        """
        delay_s = self.target.delay_s
        link_s = 0.0 if self.target.at_once else self.round_trip_s
        true_rps = self.target.known_rps * delay_s / (delay_s + self.lateness_mean_s + link_s)
        return self.measured_rps / true_rps - 1


class TargetCount:
    """What the target itself counts from `begin_s` of a load on, often. A context manager.

    Its counters begin anew then: connecting makes any timer late. Takes the place of a condition
    that ends a load, and never does.
    """

    def __init__(self, target: upstream.Upstream, begin_s: float) -> None:
        self._target, self._begin_s = target, begin_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._read, name="target count", daemon=True)
        self._counts: list[tuple[float, float]] = []

    def __enter__(self) -> TargetCount:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    def __call__(self, timeline: Timeline) -> bool:
        if self._thread.ident is None and timeline.end_s >= self._begin_s:
            self._target.reset()
            self._thread.start()
        return False

    def points(self, began_at_s: float) -> list[tuple[float, float]]:
        """(seconds since the load began, answers) of each reading."""
        return [(at_s - began_at_s, count) for at_s, count in self._counts]

    def _read(self) -> None:
        while not self._stop.wait(COUNT_INTERVAL_S):
            asked_at_s = time.perf_counter()
            # a target that is stopped gives none, and one that is lost ends the load
            with suppress(OSError, HTTPException, ValueError, KeyError):
                served = float(self._target.stats()["served"])
                self._counts.append(((asked_at_s + time.perf_counter()) / 2, served))


@dataclass
class Stall:
    """Stops the target once for a while; how long it really was."""

    target: Running
    at_s: float
    for_s: float
    lasted_s: float = field(default=0.0, init=False)

    def __call__(self, since_s: float) -> None:
        if self.for_s and not self.lasted_s and since_s >= self.at_s:
            begin_s = time.monotonic()
            self.target.signal(signal.SIGSTOP)
            try:
                time.sleep(self.for_s)
            finally:
                self.target.signal(signal.SIGCONT)
            self.lasted_s = time.monotonic() - begin_s

    def of_timeline(self, timeline: Timeline) -> bool:
        """The same, in the place of a condition that ends a load, and never does."""
        if timeline.samples:
            self(timeline.samples[-1].at_s)
        return False


@contextmanager
def target_driver(
    testbed: Testbed, jar: Path, target: Target, folder_name: str
) -> Iterator[tuple[Driver, upstream.Upstream]]:
    """The target where servers run, warm, and what drives it. Raises `CaseError` where the target
    no longer answers."""
    folder = testbed.raw / "selfcheck" / folder_name
    folder.mkdir(parents=True, exist_ok=True)
    options = [f"--delay={target.delay_ms}"]
    if target.at_once:
        options.append(f"--at-once={target.at_once}")
    log, cpus, address = folder / "target.log", testbed.cpus.server, testbed.load.server_address
    with upstream.started(
        testbed.shell, testbed.java, jar, log, cpus, tuple(options), address
    ) as running:
        server = ServerProcess(
            running.running,
            running.port,
            time.perf_counter(),
            address=address,
            protocol=target.protocol,
        )
        driver = Driver(replace(testbed, upstream=None), server, folder)
        server.check_route(get("/"), target.delay_s + 5.0)
        driver.drive("warm-up", [get("/")], min(64, target.connections), WARMUP_S)
        try:
            yield driver, running
        except (HTTPException, ConnectionError, TimeoutError, EOFError) as error:
            raise CaseError(f"the target gave no answer: {error!r}") from error


def check(testbed: Testbed, jar: Path, target: Target, window_s: float) -> Checked:
    """Measure one target. It runs where servers run, so the CPUs are those of a real case."""
    cap = f"-{target.at_once}-at-once" if target.at_once else ""
    stall_ms = f"-stop-{1000 * target.stall_s:.0f}ms" if target.stall_s else ""
    folder = f"{target.generator}-{target.delay_ms}ms-{target.connections}{cap}{stall_ms}"
    with target_driver(testbed, jar, target, folder) as (driver, running):
        driver.server.check_route(get("/"), target.delay_s + 5.0)
        delay_s = target.delay_s
        connected_s = RAMP_S + 2 * delay_s
        begin_s = connected_s + COUNTING_LEAD_S
        end_s = begin_s + window_s
        stall = Stall(running.running, begin_s + STALL_AT * window_s, target.stall_s)
        with TargetCount(running, connected_s) as count:
            driven = driver.drive(
                "load",
                [get("/")],
                target.connections,
                end_s + delay_s + TAIL_S,
                enough=lambda timeline: count(timeline) or stall.of_timeline(timeline),
                begin_over_s=delay_s,
            )
            stats = running.stats()
        points = driven.timeline.points
        rate_rps = mean_rate(points("requests"), begin_s, end_s, delay_s)
        counted_rps = mean_rate(count.points(driven.began_at_s), begin_s, end_s, delay_s)
        # the target counts the requests of the probe as well
        probes = sum(begin_s <= probed.at_s + delay_s < end_s for probed in driven.probed)
        counted_rps = (counted_rps or 0.0) - probes / window_s
        if counted_rps <= 0:
            raise CaseError("the target did not say what it answered")
        cpus = mean_rate(points("server_cpu_s"), begin_s, end_s)
        load_cpus = mean_rate(points("load_cpu_s"), begin_s, end_s)
        measured_rps = rate_rps or driven.summary.requests / driven.summary.duration_s
        second_rps = None
        by_wrk = target.generator == "wrk"
        plain = not (target.at_once or target.stall_s)
        if by_wrk and target.known_rps <= MAX_RATE_RPS and plain:
            second_rps = measure_rate(
                running.port,
                target.connections,
                target.delay_s,
                SECOND_CLIENT_WINDOW_S,
                running.address,
            )
    return Checked(
        target=target,
        measured_rps=measured_rps,
        counted_rps=counted_rps,
        second_client_rps=second_rps,
        lateness_mean_s=float(stats["lateness_mean_ms"]) / 1000,
        lateness_p99_s=float(stats["lateness_p99_ms"]) / 1000,
        cpu_per_request_s=cpus / measured_rps if cpus else None,
        load_cpu_per_request_s=load_cpus / measured_rps if load_cpus else None,
        stalled_s=stall.lasted_s,
        slowest_s=driven.summary.latency_s.max,
    )


def probe_cpu_s() -> float:
    """Seconds that a fixed piece of work takes: the fastest of five, on the harness's own CPU.

    Tells a host that has slowed down from a server that has.
    """

    def once() -> float:
        begin_s = time.perf_counter()
        hashlib.pbkdf2_hmac("sha256", b"springbench", b"probe", PROBE_HASHES)
        return time.perf_counter() - begin_s

    return min(once() for _ in range(PROBE_ROUNDS))


# beyond this an interpreter is the limit itself
MAX_RATE_RPS = 4000.0


def measure_rate(
    port: int, connections: int, delay_s: float, window_s: float, host: str = HOST
) -> float:
    """Answers per second of a target that delays each answer by `delay_s`.

    Each connection times whole cycles, from one answer to another, so that no answer is cut by
    the edge of a window; the first two are left out. Raises `OSError` when refused.
    """
    cycles = max(2, round(window_s / delay_s))
    return asyncio.run(_measure(host, port, connections, cycles))


async def _measure(host: str, port: int, connections: int, cycles: int) -> float:
    streams = [await asyncio.open_connection(host, port) for _ in range(connections)]
    rates = await asyncio.gather(*(_rate(reader, writer, cycles) for reader, writer in streams))
    for _, writer in streams:
        writer.close()
    return sum(rates)


async def _rate(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cycles: int) -> float:
    """Answers per second of one connection."""
    loop = asyncio.get_running_loop()
    request = f"GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode("ascii")
    answered_at_s: list[float] = []
    for _ in range(2 + cycles):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(_body_bytes(head))
        answered_at_s.append(loop.time())
    return cycles / (answered_at_s[-1] - answered_at_s[1])


def _body_bytes(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


# --- How far off latencies at a constant rate are: a known target, with and without a stall -------


@dataclass(frozen=True)
class RateTarget:
    """A target, asked for half of what its connections could carry."""

    target: Target

    @property
    def rate_rps(self) -> float:
        return self.target.known_rps / 2

    @property
    def name(self) -> str:
        return f"{self.rate_rps:,.0f}/s, {self.target.name}"


@dataclass(frozen=True)
class RateChecked:
    """What was reported of a target whose latency is known; times in seconds.

    `late_p99_s` is how late the target was by its own clock: the truth of p99 is its delay and
    that. wrk's figures are of the same target under the same stall.
    """

    rate_target: RateTarget
    achieved_ratio: float
    load_cpu_ratio: float | None
    p50_s: float
    p99_s: float
    max_s: float
    late_p99_s: float
    stalled_s: float
    wrk_p99_s: float | None = None

    @property
    def p50_error_s(self) -> float:
        return self.p50_s - self.rate_target.target.delay_s

    @property
    def p99_error_s(self) -> float:
        """Without a stall: with one p99 depends on how many requests it held up."""
        return self.p99_s - self.rate_target.target.delay_s - self.late_p99_s

    @property
    def stall_found_s(self) -> float:
        """How much the slowest answer took beyond the delay."""
        return self.max_s - self.rate_target.target.delay_s


def check_at_rate(
    testbed: Testbed, jar: Path, rate_target: RateTarget, window_s: float
) -> RateChecked:
    """Measure one target at its rate. Raises `CaseError` as the drivers do."""
    target = rate_target.target
    schedule = Schedule.plan(rate_target.rate_rps, target.connections, target.delay_s, window_s)
    folder = f"rate-{target.delay_ms}ms-{target.connections}-{target.stall_s:g}"
    with target_driver(testbed, jar, target, folder) as (driver, upstream):
        stall = Stall(upstream.running, schedule.lead_s + STALL_AT * window_s, target.stall_s)
        upstream.reset()
        driven = driver.drive_open(
            "rate", [get("/")], target.connections, schedule, target.delay_s, each_tick=stall
        )
        stats = upstream.stats()
        wrk_p99_s = None
        if stall.for_s:
            wrk_p99_s = _wrk_p99_s(driver, rate_target, window_s, replace(stall))
    figures = driven.window.latency_figures()
    load_cpu = mean_rate(
        driven.timeline.points("load_cpu_s"), schedule.lead_s, schedule.duration_s - EDGE_S
    )
    return RateChecked(
        rate_target,
        achieved_ratio=driven.window.achieved_rps / schedule.rate_rps,
        load_cpu_ratio=None if load_cpu is None else load_cpu / testbed.cpus.counts.load,
        p50_s=figures.get("p50", 0.0),
        p99_s=figures.get("p99", 0.0),
        max_s=figures.get("max", 0.0),
        late_p99_s=float(stats["lateness_p99_ms"]) / 1000,
        stalled_s=stall.lasted_s,
        wrk_p99_s=wrk_p99_s,
    )


def _wrk_p99_s(
    driver: Driver, rate_target: RateTarget, window_s: float, stall: Stall
) -> float | None:
    """What wrk tells of the same stall: its clients do not ask while they wait."""
    stall.at_s = RAMP_S + STALL_AT * window_s
    driven = driver.drive(
        "load",
        [get("/")],
        rate_target.target.connections,
        RAMP_S + window_s,
        enough=stall.of_timeline,
    )
    return driven.summary.latency_s.p99 if driven.summary.requests else None
