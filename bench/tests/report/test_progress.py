"""What a person sees while a run goes on."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.console import Console

from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.report.progress import Progress, following
from tests.samples import HOSTILE, failed_fork, fork


@dataclass
class Told:
    """A progress that is told of a whole run, on a clock of its own."""

    plan: Plan
    live: bool
    lines: list[str] = field(default_factory=list)
    now_s: float = 0.0

    def follow(self) -> list[str]:
        progress = Progress(
            self.plan,
            lambda line: self.lines.append(f"written: {line}"),
            (lambda line: self.lines.append(f"live:    {line}")) if self.live else None,
            clock=lambda: self.now_s,
        )
        for number, case in self.plan.rounds():
            for phase, lasts_s in (("start", 2.0), ("warm-up", 5.0), ("load", 12.0)):
                progress.phase(case, number, phase)
                self.now_s += lasts_s
                if phase != "start":
                    progress.rate(1234.5)
            record = fork(number, 990.0) if number == 0 else failed_fork(number, HOSTILE)
            progress.finished(case, record)
        return self.lines


def plan(matrix: Matrix) -> Plan:
    return make_plan(matrix, "quick", Filters(("*-netty-*", "*-tomcat-virtual-*/pay/*"), forks=2))


def test_plain_lines(matrix: Matrix, golden: Callable[[str, str], None]) -> None:
    lines = Told(plan(matrix), live=False).follow()
    golden("progress-plain.txt", "\n".join(lines) + "\n")


def test_a_live_line(matrix: Matrix, golden: Callable[[str, str], None]) -> None:
    lines = Told(plan(matrix), live=True).follow()
    golden("progress-live.txt", "\n".join(lines) + "\n")


def test_the_time_left_never_grows_and_never_turns_negative(matrix: Matrix) -> None:
    told = Told(plan(matrix), live=True)
    progress = Progress(told.plan, told.lines.append, told.lines.append, clock=lambda: told.now_s)
    case = told.plan.cases[-1]
    progress.phase(case, 0, "load")
    told.now_s = 1e6
    progress.rate(None)
    assert told.lines[-1].endswith(" 0 s left")


def test_a_pipe_gets_plain_lines_and_no_markup(matrix: Matrix) -> None:
    out = io.StringIO()
    small = plan(matrix)
    with following(small, Console(file=out, width=40)) as progress:
        progress.phase(small.cases[0], 0, "start")
        progress.rate(10.0)
        progress.finished(small.cases[0], failed_fork(0, "[red]boom[/red]"))
    first, second = out.getvalue().splitlines()
    assert first.startswith(f"[1/6] {small.cases[0].id} fork 1/2, about ")
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


def test_compilers_at_work_are_told_for_as_long_as_they_are(matrix: Matrix) -> None:
    told = Told(plan(matrix), live=True)
    progress = Progress(told.plan, told.lines.append, told.lines.append, clock=lambda: told.now_s)
    progress.phase(told.plan.cases[0], 0, "warm-up")
    progress.compiling(13.6)
    progress.rate(1234.5)
    assert "  compiling, 14 s of compiler time so far  " in told.lines[-1]
    progress.rate(1234.5)
    assert "compiling" not in told.lines[-1]


def test_a_log_is_told_of_them_now_and_then(matrix: Matrix) -> None:
    told = Told(plan(matrix), live=False)
    progress = Progress(told.plan, told.lines.append, None, clock=lambda: told.now_s)
    progress.phase(told.plan.cases[0], 0, "start")
    for second in range(70):
        told.now_s = float(second)
        progress.compiling(second / 2)
    assert told.lines[1:] == [
        "  compiling, 15 s of compiler time so far",
        "  compiling, 30 s of compiler time so far",
    ]
