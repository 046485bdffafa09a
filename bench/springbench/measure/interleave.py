"""The interleaver: several servers under load, of which one runs at a time while all others are
paused.

A server and its load generator are stopped together by the kernel (SIGSTOP) and go on together;
the connections stay open. What disturbs the host for longer than a slice then disturbs all servers
alike, and counters are read while a server is paused. The interleaved times of one server, put
together, are a timeline like any other, on a clock of its own: a window is cut from it as from a
load that was never paused.
"""

from __future__ import annotations

import math
import statistics
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeVar

from springbench.errors import CaseError
from springbench.host.cpus import CpuPartition
from springbench.host.facts.cpu_times import cpu_times
from springbench.limits import (
    BUSY_RATIO,
    END_RATIO,
    MAX_STEAL_RATIO,
    SETTLED_RATIO,
    had_ratio,
)
from springbench.measure.load.driver import Connections, Driven, Driver, keep_timeline
from springbench.measure.load.generator import Requests, RunningLoad
from springbench.measure.load.probe import Probe
from springbench.measure.load.timeline import (
    STEADY_BLOCKS,
    STEADY_SPREAD_RATIO,
    Sample,
    Timeline,
    is_steady,
)
from springbench.measure.readings.gclog import Collection, stopped_s
from springbench.measure.readings.tree import cpu_time_s, io_counters
from springbench.measure.server.compilers import Compilers
from springbench.measure.services.declared import rested_services_cpu_s, services_cpu_s
from springbench.measure.testbed import Testbed
from springbench.measure.window import Collections, Sliced, Span, burst_record, window_record
from springbench.plan.cases import INTERLEAVED, SETTLING, Case
from springbench.results.comparison import BurstRecord
from springbench.results.records import (
    Instability,
    InterleavingRecord,
    LoadRecord,
    LoadSummary,
)

SLICE_S = 0.1
# Of a server that is stopped by collections for more than so much of its time, one slice would be
# mostly a collection and the next without any: it gets longer ones, with several in each.
COLLECTING_RATIO = 0.05
COLLECTING_SLICE_S = 0.3
# of a load before it, by which a slice is chosen
COLLECTING_OVER_S = 5.0
# to connect and to have every connection busy
RAMP_S = 0.3
STOP_CEILING_S = 5.0
# new connections have compilers begin anew: so long each server may have CPUs of their own for
# them, or as long as its warm-up may take until it is steady
SETTLE_MAX_S = 10.0
SETTLED_S = 1.0
# What runs seldom is compiled for a long time, a few methods a second: a TLS handshake comes once
# in hundreds of requests, and a single second says little of it. So compilers must have had less
# than a window allows them over this many seconds, or over all that there were, if at least two.
SETTLED_PARTS = 4
# A method that is compiled among the slices has its server loaded until that is over, with CPUs of
# their own for the compilers: so many seconds as above (an optimising compiler may need one for a
# single method), at most so long at a time. On some servers JIT compilation never settles.
RESUMED_PARTS = 2
RESUMED_MAX_S = 5.0
# A single method would be most of one slice. So much of a server's own time tells whether it was
# one, or JIT compilation that goes on: the limit is that of the last second in which it settled.
RESUMED_OVER_S = 1.0
# the kernel counts what is stolen in hundredths of a second
BLOCK_S = 1.0
# of what was asked for, in all: blocks that the host spoils are measured again within it
LONGEST_RATIO = 2.0
# the same where time is over
SHORTEST_RATIO = 0.5
# the same for compilers that have a little to do all the time
COMPILING_RATIO = 1.5
# of the blocks that count: a server that is not steady in them gets so many to become so
UNEVEN_RATIO = 1.4
# what chance does to steady servers more seldom is no chance
CHANCE = 0.01
# with fewer in each quarter nothing tells what is chance
LEAST_IN_QUARTER = 3

