"""What a person sees while a run goes on: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.live import Live
from rich.text import Text

from springbench import units
from springbench.plan import Case, Plan


@dataclass
class Progress:
    """Follows a run. Implements the harness's `Observer`."""

    plan: Plan
    write: Callable[[str], None]
    live: bool
    clock: Callable[[], float] = time.monotonic
    _where: str = ""
    _phase: str = ""
    _seen: list[tuple[str, int]] = field(default_factory=list)
    _left_s: float = 0.0
    _since_s: float = 0.0

    def phase(self, case: Case, fork: int, name: str) -> None:
        """A phase begins. Without a terminal a line is printed for each fork."""
        key = (case.id, fork)
        if key not in self._seen:
            self._seen.append(key)
            self._left_s, self._since_s = self._remaining_s(), self.clock()
        total = sum(each.forks for each in self.plan.cases)
        of_forks = f" fork {fork + 1}/{case.forks}" if case.forks > 1 else ""
        self._where, self._phase = f"[{len(self._seen)}/{total}] {case.id}{of_forks}", name
        if self.live:
            self.rate(None)
        elif name == "start":
            self.write(f"{self._where}, at most {units.duration(self._left_s)} left")

    def rate(self, throughput_rps: float | None) -> None:
        """The rate at this moment; only a terminal shows it."""
        if not self.live:
            return
        now = f"{units.rate(throughput_rps)} req/s" if throughput_rps is not None else ""
        left_s = max(0.0, self._left_s - (self.clock() - self._since_s))
        self.write(f"{self._where}  {self._phase:8} {now:>16}  {units.duration(left_s)} left")

    def _remaining_s(self) -> float:
        """Longest expected time of what has not begun yet, and of the fork that begins now."""
        begun = set(self._seen[:-1])
        return sum(
            case.fork_estimate_s
            for fork, case in self.plan.rounds()
            if (case.id, fork) not in begun
        )


@contextmanager
def following(plan: Plan, out: Console) -> Iterator[Progress]:
    """A progress display that is gone when the block ends."""
    if not out.is_terminal:
        yield Progress(plan, lambda line: out.print(line, markup=False), live=False)
        return
    with Live(console=out, transient=True, refresh_per_second=4) as display:
        yield Progress(plan, lambda line: display.update(Text(line, no_wrap=True)), live=True)
