"""A fork pair: base and head side by side, so that both see the same interference.

After Bulej et al., Duet benchmarking (2020), adapted to servers: both processes live at once,
one is stopped (SIGSTOP) while the other is loaded, they alternate, their order rotates.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from springbench.errors import CaseError
from springbench.host.ports import free_port
from springbench.measure.duet.interleave import can_interleave, interleave
from springbench.measure.duet.side import SIDES, RunningSide, Schedule, SideName, in_order
from springbench.measure.fork import peak_memory
from springbench.measure.load.driver import Driver
from springbench.measure.readings.cputime import cpu_time_s
from springbench.measure.server.command import Start
from springbench.measure.server.process import started
from springbench.measure.testbed import Testbed
from springbench.measure.warmup import ROUTE_CEILING_S, warm_up
from springbench.plan.cases import Variant
from springbench.results.records import BurstRecord, PairRecord, SideRecord

SETTLE_S = 0.3


@dataclass(frozen=True)
class SideSetup:
    """Set-up of one side: what it starts, and its jars."""

    testbed: Testbed
    variant: Variant


def measure_pair(
    setups: Mapping[SideName, SideSetup],
    schedules: Sequence[Schedule],
    pair: int,
    connections: int,
    java_options: Sequence[str] = (),
) -> PairRecord:
    """Measure some cases of one variant on a fresh pair. A side that fails is a result.

    Without a schedule both sides are only started: startup and idle memory need no load.
    `connections` is what the variant is set up for, the same in every pair.
    """
    record = PairRecord(
        pair=pair,
        status="ok",
        sides={name: SideRecord() for name in SIDES},
    )
    try:
        with ExitStack() as stack:
            sides = _start(stack, setups, record, connections, java_options)
            for side in in_order(sides, pair):
                _warm(side, schedules)
            for schedule in schedules:
                _load(sides, schedule, pair)
            for side in sides if schedules else []:
                side.record.memory_peak_bytes = peak_memory(side.driver.server, None)
    except CaseError as error:
        record.status, record.reason = "failed", str(error)
    return record


def _load(sides: Sequence[RunningSide], schedule: Schedule, turn: int) -> None:
    """All bursts of one case. Where requests wait by design, a server cannot stand still."""
    if not schedule.case.workload.delay_s and can_interleave(sides[0].pid):
        interleave(sides, schedule, turn)
        return
    for burst in range(schedule.bursts):
        for side in in_order(sides, turn + burst):
            _burst(side, schedule, burst)


def _start(
    stack: ExitStack,
    setups: Mapping[SideName, SideSetup],
    record: PairRecord,
    connections: int,
    java_options: Sequence[str],
) -> list[RunningSide]:
    """Start one side after the other, alone each time; which is first rotates."""
    sides: list[RunningSide] = []
    order = SIDES if record.pair % 2 == 0 else tuple(reversed(SIDES))
    for name in order:
        testbed, variant = setups[name].testbed, setups[name].variant
        testbed = replace(testbed, port=free_port())
        folder = testbed.raw / variant.id / f"pair-{record.pair}" / name
        folder.mkdir(parents=True, exist_ok=True)
        start = Start(variant, connections, tuple(java_options))
        server = stack.enter_context(started(testbed, start, folder))
        side = RunningSide(name, testbed, Driver(testbed, server, folder), record.sides[name])
        side.record.startup_s = server.wait_ready(variant.server.health)
        time.sleep(SETTLE_S)
        side.record.memory_idle_bytes = server.idle().rss_bytes
        server.running.signal(signal.SIGSTOP)
        sides.append(side)
    return sorted(sides, key=lambda side: SIDES.index(side.name))


def _warm(side: RunningSide, schedules: Sequence[Schedule]) -> None:
    warm: set[str] = set()
    with side.awake():
        for schedule in schedules:
            route = schedule.case.warmup_route
            if route not in warm:
                warm_up(side.testbed, schedule.case, side.driver)
                warm.add(route)
        side.driver.server.compilers.give_back(side.testbed.cpus.server)


def _burst(side: RunningSide, schedule: Schedule, burst: int) -> None:
    """One burst: everything it cost, from its first connection to its last answer."""
    case, workload = schedule.case, schedule.case.workload
    with side.awake():
        before_s, compilers = cpu_time_s(side.pid), side.driver.server.compilers
        compiled_before_s, begin_s = compilers.cpu_time_s(), time.perf_counter()
        driven = side.driver.drive(
            f"{workload.id}-{case.connections}-burst-{burst}",
            case.route,
            case.connections,
            schedule.burst_s,
        )
        if workload.delay_s:
            # what still waits in the server belongs to this burst and must not meet the next;
            # a request behind the queue comes back when the queue is gone
            side.driver.server.check_route(case.route, ROUTE_CEILING_S + workload.delay_s)
        after_s, lasted_s = cpu_time_s(side.pid), time.perf_counter() - begin_s
        compiled_s = (compilers.cpu_time_s() or 0.0) - (compiled_before_s or 0.0)
    summary = driven.summary
    cost_s = None
    if before_s is not None and after_s is not None:
        cost_s = after_s - before_s - compiled_s
    succeeded = summary.requests - summary.errors.status
    counts = side.testbed.cpus.counts
    load_cpu_s = [sample.load_cpu_s for sample in driven.timeline.samples if sample.load_cpu_s]
    side.record.bursts.setdefault(case.id, []).append(
        BurstRecord(
            throughput_rps=succeeded / summary.duration_s,
            cpu_per_request_s=cost_s / summary.requests if cost_s and summary.requests else None,
            error_ratio=summary.error_ratio,
            load_cpu_ratio=max(load_cpu_s) / summary.duration_s / counts.load
            if load_cpu_s
            else None,
            compiler_cpu_ratio=compiled_s / lasted_s / (counts.server or 1),
        )
    )