Item = TypeVar("Item")
_CUMULATIVE = (
    *("at_s", "read_bytes", "requests", "server_cpu_s", "load_cpu_s", "compiler_cpu_s"),
    *("stolen_s", "background_cpu_s", "server_reads", "server_writes", "services_cpu_s"),
)


def can_interleave(server_pid: int) -> bool:
    """Whether the system tells the requests and the CPU time of a process that is paused."""
    return io_counters(server_pid) is not None and cpu_time_s(server_pid) is not None


def rotated(items: Sequence[Item], turn: int) -> list[Item]:
    """The same in a circle, from another one on in each turn; two change places."""
    first = turn % len(items) if items else 0
    return [*items[first:], *items[:first]]


def slice_for(collections: Sequence[Collection] | None, now_s: float) -> float:
    """Seconds that a server runs at a time, by what collections took of the load until `now_s`, on
    the clock of its JVM."""
    stopped = stopped_s(collections or [], now_s - COLLECTING_OVER_S, now_s)
    return COLLECTING_SLICE_S if stopped / COLLECTING_OVER_S > COLLECTING_RATIO else SLICE_S


def _have_settled(server: InterleavedServer, seen: Sequence[Part], over: int) -> bool:
    """Whether the compilers of a server had next to nothing in the newest second and, of more than
    one, in all of them."""
    if len(seen) < min(2, over) or server.compiler_ratio([seen[-1]]) >= END_RATIO:
        return False
    return over == 1 or server.compiler_ratio(seen) < SETTLED_RATIO


def settle_max_s(case: Case) -> float:
    """For how long a server may settle before its slices, and as long again among them."""
    return max(SETTLE_MAX_S, case.warmup_max_s - case.warmup_min_s)


def longest_load_s(cases: Sequence[Case]) -> float:
    """For how long the load of each may have to go on, its pauses included."""
    own_s = LONGEST_RATIO * max(case.window_s for case in cases) * COLLECTING_SLICE_S / SLICE_S
    return sum(own_s + 2 * settle_max_s(case) for case in cases) + 60


class HostShare(NamedTuple):
    """What was taken in a block: of the CPUs in use, and of one CPU; None where nothing tells."""

    stolen: float | None
    background: float | None

    @property
    def is_disturbed(self) -> bool:
        """Whether so much was taken that the block tells of the host."""
        return (self.stolen or 0.0) > MAX_STEAL_RATIO or (self.background or 0.0) > BUSY_RATIO


class Slice(NamedTuple):
    """One time in which a server ran, on the clock of `time.perf_counter`."""

    begin_s: float
    end_s: float


@dataclass
class Part:
    """One server's part of a block: samples before each of its slices and behind the last."""

    samples: list[Sample]
    slices: list[Slice] = field(default_factory=list)
    taken_at_s: list[float] = field(default_factory=list)
    """When the samples were taken, on the clock of `time.perf_counter`."""

    def total(self, counter: str) -> float:
        """By how much a counter grew."""
        first, last = (getattr(self.samples[at], counter) or 0.0 for at in (0, -1))
        return float(last - first)

    @property
    def rate_rps(self) -> float:
        """Requests a second of the server's own time."""
        return self.total("requests") / self.total("at_s")

    def take(self, server: InterleavedServer, *, last: bool = False) -> None:
        """A sample of the server, now: what costs more to read at the edges alone."""
        self.samples.append(server.sample(full=last or not self.samples))
        self.taken_at_s.append(time.perf_counter())


