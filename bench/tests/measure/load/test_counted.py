"""Requests are counted: a real wrk against servers whose answers change under load."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.bench.tools import Tools
from springbench.host.cpus import CpuCounts
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.matrix.templates import RequestTemplate, get, parse
from springbench.measure.load.driver import Driver
from springbench.measure.load.timeline import value_at
from springbench.measure.server.process import ServerProcess
from springbench.measure.window import load_record
from springbench.results.records import LoadRecord
from tests.measure.testbeds import testbed
from tests.samples import case as case_of

pytestmark = pytest.mark.process

SERVER = Path(__file__).parents[2] / "services" / "changing_server.py"
LOAD_S = 3.6
# one of each kind; `make test-all` has all
IN_SHORT = (("random", "closes"), ("mix", "redirects"))


POST = RequestTemplate("post", ("/a",), "POST", (), ('{"a": 1}',))
RANDOM = replace(POST, body=parse('{"a": {random:1:5000}, "n": "{n}"}'))
LARGE = replace(POST, body=("x" * (1 << 18),))
LOADS: dict[str, tuple[RequestTemplate, ...]] = {
    "get": (get("/"),),
    "post": (POST,),
    "random": (RANDOM,),
    "large": (LARGE,),
    "mix": (replace(get("/"), weight=7), replace(POST, weight=2), RANDOM),
}


def measured(
    mode: str,
    changes_after_s: float,
    tmp_path: Path,
    tools: Tools,
    matrix: Matrix,
    load_name: str = "get",
) -> tuple[LoadRecord, float, float]:
    """The window of a load, and what the server counted in it: good answers and all, per second."""
    shell, counts = RealShell(), tmp_path / "counts"
    command = [sys.executable, str(SERVER), mode, str(changes_after_s), str(counts)]
    with (tmp_path / "port").open("wb") as port_file:
        child = shell.start(command, stdout=port_file)
    try:
        while not (port_text := (tmp_path / "port").read_text()).endswith("\n"):
            time.sleep(0.01)
        server = ServerProcess(child, int(port_text), time.perf_counter())
        driver = Driver(testbed(tmp_path, shell, wrk=tools.wrk.path), server, tmp_path)
        driven = driver.drive("load", LOADS[load_name], 16, LOAD_S)
    finally:
        child.stop()
    case = replace(case_of(matrix, "boot4-tomcat-virtual-jvm/hello/16"), window_s=2.0)
    record = load_record(case, 0.0, driven, CpuCounts(1, used=2), bytes_per_request=40.0)
    rows = [line.split() for line in counts.read_text().splitlines()]
    rows = [row for row in rows if len(row) == 3]
    begin_s = driven.began_at_s + record.window_begin_s
    good, answers = (
        [(float(row[0]), float(row[column])) for row in rows if row[0]] for column in (1, 2)
    )
    rates = []
    for points in (good, answers):
        first, last = value_at(points, begin_s), value_at(points, begin_s + record.window_s)
        assert first is not None
        assert last is not None
        rates.append((last - first) / record.window_s)
    assert record.from_timeline
    return record, rates[0], rates[1]


@pytest.mark.exclusive  # who waits for a CPU is in no latency
@pytest.mark.parametrize(
    "mode",
    [
        pytest.param("steady", marks=pytest.mark.system),
        "grows",
        pytest.param("http10", marks=pytest.mark.system),
    ],
)
def test_answers_of_any_size_and_each_on_its_connection_are_counted(
    mode: str, tmp_path: Path, tools: Tools, matrix: Matrix
) -> None:
    record, good_rps, _ = measured(mode, 0.0, tmp_path, tools, matrix)
    assert record.throughput_rps == pytest.approx(good_rps, rel=0.02)
    assert record.wrong_answer is None
    assert record.closing is (mode == "http10")
    # each latency as it was measured: no other mean fits to the throughput
    assert record.is_consistent or mode == "http10", record.in_flight
    assert record.sent_bytes_per_s == pytest.approx(40 * good_rps, rel=0.02)


@pytest.mark.exclusive
@pytest.mark.parametrize(
    "mode",
    ["chunked", *(pytest.param(m, marks=pytest.mark.system) for m in ("compressed", "slow"))],
)
def test_good_answers_of_another_kind_count_from_the_middle_of_a_window_on(
    mode: str, tmp_path: Path, tools: Tools, matrix: Matrix
) -> None:
    record, good_rps, _ = measured(mode, LOAD_S - 1.3, tmp_path, tools, matrix)
    assert record.throughput_rps == pytest.approx(good_rps, rel=0.02)
    assert record.wrong_answer is None
    assert record.error_ratio == 0


@pytest.mark.parametrize(
    ("mode", "answer"),
    [
        ("redirects", "302 to /login"),
        pytest.param("empty", "204", marks=pytest.mark.system),
        pytest.param("fails", "500", marks=pytest.mark.system),
    ],
)
def test_an_answer_with_another_status_does_not_count(
    mode: str, answer: str, tmp_path: Path, tools: Tools, matrix: Matrix
) -> None:
    record, good_rps, answers_rps = measured(mode, LOAD_S - 1.3, tmp_path, tools, matrix)
    assert record.wrong_answer == answer
    assert 0.2 < record.wrong_answer_ratio < 0.8
    # to an interval of the probes
    assert record.throughput_rps == pytest.approx(good_rps, abs=0.15 * answers_rps)
    # errors that wrk counts are those of all of its load
    assert mode == "fails" or record.error_ratio >= record.wrong_answer_ratio


def test_a_server_that_answers_otherwise_all_through_the_window_has_no_throughput(
    tmp_path: Path, tools: Tools, matrix: Matrix
) -> None:
    record, _, _ = measured("redirects", 0.05, tmp_path, tools, matrix)
    assert record.wrong_answer_ratio == 1
    assert record.throughput_rps == 0


@pytest.mark.exclusive
@pytest.mark.parametrize(
    "load_name",
    [
        *(
            pytest.param(load_name, marks=pytest.mark.system)
            for load_name in ("post", "random", "large")
        ),
        "mix",
    ],
)
def test_requests_of_any_size_are_counted(
    load_name: str, tmp_path: Path, tools: Tools, matrix: Matrix
) -> None:
    record, good_rps, _ = measured("grows", 0.0, tmp_path, tools, matrix, load_name)
    assert record.throughput_rps == pytest.approx(good_rps, rel=0.02)
    assert record.wrong_answer is None
    assert record.error_ratio == 0


@pytest.mark.parametrize(
    ("load_name", "mode"),
    [
        pytest.param(
            load_name, mode, marks=() if (load_name, mode) in IN_SHORT else pytest.mark.system
        )
        for load_name in ("random", "mix")
        for mode in ("fails", "drops", "closes", "redirects")
    ],
)
def test_requests_that_differ_count_where_they_are_answered_well(
    load_name: str, mode: str, tmp_path: Path, tools: Tools, matrix: Matrix
) -> None:
    record, good_rps, answers_rps = measured(mode, LOAD_S - 1.3, tmp_path, tools, matrix, load_name)
    assert record.throughput_rps == pytest.approx(good_rps, abs=0.15 * answers_rps)


@pytest.mark.parametrize("mode", [pytest.param("closes", marks=pytest.mark.system), "drops"])
def test_connections_that_end_early_are_no_answers(
    mode: str, tmp_path: Path, tools: Tools, matrix: Matrix
) -> None:
    record, good_rps, _ = measured(mode, LOAD_S - 1.3, tmp_path, tools, matrix)
    assert record.throughput_rps == pytest.approx(good_rps, rel=0.1)
    assert bool(record.errors.read) is (mode == "drops")
