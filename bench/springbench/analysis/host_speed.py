"""Whether the host had the same speed for all cases of a run, and what it did to them. Pure.

A window tells it by `host_work_s`: the CPU time of a fixed piece of work on the server's CPU.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from springbench import units
from springbench.analysis.bound import BUSY_SERVER_RATIO
from springbench.measure.records import ForkRecord
from springbench.results.model import Caution, Result

# what differs by less is not told from the spread of forks
SPEED_RATIO = 1.05
SPEED_CODE, ORDER_CODE = "host-speed", "one-speed"


def speed_warnings(results: Sequence[Result]) -> list[Caution]:
    """What to say of a run in some windows of which the CPU was slower than in others.

    First how much, then for each load the order of its servers without that.
    """
    windows = _windows(results)
    return [_uneven(windows), *_orders(results)] if _differ(windows) else []


def _uneven(windows: Sequence[tuple[float, str]]) -> Caution:
    (least_s, fast), (most_s, slow) = windows[0], windows[-1]
    slower = most_s / least_s - 1
    return Caution(
        code=SPEED_CODE,
        message=f"the host's CPU took up to {slower:.0%} longer for the same work in some windows "
        f"(most in {slow}, least in {fast}): differences between rows may be as much the host's",
        remedy="measure again with --forks 3, or compare two of them in pairs with "
        "`springbench compare`",
    )


def _orders(results: Sequence[Result]) -> Iterator[Caution]:
    speed = at_one_speed(results)
    loads: dict[tuple[str, int], list[str]] = {}
    for result in results:
        loads.setdefault((result.workload, result.connections), []).append(result.case)
    for (workload, connections), cases in loads.items():
        rates = [
            f"{case.split('/')[0]} {units.rate(rate)}"
            for case, rate in speed.items()
            if case in cases
        ]
        if len(rates) > 1:
            yield Caution(
                code=ORDER_CODE,
                message=f"{workload} at {connections} connections, had the host had one speed: "
                f"{', '.join(rates)} (by that work; what the server's CPU bounds)",
            )


def at_one_speed(results: Sequence[Result]) -> dict[str, float]:
    """Answers a second of each case, had the host had one speed: that of the middle window.

    Those of cases that the server's CPU bounds: they go with its speed. By case, the median of its
    forks, the best first; empty where the speed did not change.
    """
    windows = _windows(results)
    if not _differ(windows):
        return {}
    middle_s = statistics.median(work_s for work_s, _ in windows)
    found = {
        result.case: [rate * work_s / middle_s for rate, work_s in map(_busy, result.forks) if rate]
        for result in results
        if not result.unranked
    }
    medians = {case: statistics.median(rates) for case, rates in found.items() if rates}
    return dict(sorted(medians.items(), key=lambda each: -each[1]))


def _windows(results: Sequence[Result]) -> list[tuple[float, str]]:
    """How long the work took in each window, and of which case it was; the fastest first."""
    return sorted(
        (fork.load.host_work_s, result.case)
        for result in results
        for fork in result.forks
        if fork.load and fork.load.host_work_s
    )


def _differ(windows: Sequence[tuple[float, str]]) -> bool:
    return bool(windows) and windows[-1][0] > SPEED_RATIO * windows[0][0]


def _busy(fork: ForkRecord) -> tuple[float, float]:
    """Answers a second and the time of the work in a window that filled the server's CPU, or 0."""
    load = fork.load
    if fork.status != "ok" or load is None or load.compiling or load.host_work_s is None:
        return 0.0, 0.0
    busy = (load.server_cpu_ratio or 0.0) >= BUSY_SERVER_RATIO
    return (load.throughput_rps if busy else 0.0), load.host_work_s
