"""Connections that get fewer answers than others: a real wrk, and what the server counted."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.bench.tools import Tools
from springbench.host.cpus import CpuCounts
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.matrix.templates import get
from springbench.measure.load.driver import Driver
from springbench.measure.load.timeline import Timeline
from springbench.measure.server.process import ServerProcess
from springbench.measure.window import load_record
from springbench.results.records import LoadRecord
from tests.measure.testbeds import testbed
from tests.samples import case as case_of

SERVER = Path(__file__).parents[2] / "services" / "starving_server.py"
CONNECTIONS, LOAD_S = 400, 4.0


def is_over(timeline: Timeline) -> bool:
    """Whether the load has lasted long enough; its connections are counted then."""
    return bool(timeline.samples) and timeline.samples[-1].at_s > LOAD_S


def measured(
    mode: str, tmp_path: Path, tools: Tools, matrix: Matrix
) -> tuple[LoadRecord, list[int]]:
    """The window of a load, and how many answers the server gave each connection."""
    shell, counts = RealShell(), tmp_path / "counts.json"
    with (tmp_path / "port").open("wb") as port_file:
        child = shell.start([sys.executable, str(SERVER), mode, str(counts)], stdout=port_file)
    try:
        while not (port_text := (tmp_path / "port").read_text()).endswith("\n"):
            time.sleep(0.01)
        server = ServerProcess(child, int(port_text), time.perf_counter())
        driver = Driver(testbed(tmp_path, shell, wrk=tools.wrk.path), server, tmp_path)
        driven = driver.drive("load", (get("/"),), CONNECTIONS, 2 * LOAD_S, enough=is_over)
        time.sleep(0.3)  # what it has counted is written
    finally:
        child.stop()
    case = replace(case_of(matrix, "boot4-tomcat-virtual-jvm/hello/16"), window_s=2.0)
    record = load_record(case, 0.0, driven, CpuCounts(1, used=2), bytes_per_request=40.0)
    return record, json.loads(counts.read_text())


@pytest.mark.process
@pytest.mark.parametrize(
    "mode",
    [
        pytest.param("even", marks=pytest.mark.system),
        "first",
        pytest.param("uneven", marks=pytest.mark.system),
    ],
)
def test_who_gets_no_answer_or_few_is_counted(
    mode: str, tmp_path: Path, tools: Tools, matrix: Matrix
) -> None:
    record, answers = measured(mode, tmp_path, tools, matrix)
    assert len(answers) == record.connections == CONNECTIONS
    silent_count = answers.count(0)
    index = sum(answers) ** 2 / (len(answers) * sum(count**2 for count in answers))
    assert record.unanswered_ratio == pytest.approx(silent_count / CONNECTIONS, abs=0.005)
    assert record.fairness == pytest.approx(index, abs=0.02)
    assert {"even": index > 0.95, "first": silent_count >= 290, "uneven": index < 0.6}[mode]


@pytest.mark.process
def test_a_server_that_renews_connections_starves_nobody(
    tmp_path: Path, tools: Tools, matrix: Matrix
) -> None:
    record, answers = measured("renews", tmp_path, tools, matrix)
    # one in ten has no answer yet at any moment, and has only just asked
    assert max(answers) == 10 and len(answers) > 2 * CONNECTIONS
    assert record.unanswered_ratio == 0
    # how evenly the others were served is not on the connections that are open
    assert record.fairness is None