# one server is no other, whatever both have done
@dataclass(eq=False)
class InterleavedServer:
    """A server and its load, which run together or are paused together."""

    key: str
    driver: Driver
    load: RunningLoad[LoadSummary]
    case: Case
    slice_s: float = SLICE_S
    running_s: float = 0.0
    """For how long it has run: its own clock."""
    services_cpu_s: float = 0.0
    """What declared services have used meanwhile, which all servers of a round share."""
    probe: Probe | None = None
    connections: Connections = field(default_factory=Connections)
    slices: list[Slice] = field(default_factory=list)
    """All in which it has run, also while it settled."""
    began_s: float = field(default_factory=time.perf_counter)
    """On the clock of `time.perf_counter`."""
    summary: LoadSummary = field(init=False)

    @property
    def compilers(self) -> Compilers:
        """Those of its server."""
        return self.driver.server.compilers

    @property
    def settle_max_s(self) -> float:
        """For how long it may settle before its slices, and as long again among them."""
        return settle_max_s(self.case)

    @property
    def partition(self) -> CpuPartition:
        """The CPUs of its server, and those of the others."""
        return self.driver.testbed.cpus

    @property
    def cpus(self) -> float:
        """How many CPUs its server has."""
        return self.partition.counts.server or 1

    def run(self, for_s: float | None = None) -> Slice:
        """Let server and load run for a slice."""
        services = self.driver.testbed.services
        used_s = services_cpu_s(services)
        begin_s = time.perf_counter()
        with self.driver.server.resumed():
            self.load.resume()
            time.sleep(self.slice_s if for_s is None else for_s)
            self.load.pause()
        end_s = time.perf_counter()
        if used_s is not None:
            # what they still do for it belongs to it, and takes nothing from the next
            self.services_cpu_s += max(0.0, (rested_services_cpu_s(services) or used_s) - used_s)
        self.running_s += end_s - begin_s
        self.slices.append(Slice(begin_s, end_s))
        return self.slices[-1]

    def sample(self, *, full: bool) -> Sample:
        """Its counters, while it is paused. Raises `CaseError` when server or load have ended."""
        server = self.driver.server
        server.check_alive("a burst")
        load, server_s = self.load.sample(), server.readings.cpu_time_s()
        ended = self.load.has_ended()
        if ended or load.requests is None or server_s is None or load.cpu_s is None:
            raise CaseError(f"{self.load.program} ended before its burst did")
        memory = server.readings.memory_often() if full else None
        calls = server.readings.calls() if full else None
        return Sample(
            self.running_s,
            load.read_bytes,
            load.requests,
            server_cpu_s=server_s,
            load_cpu_s=load.cpu_s,
            server_reads=calls.reads if calls else None,
            server_writes=calls.writes if calls else None,
            services_cpu_s=self.services_cpu_s,
            compiler_cpu_s=self.compilers.cpu_time_s() or 0.0,
            threads=memory.threads if memory else None,
        )

    def compiler_ratio(self, parts: Sequence[Part], over_s: float = 0.0) -> float:
        """Share that compilers had of what its server had of its CPUs while it ran, or in `over_s`
        where it ran less."""
        compiled_s = sum(part.total("compiler_cpu_s") for part in parts)
        running_s = max(over_s, sum(part.total("at_s") for part in parts))
        return compiled_s / running_s / self.cpus / had_ratio(self.server_cpu_ratio(parts))

    def server_cpu_ratio(self, parts: Sequence[Part]) -> float:
        """Share of its CPUs that the server had while it ran."""
        used_s = sum(part.total("server_cpu_s") for part in parts)
        return used_s / sum(part.total("at_s") for part in parts) / self.cpus

    def close(self) -> None:
        """End its load; then its summary is there. Raises `CaseError` where nothing was answered,
        or nothing is now."""
        server = self.driver.server
        with server.resumed():
            deadline_s = time.monotonic() + STOP_CEILING_S
            self.load.end()
            while not self.load.has_ended(0.1):
                if time.monotonic() > deadline_s:
                    raise CaseError(
                        f"{self.load.program} did not end within {STOP_CEILING_S:.0f} s"
                    )
                self.load.end()
            self.summary = self.load.summary()
            if not self.summary.requests:
                raise CaseError("no request was answered during a burst")
            # a redirection is an answer like any other to most load generators
            server.check_routes(self.case.templates, STOP_CEILING_S)


