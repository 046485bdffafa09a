"""A fork pair: base and head side by side, so that both see the same interference.

After Bulej et al., Duet benchmarking (2020), adapted to servers: both processes live at once,
one is stopped (SIGSTOP) while the other is loaded, they alternate, their order rotates.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.errors import CaseError
from springbench.host.ports import free_port
from springbench.matrix.workloads import Workload
from springbench.measure.duet.at_rates import measure_at_rates
from springbench.measure.duet.interleave import interleave
from springbench.measure.duet.side import SIDES, RunningSide, Schedule, blamed, in_order
from springbench.measure.duet.turns import take_turns
from springbench.measure.duet.waiting import measure_window
from springbench.measure.load.driver import Driver
from springbench.measure.readings import perfdata
from springbench.measure.rounds.lane import can_take_turns
from springbench.measure.server.command import Start
from springbench.measure.server.process import started
from springbench.measure.testbed import Testbed
from springbench.measure.warmup import ROUTE_CEILING_S, warm_up
from springbench.plan.cases import Variant
from springbench.results.pairs import PairRecord, SideName, SideRecord

SETTLE_S = 0.3


@dataclass(frozen=True)
class SideSetup:
    """Set-up of one side: what it starts, and its jars."""

    testbed: Testbed
    variant: Variant


@dataclass(frozen=True)
class PairSetup:
    """Set-up of both sides: the same processes in every pair, whatever loads it goes through.

    `connections` is what they are made for; `workload` one whose properties, or database, they
    need. `name` is that of their folder.
    """

    name: str
    sides: Mapping[SideName, SideSetup]
    connections: int
    java_options: tuple[str, ...] = ()
    workload: Workload | None = None


def measure_pair(setup: PairSetup, schedules: Sequence[Schedule], pair: int) -> PairRecord:
    """Measure some cases of one variant on a fresh pair. A side that fails is a result.

    Without a schedule both sides are only started: startup and idle memory need no load.
    """
    record = PairRecord(
        pair=pair,
        status="ok",
        sides={name: SideRecord() for name in SIDES},
    )
    try:
        with ExitStack() as stack:
            sides = _start(stack, setup, record)
            for side in in_order(sides, pair):
                _warm(side, schedules)
            for schedule in schedules:
                _load(
                    sides,
                    schedule,
                    pair,
                    last=schedule is schedules[-1] and not schedule.case.rates,
                )
                measure_at_rates(sides, schedule.case, pair)
            for side in sides if schedules else []:
                side.record.memory_peak_bytes = side.driver.server.readings.peak_bytes()
                _note_threads(side)
    except CaseError as error:
        record.status, record.reason = "failed", str(error)
    return record


def _load(sides: Sequence[RunningSide], schedule: Schedule, turn: int, *, last: bool) -> None:
    """All bursts of one case. Where requests wait by design, a server cannot stand still."""
    if schedule.case.workload.delay_s:
        for burst in range(schedule.bursts):
            ends = last and burst == schedule.bursts - 1
            for side in in_order(sides, turn + burst):
                measure_window(side, schedule.case, burst, last=ends)
    elif can_take_turns(sides[0].pid):
        interleave(sides, schedule, turn)
    else:
        take_turns(sides, schedule, turn)


def _start(stack: ExitStack, setup: PairSetup, record: PairRecord) -> list[RunningSide]:
    """Start one side after the other, alone each time; which is first rotates."""
    sides: list[RunningSide] = []
    order = SIDES if record.pair % 2 == 0 else tuple(reversed(SIDES))
    for name in order:
        testbed, variant = setup.sides[name].testbed, setup.sides[name].variant
        for needed in testbed.needed:
            needed.check_alive("an earlier pair")
        testbed = replace(testbed, port=free_port())
        folder = testbed.raw / setup.name / f"pair-{record.pair}" / name
        folder.mkdir(parents=True, exist_ok=True)
        start = Start(variant, setup.connections, setup.java_options, setup.workload)
        with blamed(record, name):
            server = stack.enter_context(started(testbed, start, folder))
            driver = Driver(testbed, server, folder)
            side = RunningSide(testbed, driver, variant, name, record.sides[name], record)
            side.record.startup_s = server.wait_ready(variant.server.health)
        time.sleep(SETTLE_S)
        side.record.memory_idle_bytes = server.idle().rss_bytes
        side.record.artifact_bytes = _size_bytes(testbed.artifact(variant))
        side.record.collector = perfdata.collector(side.driver.server.jvm)
        side.stand_still()
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
            _look_at_answer(side, schedule)
        side.driver.server.compilers.give_back(side.testbed.cpus.server)


def _look_at_answer(side: RunningSide, schedule: Schedule) -> None:
    """Keep the headers of one answer: these do not vary."""
    case = schedule.case
    ceiling_s = ROUTE_CEILING_S + case.workload.delay_s
    answer = side.driver.server.check_route(case.route, ceiling_s)
    side.record.answered_to(case.id).headers = dict(answer.headers)


def _note_threads(side: RunningSide) -> None:
    """Threads that the loads have left: pools keep them for a while."""
    threads = side.driver.server.idle().threads
    if threads is not None:
        side.record.threads_max = max(side.record.threads_max or 0, threads)


def _size_bytes(artifact: Path) -> int | None:
    try:
        return artifact.stat().st_size
    except OSError:
        return None
