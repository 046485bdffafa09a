"""A server and its wrk, which run for a slice at a time, whenever it is their turn.

Both are stopped together while others run; the connections stay open. What disturbs the host for
longer than a slice then disturbs all lanes alike, and the requests and the CPU time of a lane are
read while it stands still.
"""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from springbench.errors import CaseError
from springbench.host.shell import Running
from springbench.limits import END_RATIO, had_ratio
from springbench.measure.load import wrk
from springbench.measure.readings.cputime import cpu_time_s
from springbench.measure.readings.io_counters import io_counters
from springbench.measure.rounds.allocation import allocated_bytes_per_answer
from springbench.measure.rounds.standing import Standing
from springbench.measure.server.compilers import Compilers
from springbench.measure.warmup import id_sequence
from springbench.plan.cases import Case
from springbench.results.pairs import BurstRecord
from springbench.results.records import WrkSummary

SLICE_S = 0.1
# Of a server that is stopped by collections for more than so much of its time, one slice would be
# mostly a collection and the next without any: it gets longer ones, with several in each.
COLLECTING_RATIO = 0.05
COLLECTING_SLICE_S = 0.3
# to connect and to have every connection busy
RAMP_S = 0.3
STOP_CEILING_S = 5.0


def can_take_turns(server_pid: int) -> bool:
    """Whether the system tells the requests and the CPU time of a process."""
    return io_counters(server_pid) is not None and cpu_time_s(server_pid) is not None


@dataclass(frozen=True)
class Look:
    """Counters of a lane so far. `at_s` is on the clock of `time.perf_counter`."""

    at_s: float
    requests: int
    server_cpu_s: float
    load_cpu_s: float
    awake_s: float
    compiler_cpu_s: float


class Stretch(NamedTuple):
    """All that a lane did between two looks."""

    begin: Look
    end: Look


