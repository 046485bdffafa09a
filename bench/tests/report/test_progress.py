"""What a person sees while a run goes on."""

from __future__ import annotations

import io
import random
import re
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from rich.console import Console

from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from springbench.paths import MATRIX
from springbench.plan.cases import Case
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.report.progress import Progress, following, log_elapsed
from springbench.results.records import ForkRecord
from tests.report.simulated import Factor, Simulation, estimates
from tests.samples import HOSTILE, failed_fork, fork

# of plans with enough steps: what the first tenth of three forks tells is one start
PLANS = {name: make_plan(load_matrix(MATRIX), name) for name in ("quick", "commit", "database")}
# the same, one server after the other
PLANS["alone"] = replace(
    PLANS["quick"], cases=tuple(replace(case, interleaved=False) for case in PLANS["quick"].cases)
)


def plan(matrix: Matrix) -> Plan:
    return make_plan(matrix, "quick", Filters(("*-netty-*", "*-tomcat-virtual-*/pay/*"), forks=2))


def as_planned(_: str, __: Case) -> float:
    return 1.0


def second_fails(_: Case, number: int) -> ForkRecord:
    return fork(number, 990.0) if number == 0 else failed_fork(number, HOSTILE)


def by_kind(seed: int, least: float = 0.5, most: float = 2.0) -> Factor:
    """Each phase of a workload as slow in each fork, drawn between these."""
    draw = random.Random(seed)
    factors: dict[tuple[str, str], float] = {}

    def factor(phase: str, case: Case) -> float:
        return factors.setdefault((phase, case.workload.id), draw.uniform(least, most))

    return factor


def check_estimates(run: Simulation) -> None:
    """After the first tenth all are within a quarter of what is left, or within five seconds."""
    for at_s, left_s in run.left:
        if at_s > 0.1 * run.now_s:
            assert left_s == pytest.approx(run.now_s - at_s, rel=0.25, abs=5), at_s


def test_plain_lines(matrix: Matrix, golden: Callable[[str, str], None]) -> None:
    lines = Simulation(plan(matrix), as_planned, record=second_fails).run()
    golden("progress-plain.txt", "".join(f"{at_s:5.1f} {line}\n" for at_s, line in lines))


def test_servers_that_take_turns(matrix: Matrix, golden: Callable[[str, str], None]) -> None:
    """A host on which all takes half as long again, and turns twice as long."""
    turns = make_plan(matrix, "quick", Filters(("*-virtual-*",)))
    lines = Simulation(turns, lambda phase, _: 2.0 if phase == "interleaved" else 1.5).run()
    golden("progress-interleaved.txt", "".join(f"{at_s:5.1f} {line}\n" for at_s, line in lines))


def test_a_live_line(matrix: Matrix) -> None:
    progress = Progress(plan(matrix), print, live=True, clock=lambda: 0.0)
    assert progress.line() == ""
    first, *_ = progress.plan.cases
    progress.phase(first, 0, "warm-up")
    progress.compiling(13.6)
    assert "  compiling, 14 s of compiler time so far  about " in progress.line()
    progress.rate(1234.5)
    assert progress.line().startswith(
        f"[0/6 done] {first.id} fork 1/2  warm-up          1,234 req/s"
    )
    assert "compiling" not in progress.line()


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("ratio", [0.5, 0.8, 1.0, 1.4, 2.0])
def test_a_host_that_is_so_many_times_as_slow_is_known_after_the_first_tenth(
    name: str, ratio: float
) -> None:
    run = Simulation(PLANS[name], lambda *_: ratio, look_s=5.0)
    run.run()
    check_estimates(run)


