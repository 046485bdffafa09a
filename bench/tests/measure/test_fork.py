"""One fork: what is cut out of its timeline, and what a failure leaves."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from springbench.host.cpus import CpuCounts
from springbench.matrix.rows import Matrix
from springbench.matrix.templates import RequestTemplate
from springbench.measure.fork import add_peak, count_queries, measure_fork
from springbench.measure.load.driver import Driven
from springbench.measure.load.timeline import Sample, Timeline
from springbench.measure.missing import of_load
from springbench.measure.readings.gclog import Collection
from springbench.measure.services.database import Database
from springbench.measure.window import cold_record, load_record
from springbench.plan.cases import Case
from springbench.plan.plan import Filters, make_plan
from springbench.results.records import ForkRecord, LoadRecord, RouteRecord, StartupRecord
from tests.fakes import FakeShell
from tests.measure.testbeds import testbed
from tests.samples import case as quick_case
from tests.samples import wrk_summary

HELLO = "boot4-tomcat-virtual-jvm/hello/64"
PAY = "boot4-tomcat-virtual-jvm/pay/1000"
WARM = 12.0
ONE_CPU = CpuCounts(1, used=2)


def case(matrix: Matrix, case_id: str) -> Case:
    """With a window of eight seconds, whatever the profile has."""
    return replace(quick_case(matrix, case_id), window_s=8.0)


def timeline(rate_rps: float, end_s: float, *, late_rate_rps: float = 0.0) -> Timeline:
    """Answers of 100 bytes from the first second on; the server half, wrk a quarter busy."""
    samples = []
    for index in range(int(end_s * 20) + 1):
        at_s = index / 20
        answers = max(0.0, at_s - 1.0) * rate_rps
        samples.append(
            Sample(
                at_s,
                round(100 * answers),
                round(answers),
                server_cpu_s=0.5 * at_s,
                load_cpu_s=0.25 * at_s,
                rss_bytes=1000 + index,
                threads=20 if at_s < 2 else 30,
                server_reads=round(3 * answers),
                server_writes=None if index % 2 else round(2 * answers),
            )
        )
    return Timeline(tuple(samples))


def test_the_window_is_cut_out_of_the_timeline(matrix: Matrix) -> None:
    a_case = case(matrix, HELLO)
    # wrk's mean has the slow first second in it
    driven = Driven(wrk_summary(requests=9000, duration_s=10.0), timeline(1000.0, 10.0))
    record = load_record(a_case, WARM, driven, ONE_CPU)
    assert record.from_timeline
    # the newest window, a tenth of a second before the end
    assert record.window_begin_s == pytest.approx(1.9)
    assert record.window_s == 8.0
    assert record.throughput_rps == pytest.approx(1000, rel=1e-4)
    assert record.cpu_per_request_s == pytest.approx(0.5 / 1000, rel=1e-4)
    assert record.server_cpu_ratio == pytest.approx(0.5)
    assert record.server_cpu_peak_ratio == pytest.approx(0.5)
    assert record.load_cpu_ratio == pytest.approx(0.25)
    assert record.upstream_cpu_ratio is None
    assert record.threads_max == 30
    assert record.reads_per_request == pytest.approx(3.0, rel=1e-3)
    assert record.writes_per_request == pytest.approx(2.0, rel=1e-2)
    # 1.9 s under the load came before the window
    assert record.warmup_s == pytest.approx(13.9)
    assert record.steady is True


def uneven(server_cpus: float, speeds: Callable[[float], tuple[float, float]]) -> Timeline:
    """A load whose rate and whose host's fixed work are functions of the time."""
    samples, count = [], 0.0
    for index in range(16 * 20):
        at_s = index / 20
        rate_rps, work_s = speeds(at_s)
        count += rate_rps / 20
        cpu_s = server_cpus * at_s
        samples.append(
            Sample(
                at_s, int(100 * count), int(count), server_cpu_s=cpu_s, calibration_probe_s=work_s
            )
        )
    return Timeline(tuple(samples))


def is_interleaved(at_s: float) -> bool:
    """For three seconds each."""
    return int(at_s / 3) % 2 == 0