# one lane is no other, whatever both have done
@dataclass(eq=False)
class Lane:
    """A server under load, together with it awake or stopped."""

    server: Standing
    running: Running
    output: Path
    route: str
    slice_s: float = SLICE_S
    awake_s: float = 0.0
    looks: list[Look] = field(default_factory=list)

    @property
    def compilers(self) -> Compilers:
        """Those of its server."""
        return self.server.driver.server.compilers

    def rested(self, since: int = 0) -> bool:
        """Whether they had next to nothing from that look to the last."""
        return self.compiler_ratio([Stretch(self.looks[since], self.looks[-1])]) < END_RATIO

    def run(self) -> None:
        """Look while all stands still, then let server and wrk run for a slice."""
        self.look()
        begin_s = time.perf_counter()
        with self.server.awake():
            self.running.signal(signal.SIGCONT)
            time.sleep(self.slice_s)
            self.running.signal(signal.SIGSTOP)
        self.awake_s += time.perf_counter() - begin_s

    def look(self) -> None:
        """Read the counters. Raises `CaseError` when the server or wrk has ended."""
        with self.server.answerable():
            self._look()

    def _look(self) -> None:
        self.server.driver.server.check_alive("a burst")
        load, server_s = self.server.testbed.load.look(self.running), self.server.cpu_time_s()
        seen, load_s = load.requests, load.cpu_s
        if self.running.poll() is not None or seen is None or server_s is None or load_s is None:
            raise CaseError("wrk ended before its burst did")
        compiled_s = self.compilers.cpu_time_s() or 0.0
        at_s = time.perf_counter()
        self.looks.append(Look(at_s, seen, server_s, load_s, self.awake_s, compiled_s))

    def close(self) -> WrkSummary:
        """End wrk and read its summary. Raises `CaseError` where nothing was answered."""
        with self.server.awake():
            self.running.signal(signal.SIGCONT)
            deadline_s = time.monotonic() + STOP_CEILING_S
            while not self._ended():
                if time.monotonic() > deadline_s:
                    raise CaseError(f"wrk did not end within {STOP_CEILING_S:.0f} s")
        summary = wrk.parse(self.output.read_text(encoding="utf-8", errors="replace"))
        with self.server.answerable(), self.server.awake():
            if not summary.requests:
                raise CaseError("no request was answered during a burst")
            # wrk takes a redirection for an answer like any other
            self.server.driver.server.check_route(self.route, STOP_CEILING_S)
        return summary

    def _ended(self) -> bool:
        """Ask again: a signal just after SIGCONT may reach a thread that does not end the wait."""
        self.running.signal(signal.SIGINT)
        try:
            self.running.wait(0.1)
        except subprocess.TimeoutExpired:
            return False
        return True

    def burst(self, stretches: Sequence[Stretch], summary: WrkSummary) -> BurstRecord:
        """What it did in these stretches together."""

        def total(counter: str) -> float:
            return float(
                sum(getattr(s.end, counter) - getattr(s.begin, counter) for s in stretches)
            )

        counts = self.server.testbed.cpus.counts
        answers = total("requests") * summary.answered_ratio
        awake_s, compiled_s = total("awake_s"), total("compiler_cpu_s")
        cost_s = total("server_cpu_s") - compiled_s
        failed_ratio = summary.errors.status / summary.requests
        return BurstRecord(
            throughput_rps=answers * (1 - failed_ratio) / awake_s,
            cpu_per_request_s=cost_s / answers if answers else None,
            error_ratio=summary.error_ratio,
            load_cpu_ratio=total("load_cpu_s") / awake_s / counts.load,
            compiler_cpu_ratio=compiled_s / awake_s / (counts.server or 1),
        )

    def compiler_ratio(self, stretches: Sequence[Stretch]) -> float:
        """Share that compilers had of what its server had of its CPUs while it was awake."""
        compiled_s = sum(s.end.compiler_cpu_s - s.begin.compiler_cpu_s for s in stretches)
        awake_s = sum(s.end.awake_s - s.begin.awake_s for s in stretches)
        cpus = self.server.testbed.cpus.counts.server or 1
        return compiled_s / awake_s / cpus / had_ratio(self.server_cpu_ratio(stretches))

    def server_cpu_ratio(self, stretches: Sequence[Stretch]) -> float:
        """Share of its CPUs that the server had while it was awake."""
        used_s = sum(s.end.server_cpu_s - s.begin.server_cpu_s for s in stretches)
        awake_s = sum(s.end.awake_s - s.begin.awake_s for s in stretches)
        return used_s / awake_s / (self.server.testbed.cpus.counts.server or 1)

    def allocated_bytes_per_request(self, summary: WrkSummary) -> float | None:
        """From one collection to the next; None where too few fall into the bursts."""
        lines = self.server.collections()
        if not lines:
            return None
        started_s = self.server.driver.server.started_at_s
        return allocated_bytes_per_answer(
            lines,
            [look.at_s - started_s for look in self.looks],
            [look.requests * summary.answered_ratio for look in self.looks],
        )


def slice_for(gc_pause_ratio: float | None) -> float:
    """Seconds that a server runs at a time, by the share of its time that collections take."""
    return COLLECTING_SLICE_S if (gc_pause_ratio or 0.0) > COLLECTING_RATIO else SLICE_S


def open_lane(
    stack: ExitStack, server: Standing, case: Case, longest_s: float, slice_s: float = SLICE_S
) -> Lane:
    """Start the wrk of a lane; it ends with `stack`, or when `longest_s` of it are over."""
    output = server.driver.folder / f"{case.workload.id}-{case.connections}-bursts.txt"
    command = server.driver.command(case.route, case.connections, longest_s, id_sequence(case))
    stdout = stack.enter_context(output.open("wb"))
    with server.awake():
        running = server.testbed.load.start(command, stdout)
        stack.callback(running.stop, 0.0)
        time.sleep(RAMP_S)
        running.signal(signal.SIGSTOP)
    return Lane(server, running, output, case.route.replace("{id}", "1"), slice_s)
