"""Bursts of both sides at once, in slices: a tenth of a second each in turn.

Each side has its wrk with connections that stay open; server and wrk are stopped together while
the other pair runs. What disturbs the host for longer than a slice then disturbs both sides alike,
and the bytes and the CPU time of a side are read while it stands still.
"""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from springbench.errors import CaseError
from springbench.host.shell import Running
from springbench.measure.duet.allocation import allocated_bytes_per_answer
from springbench.measure.duet.side import RunningSide, Schedule, blamed, in_order
from springbench.measure.load import wrk
from springbench.measure.readings.cputime import cpu_time_s
from springbench.measure.readings.read_bytes import read_bytes
from springbench.measure.server.compilers import Compilers
from springbench.measure.unrest import END_RATIO
from springbench.measure.warmup import id_sequence
from springbench.results.records import BurstRecord, WrkSummary

SLICE_S = 0.1
# to connect and to have every connection busy
RAMP_S = 0.3
STOP_CEILING_S = 5.0
# new connections wake compilers: so long they may have CPUs of their own, and must have rested
SETTLE_MAX_S = 10.0
SETTLED_S = 1.0


def interleave(sides: Sequence[RunningSide], schedule: Schedule, turn: int) -> None:
    """Load both sides at once and add to each record its bursts.

    Raises `CaseError` when a server or a wrk ends early.
    """
    slices = max(1, round(schedule.burst_s / SLICE_S))
    with ExitStack() as stack:
        lanes = [_open(stack, side, schedule) for side in in_order(sides, turn)]
        _settle(lanes)
        _alternate(lanes, schedule.bursts * slices)
        for lane in lanes:
            lane.look()
            summary = lane.close()
            lane.side.record.bursts[schedule.case.id] = lane.bursts(slices, summary)
            answered = lane.side.record.answered_to(schedule.case.id)
            answered.count(summary)
            answered.allocated_bytes_per_request = lane.allocated_bytes_per_request(summary)


def _alternate(lanes: Sequence[_Lane], slices: int) -> None:
    """So many slices of each side, in turn."""
    for step in range(slices):
        for lane in in_order(lanes, step):
            lane.run(SLICE_S)


def _settle(lanes: Sequence[_Lane]) -> None:
    """Load both sides until the compilers of both rest, and bind these to their server again."""
    slices = round(SETTLED_S / SLICE_S)
    for lane in lanes:
        lane.compilers.lend(lane.side.testbed.cpus.beside_server)
    for _ in range(round(SETTLE_MAX_S / SETTLED_S)):
        _alternate(lanes, slices)
        for lane in lanes:
            lane.look()
        if all(lane.rested() for lane in lanes):
            break
        for lane in lanes:
            lane.looks.clear()
    for lane in lanes:
        lane.compilers.give_back(lane.side.testbed.cpus.server)
        lane.looks.clear()


def can_interleave(server_pid: int) -> bool:
    """Whether the system tells the bytes and the CPU time of a process."""
    return read_bytes(server_pid) is not None and cpu_time_s(server_pid) is not None


@dataclass(frozen=True)
class _Look:
    """Counters of a side so far. `at_s` is on the clock of `time.perf_counter`."""

    at_s: float
    read_bytes: int
    server_cpu_s: float
    load_cpu_s: float
    awake_s: float
    compiler_cpu_s: float


