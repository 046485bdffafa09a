"""From forks to a result."""

from __future__ import annotations

from dataclasses import replace

from springbench.analysis.assess import assess
from springbench.bench.records import new_result
from springbench.matrix.rows import Matrix
from tests.samples import case, failed_fork, fork, measured


def test_a_result_follows_from_its_forks(matrix: Matrix) -> None:
    result = measured(case(matrix, "boot4-jetty-virtual-jvm/pay/1000"), fork(0, 199.0))
    assert (result.status, result.reason) == ("ok", None)
    assert result.theoretical_max_rps == 1000
    assert result.bottleneck is not None
    assert result.bottleneck.kind == "thread-cap"
    assert "Jetty counts virtual threads" in result.bottleneck.text


def test_one_failed_fork_fails_the_case_and_the_others_are_kept(matrix: Matrix) -> None:
    result = measured(
        case(matrix, "boot4-tomcat-virtual-jvm/pay/1000"), fork(0, 998.0), failed_fork(1, "boom")
    )
    assert (result.status, result.reason) == ("failed", "boom")
    assert result.summary["throughput_rps"].n == 1
    assert result.bottleneck is not None


def test_a_case_with_nothing_measured_has_no_bottleneck(matrix: Matrix) -> None:
    result = measured(case(matrix, "boot4-tomcat-virtual-jvm/pay/1000"), failed_fork(0, "boom"))
    assert (result.summary, result.bottleneck) == ({}, None)


def test_a_cap_that_grows_with_cpus_sees_those_of_the_server(matrix: Matrix) -> None:
    a_case = case(matrix, "boot3-undertow-platform-jvm/pay/1000")
    result = new_result(a_case, status="ok")
    result.forks.append(fork(0, 32.0))
    kinds = {}
    for cpus in (1, 4):
        bottleneck = assess(result, a_case, cpus).bottleneck
        kinds[cpus] = bottleneck.kind if bottleneck else None
    assert kinds == {1: "unknown", 4: "thread-cap"}


def test_a_quota_grows_no_cap(matrix: Matrix) -> None:
    a_case = case(matrix, "boot3-undertow-platform-jvm/pay/1000")
    a_case = replace(a_case, variant=a_case.variant.set_to(cpus="0.5"))
    result = new_result(a_case, status="ok")
    # of 4 CPUs its JVM counts one
    result.forks.append(fork(0, 32.0, cpu_quota=0.5, cpu_periods=80, throttled_periods=60))
    bottleneck = assess(result, a_case, 4).bottleneck
    assert bottleneck is not None
    assert bottleneck.kind == "cpu-quota"
    assert bottleneck.label == "CPU quota of 0.5: throttled in 75% of periods"


def test_a_late_upstream_matters_only_to_what_calls_it(matrix: Matrix) -> None:
    for workload, kind in (("upstream", "upstream"), ("pay", "unknown")):
        row = next(row for row in matrix.workloads if row.id == workload)
        a_case = case(matrix, "boot4-tomcat-virtual-jvm/pay/1000")
        a_case = a_case.__class__(**{**vars(a_case), "workload": row})
        result = measured(a_case, fork(0, 500.0, upstream_lateness_max_s=0.2))
        assert result.bottleneck is not None
        assert result.bottleneck.kind == kind
