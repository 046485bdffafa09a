"""A fork pair: base and head side by side, so that both see the same interference.

After Bulej et al., Duet benchmarking (2020), adapted to servers: both processes live at once, and
are interleaved; their order rotates. Where requests wait by design a server cannot be paused in the
middle of a window: then whole windows follow each other.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.errors import CaseError
from springbench.host.free_memory import small_pieces_held
from springbench.host.ports import free_port
from springbench.matrix.templates import RequestTemplate
from springbench.matrix.workloads import Workload
from springbench.measure.at_rate import RatedProcess, measure_at_rates
from springbench.measure.fork import check_answers, queries_per_request
from springbench.measure.interleave import Interleaving, can_interleave, rotated
from springbench.measure.load.driver import Driven, Driver
from springbench.measure.readings import perfdata
from springbench.measure.server.command import Start
from springbench.measure.server.process import started
from springbench.measure.services.declared import rested_services_cpu_s, services_cpu_s
from springbench.measure.session import redact, shown_headers
from springbench.measure.testbed import Sampler, Testbed
from springbench.measure.warmup import ROUTE_CEILING_S, TAIL_S, warm_up
from springbench.measure.window import (
    EDGE_S,
    allocated_bytes_per_answer,
    load_record,
    services_cost_s,
)
from springbench.plan.cases import Case, Variant
from springbench.results.comparison import (
    BurstRecord,
    PairRecord,
    ProfiledEvent,
    SideName,
    SideRecord,
)
from springbench.results.records import Instability, LoadRecord, LoadSummary
from springbench.results.stacks import StackTree

SIDES: tuple[SideName, SideName] = ("base", "head")
SETTLE_S = 0.3
# of each side's own time; of a JVM a clock of the kernel takes 100 to 250 samples a second
SAMPLED_S = 4.0
# Without them compiled code tells at safepoints alone where it is, and of identical builds some
# methods are met in one process and never in another.
SAMPLED_OPTIONS = ("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints")
# what the host did to a window, and not the server
DISTURBED: frozenset[Instability] = frozenset({"stolen", "disturbed"})


def is_sampled(case: Case) -> bool:
    """Whether some seconds of samples can tell what its requests cost: where they wait by design
    there is little CPU time to sample."""
    return not case.workload.delay_s


@dataclass(frozen=True)
class Schedule:
    """How often and how long each side is loaded, for one case."""

    case: Case
    bursts: int
    burst_s: float

    @property
    def load_s(self) -> float:
        """How long a side is loaded at least. Where requests wait by design a burst is a window."""
        delay_s = self.case.workload.delay_s
        around_s = self.case.ramp_s + delay_s if delay_s else 0.0
        sampled_s = SAMPLED_S if is_sampled(self.case) else 0.0
        loads_s = self.bursts * (self.burst_s + around_s) + sum(self.case.rate_phases_s.values())
        return loads_s + sampled_s


@dataclass(frozen=True)
class SideSetup:
    """Set-up of one side: what it starts, and its jars."""

    testbed: Testbed
    variant: Variant


@dataclass(frozen=True)
class PairSetup:
    """Set-up of both sides: the same processes in every pair, whatever loads it goes through.

    `connections` is what they are made for; `workload` one whose properties, or database, they
    need. `name` is that of their folder.
    """

    name: str
    sides: Mapping[SideName, SideSetup]
    connections: int
    java_options: tuple[str, ...] = ()
    workload: Workload | None = None

    def sampler(self, name: SideName) -> Sampler | None:
        """What samples a side; None where there is none, or the other one is of another kind: a
        JVM and an image have no methods in common."""
        jvm, *others = {side.variant.runtime.needs_java for side in self.sides.values()}
        return None if others else self.sides[name].testbed.samplers.get(jvm)


@dataclass
class RunningSide:
    """A running server, paused outside of its slices, and what was measured of it."""

    driver: Driver
    name: SideName
    record: SideRecord
    pair: PairRecord
    sampler: Sampler | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """The time in which it runs, and not the other side; what fails then is its failure."""
        with attribute_failure(self.pair, self.name), self.driver.server.resumed():
            yield

    @contextmanager
    def sampled(self, case: Case) -> Iterator[Callable[[], dict[ProfiledEvent, StackTree]]]:
        """The time in which a profiler looks into it whenever it runs; behind it, what was
        sampled. Raises `CaseError`."""
        testbed, server = self.driver.testbed, self.driver.server
        folder = self.driver.folder / f"{case.workload.id}-{case.connections}-samples"
        folder.mkdir(parents=True, exist_ok=True)
        if self.sampler is None:
            raise CaseError("there is no profiler")
        # a JVM that is paused answers nobody; what fails is no failure of its own
        with server.resumed():
            sampling = self.sampler.start(testbed, server, folder)
        try:
            yield sampling.trees
        except BaseException:
            # what went wrong before is what is said
            with server.resumed(), suppress(CaseError):
                sampling.stop()
            raise
        with server.resumed():
            sampling.stop()

    def keep_answers(self, case: Case, summary: LoadSummary) -> None:
        """Add what a load has counted."""
        self.record.answered_to(case.id).count(summary)

    def keep_threads(self, threads: int | None) -> None:
        """The most that it has had."""
        if threads is not None:
            self.record.threads_max = max(self.record.threads_max or 0, threads)


@contextmanager
def attribute_failure(pair: PairRecord, side: SideName) -> Iterator[None]:
    """Remember whose failure it is, whatever it is called on the way out."""
    try:
        yield
    except CaseError:
        pair.failed_side = pair.failed_side or side
        raise


def measure_pair(setup: PairSetup, schedules: Sequence[Schedule], pair: int) -> PairRecord:
    """Measure some cases of one variant on a fresh pair. A side that fails is a result.

    Without a schedule both sides are only started: startup and idle memory need no load.
    """
    record = PairRecord(
        pair=pair,
        status="ok",
        sides={name: SideRecord() for name in SIDES},
    )
    try:
        with ExitStack() as stack:
            stack.enter_context(small_pieces_held())
            sides = _start(stack, setup, record)
            for side in rotated(sides, pair):
                _warm(side, schedules)
            for schedule in schedules:
                last = schedule is schedules[-1] and not schedule.case.rates
                measure_load(sides, schedule, pair, last=last)
                measure_rates(sides, schedule.case, pair)
            for side in sides if schedules else []:
                side.record.memory_peak_bytes = side.driver.server.readings.peak_bytes()
                # that the loads have left: pools keep them for a while
                side.keep_threads(side.driver.server.idle().threads)
    except CaseError as error:
        record.status, record.reason = "failed", redact(str(error))
    return record


def _start(stack: ExitStack, setup: PairSetup, record: PairRecord) -> list[RunningSide]:
    """Start one side after the other, alone each time; which is first rotates."""
    sides: list[RunningSide] = []
    for name in rotated(SIDES, record.pair):
        testbed, variant = setup.sides[name].testbed, setup.sides[name].variant
        for service in testbed.services:
            service.check_alive("an earlier pair")
        testbed = replace(testbed.for_variant(variant), port=free_port())
        folder = testbed.raw / setup.name / f"pair-{record.pair}" / name
        folder.mkdir(parents=True, exist_ok=True)
        sampler = setup.sampler(name)
        java_options = setup.java_options
        if sampler and variant.runtime.needs_java:
            java_options += SAMPLED_OPTIONS
        start = Start(variant, setup.connections, java_options, setup.workload)
        with attribute_failure(record, name):
            server = stack.enter_context(started(testbed, start, folder))
            driver = Driver(testbed, server, folder)
            side = RunningSide(driver, name, record.sides[name], record, sampler)
            side.record.startup_s = server.wait_ready(
                variant.server.health, status=variant.server.health_status
            )
        time.sleep(SETTLE_S)
        side.record.memory_idle_bytes = server.idle().rss_bytes
        side.record.artifact_bytes = _size_bytes(testbed.artifact(variant))
        side.record.collector = perfdata.collector(server.jvm)
        with attribute_failure(record, name):
            server.log_in(ROUTE_CEILING_S)
        server.pause()
        sides.append(side)
    return sorted(sides, key=lambda side: SIDES.index(side.name))


def _warm(side: RunningSide, schedules: Sequence[Schedule]) -> None:
    server, testbed = side.driver.server, side.driver.testbed
    warm: set[tuple[RequestTemplate, ...]] = set()
    with side.running():
        for case in (schedule.case for schedule in schedules):
            if case.warmup_templates not in warm:
                warm_up(testbed, case, side.driver)
                warm.add(case.warmup_templates)
            # the headers of one answer: these do not vary
            answer = server.check_routes(case.templates, ROUTE_CEILING_S + case.workload.delay_s)
            answered = side.record.answered_to(case.id)
            answered.headers = shown_headers(answer)
            answered.queries_per_request = queries_per_request(case, side.driver)
        server.compilers.restore_affinity(testbed.cpus.server)


def measure_load(
    sides: Sequence[RunningSide], schedule: Schedule, turn: int, *, last: bool = False
) -> None:
    """All bursts of one case; which side is first rotates. Raises `CaseError`."""
    if schedule.case.can_pause and can_interleave(sides[0].driver.server.running.pid):
        _interleave(sides, schedule, turn)
        return
    for burst in range(schedule.bursts):
        ends = last and burst == schedule.bursts - 1
        for side in rotated(sides, turn + burst):
            if not schedule.case.workload.delay_s:
                measure_burst(side, schedule, burst)
            else:
                measure_window(side, schedule.case, burst, last=ends)
    _sample(sides, schedule.case, lambda: _load_in_turn(sides, schedule.case, turn))


def _interleave(sides: Sequence[RunningSide], schedule: Schedule, turn: int) -> None:
    """Load both sides at once and add to each record its bursts."""
    # it is asked to end; this is only when it would by itself
    longest_s = 4 * schedule.bursts * schedule.burst_s + 60
    case, by_name = schedule.case, {str(side.name): side for side in sides}
    with ExitStack() as stack:
        interleaving = Interleaving(sides[0].driver.testbed)
        for side in rotated(sides, turn):
            interleaving.open(stack, side.name, side.driver, case, longest_s)
        if not interleaving.failures:
            interleaving.measure_bursts(schedule.bursts, schedule.burst_s)
        if not interleaving.failures:
            _sample(sides, case, lambda: interleaving.go_on(SAMPLED_S))
        ended = {} if interleaving.failures else interleaving.close()
        for name, error in interleaving.failures.items():
            with attribute_failure(by_name[name].pair, by_name[name].name):
                raise error
    for name, server in ended.items():
        side, answered = by_name[name], by_name[name].record.answered_to(case.id)
        side.record.bursts[case.id] = interleaving.bursts(server)
        side.keep_answers(case, server.summary)
        if collections := interleaving.collections(server):
            allocated = allocated_bytes_per_answer(collections, server.summary.answered_ratio)
            answered.allocated_bytes_per_request = allocated


def _sample(sides: Sequence[RunningSide], case: Case, load: Callable[[], None]) -> None:
    """Sample both sides for some seconds more of their load, after the bursts, whose figures must
    not change by it. What a profiler fails at costs its own figures alone. Raises `CaseError` where
    a side fails."""
    if not is_sampled(case) or any(side.sampler is None for side in sides):
        return
    try:
        with ExitStack() as stack:
            sampled = [(side, stack.enter_context(side.sampled(case))) for side in sides]
            load()
        for side, trees in sampled:
            side.record.stacks[case.id] = trees()
    except CaseError as error:
        if sides[0].pair.failed_side is not None:
            raise
        sides[0].pair.not_sampled = redact(str(error))


def _load_in_turn(sides: Sequence[RunningSide], case: Case, turn: int) -> None:
    """Load one side after the other for as long as it is sampled; nothing of it is kept."""
    for side in rotated(sides, turn):
        with side.running():
            name = f"{case.workload.id}-{case.connections}-sampled"
            side.driver.drive(name, case.templates, case.connections, SAMPLED_S)


def measure_burst(side: RunningSide, schedule: Schedule, burst: int) -> None:
    """One burst of one side, where nothing may be paused under load, or a host does not tell what a
    paused process did: everything that it cost, from its first connection to its last answer."""
    case, driver = schedule.case, side.driver
    readings, compilers = driver.server.readings, driver.server.compilers
    with side.running():
        services_before_s = services_cpu_s(driver.testbed.services)
        before_s, compiled_before_s = readings.cpu_time_s(), compilers.cpu_time_s()
        begin_s = time.perf_counter()
        name = f"{case.workload.id}-{case.connections}-burst-{burst}"
        driven = driver.drive(name, case.templates, case.connections, schedule.burst_s)
        after_s, lasted_s = readings.cpu_time_s(), time.perf_counter() - begin_s
        compiled_s = (compilers.cpu_time_s() or 0.0) - (compiled_before_s or 0.0)
        services_after_s = rested_services_cpu_s(driver.testbed.services)
    summary, counts = driven.summary, driver.testbed.cpus.counts
    cost_s = None
    if before_s is not None and after_s is not None:
        cost_s = after_s - before_s - compiled_s
    services_cpus = ((services_after_s or 0.0) - (services_before_s or 0.0)) / lasted_s
    load_cpu_s = driven.timeline.largest("load_cpu_s", 0.0, driven.timeline.end_s)
    side.keep_answers(case, summary)
    side.record.bursts.setdefault(case.id, []).append(
        BurstRecord(
            throughput_rps=(summary.requests - summary.errors.status) / summary.duration_s,
            cpu_per_request_s=cost_s / summary.requests if cost_s and summary.requests else None,
            services_cpu_per_request_s=services_cost_s(services_cpus, summary.requests / lasted_s),
            error_ratio=summary.error_ratio,
            load_cpu_ratio=load_cpu_s / summary.duration_s / counts.load if load_cpu_s else None,
            compiler_cpu_ratio=compiled_s / lasted_s / (counts.server or 1),
        )
    )


def measure_window(side: RunningSide, case: Case, turn: int, *, last: bool = False) -> None:
    """Load a side, and add the window to its record, cut out as in a run. Raises `CaseError`.

    A window that the host disturbed is measured once more, and the one that had less of that
    counts: they go by their cause, never by their numbers. After the `last` load of a process
    nobody waits for what is still queued in it.
    """
    name = f"{case.workload.id}-{case.connections}-window-{turn}"
    with side.running():
        record = _window(side, case, name)
        if DISTURBED.intersection(record.instability):
            _drain(side, case)
            record = min(record, _window(side, case, f"{name}-again"), key=_taken)
        if not last:
            _drain(side, case)
    side.record.windows.setdefault(case.id, []).append(record)
    side.keep_threads(record.threads_max)
    answered = side.record.answered_to(case.id)
    answered.allocated_bytes_per_request = record.allocated_bytes_per_request


def _window(side: RunningSide, case: Case, name: str) -> LoadRecord:
    delay_s, server = case.workload.delay_s, side.driver.server
    enough_s = case.ramp_s + case.window_s + delay_s + EDGE_S
    driven: Driven = side.driver.drive(
        name,
        case.templates,
        case.connections,
        enough_s + TAIL_S,
        enough=lambda timeline: timeline.end_s >= enough_s,
        begin_over_s=case.begin_over_s,
    )
    if not driven.summary.requests:
        raise CaseError(f"no request was answered: {driven.summary.errors}")
    side.keep_answers(case, driven.summary)
    record = load_record(
        case,
        0.0,
        driven,
        side.driver.testbed.cpus.counts,
        lines=server.collections(),
        jvm_started_at_s=server.started_at_s,
    )
    check_answers(record, case)
    return record


def _drain(side: RunningSide, case: Case) -> None:
    """What still waits in the server belongs to this load and must not meet the next; a request
    behind the queue comes back when the queue is gone."""
    side.driver.server.check_routes(case.templates, ROUTE_CEILING_S + case.workload.delay_s)


def _taken(record: LoadRecord) -> float:
    """CPU that server and load did not get: stolen, or had by other programs."""
    ratios = (
        record.steal_ratio,
        record.background_cpu_ratio,
        record.load_host_steal_ratio,
        record.load_host_background_cpu_ratio,
    )
    return sum(ratio or 0.0 for ratio in ratios)


def measure_rates(sides: Sequence[RunningSide], case: Case, turn: int) -> None:
    """Load both sides at each rate that the case asks for, the same for both. Raises `CaseError`.

    The rates are shares of what base had in the loads before; without oha there are none.
    """
    if not case.rates or any(side.driver.testbed.oha is None for side in sides):
        return
    capacity_rps = capacity_of(next(side.record for side in sides if side.name == "base"), case)
    if capacity_rps is not None:
        measure_at_rates([_rated(side, case) for side in sides], case, capacity_rps, turn)


def _rated(side: RunningSide, case: Case) -> RatedProcess:
    """With a folder for each case: its loads have the names of their rates. What the generator does
    wrong costs these figures; a server that ends costs the pair."""
    folder = side.driver.folder / f"{case.workload.id}-{case.connections}"
    folder.mkdir(exist_ok=True)
    return RatedProcess(
        replace(side.driver, folder=folder),
        keep=lambda found: side.record.constant_rates.setdefault(case.id, []).append(found),
        failed=lambda *_: side.driver.server.check_alive("a load at a constant rate"),
        running=side.running,
    )


def capacity_of(side: SideRecord, case: Case) -> float | None:
    """Throughput that a side has shown; None where it was not loaded."""
    rates = [burst.throughput_rps for burst in side.bursts.get(case.id, [])]
    rates += [window.throughput_rps for window in side.windows.get(case.id, [])]
    rates = [rate for rate in rates if rate]
    return statistics.median(rates) if rates else None


def _size_bytes(artifact: Path) -> int | None:
    try:
        return artifact.stat().st_size
    except OSError:
        return None
