"""A host that changes its speed within a run is reported."""

from __future__ import annotations

import math
import random

import pytest

from springbench.analysis.comparison.stored import compare_runs, in_both
from springbench.analysis.conclude import conclude
from springbench.analysis.host_speed import (
    Point,
    at_one_speed,
    compared_at_one_speed,
    fit_speed,
    speed_warnings,
)
from springbench.analysis.limits import evaluate_limits
from springbench.matrix.rows import Matrix
from springbench.matrix.servers import Limits
from springbench.results.run import Result
from tests.samples import case, empty_run, failed_fork, fork, measured

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
    assert found[JETTY].middle / found[TOMCAT].middle == pytest.approx(0.9 * slow / fast)
    [_, order] = speed_warnings([tomcat, jetty])
    assert order.message.startswith(
        "hello at 64 connections, had the host had one speed: boot4-jetty"
    )
    # between what it did and what it would have done at the other's speed
    jetty_rps = found[JETTY]
    assert 900 < jetty_rps.middle < 900 * slow / fast
    # of one process each, nothing is known of how far processes lie apart
    assert jetty_rps.low == jetty_rps.high == jetty_rps.middle


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


# --- Several processes, and a program that is slower still than the probe on a slow host ----------


PROBE_S = 0.00045
EXPONENT = -1.6
NOISE = 0.04


def processes(
    matrix: Matrix, dice: random.Random, case_id: str, rate_rps: float, *, forks: int = 3
) -> Result:
    """Those of a case that the CPU bounds, each at a speed of the host of its own."""
    records = []
    for number in range(forks):
        slower = math.exp(dice.uniform(-0.15, 0.25))
        throughput_rps = rate_rps * slower**EXPONENT * math.exp(dice.gauss(0, NOISE))
        records.append(
            fork(
                number,
                throughput_rps,
                calibration_probe_s=PROBE_S * slower,
                server_cpu_ratio=1.0,
                cpu_per_request_s=1 / throughput_rps,
            )
        )
    return measured(case(matrix, case_id), *records)


RATES_RPS = {
    "boot4-tomcat-virtual-jvm/hello/64": 2000.0,
    "boot4-jetty-virtual-jvm/hello/64": 5000.0,
    "boot4-tomcat-platform-jvm/hello/64": 1000.0,
}


@pytest.mark.parametrize(("groups", "forks"), [(4, 3), (1, 3), (3, 2), (2, 5)])
@pytest.mark.parametrize("exponent", [-1.0, -1.6])
def test_intervals_at_one_speed_hold_what_they_promise(
    groups: int, forks: int, exponent: float
) -> None:
    dice = random.Random(7)
    sets, hits = 400, 0
    for _ in range(sets):
        probes = [[dice.uniform(-0.2, 0.2) for _ in range(forks)] for _ in range(groups)]
        measured_groups = [
            [Point(exponent * probe + dice.gauss(0, NOISE), probe) for probe in of_group]
            for of_group in probes
        ]
        found = fit_speed(measured_groups, usual=0.03).interval(measured_groups[0], 0.0)
        hits += found.low <= 1.0 <= found.high
    assert hits / sets >= 0.92