@pytest.mark.parametrize(
    ("server_cpus", "server_too", "case_id", "steady"),
    [
        (1.0, False, HELLO, True),
        # what changes besides is the server
        (1.0, True, HELLO, False),
        # the CPU is not what limits it, or it waits by design: it does not go with the host
        (0.7, False, HELLO, False),
        (1.0, False, PAY, False),
    ],
)
def test_a_host_that_changes_its_speed_does_not_make_a_server_unsteady(
    matrix: Matrix, server_cpus: float, server_too: bool, case_id: str, steady: bool
) -> None:
    def speeds(at_s: float) -> tuple[float, float]:
        server = 0.8 if server_too and at_s > 11 else 1.0
        return (900.0 * server, 0.0006) if is_interleaved(at_s) else (1350.0 * server, 0.0004)

    driven = Driven(wrk_summary(requests=16000, duration_s=16.0), uneven(server_cpus, speeds))
    assert load_record(case(matrix, case_id), WARM, driven, ONE_CPU).steady is steady


@pytest.mark.parametrize(
    ("before_s", "server_cpus", "begin_s"),
    [
        # the host had one speed, or the server does not go with it
        (0.0004, 1.0, 7.85),
        (0.0006, 0.7, 7.85),
        # what it had before belongs to what the server does
        (0.0006, 1.0, 2.85),
    ],
)
def test_a_window_has_all_speeds_that_the_host_had_since_it_settled(
    matrix: Matrix, before_s: float, server_cpus: float, begin_s: float
) -> None:
    slow_rps = 900.0 if before_s > 0.0004 else 1350.0
    timeline = uneven(
        server_cpus, lambda at_s: (slow_rps, before_s) if at_s < 7.85 else (1350.0, 0.0004)
    )
    driven = Driven(wrk_summary(requests=16000, duration_s=16.0), timeline)
    record = load_record(case(matrix, HELLO), WARM, driven, ONE_CPU, settled_from_s=2.0)
    assert record.window_begin_s == pytest.approx(begin_s)
    assert record.window_begin_s + record.window_s == pytest.approx(15.85)
    expected_rps = 1350 if begin_s > 7 else (5 * 900 + 8 * 1350) / 13
    assert record.throughput_rps == pytest.approx(expected_rps, rel=0.01)


def test_a_server_that_changes_on_an_even_host_is_not_steady(matrix: Matrix) -> None:
    timeline = uneven(1.0, lambda at_s: (900.0 if is_interleaved(at_s) else 1350.0, 0.0005))
    driven = Driven(wrk_summary(requests=16000, duration_s=16.0), timeline)
    assert load_record(case(matrix, HELLO), WARM, driven, ONE_CPU).steady is False


def test_collections_of_the_window_are_those_of_the_jvms_own_clock(matrix: Matrix) -> None:
    mib = 1 << 20
    # the load began 10 s after the JVM, the window 1.9 s later
    lines = [
        Collection(11.5, 0.5, "pause full", True, 300 * mib, 10 * mib),
        Collection(13.0, 0.2, "pause young", True, 190 * mib, 30 * mib),
        Collection(17.0, 0.2, "pause young", True, 190 * mib, 20 * mib),
    ]
    driven = Driven(wrk_summary(), timeline(1000.0, 10.0))
    record = load_record(
        case(matrix, HELLO), WARM, driven, ONE_CPU, lines=lines, jvm_started_at_s=-10.0
    )
    assert record.gc_count == 2
    assert record.gc_pause_ratio == pytest.approx(0.4 / 8)
    assert record.heap_after_gc_bytes == 20 * mib
    # 160 MiB in the 4 s from one to the next
    assert record.allocated_bytes_per_request == pytest.approx(40 * mib / 1000, rel=1e-4)
    # what failed was allocated for all the same
    driven = Driven(wrk_summary(requests=9000, status=900), timeline(1000.0, 10.0))
    failing = load_record(
        case(matrix, HELLO), WARM, driven, ONE_CPU, lines=lines, jvm_started_at_s=-10.0
    )
    assert failing.allocated_bytes_per_request == record.allocated_bytes_per_request


def test_the_cpu_ratio_is_that_of_the_servers_cpus(matrix: Matrix) -> None:
    driven = Driven(wrk_summary(), timeline(1000.0, 10.0))
    four = load_record(case(matrix, HELLO), WARM, driven, CpuCounts(4, used=5))
    assert four.server_cpu_ratio == pytest.approx(0.125)
    unpinned = load_record(case(matrix, HELLO), WARM, driven, CpuCounts(None))
    assert unpinned.server_cpu_ratio is None


