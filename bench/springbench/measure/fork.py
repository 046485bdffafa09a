"""Forks: fresh processes, alone or several up at once; their startup, warm-up and windows."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from springbench.errors import CaseError
from springbench.host.free_memory import small_pieces_held
from springbench.host.ports import free_port
from springbench.matrix.templates import RequestTemplate
from springbench.measure import missing
from springbench.measure.at_rate import RatedProcess, measure_at_rates
from springbench.measure.interleave import (
    SLICE_S,
    InterleavedServer,
    Interleaving,
    longest_load_s,
    rotated,
    slice_for,
)
from springbench.measure.load.driver import Driver
from springbench.measure.load.timeline import Timeline, find_peak, silence_s
from springbench.measure.load.wrk import mean_bytes
from springbench.measure.readings import gclog
from springbench.measure.readings.at_rest import reasons, used_bytes
from springbench.measure.server.command import Start
from springbench.measure.server.log import log_tail, started_in_s, with_what_it_lacks
from springbench.measure.server.process import ServerProcess, started
from springbench.measure.services.database import BusyConnections, Database
from springbench.measure.services.http import Answer
from springbench.measure.session import expected, redact, shown_headers
from springbench.measure.testbed import Testbed
from springbench.measure.warmup import ROUTE_CEILING_S, Settling, WarmUp, warm_up
from springbench.measure.window import cold_record, load_record
from springbench.plan.cases import COLD_LOAD, LOAD, START, WARM_UP, Case
from springbench.results.records import (
    ForkRecord,
    IdleRecord,
    LoadRecord,
    StartupRecord,
)

# silence at the end of a load, beyond two delays, after which the server is asked once more
SILENCE_S = 1.0
RECOVERY_CEILING_S = 5.0
# of each request, for the queries that it takes
QUERY_PROBES = 20
# without a statement, before they are counted
QUIET_S = 0.1
QUIET_TRIES = 50
# of a line that a server has written
_MOST_LETTERS = 200


Done = Callable[[Case, ForkRecord], None]
Capacity = Callable[[Case], float | None]


def measure_fork(
    testbed: Testbed, case: Case, fork: int, capacity_rps: float | None = None
) -> ForkRecord:
    """Measure one fork of one case: a round of one. What goes wrong with the server is a result.

    `capacity_rps` is what constant rates are shares of, so that they are the same for every fork;
    without it, the throughput of this one.
    """
    found: list[ForkRecord] = []
    keep = lambda _, record: found.append(record)  # noqa: E731
    Round(testbed, fork, keep, lambda _: capacity_rps).measure([[case]])
    return found[0]


@dataclass
class Process:
    """A process of a round: what it goes through, and what it has been at its start."""

    driver: Driver
    cases: list[Case]
    begun: ForkRecord
    stack: ExitStack
    alone: bool
    """Whether no other is up: then it is never paused."""
    warm: set[tuple[RequestTemplate, ...]] = field(default_factory=set)
    """Requests that have warmed it up."""
    slice_s: float = SLICE_S

    def case_of(self, stage: tuple[str, int]) -> Case | None:
        """Its case in that stage of the round."""
        return next((case for case in self.cases if case.stage == stage), None)

    def after(self, stage: tuple[str, int]) -> list[Case]:
        """Cases that it has not come to."""
        at = next(i for i, case in enumerate(self.cases) if case.stage == stage)
        return self.cases[at + 1 :]

    def record(self) -> ForkRecord:
        """A record of its next case: how it started is the same for all of them."""
        return self.begun.model_copy(deep=True)

    def driver_of(self, case: Case) -> Driver:
        """Its driver, which keeps what it reads in the folder of the case."""
        folder = self.driver.testbed.raw_folder(case, self.begun.fork)
        return replace(self.driver, folder=folder)

    def running(self) -> AbstractContextManager[None]:
        """The time in which it runs, and no other process of the round."""
        return nullcontext() if self.alone else self.driver.server.resumed()

    def end(self, error: CaseError | None = None) -> str:
        """End the process. What killed it is known only then."""
        try:
            self.stack.__exit__(type(error) if error else None, error, None)
        except CaseError as failure:
            return str(failure)
        return str(error or "")


class Entry(NamedTuple):
    """A case that a process is warm for, with its record."""

    process: Process
    case: Case
    record: ForkRecord
    driver: Driver
    warmup: WarmUp


@dataclass(frozen=True)
class Round:
    """A fresh process of every variant, all up at once; one is a round, too.

    Of servers measured one after the other each meets its own minute of the host. Here all meet the
    same: a block of the design, as statistics calls it (Fisher, 1935). Under a load that may be
    paused they are interleaved; under others, at constant rates, and where there is only one,
    whole windows follow each other. `done` gets each record as soon as it is whole.
    """

    testbed: Testbed
    fork: int
    done: Done
    capacity_rps: Capacity = lambda _: None
    until_s: float = math.inf
    """When it should be over, on the clock of `time.monotonic`."""

    def measure(self, groups: Sequence[Sequence[Case]]) -> None:
        """Measure all cases of each group, which one process can answer.

        A process that fails in one case is ended; what it leaves is measured on processes of its
        own, once the others are through.
        """
        left: list[Case] = []
        with ExitStack() as outer:
            outer.enter_context(small_pieces_held())
            processes: list[Process] = []
            for cases in rotated(groups, self.fork):
                # whatever ends this block ends each process
                stack = outer.enter_context(ExitStack())
                process = self._start(stack, cases, alone=len(groups) == 1)
                if process is None:
                    left += cases[1:]
                else:
                    processes.append(process)
            for stage in dict.fromkeys(case.stage for group in groups for case in group):
                lost = self._measure(processes, stage)
                left += [case for process in lost for case in process.after(stage)]
                processes = [process for process in processes if process not in lost]
        for case in left:
            self.done(case, measure_fork(self.testbed, case, self.fork))

    def _start(self, stack: ExitStack, cases: Sequence[Case], *, alone: bool) -> Process | None:
        """A process that has answered, paused unless it is alone; None where it never did."""
        first = cases[0]
        testbed = self.testbed.for_variant(first.variant)
        testbed = testbed if alone else replace(testbed, port=free_port())
        record = ForkRecord(fork=self.fork, status="ok")
        record.build = testbed.builds.get(first.variant.id, record.build)
        record.missing |= dict(missing.of_build(record.build))
        folder = testbed.raw_folder(first, self.fork)
        testbed.observer.phase(first, self.fork, START)
        try:
            check_services(testbed, first, "an earlier case")
            server = stack.enter_context(started(testbed, Start.of(first), folder))
        except CaseError as error:
            self._fail(first, record, str(error), folder)
            return None
        process = Process(Driver(testbed, server, folder), [*cases], record, stack, alone)
        try:
            measure_start(first, record, process.driver)
        except CaseError as error:
            self._fail(first, record, process.end(error), folder)
            return None
        if not alone:
            server.pause()
        return process

    def _measure(self, processes: Sequence[Process], stage: tuple[str, int]) -> list[Process]:
        """One load of all that have one in this stage; those that did not survive it."""
        having = [
            (process, case) for process in processes if (case := process.case_of(stage)) is not None
        ]
        sliced = len(having) > 1 and all(case.can_pause for _, case in having)
        entries, lost = [], []
        for process, case in rotated(having, self.fork):
            record, driver = process.record(), process.driver_of(case)
            is_warm = case.warmup_templates in process.warm
            try:
                with process.running():
                    warmup = prepare(case, record, driver, is_warm=is_warm)
                    if process.warm:
                        # how a fresh process warms up shows in its first case alone
                        warmup = WarmUp(warmup.duration_s)
                    process.warm.add(case.warmup_templates)
                    if sliced:
                        self._choose_slice(process, is_warm=is_warm)
                    else:
                        measure_window(case, record, driver, warmup)
                        measure_rates(case, record, driver, self.capacity_rps(case))
            except CaseError as error:
                self._fail(case, record, process.end(error), driver.home)
                lost.append(process)
                continue
            if sliced:
                entries.append(Entry(process, case, record, driver, warmup))
            elif not self._goes_on(process, case, record):
                lost.append(process)
        failures = interleave(self.testbed, entries, self.until_s)
        for process, case, record, driver, _ in entries:
            if failure := failures.get(case.id):
                self._fail(case, record, process.end(failure), driver.home)
                lost.append(process)
                continue
            with process.running():
                measure_rates(case, record, driver, self.capacity_rps(case))
            if not self._goes_on(process, case, record):
                lost.append(process)
        return lost

    def _goes_on(self, process: Process, case: Case, record: ForkRecord) -> bool:
        """Keep a record that is whole; end its process where the next load would meet what is left
        of this one."""
        self.done(case, record)
        if not process.after(case.stage) or _has_drained(process, case):
            return True
        process.end()
        return False

    def _choose_slice(self, process: Process, *, is_warm: bool) -> None:
        """By the collections of warm-up, while it runs; until the slices its compilers go back."""
        server = process.driver.server
        if not is_warm:
            now_s = time.perf_counter() - server.started_at_s
            process.slice_s = slice_for(server.collections(), now_s)
        server.compilers.restore_affinity(process.driver.testbed.cpus.server)

    def _fail(self, case: Case, record: ForkRecord, reason: str, home: Path) -> None:
        record.status, record.reason = "failed", redact(with_what_it_lacks(reason, home))
        record.log_tail = [redact(line) for line in log_tail(home)]
        self.done(case, record)


def _has_drained(process: Process, case: Case) -> bool:
    """Whether nothing of a load is still queued in the server, where it would meet the next."""
    try:
        with process.running():
            ceiling_s = ROUTE_CEILING_S + case.workload.delay_s
            process.driver.server.check_routes(case.templates, ceiling_s)
    except CaseError:
        return False
    return True


def interleave(
    testbed: Testbed, entries: Sequence[Entry], until_s: float = math.inf
) -> dict[str, CaseError]:
    """Load all of them interleaved, and put their windows into their records.

    What each gets is `window_s` of its case, or half of it where `until_s` is past. By case id, the
    failures of those that did not live to see its end.
    """
    if not entries:
        return {}
    window_s = max(entry.case.window_s for entry in entries)
    longest_s = longest_load_s([entry.case for entry in entries])
    failures: dict[str, CaseError] = {}
    with ExitStack() as stack:
        interleaving = Interleaving(testbed, entries[0].record.fork, until_s=until_s)
        for entry in entries:
            case = entry.case
            interleaving.open(stack, case.id, entry.driver, case, longest_s, entry.process.slice_s)
        interleaving.measure(window_s)
        ended = interleaving.close()
        for entry in entries:
            try:
                if error := interleaving.failures.get(entry.case.id):
                    raise error
                _keep_interleaved(entry, interleaving, ended[entry.case.id])
            except CaseError as error:
                failures[entry.case.id] = error
    return failures


def _keep_interleaved(entry: Entry, found: Interleaving, ended: InterleavedServer) -> None:
    _, case, record, driver, warmup = entry
    record.load = found.window(ended, _bytes_per_request(case, driver))
    record.load.warmup_s = warmup.duration_s + record.load.window_begin_s
    add_peak(record, record.load, case, warmup.loads)
    with driver.server.resumed():
        record.after = _at_rest(driver.testbed, case, driver.server)
        count_queries(record.load, case, driver)
    record.missing |= dict(reasons("after", record.after, heap_requested=case.heap_now))
    _finish(case, record, driver)


def prepare(case: Case, record: ForkRecord, driver: Driver, *, is_warm: bool = False) -> WarmUp:
    """A process that is up gets its cold load and its warm-up.

    A process that `is_warm` has had the warm-up of another case; what is new to it is compiled
    under the load that is measured. Its compilers keep CPUs of their own. Raises `CaseError` with
    what went wrong; the record keeps what it has until then.
    """
    testbed = driver.testbed
    cold_loads: tuple[Timeline, ...] = ()
    if case.cold_s:
        testbed.observer.phase(case, record.fork, COLD_LOAD)
        cold = driver.drive("cold", case.templates, case.connections, case.cold_s)
        record.cold = cold_record(cold.summary, _bytes_per_request(case, driver))
        cold_loads = (cold.timeline,)
    testbed.observer.phase(case, record.fork, WARM_UP)
    warmup, answer = _warmed_up(testbed, case, driver, is_warm=is_warm)
    record.headers = shown_headers(answer)
    return replace(warmup, loads=cold_loads + warmup.loads)


def measure_window(case: Case, record: ForkRecord, driver: Driver, warmup: WarmUp) -> None:
    """A whole window of a process that is warm, under a load that is never paused.

    Raises `CaseError` with what went wrong; the record keeps what it has until then.
    """
    testbed, server, needs = driver.testbed, driver.server, case.workload.needs
    upstream = testbed.upstream if "upstream" in needs else None
    database = testbed.database if "database" in needs else None
    testbed.observer.phase(case, record.fork, LOAD)
    if upstream:
        upstream.reset()
    busy = BusyConnections.begin(database) if database else None
    compiling_s = max(0.0, case.compiling_max_s - warmup.duration_s)
    before = [probe_s for load in warmup.loads for probe_s in load.probes_s]
    settling = Settling(testbed, case, server.compilers, compiling_s, before)
    driven = driver.drive(
        "load",
        case.templates,
        case.connections,
        settling.longest_s,
        enough=settling,
        begin_over_s=case.begin_over_s,
    )
    database_busy = busy.end() if busy else None
    if not driven.summary.requests:
        raise CaseError(f"no request was answered during the load: {driven.summary.errors}")
    _check_answering(driven.timeline, case, server)
    record.after = _at_rest(testbed, case, server)
    record.missing |= dict(reasons("after", record.after, heap_requested=case.heap_now))
    record.load = load_record(
        case,
        warmup.duration_s,
        driven,
        testbed.cpus.counts,
        lines=server.collections(),
        bytes_per_request=_bytes_per_request(case, driver),
        jvm_started_at_s=server.started_at_s,
        settled_from_s=settling.alone_from_s,
    )
    record.load.database_busy_connections = database_busy
    loads = (*warmup.loads, driven.timeline) if warmup.loads else ()
    add_peak(record, record.load, case, loads)
    if upstream:
        record.load.upstream_lateness_max_s = upstream.lateness_max_s()
    count_queries(record.load, case, driver)
    _finish(case, record, driver)


def add_peak(record: ForkRecord, load: LoadRecord, case: Case, loads: Sequence[Timeline]) -> None:
    """When it came to its throughput, and what that took of answers, or why that is not known.

    `loads` are all since its start. What the harness did between them is not in it: the load
    counts as begun with the first answer.
    """
    if case.variant.settings.cpus is None:
        return
    why = missing.no_peak(load, waits=case.workload.delay_s > 0, fresh=bool(loads))
    peak = None if why else find_peak(loads, load.throughput_rps)
    if peak is None:
        names = ("load.time_to_peak_s", "load.requests_lost_to_peak")
        record.missing |= dict.fromkeys(names, why or missing.NO_PEAK)
        return
    load.time_to_peak_s = (record.startup.first_200_s or 0.0) + peak.at_s
    lost = load.throughput_rps * load.time_to_peak_s - peak.requests
    load.requests_lost_to_peak = max(0, round(lost))


def count_queries(load: LoadRecord, case: Case, driver: Driver) -> None:
    """Queries for each request of the load, once it is over. Raises `CaseError` as below."""
    queries = queries_per_request(case, driver)
    for route in load.routes:
        route.queries_per_request = queries.get(route.name)
    weights = {template.name: template.weight for template in case.templates}
    if queries.keys() == weights.keys():
        load.queries_per_request = statistics.fmean(
            queries.values(), [weights[name] for name in queries]
        )


def queries_per_request(case: Case, driver: Driver) -> dict[str, float]:
    """Statements of the database by request, where it is one of springbench that counts them.

    Counted over requests one after the other, while no other server runs: then the database
    executes nothing else. Raises `CaseError` for an answer that is wrong.
    """
    database = driver.testbed.database
    if database is None or "database" not in case.workload.needs:
        return {}
    counted = {
        template.name: _queries_per_request(database, template, driver.server)
        for template in case.templates
    }
    return {name: count for name, count in counted.items() if count is not None}


def _queries_per_request(
    database: Database, template: RequestTemplate, server: ServerProcess
) -> float | None:
    server.check_route(template, ROUTE_CEILING_S)
    before = _statements_at_rest(database)
    for _ in range(QUERY_PROBES):
        server.check_route(template, ROUTE_CEILING_S)
    after = _statements_at_rest(database)
    return None if before is None or after is None else (after - before) / QUERY_PROBES


def _statements_at_rest(database: Database) -> float | None:
    """Once what the load left in the server is through; None where it never is, or is unknown."""
    found = database.statements()
    for _ in range(QUIET_TRIES):
        time.sleep(QUIET_S)
        last, found = found, database.statements()
        if found == last:
            return found
    return None


def _finish(case: Case, record: ForkRecord, driver: Driver) -> None:
    """Check a window, and note what is missing from it and why."""
    load, server = record.load, driver.server
    assert load is not None  # noqa: S101 - both callers have set it
    check_services(driver.testbed, case, "load")
    if load.gc_count is None and server.gc_log and (odd := gclog.odd_line(server.gc_log)):
        load.unknown_gc_line = odd[:_MOST_LETTERS]
    load.memory_peak_bytes = server.readings.peak_bytes()
    check_answers(load, case)
    record.missing |= dict(missing.of_load(load, database="database" in case.workload.needs))


def _bytes_per_request(case: Case, driver: Driver) -> float | None:
    """None where headers are compressed by what was sent before."""
    if case.protocol.is_http2:
        return None
    templates = driver.server.session.filled(case.templates)
    return mean_bytes(templates, driver.place("").authority)


def check_services(testbed: Testbed, case: Case, phase: str) -> None:
    """Raises `CaseError` when what a case needs beside its server has ended."""
    for service in testbed.services:
        service.check_alive(phase)
    if testbed.upstream and "upstream" in case.workload.services:
        testbed.upstream.check_alive(phase)
    if testbed.database and "database" in case.workload.needs:
        testbed.database.check_alive(phase)


def measure_rates(
    case: Case, record: ForkRecord, driver: Driver, capacity_rps: float | None
) -> None:
    """Each rate that the case asks for: shares of `capacity_rps`, or of what the window had."""
    if not case.rates or record.load is None:
        return
    if driver.testbed.oha is None:
        record.missing["constant_rates"] = missing.NO_OHA
        return

    def failed(path: str, error: CaseError) -> None:
        record.missing[path] = str(error)

    process = RatedProcess(driver, record.constant_rates.append, failed)
    measure_at_rates([process], case, capacity_rps or record.load.throughput_rps, record.fork)


def _warmed_up(
    testbed: Testbed, case: Case, driver: Driver, *, is_warm: bool
) -> tuple[WarmUp, Answer]:
    """The first part of warm-up, and an answer of the route that is measured."""
    ceiling_s = ROUTE_CEILING_S + case.workload.delay_s
    if is_warm:
        driver.server.compilers.widen_affinity(testbed.cpus.outside_server)
        return WarmUp(), driver.server.check_routes(case.templates, ceiling_s)
    # the one request may wait for a second by design: that passes while the server warms up
    aside = ThreadPoolExecutor(1)
    try:
        checked = aside.submit(driver.server.check_routes, case.templates, ceiling_s)
        warmup = warm_up(testbed, case, driver)
        try:
            return warmup, checked.result()
        except CaseError:
            # it was busy with warming up: what lasts is a failure
            return warmup, driver.server.check_routes(case.templates, ceiling_s)
    finally:
        # nor does Ctrl-C wait for it: the request ends with the server
        aside.shutdown(wait=False)


def measure_start(case: Case, record: ForkRecord, driver: Driver) -> None:
    """From the start of the process to its first answer, and at rest. Raises `CaseError`."""
    testbed, server = driver.testbed, driver.server
    first_200_s = server.wait_ready(
        case.variant.server.health, status=case.variant.server.health_status
    )
    testbed.load.check_reaches(server.port)
    said_s = started_in_s(driver.home)
    record.startup = StartupRecord(first_200_s=first_200_s, started_in_s=said_s)
    record.missing |= dict(missing.of_startup(record.startup))
    record.idle = _at_rest(testbed, case, server)
    record.missing |= dict(reasons("idle", record.idle, heap_requested=case.heap_now))
    server.log_in(ROUTE_CEILING_S)


def _at_rest(testbed: Testbed, case: Case, server: ServerProcess) -> IdleRecord:
    """Readings that do not disturb come first: for jcmd the server starts a thread."""
    record = server.idle()
    if case.heap_now and record.heap_max_bytes is not None:
        record.heap_used_bytes = used_bytes(testbed.shell, testbed.java, server.jvm)
    return record


def check_answers(load: LoadRecord, case: Case) -> None:
    """Raises `CaseError` where no answer of the window was the one that is asked for."""
    if load.wrong_answer_ratio == 1:
        raise CaseError(
            f"{' and '.join(template.title for template in case.templates)} was answered "
            f"{load.wrong_answer}, not {expected(case.templates[0])}, all through the window"
        )


def _check_answering(timeline: Timeline, case: Case, server: ServerProcess) -> None:
    """Raises `CaseError` when nothing came at the end of a load, and nothing does when asked."""
    points, delay_s = timeline.points("read_bytes"), case.workload.delay_s
    quiet_s = silence_s(points)
    if quiet_s < SILENCE_S + 2 * delay_s:
        return
    try:
        server.check_routes(case.templates, RECOVERY_CEILING_S + delay_s)
    except CaseError as error:
        raise CaseError(
            f"the server stopped answering {points[-1][0] - quiet_s:.1f} s into the load "
            "and did not begin again"
        ) from error