@dataclass
class Block:
    """A second or more in which each server had the same number of slices."""

    share: HostShare
    parts: dict[InterleavedServer, Part]
    resumed: bool = False
    """Whether the JIT compilation of a server resumed in it, and settled behind it."""

    @property
    def is_sound(self) -> bool:
        """Whether neither the host nor a compiler disturbed it."""
        return not (self.share.is_disturbed or self.resumed)


# by server
Failures = dict[InterleavedServer, CaseError]


@contextmanager
def _attribute_failure(failed: Failures, server: InterleavedServer) -> Iterator[None]:
    """What fails in this block is the failure of that server."""
    try:
        yield
    except CaseError as error:
        failed[server] = error


@dataclass
class Interleaving:
    """Loads of several servers, interleaved. A server that fails does not affect the others."""

    testbed: Testbed
    fork: int = 0
    servers: list[InterleavedServer] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    until_s: float = math.inf
    """When it should be over, on the clock of `time.monotonic`."""
    required_blocks: int = 1
    """How many blocks are to count."""
    failures: dict[str, CaseError] = field(default_factory=dict)
    """By key of the server."""
    resumptions: Counter[InterleavedServer] = field(default_factory=Counter)
    """How often each has been settled among its slices."""
    settled_at: dict[InterleavedServer, int] = field(default_factory=dict)
    """How many blocks there were when it was, the last time."""

    def open(
        self,
        stack: ExitStack,
        key: str,
        driver: Driver,
        case: Case,
        longest_s: float,
        slice_s: float = SLICE_S,
    ) -> None:
        """Start the load of a paused server; it ends with `stack`, or when `longest_s` of it are
        over."""
        place = driver.place(f"{case.workload.id}-{case.connections}-interleaved")
        session, templates = driver.server.session, case.templates
        try:
            requests = Requests(
                session.filled(templates),
                case.connections,
                longest_s,
                first_number=session.first_number(),
            )
            with driver.server.resumed():
                load = stack.enter_context(driver.closed_loop.start(requests, place))
                time.sleep(RAMP_S)
                load.pause()
        except CaseError as error:
            self.failures[key] = error
            return
        server = driver.server
        # what it asks of a paused server is answered in the next slice
        probe = Probe(server.ask, templates, time.perf_counter)
        stack.enter_context(probe)
        self.servers.append(InterleavedServer(key, driver, load, case, slice_s, probe=probe))

    def measure(self, window_s: float) -> None:
        """Blocks, until so much of each server has been seen on a host that left it alone, or has
        been asked for too often, or half of it where time is over."""
        self._observe(SETTLING)
        # what fails is met when it runs
        while failed := self.settle(SETTLED_PARTS):
            self._drop(failed)
        cycles = math.ceil(BLOCK_S / (sum(server.slice_s for server in self.servers) or BLOCK_S))
        self.required_blocks = max(1, math.ceil(window_s / SLICE_S / cycles))
        self._observe(INTERLEAVED)
        while self.servers and len(self.blocks) < LONGEST_RATIO * self.required_blocks:
            if len(self.sound) >= self.required_blocks and not self._waits_for_more():
                break
            if (
                len(self.blocks) >= SHORTEST_RATIO * self.required_blocks
                and time.monotonic() > self.until_s
            ):
                break
            if self.block(cycles) is not None:
                self._settle_resumed()
            self._observe_part()

    def measure_bursts(self, bursts: int, burst_s: float) -> None:
        """So many blocks, each with so much of each server, whatever the host does. The first
        failure ends it."""
        failed = self.settle()
        self._drop(failed)
        for _ in range(bursts):
            if not self.failures:
                self.block(max(1, round(burst_s / SLICE_S)))
        self.required_blocks = bursts

    def go_on(self, seconds_s: float) -> None:
        """Load each for so long more of its own time. What is measured meanwhile is not kept."""
        for turn in range(max(1, round(seconds_s / BLOCK_S))):
            slices = {server: round(BLOCK_S / server.slice_s) for server in self.servers}
            _, failed = self._run(slices, turn)
            self._drop(failed)

    def block(self, cycles: int) -> Block | None:
        """So many slices of each; None where a server has failed: what the others did is left out
        then, and they go on from here."""
        before = self._host_counters()
        parts, failed = self._run(dict.fromkeys(self.servers, cycles), turn=len(self.blocks))
        if failed:
            self._drop(failed)
            return None
        share = self._share(before, self._host_counters())
        for server, part in parts.items():
            _note_share(part, share, len(server.partition.used))
        self.blocks.append(Block(share, parts))
        return self.blocks[-1]

    def settle(
        self,
        over: int = 1,
        resumed: Sequence[InterleavedServer] | None = None,
        longest_s: float | None = None,
    ) -> Failures:
        """Load all until the compilers of those that `resumed` (all, unless they are named) have
        settled `over` so many seconds of its own, then bind these to their server again.

        A server whose JIT compilation has settled goes on for a slice now and then, so that no
        connection is given up. What is measured meanwhile is not kept.
        """
        resumed = self.servers if resumed is None else resumed
        for server in resumed:
            server.compilers.widen_affinity(self.testbed.cpus.outside_server)
        seen: dict[InterleavedServer, deque[Part]] = {
            server: deque(maxlen=over) for server in resumed
        }
        failed: Failures = {}
        most_s = max((server.settle_max_s for server in resumed), default=0.0)
        for _ in range(round((longest_s or most_s) / SETTLED_S)):
            slices = {s: round(SETTLED_S / s.slice_s) if s in seen else 1 for s in self.servers}
            parts, failed = self._run(slices)
            if failed:
                break
            for server in [*seen]:
                seen[server].append(parts[server])
                if _have_settled(server, seen[server], over):
                    del seen[server]
            if not seen:
                break
        for server in resumed:
            server.compilers.restore_affinity(server.partition.server)
        return failed

    def _run(
        self, slices: Mapping[InterleavedServer, int], turn: int = 0
    ) -> tuple[dict[InterleavedServer, Part], Failures]:
        """So many slices of each, one server after the other; who begins changes. The failures end
        it, once the others have had their turn."""
        left, failed = dict(slices), Failures()
        parts = {server: Part([]) for server in left}
        while not failed and (running := [server for server, more in left.items() if more]):
            for server in rotated(running, turn):
                # the only one that is left need not be paused
                count = left[server] if len(running) == 1 else 1
                left[server] -= count
                with _attribute_failure(failed, server):
                    parts[server].take(server)
                    parts[server].slices.append(server.run(count * server.slice_s))
            turn += 1
        for server in left if not failed else ():
            with _attribute_failure(failed, server):
                parts[server].take(server, last=True)
        return parts, failed

    def _settle_resumed(self) -> None:
        """Settle the servers whose compilers are at work again, and leave out the blocks in which
        they were."""
        resumed = []
        for server in self.servers:
            newest = self._newest(server)
            had = server.compiler_ratio([block.parts[server] for block in newest], RESUMED_OVER_S)
            settled_s = self.resumptions[server] * RESUMED_MAX_S
            if had >= END_RATIO and settled_s < server.settle_max_s:
                resumed.append(server)
                for block in newest:
                    block.resumed |= server.compiler_ratio([block.parts[server]]) >= END_RATIO
        self.resumptions.update(resumed)
        if resumed:
            self._drop(self.settle(RESUMED_PARTS, resumed, RESUMED_MAX_S))
            self.settled_at.update(dict.fromkeys(resumed, len(self.blocks)))

    def _newest(self, server: InterleavedServer) -> list[Block]:
        """The newest blocks since it last settled, with `RESUMED_OVER_S` of its own time."""
        newest: list[Block] = []
        ran_s = 0.0
        for block in reversed(self.blocks[self.settled_at.get(server, 0) :]):
            if ran_s < RESUMED_OVER_S:
                newest.append(block)
                ran_s += block.parts[server].total("at_s")
        return newest

    @property
    def sound(self) -> list[Block]:
        """Blocks that nothing disturbed."""
        return [block for block in self.blocks if block.is_sound]

    @property
    def counted(self) -> list[Block]:
        """Those that count: the newest of the sound ones, or of all where these are too few."""
        enough = 2 * len(self.sound) >= min(self.required_blocks, len(self.blocks))
        return (self.sound if enough else self.blocks)[-self.required_blocks :]

    def parts_of(self, server: InterleavedServer) -> list[Part]:
        """What one server did in the blocks that count."""
        return [block.parts[server] for block in self.counted]

    @property
    def rates(self) -> list[list[float]]:
        """Of each server, that of each block that counts."""
        return [[part.rate_rps for part in self.parts_of(server)] for server in self.servers]

    def _waits_for_more(self) -> bool:
        """Whether newer blocks in place of the oldest ones may still be better, and are allowed."""
        return (
            len(self.blocks) < COMPILING_RATIO * self.required_blocks and self._compiling()
        ) or (len(self.sound) < UNEVEN_RATIO * self.required_blocks and self.is_uneven)

    @property
    def is_uneven(self) -> bool:
        """Whether any of the servers was not steady in the blocks that would count."""
        return not all(is_even(self.rates, index) for index in range(len(self.servers)))

    def _compiling(self) -> bool:
        """Whether any of the servers was still compiled in the blocks that would count."""
        return any(
            server.compiler_ratio(self.parts_of(server)) > SETTLED_RATIO for server in self.servers
        )

    def close(self) -> dict[str, InterleavedServer]:
        """End all loads; by key, the servers of which something was measured and answered."""
        failed: Failures = {}
        for server in self.servers:
            # before any of them ends
            lasted_s = time.perf_counter() - server.began_s
            server.connections = server.driver.connections(server.load.program, lasted_s)
        for server in self.servers:
            with _attribute_failure(failed, server):
                server.close()
        for server, error in failed.items():
            self.failures[server.key] = error
        ended = [server for server in self.servers if server not in failed and self.blocks]
        return {server.key: server for server in ended}

    def bursts(self, server: InterleavedServer) -> list[BurstRecord]:
        """Of one that has ended: each block that counts."""
        counts = server.partition.counts
        parts = self.parts_of(server)
        return [burst_record(joined([part]), server.summary, counts) for part in parts]

    def window(
        self, server: InterleavedServer, bytes_per_request: float | None = None
    ) -> LoadRecord:
        """Of one that has ended: the blocks that count, as if it had never been paused."""
        parts, timeline = self.parts_of(server), joined(self.parts_of(server))
        keep_timeline(server.load.place.output.with_suffix(".json"), timeline)
        seen = server.probe.seen if server.probe else ()
        probed = [(own_time_s(parts, answer.at_s), answer) for answer in seen]
        run = Driven(
            server.summary,
            timeline,
            server.running_s,
            connections=server.connections,
            probed=tuple(answer._replace(at_s=at_s) for at_s, answer in probed if at_s is not None),
        )
        instability = list(self._instability(server, parts, self.counted))
        record = window_record(
            server.case,
            run,
            Span(0.0, timeline.end_s),
            server.partition.counts,
            steady=not instability and is_even(self.rates, self.servers.index(server)),
            instability=instability,
            collections=self.collections(server),
            bytes_per_request=bytes_per_request,
            sliced=Sliced(server.slice_s, pause_s(parts)),
        )
        record.window_begin_s = parts[0].samples[0].at_s
        record.interleaving = InterleavingRecord(
            servers=len(self.servers),
            blocks=len(self.counted),
            left_out=len(self.blocks) - len(self.counted),
        )
        return record

    def collections(self, server: InterleavedServer) -> Collections | None:
        """Those of a server, beside what it did in the blocks that count."""
        process, parts = server.driver.server, self.parts_of(server)
        lines, began_s = process.collections(), process.started_at_s
        if lines is None:
            return None
        return Collections(
            lines,
            [Span(part.taken_at_s[0] - began_s, part.taken_at_s[-1] - began_s) for part in parts],
            [
                (at_s - began_s, float(sample.requests or 0))
                for part in parts
                for at_s, sample in zip(part.taken_at_s, part.samples, strict=True)
            ],
            [
                Span(before.end_s - began_s, after.begin_s - began_s)
                for before, after in pairwise(server.slices)
            ],
        )

    def _instability(
        self, server: InterleavedServer, parts: Sequence[Part], counted: Sequence[Block]
    ) -> Iterator[Instability]:
        if server.compiler_ratio(parts) > SETTLED_RATIO:
            yield "compiling"
        if server.compilers.are_unknown():
            yield "unknown-compilers"
        if _mean(block.share.stolen for block in counted) > MAX_STEAL_RATIO:
            yield "stolen"
        if _mean(block.share.background for block in counted) > BUSY_RATIO:
            yield "disturbed"

    def _drop(self, failed: Failures) -> None:
        for server, error in failed.items():
            self.servers.remove(server)
            self.failures[server.key] = error

    def _observe(self, name: str) -> None:
        for server in self.servers[:1]:
            self.testbed.observer.phase(server.case, self.fork, name)

    def _observe_part(self) -> None:
        """Tell how many of the blocks are done, were those to come disturbed as often as these."""
        done, most = len(self.blocks), LONGEST_RATIO * self.required_blocks
        expected_blocks = self.required_blocks * done / len(self.sound) if self.sound else most
        self.testbed.observer.part(done / max(done + 1, min(expected_blocks, most)))

    def _host_counters(self) -> tuple[float, float | None, float | None]:
        """When, what was stolen of the CPUs in use so far, and what others had of them. Linux."""
        testbed, now_s = self.testbed, time.perf_counter()
        times = cpu_times(testbed.cpus.used)
        if times is None:
            return now_s, None, None
        if not testbed.is_alone:
            return now_s, times.stolen_s, None
        had = [server.driver.server.readings.cpu_time_s() or 0.0 for server in self.servers]
        processes = [s.load.running for s in self.servers]
        processes += [testbed.upstream.running] if testbed.upstream else []
        pids = [running.pid for running in processes if testbed.load.away(running) is None]
        had += [cpu_time_s(pid) or 0.0 for pid in (*pids, *testbed.helpers)]
        return now_s, times.stolen_s, times.worked_s - sum(had) - time.process_time()

    def _share(
        self,
        before: tuple[float, float | None, float | None],
        after: tuple[float, float | None, float | None],
    ) -> HostShare:
        lasted_s = after[0] - before[0]
        shares: list[float | None] = []
        for first, last in zip(before[1:], after[1:], strict=True):
            if first is None or last is None:
                shares.append(None)
            else:
                shares.append(max(0.0, last - first) / lasted_s)
        stolen, background = shares
        return HostShare(stolen and stolen / (len(self.testbed.cpus.used) or 1), background)


