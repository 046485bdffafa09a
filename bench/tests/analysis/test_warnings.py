"""Warnings: each once, and with its remedy."""

from __future__ import annotations

import pytest

from springbench.analysis.warnings import case_warnings, host_warnings
from springbench.matrix.rows import Matrix
from springbench.results.records import ForkRecord
from springbench.results.run import Caution, Result
from tests.samples import case, failed_fork, fork, measured, no_errors


def of_host(*forks: ForkRecord) -> list[Caution]:
    """What is said of the host for these forks of a case, and not of the case."""
    assert list(case_warnings(forks)) == []
    axes = dict(zip(("boot", "server", "model", "runtime"), "abcd", strict=True))
    load = {"case": "a-b-c-d/hello/64", "workload": "hello", "connections": 64}
    result = Result.model_validate({**axes, **load, "status": "ok"})
    result.forks = list(forks)
    return list(host_warnings([result]))


def test_a_good_case_has_none() -> None:
    assert list(case_warnings([fork(0, 1000.0), fork(1, 1000.0), failed_fork(2, "boom")])) == []
    assert list(case_warnings([])) == []


def test_each_warning_stands_once_however_many_forks_show_it() -> None:
    odd = {
        "steady": False,
        "error_ratio": 0.02,
        "errors": no_errors(connect=1, status=2, timeout=4),
    }
    found = list(case_warnings([fork(0, 1000.0, **odd), fork(1, 1000.0, **odd), fork(2, 1000.0)]))
    assert [warning.code for warning in found] == [
        "not-steady",
        "errors",
        "slow-answers",
    ]
    messages = [warning.message for warning in found]
    assert "(2 of 3 forks)" in messages[0]
    assert "up to 2.00 % of the requests failed (connect 2, status 4)" in messages[1]
    assert "8 answers took longer" in messages[2]
    assert [bool(warning.remedy) for warning in found] == [True, True, False]


def test_connections_without_an_answer_are_reported_where_the_others_had_several() -> None:
    served = {"connections": 1000, "answers_per_connection": 9.1, "loaded_s": 44.0}
    (found,) = case_warnings([fork(0, 1000.0, unanswered_ratio=0.793, **served)])
    assert found.code == "starved"
    assert "793 of 1,000 connections got no answer in 44 s, the others 44 each" in found.message
    # each has had its turn hardly once: who has not is no exception
    early = {**served, "answers_per_connection": 1.2}
    assert list(case_warnings([fork(0, 1000.0, unanswered_ratio=0.3, **early)])) == []


def test_connections_that_are_served_more_often_than_others_are_reported() -> None:
    served = {"connections": 1000, "answers_per_connection": 9.1, "unanswered_ratio": 0.0}
    (found,) = case_warnings([fork(0, 1000.0, fairness=0.69, **served)])
    assert found.code == "unfair"
    assert list(case_warnings([fork(0, 1000.0, fairness=0.71, **served)])) == []


def test_a_window_that_breaks_littles_law_is_reported() -> None:
    waits = {"middle_throughput_rps": 199.0}
    (found,) = case_warnings([fork(0, 199.0, connections=1000, in_flight=601.0, **waits)])
    assert found.code == "inconsistent"
    assert "makes 601 requests at once on 1,000 connections" in found.message
    fine = {"connections": 1000, "unanswered_ratio": 0.4, "in_flight": 601.0, **waits}
    assert list(case_warnings([fork(0, 199.0, **fine)])) == []
    assert list(case_warnings([fork(0, 199.0, in_flight=601.0, **waits)])) == []
    # elsewhere the start of the load may weigh more
    busy = [fork(0, 1000.0, connections=64, in_flight=in_flight) for in_flight in (79.0, 49.0)]
    assert list(case_warnings(busy)) == []
    (found,) = case_warnings([fork(0, 1000.0, connections=64, in_flight=1346.0)])
    assert found.code == "inconsistent"


def test_where_nothing_can_tell_steady_is_no_warning() -> None:
    assert list(case_warnings([fork(0, 1000.0, steady=None)])) == []