def test_what_a_quota_did_in_the_window_is_recorded(matrix: Matrix) -> None:
    throttled = Timeline(
        tuple(
            sample._replace(
                cpu_periods=int(10 * sample.at_s),
                throttled_periods=int(9 * sample.at_s),
                throttled_s=0.7 * sample.at_s,
            )
            for sample in timeline(1000.0, 10.0).samples
        )
    )
    half = CpuCounts(0.5, used=3, pinned=2, quota=0.5)
    record = load_record(case(matrix, HELLO), WARM, Driven(wrk_summary(), throttled), half)
    assert (record.server_cpus, record.cpu_quota) == (2, 0.5)
    assert (record.cpu_periods, record.throttled_periods) == (80, 72)
    assert record.throttled_ratio == pytest.approx(0.9)
    assert record.throttled_s == pytest.approx(5.6)
    # half of a CPU is all that it may have
    assert record.server_cpu_ratio == pytest.approx(1.0)
    assert not any(name.startswith("load.throttled") for name, _ in of_load(record, database=False))
    untold = load_record(
        case(matrix, HELLO), WARM, Driven(wrk_summary(), timeline(1000.0, 10.0)), half
    )
    missing = dict(of_load(untold, database=False))
    assert "cpu.stat" in missing["load.throttled_s"]


def test_the_peak_counts_from_the_start_of_the_process(matrix: Matrix) -> None:
    a_case = case(matrix, HELLO)
    held = replace(a_case, variant=a_case.variant.set_to(cpus="0.5"))
    load = load_record(held, WARM, Driven(wrk_summary(), timeline(1000.0, 10.0)), ONE_CPU)

    def peak_of(which: Case, load: LoadRecord, *loads: Timeline) -> ForkRecord:
        record = ForkRecord(fork=0, status="ok", startup=StartupRecord(first_200_s=8.0))
        record.load = load.model_copy()
        add_peak(record, record.load, which, loads)
        return record

    # nothing is answered in the first second of the load
    found = peak_of(held, load, timeline(1000.0, 10.0))
    assert found.load
    assert found.load.time_to_peak_s == pytest.approx(9.0, abs=0.06)
    assert found.load.requests_lost_to_peak == pytest.approx(9000, abs=60)
    assert found.missing == {}
    # elsewhere its compilers have other CPUs while it warms up: nobody asks
    free = peak_of(a_case, load, timeline(1000.0, 10.0))
    assert free.load
    assert (free.load.time_to_peak_s, free.missing) == (None, {})
    never = load.model_copy(update={"instability": ["compiling"]})
    reasons = {
        "never settled": peak_of(held, never, timeline(1000.0, 10.0)),
        "did not come within 5 %": peak_of(held, load, timeline(900.0, 10.0)),
        "had answered another case": peak_of(held, load),
    }
    for why, record in reasons.items():
        assert record.load
        assert record.load.time_to_peak_s is None
        assert why in record.missing["load.time_to_peak_s"]
        assert why in record.missing["load.requests_lost_to_peak"]


def test_the_load_generators_ratio_is_that_of_its_cpus(matrix: Matrix) -> None:
    driven = Driven(wrk_summary(), timeline(1000.0, 10.0))
    record = load_record(case(matrix, HELLO), WARM, driven, CpuCounts(4, load=2, used=6))
    assert record.load_cpu_ratio == pytest.approx(0.125)


def test_failed_answers_do_not_count(matrix: Matrix) -> None:
    driven = Driven(wrk_summary(requests=9000, status=900), timeline(1000.0, 10.0))
    record = load_record(case(matrix, HELLO), WARM, driven, ONE_CPU)
    assert record.throughput_rps == pytest.approx(900, rel=1e-4)
    assert record.error_ratio == pytest.approx(0.1)
    # they cost the server CPU time all the same
    assert record.cpu_per_request_s == pytest.approx(0.5 / 1000, rel=1e-4)


def test_without_a_timeline_it_is_wrks_own_mean(matrix: Matrix) -> None:
    nothing_read = Timeline(
        tuple(sample._replace(requests=None) for sample in timeline(1000.0, 10.0).samples)
    )
    for unseen in (Timeline(()), nothing_read):
        driven = Driven(wrk_summary(requests=9000, duration_s=10.0), unseen)
        record = load_record(case(matrix, HELLO), WARM, driven, ONE_CPU)
        assert not record.from_timeline
        assert record.throughput_rps == pytest.approx(900, rel=1e-4)
        assert (record.window_begin_s, record.window_s) == (0.0, 10.0)
        assert record.steady is None


def test_a_timeline_that_ends_too_early_is_not_used(matrix: Matrix) -> None:
    # a staircase needs one delay of 1 s after the window, which ends 3 + 8 s into the load
    for end_s, used in ((12.1, True), (11.9, False)):
        driven = Driven(wrk_summary(), timeline(1000.0, end_s))
        assert load_record(case(matrix, PAY), WARM, driven, ONE_CPU).from_timeline is used


