"""Measurements that take as long as a test says, reported to a progress as the harness does it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from springbench.plan.cases import INTERLEAVED, SETTLING, START, Case
from springbench.plan.plan import Plan, step_key
from springbench.report.progress import Progress
from springbench.results.records import ForkRecord
from tests.samples import fork as sample

_LEFT = re.compile(r"(about [^,]+ left|[^, ]+( min \d+)?( s)? longer than planned).*$")
Factor = Callable[[str, Case], float]
"""How many times as long as planned a phase of a case takes."""


class TimedLine(NamedTuple):
    """What a log says at a moment."""

    at_s: float
    line: str


@dataclass
class Simulation:
    """A run on a clock of its own; `factor` says how slow each phase is."""

    plan: Plan
    factor: Factor
    live: bool = False
    look_s: float = 1.0
    """How often it is looked at."""
    now_s: float = 0.0
    lines: list[TimedLine] = field(default_factory=list)
    left: list[tuple[float, float]] = field(default_factory=list)
    """Each second: when, and how long it was said to take from then on."""
    record: Callable[[Case, int], ForkRecord] = lambda _, fork: sample(fork, 990.0)

    def run(self) -> list[TimedLine]:
        """All that was said. Live lines are looked at like everything else."""
        self.steps = self.plan.steps()
        self.progress = Progress(self.plan, self._write, self.live, clock=lambda: self.now_s)
        for fork in range(max(case.forks for case in self.plan.cases)):
            groups = self.plan.processes(fork)
            if self.plan.interleaved and len(groups) > 1:
                self._round(fork, groups)
                continue
            for case in self.plan.cases:
                if fork < case.forks:
                    for phase in self.plan.phases_s(fork, case):
                        self._phase(case, fork, phase)
                    self.progress.finished(case, self.record(case, fork))
        return self.lines

    def _round(self, fork: int, groups: Sequence[Sequence[Case]]) -> None:
        for [first, *_] in groups:
            self._phase(first, fork, START)
        for load in dict.fromkeys(case.load for group in groups for case in group):
            having = [case for group in groups for case in group if case.load == load]
            for case in having:
                for phase in self.plan.phases_s(fork, case):
                    if phase not in (START, SETTLING, INTERLEAVED):
                        self._phase(case, fork, phase)
                if not case.can_pause:
                    self.progress.finished(case, self.record(case, fork))
            if having[0].can_pause:
                self._phase(having[0], fork, SETTLING)
                self._phase(having[0], fork, INTERLEAVED, parts=20)
                for case in having:
                    self.progress.finished(case, self.record(case, fork))

    def _phase(self, case: Case, fork: int, phase: str, parts: int = 0) -> None:
        step = self.steps[step_key(case, fork, phase)]
        lasts_s = step.planned_s * self.factor(phase, case)
        self.progress.phase(case, fork, phase)
        begin_s, done = self.now_s, 0
        while self.now_s < begin_s + lasts_s:
            self.now_s = min(self.now_s + self.look_s, begin_s + lasts_s)
            while parts and done + 1 <= parts * (self.now_s - begin_s) / lasts_s:
                done += 1
                self.progress.part(done / parts)
            self.progress.tick()
            self.left.append((self.now_s, self.progress.left_s))
            if self.live:
                self.lines.append(TimedLine(self.now_s, self.progress.line()))

    def _write(self, line: str) -> None:
        self.lines.append(TimedLine(self.now_s, line))


def estimates(lines: Sequence[TimedLine]) -> Iterator[TimedLine]:
    """The end of each line that says how much time is left."""
    for at_s, line in lines:
        if match := _LEFT.search(line):
            yield TimedLine(at_s, match[0])
