"""Progress of a measurement for a person: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, RLock, Thread

from rich.console import Console
from rich.live import Live
from rich.text import Text

from springbench import units
from springbench.plan.cases import INTERLEAVED, SETTLING, START, Case
from springbench.plan.countdown import Countdown
from springbench.plan.plan import Plan, step_key
from springbench.results.records import ForkRecord
from springbench.untrusted import one_line

logger = logging.getLogger(__name__)

# a log is not filled with what a live line shows
SAY_EVERY_S = 30.0
_TICK_S = 1.0


@dataclass
class Progress:
    """Follows a run; the harness calls it as its `Observer`, from one thread.

    `write` prints a line that stays. Unless a `live` line shows where the run is, such a line says
    it where a server starts, where servers are interleaved, and every `SAY_EVERY_S`, when `tick` is
    called.
    `finished_forks` are those of earlier, as of a run that is resumed.
    """

    plan: Plan
    write: Callable[[str], None]
    live: bool = False
    clock: Callable[[], float] = time.monotonic
    finished_forks: Collection[Hashable] = ()
    _lock: RLock = field(default_factory=RLock)
    _where: str = ""
    _phase: str = ""
    _rate_rps: float | None = None
    _compiling: str = ""
    _written: str = ""
    _written_at_s: float = 0.0
    _left_out: int = 0

    def __post_init__(self) -> None:
        forks: set[Hashable] = {(case.id, fork) for fork, case in self.plan.rounds()}
        self._total = len(forks)
        finished = forks & set(self.finished_forks)
        self._countdown = Countdown(self.plan.steps(), self.clock, finished)

    def phase(self, case: Case, fork: int, name: str) -> None:
        """A phase begins."""
        with self._lock:
            self._countdown.begin(step_key(case, fork, name))
            self._where, self._phase = self._what(case, fork, name), name
            self._rate_rps, self._compiling = None, ""
            if name in (START, SETTLING, INTERLEAVED) and not self.live:
                self._write()

    def part(self, ratio: float) -> None:
        """So much of the phase is done."""
        with self._lock:
            self._countdown.part(ratio)

    def rate(self, throughput_rps: float | None) -> None:
        """The rate at this moment; only a live line shows it."""
        with self._lock:
            self._rate_rps = throughput_rps
            # said anew for as long as it goes on
            self._compiling = ""

    def compiling(self, cpu_s: float) -> None:
        """Why it takes so long."""
        with self._lock:
            self._compiling = f"compiling, {cpu_s:.0f} s of compiler time so far"

    def finished(self, case: Case, record: ForkRecord) -> None:
        """A fork has ended: what it reached, or why it failed."""
        with self._lock:
            self._countdown.finished.add((case.id, record.fork))
            if len(self._countdown.finished) == self._total:
                self._countdown.end()
                self._where = ""
        if record.load is None or record.status != "ok":
            self.write(one_line(f"  {case.id}: {record.status}: {record.reason}"))
            return
        rate_rps, share = record.load.throughput_rps, ""
        if case.theoretical_max_rps:
            ratio = rate_rps / case.theoretical_max_rps
            share = f", {units.share(ratio)} of the theoretical maximum"
        self.write(f"  {case.id}: {units.rate(rate_rps)} req/s{share}")

    def left_out(self, case: Case, fork: int) -> None:
        """A fork is not measured: it takes no time, and counts no longer."""
        with self._lock:
            self._countdown.finished.add((case.id, fork))
            self._left_out += 1

    def tick(self) -> None:
        """Time has passed: a log gets a line now and then."""
        with self._lock:
            late = self.clock() - self._written_at_s >= SAY_EVERY_S
            if late and not self.live and self._where:
                self._write()

    def line(self) -> str:
        """Where the run is at this moment; empty before and after."""
        with self._lock:
            if not self._where:
                return ""
            now = f"{units.rate(self._rate_rps)} req/s" if self._rate_rps is not None else ""
            where = f"{self._where}  {self._phase:11} {now:>16}"
            return "  ".join(filter(None, (where, self._compiling, self._countdown.words())))

    @property
    def left_s(self) -> float:
        """Seconds that the run still takes, as far as is known."""
        return self._countdown.left.total_s

    def _what(self, case: Case, fork: int, phase: str) -> str:
        counts = len(self._countdown.finished), self._total
        done = "[{}/{} done]".format(*(count - self._left_out for count in counts))
        of_forks = f" fork {fork + 1}/{case.forks}" if case.forks > 1 else ""
        if phase in (SETTLING, INTERLEAVED):
            return f"{done} {case.workload.id} at {case.connections} connections{of_forks}"
        return f"{done} {case.id}{of_forks}"

    def _text(self) -> str:
        parts = filter(None, (f"{self._where} {self._phase}", self._compiling))
        return ", ".join((*parts, self._countdown.words()))

    def _write(self) -> None:
        text, self._written_at_s = self._text(), self.clock()
        # of hours the minutes are shown
        if text != self._written:
            self.write(text)
        self._written = text


@contextmanager
def following(
    plan: Plan, out: Console, finished_forks: Collection[Hashable] = ()
) -> Iterator[Progress]:
    """A progress display whose live line is gone when the block ends."""

    def write(line: str) -> None:
        out.print(line, markup=False, soft_wrap=True)

    progress = Progress(plan, write, out.is_terminal, finished_forks=finished_forks)
    if not out.is_terminal:
        with ticking(progress.tick):
            yield progress
        return

    def shown() -> Text:
        return Text(progress.line(), no_wrap=True)

    with Live(console=out, transient=True, refresh_per_second=4, get_renderable=shown):
        yield progress


@contextmanager
def ticking(tick: Callable[[], None], every_s: float = _TICK_S) -> Iterator[None]:
    """Call `tick` from a thread of its own for as long as the block lasts."""
    ended = Event()

    def run() -> None:
        # where nobody reads any more, the main thread meets that too
        with suppress(OSError):
            while not ended.wait(every_s):
                tick()

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def log_elapsed(words: Callable[[float], str], every_s: float = SAY_EVERY_S) -> Iterator[None]:
    """Log from time to time, for as long as the block lasts, that something goes on which takes
    minutes. `words` gets the seconds so far."""
    begin_s = time.monotonic()
    with ticking(lambda: logger.info(words(time.monotonic() - begin_s)), every_s):
        yield
