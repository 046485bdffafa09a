"""The harness itself is killed outright, in each phase: nothing stays, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from springbench.host.memory_limit.cgroup_files import hierarchies
from springbench.results.records import ForkRecord
from tests.conftest import left_behind
from tests.processes import QUICK, Springbench, faulty, on_fakes, running

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        not (sys.platform.startswith("linux") and shutil.which("setpriv")),
        reason="only Linux with setpriv ends the children of a process that was killed outright",
    ),
]

FINE, LATE = faulty("fine"), faulty("late")
GONE_WITHIN_S = 1.0


def test_a_killed_run_is_finished_with_no_case_lost_or_measured_twice(tmp_path: Path) -> None:
    measured: dict[tuple[str, int], str] = {}
    killed = []
    resume = (*on_fakes(), "--resume", tmp_path / "results" / "latest")
    start = (*on_fakes(FINE, LATE), "--profile", "faults", "--forks", "2")
    # each time a fork further on, in another phase
    for options, case, fork, phase, file in [
        (start, LATE, 0, "start", "server.log"),
        (resume, LATE, 0, "warm-up", "warm-up.txt"),
        (resume, FINE, 1, "load", "load.txt"),
    ]:
        # what an earlier attempt at this fork left must not be taken for this one's
        _raw(tmp_path, case, fork, file).unlink(missing_ok=True)
        with running(tmp_path, *options, patch=QUICK) as springbench:
            springbench.wait_until(_raw(tmp_path, case, fork, file).exists)
            springbench.wait_until(lambda: springbench.child("python3") is not None)
            if phase != "start":
                springbench.wait_until(lambda: springbench.child("wrk") is not None)
            springbench.process.kill()
            springbench.process.wait()
            killed.append(springbench.process.pid)
            _assert_children_end(phase)
        _assert_kept(springbench, measured)
        assert springbench.run.run.finished_at is None

    with running(tmp_path, *resume, patch=QUICK) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, ""), out
    _assert_kept(springbench, measured)
    assert set(measured) == {(case, fork) for case in (FINE, LATE) for fork in (0, 1)}
    assert springbench.statuses == {FINE: "ok", LATE: "ok"}
    assert springbench.run.run.finished_at
    # one run, not four
    assert len([path for path in springbench.results.iterdir() if path.is_dir()]) == 2
    assert left_behind() == []
    assert _groups(killed) == []


def _raw(tmp_path: Path, case: str, fork: int, name: str) -> Path:
    return tmp_path / "results" / "latest" / "raw" / case / f"fork-{fork}" / name


def _assert_children_end(phase: str) -> None:
    end_s = time.monotonic() + GONE_WITHIN_S
    while leftovers := left_behind():
        assert time.monotonic() < end_s, (phase, leftovers)
        time.sleep(0.02)


def _assert_kept(springbench: Springbench, measured: dict[tuple[str, int], str]) -> None:
    """What was measured before stands there as it did, each fork once; adds what is new."""
    now: dict[tuple[str, int], str] = {}
    for result in springbench.run.results:
        for fork in result.forks:
            assert (result.case, fork.fork) not in now
            now[result.case, fork.fork] = ForkRecord.model_dump_json(fork)
    assert {key: now.get(key) for key in measured} == measured
    measured.update(now)


def _groups(pids: list[int]) -> list[str]:
    """The control groups that these harnesses left."""
    prefixes = tuple(f"springbench-{pid}-" for pid in pids)
    return [
        name
        for tree in hierarchies(Path("/"))
        for _, names, _ in os.walk(tree.mount)
        for name in names
        if name.startswith(prefixes)
    ]
