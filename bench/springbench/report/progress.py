"""Progress of a run for a person: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.live import Live
from rich.text import Text

from springbench import units
from springbench.plan.cases import Case
from springbench.plan.plan import Plan
from springbench.report.sanitise import one_line
from springbench.results.records import ForkRecord

# a log is not filled with what a live line shows
SAY_EVERY_S = 30.0


@dataclass
class Progress:
    """Follows a run; the harness calls it as its `Observer`.

    `show` replaces the live line, `write` prints a line that stays. Without a terminal `show`
    is None, and a line is printed for each fork that begins.
    """

    plan: Plan
    write: Callable[[str], None]
    show: Callable[[str], None] | None = None
    clock: Callable[[], float] = time.monotonic
    _where: str = ""
    _phase: str = ""
    _begun: set[tuple[str, int]] = field(default_factory=set)
    _left_s: float = 0.0
    _since_s: float = 0.0
    _compiling: str = ""
    _said_at_s: float = 0.0

    def phase(self, case: Case, fork: int, name: str) -> None:
        """A phase begins."""
        if (case.id, fork) not in self._begun:
            self._left_s, self._since_s = self._remaining_s(), self.clock()
            self._begun.add((case.id, fork))
        total = sum(each.forks for each in self.plan.cases)
        of_forks = f" fork {fork + 1}/{case.forks}" if case.forks > 1 else ""
        self._where, self._phase = f"[{len(self._begun)}/{total}] {case.id}{of_forks}", name
        self._compiling, self._said_at_s = "", self.clock()
        if self.show:
            self.rate(None)
        elif name == "start":
            self.write(f"{self._where}, about {units.duration(self._left_s)} left")

    def rate(self, throughput_rps: float | None) -> None:
        """The rate at this moment; only a terminal shows it."""
        if self.show is None:
            return
        now = f"{units.rate(throughput_rps)} req/s" if throughput_rps is not None else ""
        left_s = max(0.0, self._left_s - (self.clock() - self._since_s))
        left = f"{units.duration(left_s)} left"
        line = f"{self._where}  {self._phase:8} {now:>16}"
        self.show("  ".join(filter(None, (line, self._compiling, left))))
        # told anew for as long as it goes on
        self._compiling = ""

    def compiling(self, cpu_s: float) -> None:
        """Why it takes so long; without a terminal now and then."""
        self._compiling = f"compiling, {cpu_s:.0f} s of compiler time so far"
        if self.show is None and self.clock() - self._said_at_s >= SAY_EVERY_S:
            self._said_at_s = self.clock()
            self.write(f"  {self._compiling}")

    def finished(self, case: Case, record: ForkRecord) -> None:
        """A fork has ended: what it reached, or why it failed."""
        if record.load is None or record.status != "ok":
            self.write(one_line(f"  {case.id}: {record.status}: {record.reason}"))
            return
        ideal = record.load.throughput_rps / case.ideal_rps if case.ideal_rps else None
        of_ideal = f", {units.share(ideal)} of the ideal" if ideal is not None else ""
        self.write(f"  {case.id}: {units.rate(record.load.throughput_rps)} req/s{of_ideal}")

    def _remaining_s(self) -> float:
        """Expected time of what has not begun yet."""
        return sum(
            self.plan.cost_s(fork, case)
            for fork, case in self.plan.rounds()
            if (case.id, fork) not in self._begun
        )


@contextmanager
def following(plan: Plan, out: Console) -> Iterator[Progress]:
    """A progress display whose live line is gone when the block ends."""

    def write(line: str) -> None:
        out.print(line, markup=False, soft_wrap=True)

    if not out.is_terminal:
        yield Progress(plan, write)
        return
    with Live(console=out, transient=True, refresh_per_second=4) as display:
        yield Progress(plan, write, lambda line: display.update(Text(line, no_wrap=True)))