def test_a_stall_and_a_fork_apart_are_named() -> None:
    stalled = fork(3, 50.0, stalls=[{"at_s": 4.0, "throughput_ratio": 0.1}])
    found = list(case_warnings([fork(0, 100.0), fork(1, 101.0), fork(2, 99.0), stalled]))
    assert [warning.code for warning in found] == ["stalled", "outlier"]
    assert "at second 4 with 10% of its throughput" in found[0].message
    assert "50.0 req/s" in found[1].message


def test_a_window_with_hardly_any_answers_is_named() -> None:
    (found,) = case_warnings([fork(0, 20.0)])
    assert found.code == "few-answers"
    assert "160 good answers" in found.message


def test_time_that_went_to_neighbours_is_reported_from_two_per_cent_on() -> None:
    assert of_host(fork(0, 1000.0, steal_ratio=0.02)) == []
    stolen = fork(0, 1000.0, steal_ratio=0.034, instability=["stolen"])
    (found,) = of_host(stolen, fork(1, 1000.0))
    assert found.code == "stolen"
    assert "up to 3.4 % of the host's CPU time went to its neighbours" in found.message


def test_what_disturbs_the_load_host_alone_is_reported_of_it() -> None:
    ratios = {"steal_ratio": 0.01, "load_host_steal_ratio": 0.2}
    (found,) = of_host(fork(0, 1000.0, instability=["stolen"], **ratios))
    assert "up to 20.0 % of the load host's CPU time" in found.message
    ratios = {"background_cpu_ratio": 0.02, "load_host_background_cpu_ratio": 0.4}
    (found,) = of_host(fork(0, 1000.0, instability=["disturbed"], **ratios))
    assert "up to 40 % of a CPU beside wrk on the load host (limit: 10 %)" in found.message


def test_forks_whose_compilers_never_rested_are_reported_and_not_called_unsteady() -> None:
    compiling = fork(0, 500.0, steady=False, instability=["compiling"], compiler_cpu_ratio=0.14)
    (found,) = case_warnings([compiling, fork(1, 1000.0), fork(2, 1000.0)])
    assert found.code == "compiling"
    assert "1 of 3 forks, which are left out: they had up to 14.0 %" in found.message
    # that of all of them is what limits the case, and said there
    assert list(case_warnings([compiling])) == []


def test_a_jvm_without_a_known_compiler_is_reported() -> None:
    (found,) = case_warnings([fork(0, 500.0, steady=False, instability=["unknown-compilers"])])
    assert found.code == "unknown-compilers"
    assert "is not known" in found.message


def test_a_server_that_still_grows_is_reported() -> None:
    growing = fork(0, 500.0, steady=False, instability=["loading-classes", "growing-heap"])
    (found,) = case_warnings([growing])
    assert found.code == "not-settled"
    assert "classes were loaded and the heap was enlarged in the window" in found.message


def test_a_log_of_collections_that_is_not_understood_is_quoted() -> None:
    line = "[0.9s] GC(0) Garbage Collection (Warmup) 130M(13%)->24M(2%)"
    (found,) = case_warnings([fork(0, 1000.0), fork(1, 1000.0, unknown_gc_line=line)])
    assert found.code == "gc-log"
    assert line in found.message
    assert found.remedy


def compiling(ratio: float, used: float | None = 1.0) -> ForkRecord:
    return fork(
        0,
        500.0,
        steady=False,
        instability=["compiling"],
        compiler_cpu_ratio=ratio,
        server_cpu_ratio=used,
    )


@pytest.mark.parametrize(
    ("ratio", "used", "waits", "text"),
    [
        (0.021, 1.0, False, "up to 2.1 % of the server's CPUs (limit: 2.0 %)"),
        (0.0201, 1.0, False, "up to 2.01 % of the server's CPUs (limit: 2.00 %)"),
        # of what it had of its CPUs, of a quarter at the least
        (0.017, 0.5, False, "up to 1.7 % of the server's CPUs (limit: 1.0 %)"),
        (0.006, 0.01, False, "up to 0.6 % of the server's CPUs (limit: 0.5 %)"),
        (0.03, 0.1, True, "up to 3.0 % of the server's CPUs (limit: 2.0 %)"),
        # less than the limit of a window: its edges have others
        (0.017, 1.0, False, "more than 10.0 % of the server's CPUs just before the window, or"),
        (0.017, 1.0, False, "or than 4.0 % at its end"),
    ],
)
def test_a_share_stands_beside_the_limit_that_it_exceeds(
    ratio: float, used: float, waits: bool, text: str
) -> None:
    [found] = case_warnings([compiling(ratio, used), fork(1, 1000.0)], waits=waits)
    assert text in found.message


