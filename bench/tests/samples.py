"""Records, results and a whole run, made up for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from springbench.analysis.assess import assess
from springbench.bench.records import new_result
from springbench.matrix.profiles import CapacityPercent
from springbench.matrix.rows import Matrix
from springbench.plan.cases import Case
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.results.records import (
    ConstantRateRecord,
    ForkRecord,
    IdleRecord,
    LoadErrors,
    LoadLatency,
    LoadRecord,
    LoadSummary,
    StartupRecord,
)
from springbench.results.run import (
    INTERRUPTED,
    Caution,
    CommitInfo,
    HostInfo,
    LimitsInfo,
    Result,
    Run,
    RunInfo,
    ToolsInfo,
)

MIB = 1 << 20
# what a server may print: each renderer has a markup that this would break
HOSTILE = "<script>alert(1)</script> | [red]cell[/red] *a* `b`\nnext\r\nline &lt; \x1b[31m\x07 end"


def case(matrix: Matrix, case_id: str, *, forks: int = 1) -> Case:
    """The case of that id, as the profile `quick` would measure it alone, in a window of 6 s."""
    connections = int(case_id.rsplit("/", 1)[1])
    filters = Filters(only=(case_id,), connections=(connections,), forks=forks)
    return replace(make_plan(matrix, "quick", filters).cases[0], window_s=6.0)


def no_errors(**counts: int) -> LoadErrors:
    return LoadErrors(**{"connect": 0, "read": 0, "write": 0, "status": 0, "timeout": 0, **counts})


def wrk_summary(*, requests: int = 8000, duration_s: float = 8.0, **errors: int) -> LoadSummary:
    """A load whose answers have 100 bytes each."""
    return LoadSummary(
        duration_s=duration_s,
        requests=requests,
        bytes=100 * requests,
        errors=no_errors(**errors),
        latency_s=LoadLatency(
            min=0.0005, mean=0.001, stdev=0.0002, p50=0.001, p90=0.0015, p99=0.002, max=0.01
        ),
    )


def load(throughput_rps: float, **fields: Any) -> LoadRecord:
    """A load on a server that had its one CPU half busy."""
    standard: dict[str, Any] = {
        "warmup_s": 12.0,
        "steady": True,
        "window_begin_s": 1.0,
        "window_s": 8.0,
        "from_timeline": True,
        "requests": int(throughput_rps * 8),
        "errors": no_errors(),
        "error_ratio": 0.0,
        "throughput_rps": throughput_rps,
        "bytes_per_response": 130.0,
        "latency_p50_s": 0.00132,
        "latency_p99_s": 0.00551,
        "cpu_per_request_s": 0.0000204,
        "server_cpu_ratio": 0.5,
        "load_cpu_ratio": 0.4,
        "compiler_cpu_ratio": 0.003,
        "memory_peak_bytes": 431 * MIB,
        "threads_max": 31,
        "unanswered_ratio": 0.0,
        "fairness": 0.98,
        "gc_count": 4,
        "gc_pause_ratio": 0.012,
        "heap_after_gc_bytes": 48 << 20,
    }
    return LoadRecord(**{**standard, **fields})


def fork(number: int, throughput_rps: float, **fields: Any) -> ForkRecord:
    """A fork that went well."""
    return ForkRecord(
        fork=number,
        status="ok",
        startup=StartupRecord(first_200_s=2.31),
        idle=IdleRecord(rss_bytes=210 * MIB, threads=24),
        load=load(throughput_rps, **fields),
    )


def at_rate(percent: CapacityPercent, p99_s: float, **fields: Any) -> ConstantRateRecord:
    """A load at a constant rate on a server that makes each request wait a second."""
    standard: dict[str, Any] = {
        "capacity_percent": percent,
        "offered_rps": 500.0,
        "window_s": 8.0,
        "achieved_rps": 499.8,
        "requests": 4000,
        "unanswered": 0,
        "error_ratio": 0.0,
        "latency_mean_s": 1.001,
        "latency_p50_s": 1.0004,
        "latency_p90_s": 1.002,
        "latency_p99_s": p99_s,
        "latency_p999_s": 1.2,
        "latency_max_s": 1.3,
        "cpu_per_request_s": 0.00005,
    }
    return ConstantRateRecord(**(standard | fields))


def failed_fork(number: int, reason: str) -> ForkRecord:
    return ForkRecord(fork=number, status="failed", reason=reason, log_tail=["boom", HOSTILE])


def measured(a_case: Case, *forks: ForkRecord) -> Result:
    """The assessed result of a case on a server with one CPU."""
    result = new_result(a_case, status="ok")
    result.forks.extend(forks)
    return assess(result, a_case, server_cpus=1)


def plan(matrix: Matrix) -> Plan:
    return make_plan(matrix, "quick")


def empty_run() -> Run:
    """A run that has measured nothing yet."""
    return Run(
        run=RunInfo(
            id="20261121T093000Z-quick-1a2b3c4d",
            started_at="2026-11-21T09:30:00+00:00",
            profile="quick",
            plan_digest="0123456789abcdef",
            trigger="manual",
            estimate_s=505.0,
        ),
        commit=CommitInfo(
            sha="1a2b3c4d5e6f70819203a4b5c6d7e8f901234567",
            message="Raise a default",
            author="Somebody",
            time="2026-11-21T09:00:00+00:00",
            branch="main",
            dirty=False,
        ),
        host=HostInfo.model_validate(
            {
                "fingerprint": "00112233",
                "class": "some-cpu-2c-8g-linux6-jdk25-1c1g-0a1b2c3d",
                "os": "Linux",
                "cpu_model": "Some CPU 7B13",
                "cores": 2,
                "physical_cores": 1,
                "memory_bytes": 8 << 30,
                "kernel": "6.8.0",
                "governor": None,
                "smt": True,
                "turbo": None,
                "virtualisation": "kvm",
                "limits": LimitsInfo(
                    server_cpus=[1],
                    load_cpus=[0],
                    upstream_cpus=[0],
                    cpus_enforced_by="sched_setaffinity",
                    memory_limit_bytes=1 << 30,
                    memory_enforced_by="flags of the JVM",
                ).model_dump(),
            }
        ),
        tools=ToolsInfo(jdk="25.0.3", wrk="4.1.0", springbench="0.1.0"),
    )


def full_run(matrix: Matrix) -> Run:
    """A run with every kind of result that a report must be able to show."""
    run = empty_run()
    run.run.finished_at = "2026-11-21T09:36:05+00:00"
    run.run.measured_s = 365.4
    run.warnings = [
        Caution(code="somaxconn", message="128 connections may wait | be *accepted*", remedy="do")
    ]

    def matrix_case(case_id: str) -> Case:
        return case(matrix, case_id)

    run.results = [
        measured(
            matrix_case("boot4-tomcat-platform-jvm/hello/64"),
            fork(0, 48812.4, server_cpu_ratio=0.99),
            fork(1, 47011.0, server_cpu_ratio=0.98, steady=False),
            fork(2, 50100.0, server_cpu_ratio=0.99),
        ),
        measured(
            matrix_case("boot4-tomcat-virtual-jvm/hello/64"), fork(0, 99000.0, load_cpu_ratio=0.993)
        ),
        measured(matrix_case("boot4-jetty-platform-jvm/hello/64"), failed_fork(0, HOSTILE)),
        new_result(
            matrix_case("boot4-netty-reactive-jvm/hello/64"), status="skipped", reason=INTERRUPTED
        ),
        measured(
            matrix_case("boot4-netty-reactive-jvm/pay/1000"),
            fork(0, 998.6, latency_p50_s=1.0014, latency_p99_s=1.0099, cpu_per_request_s=0.00012),
        ),
        measured(
            matrix_case("boot4-jetty-virtual-jvm/pay/1000"),
            fork(
                0,
                198.7,
                latency_p50_s=5.02,
                latency_p99_s=5.4,
                error_ratio=0.002,
                errors=no_errors(status=3),
            ),
        ),
        measured(
            matrix_case("boot3-undertow-virtual-jvm/pay/1000"),
            fork(0, 573.0, errors=no_errors(timeout=7)),
            failed_fork(1, "the server exited with code 1 during load"),
        ),
    ]
    return run