def _note_share(part: Part, share: HostShare, cpus: int) -> None:
    """What the host had in a block, as counters on the server's own clock."""
    ran_s, first, last = part.total("at_s"), part.samples[0], part.samples[-1]
    if share.stolen is not None:
        first, last = first._replace(stolen_s=0.0), last._replace(stolen_s=share.stolen * ran_s)
        last = last._replace(stolen_s=share.stolen * ran_s * (cpus or 1))
    if share.background is not None:
        first = first._replace(background_cpu_s=0.0)
        last = last._replace(background_cpu_s=share.background * ran_s)
    part.samples[0], part.samples[-1] = first, last


def joined(parts: Sequence[Part]) -> Timeline:
    """The parts of one server, one after the other, as if there was nothing between them."""
    found: list[Sample] = []
    for part in parts:
        first = part.samples[0]
        shift = {
            name: ((getattr(found[-1], name) or 0) if found else 0) - (getattr(first, name) or 0)
            for name in _CUMULATIVE
        }
        shifted = [
            sample._replace(
                **{
                    name: getattr(sample, name) + by
                    for name, by in shift.items()
                    if getattr(sample, name) is not None
                }
            )
            for sample in part.samples
        ]
        found += shifted[1:] if found else shifted
    return Timeline(tuple(found))


