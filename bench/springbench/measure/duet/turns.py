"""Bursts of one side after the other, where a host does not tell what a stopped process did."""

from __future__ import annotations

import time
from collections.abc import Sequence

from springbench.measure.duet.side import RunningSide, Schedule, in_order
from springbench.results.pairs import BurstRecord


def take_turns(sides: Sequence[RunningSide], schedule: Schedule, turn: int) -> None:
    """All bursts of one case; which side is first rotates. Raises `CaseError`."""
    for burst in range(schedule.bursts):
        for side in in_order(sides, turn + burst):
            _burst(side, schedule, burst)


def _burst(side: RunningSide, schedule: Schedule, burst: int) -> None:
    """One burst: everything it cost, from its first connection to its last answer."""
    case, workload = schedule.case, schedule.case.workload
    with side.awake():
        before_s, compilers = side.cpu_time_s(), side.driver.server.compilers
        compiled_before_s, begin_s = compilers.cpu_time_s(), time.perf_counter()
        driven = side.driver.drive(
            f"{workload.id}-{case.connections}-burst-{burst}",
            case.route,
            case.connections,
            schedule.burst_s,
        )
        after_s, lasted_s = side.cpu_time_s(), time.perf_counter() - begin_s
        compiled_s = (compilers.cpu_time_s() or 0.0) - (compiled_before_s or 0.0)
    summary = driven.summary
    cost_s = None
    if before_s is not None and after_s is not None:
        cost_s = after_s - before_s - compiled_s
    succeeded = summary.requests - summary.errors.status
    counts = side.testbed.cpus.counts
    load_cpu_s = [sample.load_cpu_s for sample in driven.timeline.samples if sample.load_cpu_s]
    side.record.answered_to(case.id).count(summary)
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
