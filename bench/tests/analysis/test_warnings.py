"""Warnings: each once, and with its remedy."""

from __future__ import annotations

from springbench.analysis.warnings import case_warnings
from tests.samples import failed_fork, fork, no_errors


def test_a_good_case_has_none() -> None:
    assert list(case_warnings([fork(0, 1000.0), fork(1, 1000.0), failed_fork(2, "boom")])) == []
    assert list(case_warnings([])) == []


def test_each_warning_stands_once_however_many_forks_show_it() -> None:
    odd = {
        "steady": False,
        "error_ratio": 0.02,
        "errors": no_errors(connect=1, status=2, timeout=4),
        "from_timeline": False,
    }
    found = list(case_warnings([fork(0, 1000.0, **odd), fork(1, 1000.0, **odd), fork(2, 1000.0)]))
    assert [warning.code for warning in found] == [
        "not-steady",
        "errors",
        "slow-answers",
        "no-timeline",
    ]
    messages = [warning.message for warning in found]
    assert "(2 of 3 forks)" in messages[0]
    assert "up to 2.00% of the requests failed (connect 2, status 4)" in messages[1]
    assert "8 answers took longer" in messages[2]
    assert [bool(warning.remedy) for warning in found] == [True, True, False, True]


def test_connections_without_an_answer_are_told_where_the_others_had_several() -> None:
    served = {"connections": 1000, "answers_per_connection": 9.1, "loaded_s": 44.0}
    (found,) = case_warnings([fork(0, 1000.0, unanswered_ratio=0.793, **served)])
    assert found.code == "starved"
    assert "793 of 1,000 connections got no answer in 44 s, the others 44 each" in found.message
    # each has had its turn hardly once: who has not is no exception
    early = {**served, "answers_per_connection": 1.2}
    assert list(case_warnings([fork(0, 1000.0, unanswered_ratio=0.3, **early)])) == []


def test_connections_that_are_served_more_often_than_others_are_told() -> None:
    served = {"connections": 1000, "answers_per_connection": 9.1, "unanswered_ratio": 0.0}
    (found,) = case_warnings([fork(0, 1000.0, fairness=0.69, **served)])
    assert found.code == "unfair"
    assert list(case_warnings([fork(0, 1000.0, fairness=0.71, **served)])) == []


def test_a_window_that_breaks_littles_law_is_told() -> None:
    (found,) = case_warnings([fork(0, 199.0, connections=1000, in_flight=601.0)])
    assert found.code == "inconsistent"
    assert "makes 601 requests at once on 1,000 connections" in found.message
    fine = {"connections": 1000, "unanswered_ratio": 0.4, "in_flight": 601.0}
    assert list(case_warnings([fork(0, 199.0, **fine)])) == []
    assert list(case_warnings([fork(0, 199.0, in_flight=601.0)])) == []


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


def test_time_that_went_to_neighbours_is_told_from_two_per_cent_on() -> None:
    assert list(case_warnings([fork(0, 1000.0, steal_ratio=0.02)])) == []
    stolen = fork(0, 1000.0, steal_ratio=0.034, unrest=["stolen"])
    (found,) = case_warnings([stolen, fork(1, 1000.0)])
    assert found.code == "stolen"
    assert "up to 3.4% of the host's CPU time went to its neighbours" in found.message


def test_what_disturbs_the_load_host_alone_is_told_of_it() -> None:
    ratios = {"steal_ratio": 0.01, "load_host_steal_ratio": 0.2}
    (found,) = case_warnings([fork(0, 1000.0, unrest=["stolen"], **ratios)])
    assert "up to 20.0% of the load host's CPU time" in found.message
    ratios = {"others_cpu_ratio": 0.02, "load_host_others_cpu_ratio": 0.4}
    (found,) = case_warnings([fork(0, 1000.0, unrest=["disturbed"], **ratios)])
    assert "other programs had 40% of a CPU beside wrk on the load host" in found.message


def test_forks_whose_compilers_never_rested_are_told_and_not_called_unsteady() -> None:
    compiling = fork(0, 500.0, steady=False, unrest=["compiling"], compiler_cpu_ratio=0.14)
    (found,) = case_warnings([compiling, fork(1, 1000.0), fork(2, 1000.0)])
    assert found.code == "compiling"
    assert "1 of 3 forks, which are left out: they had up to 14.0%" in found.message
    # that of all of them is what bound the case, and said there
    assert list(case_warnings([compiling])) == []


def test_a_server_that_still_grows_is_told() -> None:
    growing = fork(0, 500.0, steady=False, unrest=["loading-classes", "growing-heap"])
    (found,) = case_warnings([growing])
    assert found.code == "not-settled"
    assert "classes were loaded and the heap was enlarged in the window" in found.message


def test_a_log_of_collections_that_is_not_understood_is_quoted() -> None:
    line = "[0.9s] GC(0) Garbage Collection (Warmup) 130M(13%)->24M(2%)"
    (found,) = case_warnings([fork(0, 1000.0), fork(1, 1000.0, unknown_gc_line=line)])
    assert found.code == "gc-log"
    assert line in found.message
    assert found.remedy
