"""Rounds with real servers and real wrk: all up at once, interleaved; what one that fails costs."""

from __future__ import annotations

import json
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path

import jsonschema
import psutil
import pytest

from springbench.build.oha import find_oha
from springbench.host.shell import RealShell
from springbench.results.records import LoadRecord
from springbench.results.run import Run
from springbench.results.schema import schemas
from tests.conftest import left_behind
from tests.processes import QUICK, SERVICES, Springbench, faulty, running

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        not sys.platform.startswith("linux"), reason="only Linux reports what was stopped"
    ),
]
ROUNDS = ("--matrix", SERVICES / "matrix.toml", "--jars", SERVICES, "--profile", "rounds")
FINE, LATE, EXITS, DIES = (faulty(mode) for mode in ("fine", "late", "exits", "dies"))
FINE_PAYS, LATE_PAYS, EXITS_PAYS = (faulty(mode, 20, "pay") for mode in ("fine", "late", "exits"))


def loads(run: Run, case: str) -> list[LoadRecord]:
    result = run.find(case)
    return [fork.load for fork in result.forks if fork.load] if result else []


@pytest.mark.exclusive
@pytest.mark.timeout(600)
def test_all_are_interleaved_and_one_that_fails_does_not_affect_the_others(tmp_path: Path) -> None:
    with running(tmp_path, *ROUNDS, patch=QUICK) as springbench:
        code, out, err = springbench.end()
    # some cases failed
    assert (code, err) == (4, ""), out
    assert springbench.statuses == {
        FINE: "ok",
        LATE: "ok",
        EXITS: "failed",
        DIES: "failed",
        FINE_PAYS: "ok",
        LATE_PAYS: "ok",
        # its process has ended under `work`: it got another one
        EXITS_PAYS: "ok",
    }
    run = springbench.run
    text = (springbench.results / "latest" / "run.json").read_text(encoding="utf-8")
    jsonschema.validate(json.loads(text), json.loads(schemas()["run.schema.json"]))
    for case in (FINE, LATE):
        assert len(loads(run, case)) == 2
        for load in loads(run, case):
            assert load.interleaving is not None
            assert load.interleaving.servers == 2
            assert load.throughput_rps > 0
            # what the host disturbed is left out, to one half at the most
            assert load.window_s >= 0.49
    # where requests wait a server may not be stopped
    assert [load.interleaving for load in loads(run, FINE_PAYS)] == [None]
    exits = run.find(EXITS)
    assert exits is not None
    assert all("exited with code" in (fork.reason or "") for fork in exits.forks)

    [ranking] = [candidate for candidate in run.rankings if candidate.metric == "throughput_rps"]
    assert (ranking.workload, ranking.rounds, ranking.interleaved) == ("work", 2, True)
    assert {rank.case for rank in ranking.ranks} == {FINE, LATE}
    assert "of best" in out
    turns = re.findall(
        r"^\[(\d+)/11 done\] work at 8 .* (settling|interleaved), ", out, re.MULTILINE
    )
    assert [name for _, name in turns] == ["settling", "interleaved"] * 2, out
    assert left_behind() == []


@pytest.mark.exclusive
@pytest.mark.timeout(600)
def test_each_is_loaded_at_a_constant_rate_once_they_were_interleaved(tmp_path: Path) -> None:
    if find_oha(RealShell()) is None:
        pytest.skip("oha is not here; `springbench selfcheck` builds it")
    options = ("--only", FINE, "--only", LATE, "--forks", 1, "--rates", 50)
    with running(tmp_path, *ROUNDS, *options, patch=QUICK) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, ""), out
    for case in (FINE, LATE):
        result = springbench.run.find(case)
        assert result is not None
        [fork] = result.forks
        assert fork.load is not None and fork.load.interleaving is not None
        [at] = fork.constant_rates
        assert at.offered_rps == pytest.approx(fork.load.throughput_rps / 2, abs=1)
        assert at.requests > 0
    assert left_behind() == []


def begun(springbench: Springbench) -> list[LoadRecord]:
    """What is saved of the first case."""
    saved = (springbench.results / "latest" / "run.json").exists()
    return loads(springbench.run, FINE) if saved else []


def stopped(springbench: Springbench) -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process(springbench.process.pid).children(recursive=True)
        if _stands_still(child)
    ]


def _stands_still(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):  # the load of a turn has ended meanwhile
        return bool(process.status() == psutil.STATUS_STOPPED)
    return False


@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_end_in_the_middle_of_a_round_leaves_nobody_behind(
    tmp_path: Path, number: signal.Signals
) -> None:
    only = ("--only", FINE, "--only", LATE, "--forks", 3)
    with running(tmp_path, *ROUNDS, *only, patch=QUICK) as springbench:
        # two servers of the second round are paused, or one and the other's wrk
        springbench.wait_until(
            lambda: (
                any(loads(springbench.run, FINE)) and len(stopped(springbench)) > 1
                if (springbench.results / "latest" / "run.json").exists()
                else False
            )
        )
        springbench.process.send_signal(number)
        code, out, _ = springbench.end()
    assert code == 130, out
    # the first round is kept
    assert len(loads(springbench.run, FINE)) >= 1
    assert springbench.run.run.interrupted
    assert left_behind() == []


@pytest.mark.timeout(600)
def test_an_interrupted_round_is_finished_later(tmp_path: Path) -> None:
    only = ("--only", FINE, "--only", LATE)
    with running(tmp_path, *ROUNDS, *only, patch=QUICK) as springbench:
        springbench.wait_until(
            lambda: (
                (springbench.results / "latest" / "run.json").exists()
                and bool(loads(springbench.run, FINE) if springbench.run.find(FINE) else False)
            )
        )
        springbench.process.send_signal(signal.SIGINT)
        code, out, _ = springbench.end()
    assert code == 130, out
    first = loads(springbench.run, FINE)[0]
    resume = ("--resume", tmp_path / "results" / "latest")
    with running(tmp_path, *ROUNDS[:4], *resume, patch=QUICK) as again:
        code, out, err = again.end()
    assert (code, err) == (0, ""), out
    assert loads(again.run, FINE)[0] == first
    assert len(loads(again.run, FINE)) == len(loads(again.run, LATE)) == 2
    assert left_behind() == []