def own_time_s(parts: Sequence[Part], at_s: float) -> float | None:
    """A moment on the clock of what `joined` makes of these parts; None where it lies in none."""
    ran_s = 0.0
    for part in parts:
        if part.taken_at_s[0] <= at_s <= part.taken_at_s[-1]:
            return ran_s + sum(
                max(0.0, min(at_s, slice_.end_s) - slice_.begin_s) for slice_ in part.slices
            )
        ran_s += part.total("at_s")
    return None


def pause_s(parts: Sequence[Part]) -> float:
    """The median pause of a server behind a slice; 0 where it was never paused.

    Of many servers each has one slice in a block: the pause lies between two blocks.
    """
    slices = [slice_ for part in parts for slice_ in part.slices]
    pauses = [after.begin_s - before.end_s for before, after in pairwise(slices)]
    return statistics.median(pauses) if pauses else 0.0


def _mean(values: Iterator[float | None]) -> float:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else 0.0


def is_even(rates: Sequence[Sequence[float]], server_index: int) -> bool:
    """Whether one server keeps its place among the others, whatever the host does to all.

    Its rate in each block, against what the middle one of the others did in it, held to the rule of
    a steady window. With one server alone that says nothing: then its own rate is.

    A block is short: a collection, or a neighbour's burst, falls into one and not into the next.
    Quarters that differ by no more than their blocks explain are no change.
    """
    means = [statistics.fmean(server_rates) if server_rates else 0.0 for server_rates in rates]
    if any(rate <= 0 for server_rates in rates for rate in server_rates) or not all(means):
        return False
    total, points, against = 0.0, [(0.0, 0.0)], []
    for index, block in enumerate(zip(*rates, strict=True)):
        # of what each does on average: one that collects garbage moves no other
        shares = [rate / mean for rate, mean in zip(block, means, strict=True)]
        other_shares = [share for number, share in enumerate(shares) if number != server_index]
        against.append(
            shares[server_index] / (statistics.median(other_shares) if other_shares else 1.0)
        )
        total += against[-1]
        points.append((index + 1.0, total))
    return is_steady(points, 0.0, float(len(against))) or _is_chance(against)


def _is_chance(rates: Sequence[float]) -> bool:
    """Whether what lies between quarters, and between halves, is no more than blocks differ by.

    An analysis of variance over the quarters (Fisher, 1925), and Welch's t for a rise, which it
    is blunt for. Where blocks differ so much that halves are not known to a quarter's tolerance,
    nothing can be decided, and the difference between quarters stands.
    """
    from scipy.stats import f_oneway, ttest_ind  # noqa: PLC0415 - a second, and rarely needed

    if len(rates) < STEADY_BLOCKS * LEAST_IN_QUARTER or min(rates) == max(rates):
        return False
    # the standard error of late ÷ early
    error = 2 * statistics.stdev(rates) / math.sqrt(len(rates)) / statistics.fmean(rates)
    if error > STEADY_SPREAD_RATIO:
        return False
    edges = [index * len(rates) // STEADY_BLOCKS for index in range(STEADY_BLOCKS + 1)]
    quarters = [rates[begin:end] for begin, end in pairwise(edges)]
    half = edges[STEADY_BLOCKS // 2]
    apart = float(f_oneway(*quarters).pvalue)
    rise = ttest_ind(rates[half:], rates[:half], equal_var=False, alternative="greater")
    return min(apart, float(rise.pvalue)) > CHANCE
