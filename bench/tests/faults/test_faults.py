"""What goes wrong inside a window: the case says what was seen, the next one goes on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from springbench.analysis.bottleneck import MANY_ERRORS_RATIO
from springbench.measure.load.timeline import mean_rate
from springbench.results.run import Result, Run
from tests.conftest import left_behind
from tests.processes import QUICK, Springbench, faulty, on_fakes, running

pytestmark = pytest.mark.system

EXITS, HANGS, FAILS = faulty("exits"), faulty("hangs"), faulty("fails")
SHY, WRK_KILLED, FINE = faulty("shy"), faulty("fine"), faulty("fine", 9)
BUSY = faulty("busy")
HANGING = r"the server stopped answering \d+(\.\d+)? s into the load and did not begin again"
CASES = (EXITS, HANGS, FAILS, SHY, BUSY, WRK_KILLED, FINE)


@dataclass(frozen=True)
class Outcome:
    """What a run left."""

    springbench: Springbench
    run: Run
    code: int
    out: str
    err: str
    leftovers: list[str]

    def result(self, case: str) -> Result:
        found = self.run.find(case)
        assert found is not None
        return found

    def timeline(self, case: str) -> dict[str, list[float]]:
        text = self.springbench.raw(case, "load.json").read_text(encoding="utf-8")
        columns: dict[str, list[float]] = json.loads(text)
        return columns


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    """One run over a server for each fault, and one in which wrk is killed."""
    options = (*on_fakes(*CASES), "--profile", "faults")
    with running(tmp_path_factory.mktemp("faults"), *options, patch=QUICK) as springbench:
        springbench.wait_until(springbench.raw(WRK_KILLED, "load.txt").exists)
        springbench.wait_until(lambda: springbench.child("wrk") is not None)
        time.sleep(0.5)
        wrk = springbench.child("wrk")
        assert wrk is not None
        wrk.kill()
        code, out, err = springbench.end()
    yield Outcome(springbench, springbench.run, code, out, err, left_behind())


def test_the_run_goes_on_after_each_and_says_that_some_failed(outcome: Outcome) -> None:
    assert (outcome.code, outcome.err) == (4, "")
    assert outcome.springbench.statuses == {
        EXITS: "failed",
        HANGS: "failed",
        FAILS: "ok",
        SHY: "ok",
        BUSY: "ok",
        WRK_KILLED: "failed",
        FINE: "ok",
    }, outcome.out
    report = outcome.springbench.results / f"{outcome.run.run.id}.md"
    markdown = report.read_text(encoding="utf-8")
    for case in (EXITS, HANGS, WRK_KILLED):
        reason = outcome.result(case).reason
        assert reason
        assert reason in markdown
        assert f"failed: {reason}" in outcome.out
    assert outcome.leftovers == []


def test_a_server_that_exits(outcome: Outcome) -> None:
    result = outcome.result(EXITS)
    assert result.reason == "the server exited with code 3 during load"
    assert result.forks[0].load is None
    assert result.summary.keys().isdisjoint({"throughput_rps"})
    assert result.forks[0].log_tail[-1] == "fake: the last straw"


def test_a_server_that_hangs(outcome: Outcome) -> None:
    result = outcome.result(HANGS)
    reason = str(result.reason)
    assert re.fullmatch(HANGING, reason), reason
    assert result.forks[0].load is None
    assert result.forks[0].log_tail[-1] == "fake: hanging"
    # the load ended when its time was up, and nobody waited for an answer
    assert outcome.timeline(HANGS)["at_s"][-1] < 10


def test_a_server_that_fails_for_a_while(outcome: Outcome) -> None:
    result = outcome.result(FAILS)
    load = result.forks[0].load
    assert load is not None
    # as many as the server itself counted, which probes ask too
    words = result.forks[0].log_tail or outcome.springbench.raw(FAILS, "server.log").read_text(
        encoding="utf-8"
    )
    [counted] = map(int, re.findall(r"fake: failed (\d+) times", str(words)))
    assert 0 <= counted - load.errors.status < 100
    assert load.errors.total == load.errors.status > 0
    assert load.error_ratio == pytest.approx(load.errors.status / load.requests)
    # only what went well counts
    columns = outcome.timeline(FAILS)
    points = list(zip(columns["at_s"], columns["requests"], strict=True))
    end_s = load.window_begin_s + load.window_s
    answers_rps = mean_rate(points, load.window_begin_s, end_s)
    assert answers_rps is not None
    assert load.throughput_rps == pytest.approx(answers_rps * (1 - load.error_ratio))

    [caution] = [caution for caution in result.warnings if caution.code == "errors"]
    assert f"of the requests failed (status {load.errors.status})" in caution.message
    assert result.bottleneck is not None
    assert load.error_ratio > MANY_ERRORS_RATIO
    assert result.bottleneck.kind == "errors"
    assert f"errors ({load.error_ratio:.1%})" in outcome.out


def test_a_server_that_leaves_connections_in_its_accept_queue(outcome: Outcome) -> None:
    result = outcome.result(SHY)
    load = result.forks[0].load
    assert load is not None
    assert load.connections_accepted == 5
    assert result.bottleneck is not None
    assert result.bottleneck.label == "backlog: 5 accepted"
    assert "Only 5 of 8 connections were accepted" in outcome.out


def test_a_wrk_that_is_killed(outcome: Outcome) -> None:
    result = outcome.result(WRK_KILLED)
    assert result.reason == "wrk was killed by SIGKILL during load"
    assert result.forks[0].load is None
    # what was seen until then is kept
    assert len(outcome.timeline(WRK_KILLED)["at_s"]) > 0


def test_what_comes_after_is_measured_as_ever(outcome: Outcome) -> None:
    result = outcome.result(FINE)
    load = result.forks[0].load
    assert load is not None
    assert load.errors.total == 0
    assert load.throughput_rps > 0
    # with one of the probe's, or two where the next begins as one ends
    assert load.connections_accepted in (9, 10)
    assert "errors" not in {caution.code for caution in result.warnings}


def test_a_route_that_is_refused_while_the_server_is_busy_is_no_failure(outcome: Outcome) -> None:
    result = outcome.result(BUSY)
    assert (result.status, result.reason) == ("ok", None)
    log = outcome.springbench.raw(BUSY, "server.log").read_text(encoding="utf-8")
    assert "mode busy" in log