def test_the_turns_of_a_disturbed_host_are_known_from_within_them() -> None:
    """Phases as a two-core host had them, on which every second block was disturbed."""
    slow = {"start": 1.9, "warm-up": 1.0, "load": 1.1, "settling": 3.0, "interleaved": 2.0}
    run = Simulation(PLANS["quick"], lambda phase, _: slow[phase], look_s=5.0)
    run.run()
    check_estimates(run)


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("seed", [1, 2, 547])
def test_no_number_stands_still(name: str, seed: int, live: bool) -> None:
    run = Simulation(PLANS[name], by_kind(seed), live, look_s=3.0)
    lines = list(estimates(run.run()))
    for (before_s, before), (now_s, now) in pairwise(lines):
        # what begins at the moment in which something ends needs no other number
        # above an hour nobody counts seconds
        least_s = 60 if " h " in now else 1
        assert now != before or now_s - before_s < least_s
    if not live:
        assert max(b.at_s - a.at_s for a, b in pairwise(run.lines)) < 35


@pytest.mark.parametrize("seed", [1, 2])
def test_the_last_of_all_is_not_said_to_be_done_before_it_is(seed: int) -> None:
    lines = Simulation(PLANS["quick"], by_kind(seed), look_s=5.0).run()
    assert not any("[21/21" in timed_line.line for timed_line in lines)
    done = [int(match[1]) for _, line in lines if (match := re.match(r"\[(\d+)/21 done\]", line))]
    assert done == sorted(done)


def test_a_run_that_is_resumed_counts_what_is_left(matrix: Matrix) -> None:
    small = plan(matrix)
    lines: list[str] = []
    done = {(case.id, 0) for case in small.cases} | {("another/case/1", 0)}
    progress = Progress(small, lines.append, clock=lambda: 0.0, finished_forks=done)
    progress.phase(small.cases[0], 1, "start")
    assert lines[0].startswith(f"[3/6 done] {small.cases[0].id} fork 2/2 start, about ")
    assert progress.left_s == pytest.approx(small.estimate_s / 2)


def test_a_pipe_gets_plain_lines_and_no_markup(matrix: Matrix) -> None:
    out = io.StringIO()
    small = plan(matrix)
    with following(small, Console(file=out, width=40)) as progress:
        progress.phase(small.cases[0], 0, "start")
        progress.rate(10.0)
        progress.finished(small.cases[0], failed_fork(0, "[red]boom[/red]"))
    first, second = out.getvalue().splitlines()
    assert first.startswith(f"[0/6 done] {small.cases[0].id} fork 1/2 start, about ")
    assert second.endswith("failed: [red]boom[/red]")


def test_a_terminal_gets_a_live_line_that_is_gone_at_the_end(matrix: Matrix) -> None:
    out = io.StringIO()
    small = plan(matrix)
    console = Console(
        file=out,
        width=120,
        force_terminal=True,
        color_system=None,
        _environ={"TERM": "xterm"},
    )
    with following(small, console) as progress:
        progress.phase(small.cases[0], 0, "warm-up")
        progress.rate(10.0)
        progress.finished(small.cases[0], fork(0, 990.0))
    assert "990.0 req/s" in out.getvalue()
    assert out.getvalue().rstrip("\n").endswith("\x1b[2K")


def test_a_log_mentions_compilers_now_and_then(matrix: Matrix) -> None:
    small, now_s = plan(matrix), 0.0
    lines: list[str] = []
    progress = Progress(small, lines.append, clock=lambda: now_s)
    progress.phase(small.cases[0], 0, "start")
    for second in range(70):
        now_s = float(second)
        progress.compiling(second / 2)
        progress.tick()
    assert re.findall(r"compiling, \d+ s", "".join(lines)) == ["compiling, 15 s", "compiling, 30 s"]


def test_what_takes_minutes_says_that_it_goes_on() -> None:
    lines: list[str] = []
    show_messages(lines.append)
    with log_elapsed(lambda took_s: f"{took_s:.0f} s so far", every_s=0.01):
        time.sleep(0.1)
    count = len(lines)
    assert count > 1
    assert lines[0] == "0 s so far"
    time.sleep(0.03)
    assert len(lines) == count
