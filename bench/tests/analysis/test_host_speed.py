"""A host that changes its speed within a run is reported."""

from __future__ import annotations

import pytest

from springbench.analysis.conclude import at_one_speed, speed_warnings
from springbench.matrix.rows import Matrix
from springbench.results.run import Result
from tests.samples import case, failed_fork, fork, measured

TOMCAT, JETTY = "boot4-tomcat-virtual-jvm/hello/64", "boot4-jetty-virtual-jvm/hello/64"


def results(matrix: Matrix, *work_s: float | None) -> list[Result]:
    cases = [case(matrix, TOMCAT), case(matrix, JETTY)]
    return [
        measured(a_case, fork(0, 1000.0, calibration_probe_s=probe_s))
        for a_case, probe_s in zip(cases, work_s, strict=True)
    ]


def test_from_five_per_cent_on_it_is_reported_with_the_cases(matrix: Matrix) -> None:
    assert speed_warnings(results(matrix, 0.00070, 0.00073)) == []
    [found] = speed_warnings(results(matrix, 0.00070, 0.00098))
    assert found.code == "host-speed"
    assert "up to 40 % longer" in found.message
    assert f"most in {JETTY}, least in {TOMCAT}" in found.message
    assert found.remedy


def test_forks_of_one_case_are_windows_of_their_own(matrix: Matrix) -> None:
    forks = [fork(i, 1000.0, calibration_probe_s=s) for i, s in enumerate([0.0007, 0.0014, 0.0007])]
    [found] = speed_warnings([measured(case(matrix, TOMCAT), *forks)])
    # more than there were
    assert "--forks 6" in (found.remedy or "")
    assert "up to 100 % longer" in found.message


def test_what_a_delay_makes_does_not_go_with_the_speed(matrix: Matrix) -> None:
    """A second of waiting is as long on a slow CPU."""
    waits = case(matrix, "boot4-tomcat-virtual-jvm/pay/1000")
    forks = [fork(i, 999.0, calibration_probe_s=s) for i, s in enumerate([0.0007, 0.0014])]
    theoretical_max = measured(waits, *forks)
    assert theoretical_max.bottleneck
    assert theoretical_max.bottleneck.kind == "latency"
    assert speed_warnings([theoretical_max]) == []
    # others of that run still tell
    assert speed_warnings([theoretical_max, *results(matrix, 0.00070, 0.00098)]) != []


def test_what_was_not_seen_is_no_warning(matrix: Matrix) -> None:
    assert speed_warnings(results(matrix, None, 0.0007)) == []
    assert speed_warnings([measured(case(matrix, TOMCAT), failed_fork(0, "boom"))]) == []
    assert speed_warnings([]) == []


def test_cpu_bound_cases_are_normalised_to_one_speed(matrix: Matrix) -> None:
    cases = [case(matrix, TOMCAT), case(matrix, JETTY)]
    # Jetty is the faster one, and was measured while the host was slow
    slow, fast = 0.0009, 0.0006
    tomcat = measured(cases[0], fork(0, 1000.0, calibration_probe_s=fast, server_cpu_ratio=1.0))
    jetty = measured(cases[1], fork(0, 900.0, calibration_probe_s=slow, server_cpu_ratio=1.0))
    found = at_one_speed([tomcat, jetty])
    assert list(found) == [JETTY, TOMCAT]
    assert found[JETTY] / found[TOMCAT] == pytest.approx(0.9 * slow / fast)
    [_, order] = speed_warnings([tomcat, jetty])
    assert order.message.startswith(
        "hello at 64 connections, had the host had one speed: boot4-jetty"
    )
    # between what it did and what it would have done at the other's speed
    assert 900 < found[JETTY] < 900 * slow / fast


def test_cases_with_another_bottleneck_are_not_normalised(matrix: Matrix) -> None:
    cases = [case(matrix, TOMCAT), case(matrix, JETTY)]
    other = measured(cases[1], fork(0, 900.0, calibration_probe_s=0.0009, server_cpu_ratio=1.0))
    waits = measured(cases[0], fork(0, 1000.0, calibration_probe_s=0.0006, server_cpu_ratio=0.5))
    assert list(at_one_speed([waits, other])) == [JETTY]
    collecting = fork(
        0, 1000.0, calibration_probe_s=0.0006, server_cpu_ratio=1.0, gc_pause_ratio=0.3
    )
    assert list(at_one_speed([measured(cases[0], collecting), other])) == [JETTY]
    compiling = fork(
        0, 1000.0, calibration_probe_s=0.0006, server_cpu_ratio=1.0, instability=["compiling"]
    )
    assert list(at_one_speed([measured(cases[0], compiling), other])) == [JETTY]


def test_a_host_of_one_speed_changes_no_order(matrix: Matrix) -> None:
    assert at_one_speed(results(matrix, 0.00070, 0.00073)) == {}
    assert at_one_speed([]) == {}