@dataclass
class _Lane:
    side: RunningSide
    running: Running
    output: Path
    awake_s: float = 0.0
    looks: list[_Look] = field(default_factory=list)

    @property
    def compilers(self) -> Compilers:
        """Those of its server."""
        return self.side.driver.server.compilers

    def rested(self) -> bool:
        """Whether they had next to nothing from the first look to the last."""
        first, last = self.looks[0], self.looks[-1]
        compiled_s = last.compiler_cpu_s - first.compiler_cpu_s
        awake_s = last.awake_s - first.awake_s
        return compiled_s < END_RATIO * awake_s * (self.side.testbed.cpus.counts.server or 1)

    def run(self, slice_s: float) -> None:
        """Look while all stands still, then let server and wrk run for a slice."""
        self.look()
        begin_s = time.perf_counter()
        with self.side.awake():
            self.running.signal(signal.SIGCONT)
            time.sleep(slice_s)
            self.running.signal(signal.SIGSTOP)
        self.awake_s += time.perf_counter() - begin_s

    def look(self) -> None:
        with blamed(self.side.pair, self.side.name):
            self._look()

    def _look(self) -> None:
        self.side.driver.server.check_alive("a burst")
        load, server_s = self.side.testbed.load.look(self.running), cpu_time_s(self.side.pid)
        seen, load_s = load.read_bytes, load.cpu_s
        if self.running.poll() is not None or seen is None or server_s is None or load_s is None:
            raise CaseError("wrk ended before its burst did")
        compiled_s = self.compilers.cpu_time_s() or 0.0
        at_s = time.perf_counter()
        self.looks.append(_Look(at_s, seen, server_s, load_s, self.awake_s, compiled_s))

    def close(self) -> WrkSummary:
        """End wrk and read its summary."""
        with self.side.awake():
            self.running.signal(signal.SIGCONT)
            deadline_s = time.monotonic() + STOP_CEILING_S
            while not self._ended():
                if time.monotonic() > deadline_s:
                    raise CaseError(f"wrk did not end within {STOP_CEILING_S:.0f} s")
        return wrk.parse(self.output.read_text(encoding="utf-8", errors="replace"))

    def _ended(self) -> bool:
        """Ask again: a signal just after SIGCONT may reach a thread that does not end the wait."""
        self.running.signal(signal.SIGINT)
        try:
            self.running.wait(0.1)
        except subprocess.TimeoutExpired:
            return False
        return True

    def bursts(self, slices: int, summary: WrkSummary) -> list[BurstRecord]:
        """A record for so many slices each."""
        size = summary.bytes_per_response
        if size is None:
            with blamed(self.side.pair, self.side.name):
                raise CaseError("no request was answered during a burst")
        failed_ratio = summary.errors.status / summary.requests
        records, counts = [], self.side.testbed.cpus.counts
        for begin, end in zip(self.looks[::slices], self.looks[slices::slices], strict=False):
            answers = (end.read_bytes - begin.read_bytes) / size
            awake_s = end.awake_s - begin.awake_s
            compiled_s = end.compiler_cpu_s - begin.compiler_cpu_s
            cost_s = end.server_cpu_s - begin.server_cpu_s - compiled_s
            records.append(
                BurstRecord(
                    throughput_rps=answers * (1 - failed_ratio) / awake_s,
                    cpu_per_request_s=cost_s / answers if answers else None,
                    error_ratio=summary.error_ratio,
                    load_cpu_ratio=(end.load_cpu_s - begin.load_cpu_s) / awake_s / counts.load,
                    compiler_cpu_ratio=compiled_s / awake_s / (counts.server or 1),
                )
            )
        return records

    def allocated_bytes_per_request(self, summary: WrkSummary) -> float | None:
        """From one collection to the next; None where too few fall into the bursts."""
        size, lines = summary.bytes_per_response, self.side.collections()
        if not size or not lines:
            return None
        started_s = self.side.driver.server.started_at_s
        return allocated_bytes_per_answer(
            lines,
            [look.at_s - started_s for look in self.looks],
            [look.read_bytes / size for look in self.looks],
        )


def _open(stack: ExitStack, side: RunningSide, schedule: Schedule) -> _Lane:
    case = schedule.case
    # it is told to end; this is only when it would by itself
    longest_s = 4 * schedule.bursts * schedule.burst_s + 60
    name = f"{case.workload.id}-{case.connections}-bursts"
    output = side.driver.folder / f"{name}.txt"
    command = side.driver.command(case.route, case.connections, longest_s, id_sequence(case))
    stdout = stack.enter_context(output.open("wb"))
    with side.awake():
        running = side.testbed.load.start(command, stdout)
        stack.callback(running.stop, 0.0)
        time.sleep(RAMP_S)
        running.signal(signal.SIGSTOP)
    return _Lane(side, running, output)
