"""One fork: a fresh process, its startup, its warm-up, its window."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from springbench.errors import CaseError
from springbench.measure import missing
from springbench.measure.at_rate import measure_at_rate, warm_up_for_rates
from springbench.measure.load.driver import Driven, Driver
from springbench.measure.load.timeline import Timeline, silence_s
from springbench.measure.load.wrk import request_bytes
from springbench.measure.readings import gclog
from springbench.measure.readings.at_rest import reasons
from springbench.measure.readings.heapinfo import used_bytes
from springbench.measure.server.command import Start
from springbench.measure.server.log import gc_log, log_tail, started_in_s
from springbench.measure.server.process import ServerProcess, started
from springbench.measure.services.database import BusyConnections
from springbench.measure.services.http import Answer, in_url
from springbench.measure.testbed import Testbed
from springbench.measure.warmup import ROUTE_CEILING_S, Settling, id_sequence, warm_up
from springbench.measure.window import Collections, cold_record, load_record
from springbench.plan.cases import (
    COLD_LOAD,
    LOAD,
    RATE_WARM_UP,
    START,
    WARM_UP,
    Case,
    at_rate,
)
from springbench.results.records import ForkRecord, IdleRecord, LoadRecord, StartupRecord

# silence at the end of a load, beyond two delays, after which the server is asked once more
SILENCE_S = 1.0
RECOVERY_CEILING_S = 5.0
# of a line that a server has written
_MOST_LETTERS = 200


def measure_fork(
    testbed: Testbed, case: Case, fork: int, capacity_rps: float | None = None
) -> ForkRecord:
    """Measure one fork. What goes wrong with the server is a result, not an error.

    `capacity_rps` is what constant rates are shares of, so that they are the same for every fork;
    without it, the throughput of this one.
    """
    folder = testbed.raw_folder(case, fork)
    record = ForkRecord(fork=fork, status="ok")
    record.build = testbed.builds.get(case.variant.id, record.build)
    record.missing |= dict(missing.of_build(record.build))
    try:
        with started(testbed, Start.of(case), folder) as server:
            driver = Driver(testbed, server, folder)
            measure_started(testbed, case, record, driver)
            _measure_at_rates(case, record, driver, capacity_rps)
    except CaseError as error:
        record.status, record.reason = "failed", str(error)
        record.log_tail = log_tail(folder)
    return record


def measure_started(testbed: Testbed, case: Case, record: ForkRecord, driver: Driver) -> None:
    """Measure a process that has just been started, from startup to the window.

    Raises `CaseError` with what went wrong; the record keeps what it has until then.
    """
    testbed.observer.phase(case, record.fork, START)
    check_services(testbed, case, "an earlier case")
    measure_start(testbed, case, record, driver)
    measure_load(testbed, case, record, driver)


def measure_load(
    testbed: Testbed, case: Case, record: ForkRecord, driver: Driver, *, is_warm: bool = False
) -> None:
    """Measure one case of a process that is up: its warm-up, and its window.

    A process that `is_warm` has had the warm-up of another case; what is new to it is compiled
    under the load that is measured. Raises `CaseError` with what went wrong; the record keeps what
    it has until then.
    """
    server, workload = driver.server, case.workload
    upstream = testbed.upstream if "upstream" in workload.needs else None
    database = testbed.database if "database" in workload.needs else None
    ids = id_sequence(case)
    asked_host = in_url(testbed.load.server_address)
    bytes_per_request = request_bytes(server.port, case.route, ids, asked_host)
    if case.cold_s:
        testbed.observer.phase(case, record.fork, COLD_LOAD)
        cold = driver.drive("cold", case.route, case.connections, case.cold_s, ids=ids)
        record.cold = cold_record(cold.summary, bytes_per_request)

    testbed.observer.phase(case, record.fork, WARM_UP)
    warmup_s, answer = _warmed_up(testbed, case, driver, is_warm=is_warm)
    record.headers = dict(answer.headers)

    testbed.observer.phase(case, record.fork, LOAD)
    if upstream:
        upstream.reset()
    busy = BusyConnections.begin(database) if database else None
    compiling_s = max(0.0, case.compiling_max_s - warmup_s)
    settling = Settling(testbed, case, server.compilers, compiling_s)
    driven = driver.drive(
        "load",
        case.route,
        case.connections,
        settling.longest_s,
        enough=settling,
        ids=ids,
        begin_over_s=case.begin_over_s,
    )
    database_busy = busy.end() if busy else None
    if not driven.summary.requests:
        raise CaseError(f"no request was answered during the load: {driven.summary.errors}")
    _check_answering(driven.timeline, case, server)
    record.after = _at_rest(testbed, case, server)
    record.missing |= dict(reasons("after", record.after, asked=case.heap_now))
    check_services(testbed, case, "load")
    record.load = _load(testbed, case, driver, driven, warmup_s, bytes_per_request)
    check_answers(record.load, case)
    record.load.database_busy_connections = database_busy
    if upstream:
        record.load.upstream_lateness_max_s = upstream.lateness_max_s()
    record.missing |= dict(missing.of_load(record.load, database=database is not None))


def check_services(testbed: Testbed, case: Case, phase: str) -> None:
    """Raises `CaseError` when what a case needs beside its server has ended."""
    for each in testbed.needed:
        each.check_alive(phase)
    if testbed.upstream and "upstream" in case.workload.needs:
        testbed.upstream.check_alive(phase)
    if testbed.database and "database" in case.workload.needs:
        testbed.database.check_alive(phase)


def _measure_at_rates(
    case: Case, record: ForkRecord, driver: Driver, capacity_rps: float | None
) -> None:
    """Each rate that the case asks for; one that fails costs no other, nor the window."""
    if not case.rates or record.load is None:
        return
    if driver.testbed.oha is None:
        record.missing["constant_rates"] = missing.NO_OHA
        return
    capacity_rps = capacity_rps or record.load.throughput_rps
    driver.testbed.observer.phase(case, record.fork, RATE_WARM_UP)
    try:
        warm_up_for_rates(driver, case, capacity_rps)
    except CaseError as error:
        record.missing["constant_rates"] = str(error)
        return
    for share in case.rates:
        driver.testbed.observer.phase(case, record.fork, at_rate(share))
        try:
            found = measure_at_rate(driver, case, share, capacity_rps)
        except CaseError as error:
            record.missing[f"constant_rates.{share}"] = str(error)
        else:
            record.constant_rates.append(found)


def _warmed_up(
    testbed: Testbed, case: Case, driver: Driver, *, is_warm: bool
) -> tuple[float, Answer]:
    """How long the first part of warm-up took, and an answer of the route that is measured."""
    ceiling_s = ROUTE_CEILING_S + case.workload.delay_s
    if is_warm:
        driver.server.compilers.lend(testbed.cpus.beside_server)
        return 0.0, driver.server.check_route(case.route, ceiling_s)
    # the one request may wait for a second by design: that passes while the server warms up
    aside = ThreadPoolExecutor(1)
    try:
        checked = aside.submit(driver.server.check_route, case.route, ceiling_s)
        warmup_s = warm_up(testbed, case, driver)
        try:
            return warmup_s, checked.result()
        except CaseError:
            # it was busy with warming up: what lasts is a failure
            return warmup_s, driver.server.check_route(case.route, ceiling_s)
    finally:
        # nor does Ctrl-C wait for it: the request ends with the server
        aside.shutdown(wait=False)


def measure_start(testbed: Testbed, case: Case, record: ForkRecord, driver: Driver) -> None:
    """From the start of the process to its first answer, and at rest. Raises `CaseError`."""
    server = driver.server
    first_200_s = server.wait_ready(case.variant.server.health)
    testbed.load.check_reaches(server.port)
    said_s = started_in_s(driver.home)
    record.startup = StartupRecord(first_200_s=first_200_s, started_in_s=said_s)
    record.missing |= dict(missing.of_startup(record.startup))
    record.idle = _at_rest(testbed, case, server)
    record.missing |= dict(reasons("idle", record.idle, asked=case.heap_now))


def _load(
    testbed: Testbed,
    case: Case,
    driver: Driver,
    driven: Driven,
    warmup_s: float,
    bytes_per_request: float,
) -> LoadRecord:
    server, log = driver.server, gc_log(case.variant, driver.home)
    collections = gclog.read(log)
    since_start_s = driven.began_at_s - server.started_at_s
    record = load_record(
        case,
        warmup_s,
        driven,
        cpus=testbed.cpus.counts,
        bytes_per_request=bytes_per_request,
        collections=None if collections is None else Collections(collections, since_start_s),
    )
    if collections is None and (odd := gclog.odd_line(log)):
        record.unknown_gc_line = odd[:_MOST_LETTERS]
    record.memory_peak_bytes = server.readings.peak_bytes()
    return record


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
            f"GET {case.route} was answered {load.wrong_answer}, not 200, all through the window"
        )


def _check_answering(timeline: Timeline, case: Case, server: ServerProcess) -> None:
    """Raises `CaseError` when nothing came at the end of a load, and nothing does when asked."""
    points, delay_s = timeline.points("read_bytes"), case.workload.delay_s
    quiet_s = silence_s(points)
    if quiet_s < SILENCE_S + 2 * delay_s:
        return
    try:
        server.check_route(case.route, RECOVERY_CEILING_S + delay_s)
    except CaseError as error:
        raise CaseError(
            f"the server stopped answering {points[-1][0] - quiet_s:.1f} s into the load "
            "and did not begin again"
        ) from error