def test_a_program_that_is_not_there_is_a_result(tmp_path: Path, matrix: Matrix) -> None:
    shell = FakeShell()
    shell.answer("java", error=PermissionError(13, "Permission denied"))
    record = measure_fork(testbed(tmp_path, shell), case(matrix, HELLO), 0)
    assert record.status == "failed"
    assert record.reason == "/jdk-25/bin/java cannot be started: Permission denied"
    assert record.load is None


def test_a_server_that_dies_at_start_leaves_its_last_words(tmp_path: Path, matrix: Matrix) -> None:
    shell = FakeShell()
    shell.answer("java", stdout="starting\nPort 8080 was already in use\n", code=1)
    record = measure_fork(testbed(tmp_path, shell), case(matrix, HELLO), 3)
    assert (record.fork, record.status) == (3, "failed")
    words = "Port 8080 was already in use"
    message = f"the server exited with code 1 during startup: {words}"
    assert record.reason == f"{message}; log: raw/{HELLO}/fork-3/server.log"
    assert record.log_tail == ["starting", "Port 8080 was already in use"]
    assert record.startup.first_200_s is None
    assert (tmp_path / "raw" / HELLO / "fork-3" / "server.log").is_file()


def test_bytes_in_and_out_follow_from_the_answers(matrix: Matrix) -> None:
    driven = Driven(wrk_summary(requests=8000), timeline(1000.0, 30.0), loaded_s=25.0)
    record = load_record(case(matrix, HELLO), WARM, driven, ONE_CPU, bytes_per_request=40)
    assert record.received_bytes_per_s == pytest.approx(100_000, rel=0.01)
    assert record.sent_bytes_per_s == pytest.approx(40_000, rel=0.01)


def test_a_cold_load_counts_from_its_first_moment_and_leaves_out_what_failed() -> None:
    record = cold_record(wrk_summary(requests=8000, duration_s=10.0, status=80), 40.0)
    assert record.throughput_rps == pytest.approx(792.0)
    assert record.error_ratio == pytest.approx(0.01)
    assert (record.latency_mean_s, record.latency_p99_s) == (0.001, 0.002)
    # what failed was sent and answered all the same
    assert record.bytes_per_response
    assert record.received_bytes_per_s == pytest.approx(800 * record.bytes_per_response)
    assert record.sent_bytes_per_s == 32_000
    assert cold_record(wrk_summary(requests=0), 40.0).latency_mean_s is None


class CountingDatabase(BaseHTTPRequestHandler):
    """Counts statements: two for reading an order, three for a list, eleven for a new one."""

    statements: ClassVar[float | None] = 0.0

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"statements": CountingDatabase.statements}).encode())

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_queries_are_counted_for_each_request_of_a_mix(matrix: Matrix) -> None:
    mixed = make_plan(matrix, "orders", Filters(only=("boot4-tomcat-virtual-jvm/*",))).cases[0]
    server = ThreadingHTTPServer(("127.0.0.1", 0), CountingDatabase)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    launcher: Any = SimpleNamespace()
    database = Database(launcher, "127.0.0.1/x", "reader", server.server_port, pool_size=20)
    of_request = {"order": 2, "order-list": 3, "order-create": 11}

    def check_route(template: RequestTemplate, _: float) -> None:
        if CountingDatabase.statements is not None:
            CountingDatabase.statements += of_request[template.name]

    driver: Any = SimpleNamespace(
        testbed=SimpleNamespace(database=database), server=SimpleNamespace(check_route=check_route)
    )
    load = load_record(
        case(matrix, HELLO), WARM, Driven(wrk_summary(), timeline(1000.0, 10.0)), ONE_CPU
    )
    load.routes = [
        RouteRecord(name=template.name, share_ratio=0.0, throughput_rps=0.0, probes=0)
        for template in mixed.templates
    ]
    try:
        count_queries(load, mixed, driver)
        assert {r.name: r.queries_per_request for r in load.routes} == of_request
        # 70, 20 and 10 of a hundred
        assert load.queries_per_request == pytest.approx(3.1)
        assert not [name for name, _ in of_load(load, database=True) if "queries" in name]

        CountingDatabase.statements = None
        load.queries_per_request = None
        count_queries(load, mixed, driver)
        assert {route.queries_per_request for route in load.routes} == {None}
        missing = dict(of_load(load, database=True))
        assert "pg_stat_statements" in missing["load.queries_per_request"]
    finally:
        server.shutdown()