def test_what_the_speed_made_is_taken_out_and_the_interval_is_much_narrower(
    matrix: Matrix,
) -> None:
    dice = random.Random(3)
    run = empty_run()
    run.results = [processes(matrix, dice, *item) for item in RATES_RPS.items()]
    conclude(run)
    found = at_one_speed(run.results)
    assert list(found) == list(RATES_RPS)
    probes = [fork.load.calibration_probe_s for r in run.results for fork in r.forks if fork.load]
    middle = sorted(probe for probe in probes if probe)[len(probes) // 2]
    for result in run.results:
        expected_rps = RATES_RPS[result.case] * (middle / PROBE_S) ** EXPONENT
        interval, summary = found[result.case], result.summary["throughput_rps"]
        assert interval.middle == pytest.approx(expected_rps, rel=0.1)
        assert interval.high / interval.low < (summary.high / summary.low) ** 0.5
    [_, order] = speed_warnings(run.results)
    assert order.message.startswith(
        "hello at 64 connections, had the host had one speed: boot4-jetty-virtual-jvm 4,"
    )
    assert " ± " in order.message


def test_stored_runs_on_a_host_that_changed_its_speed_are_compared_at_one(matrix: Matrix) -> None:
    dice = random.Random(5)
    slow_case = "boot4-jetty-virtual-jvm/hello/64"
    slower_rps = RATES_RPS | {slow_case: 0.75 * RATES_RPS[slow_case]}
    draws, hits, found_slower = 20, 0, 0
    for _ in range(draws):
        base, same, slower = empty_run(), empty_run(), empty_run()
        for run, rates in ((base, RATES_RPS), (same, RATES_RPS), (slower, slower_rps)):
            run.results = [processes(matrix, dice, *item) for item in rates.items()]
        [said] = compared_at_one_speed(in_both(base, same))
        assert "as if it had had one speed" in said.message
        unbounded = same.model_copy(deep=True)
        for result in unbounded.results:
            result.bottleneck = None
        assert not compared_at_one_speed(in_both(base, unbounded))

        findings = compare_runs(base, same)
        assert {finding.verdict for finding in findings} <= {"unchanged", "undecided"}
        throughputs = [f for f in findings if f.metric == "throughput_rps"]
        assert len(throughputs) == len(RATES_RPS)
        hits += sum(finding.low_ratio <= 1 <= finding.high_ratio for finding in throughputs)
        assert all(finding.high_ratio < 1.4 * finding.low_ratio for finding in throughputs)

        regressions = {f.metric for f in compare_runs(base, slower) if f.verdict == "regression"}
        found_slower += {"throughput_rps", "cpu_per_request_s"} <= regressions
    assert hits >= 0.9 * draws * len(RATES_RPS)
    assert found_slower >= 0.9 * draws


def test_exponents_that_differ_between_runs_are_in_the_intervals() -> None:
    """Processes of a run differ little in speed, the runs by a fifth."""
    dice = random.Random(5)
    draws, covered = 400, 0
    for _ in range(draws):
        exponent = dice.gauss(-1.0, 0.3)
        groups = [
            [
                Point(exponent * probe + dice.gauss(0, 0.01), probe)
                for probe in (slower + dice.gauss(0, 0.02) for _ in range(3))
            ]
            for slower in (0.0, 0.0, 0.0, 0.2, 0.2, 0.2)
        ]
        # where the first group's processes would be at the other run's speed
        interval = fit_speed(groups, usual=0.01).interval(groups[0], 0.2)
        covered += interval.low <= math.exp(exponent * 0.2) <= interval.high
    assert covered >= 0.9 * draws


@pytest.mark.parametrize(("slower", "verdict"), [(1.0, "regression"), (1.2, "undecided")])
def test_a_start_on_a_slower_host_is_no_regression(
    matrix: Matrix, slower: float, verdict: str
) -> None:
    dice = random.Random(7)
    base, head = empty_run(), empty_run()
    for run, ratio in ((base, 1.0), (head, 1.2)):
        run.results = [processes(matrix, dice, *item) for item in RATES_RPS.items()]
        for number, record in enumerate(f for result in run.results for f in result.forks):
            record.startup.first_200_s = 20.0 * ratio * (1 + number % 3 / 100)
            assert record.load
            record.load.calibration_probe_s = PROBE_S * (slower if run is head else 1.0)
    starts = [f.verdict for f in compare_runs(base, head) if f.metric == "startup_s"]
    assert set(starts) == {verdict}


def test_a_limit_is_decided_by_the_interval_that_is_shown(matrix: Matrix) -> None:
    """Of two processes alone the interval is too wide to tell; those of the others narrow it."""
    dice = random.Random(11)
    run = empty_run()
    run.results = [
        measured(
            case(matrix, case_id),
            *(
                fork(n, rate_rps * math.exp(dice.gauss(0, 0.02)), server_cpu_ratio=1.0)
                for n in range(2)
            ),
        )
        for case_id, rate_rps in [
            ("boot4-tomcat-virtual-jvm/hello/64", 1000.0),
            ("boot4-tomcat-platform-jvm/hello/64", 1100.0),
            ("boot4-jetty-virtual-jvm/hello/64", 1200.0),
        ]
    ]
    first = run.results[0]
    limits = Limits(throughput_rps=0.9 * first.summary["throughput_rps"].median)
    first.limits = evaluate_limits(limits, first.summary)
    assert [limit.verdict for limit in first.limits] == ["undecided"]
    conclude(run)
    [limit], summary = run.results[0].limits, run.results[0].summary["throughput_rps"]
    assert (limit.low, limit.high) == (summary.low, summary.high)
    assert limit.verdict == "kept"