@pytest.mark.parametrize(
    ("instability", "ratios", "text"),
    [
        ("stolen", {"steal_ratio": 0.0203}, "up to 2.03 % of the host's CPU time"),
        ("stolen", {"steal_ratio": 0.0203}, "(limit: 2.00 %)"),
        ("disturbed", {"background_cpu_ratio": 0.102}, "took up to 10.2 % of a CPU"),
        ("disturbed", {"background_cpu_ratio": 0.102}, "(limit: 10.0 %)"),
    ],
)
def test_what_is_just_too_much_does_not_look_like_its_limit(
    instability: str, ratios: dict[str, float], text: str
) -> None:
    [found] = of_host(fork(0, 1000.0, instability=[instability], **ratios))
    assert text in found.message


def test_hardly_too_few_answers_are_not_rounded_to_enough() -> None:
    [found] = case_warnings([fork(0, 199.9 / 8)])
    assert "199 good answers" in found.message


def test_a_single_failure_among_a_million_is_not_none() -> None:
    [found] = case_warnings([fork(0, 1e6, error_ratio=1e-6, errors=no_errors(read=1))])
    assert "up to 0.0001 % of the requests failed (read 1)" in found.message


def test_a_host_without_counters_of_processes_is_named_once() -> None:
    (found,) = of_host(fork(0, 1000.0, from_timeline=False), fork(1, 1000.0))
    assert found.code == "no-timeline"
    assert found.remedy


def test_what_the_host_did_is_said_once_with_the_rows(matrix: Matrix) -> None:
    names = [f"boot4-tomcat-virtual-jvm/{load}" for load in ("hello/64", "pay/1000")]
    rows = [
        measured(
            case(matrix, name), fork(0, 1e3, instability=["disturbed"], background_cpu_ratio=ratio)
        )
        for name, ratio in zip(names, (0.5, 1.8), strict=True)
    ]
    quiet = measured(case(matrix, "boot4-netty-reactive-jvm/hello/64"), fork(0, 1e3))
    [all_] = host_warnings(rows)
    assert "background load took up to 180 % of a CPU" in all_.message
    assert all_.message.endswith("in 2 of 2 forks (2 of 2 rows)")
    [some] = host_warnings([*rows, quiet])
    assert some.message.endswith("(2 of 3 rows: {})".format(", ".join(names)))
    assert list(host_warnings([quiet])) == []


def test_what_bottleneck_a_case_says_the_limit_of_its_compilers_too(matrix: Matrix) -> None:
    a_case = case(matrix, "boot4-tomcat-virtual-jvm/hello/64")
    bottleneck = measured(a_case, compiling(0.017, 1.0)).bottleneck
    assert bottleneck is not None
    assert "had more than 10.0 % of the server's CPUs just before the window" in bottleneck.text
    assert "1.7" not in bottleneck.text
    bottleneck = measured(a_case, compiling(0.4, 1.0)).bottleneck
    assert bottleneck is not None
    assert "had up to 40.0 % of the server's CPUs (limit: 2.0 %): it can do" in bottleneck.text


def test_an_answer_that_wrk_takes_for_a_good_one_is_named() -> None:
    sent_away = {"error_ratio": 0.4, "wrong_answer": "302 to /login", "wrong_answer_ratio": 0.4}
    (found,) = case_warnings([fork(0, 1000.0, **sent_away)])
    assert found.message == "up to 40.00 % of the requests failed (answered 302 to /login)"


@pytest.mark.parametrize("status", [401, 403, 500])
def test_a_token_that_expires_is_named_where_the_answers_look_like_it(status: int) -> None:
    failing = {"error_ratio": 0.4, "errors": no_errors(status=9), "wrong_answer": f"{status}"}
    (found,) = case_warnings([fork(0, 1000.0, **failing)])
    assert ("a token that expires" in str(found.remedy)) is (status < 500)
