"""What follows from all results of a run together. Pure.

`assess` concludes from the forks of one case, this from all cases: rankings, and what the host did
to them. What is concluded is stored in the run, and every surface shows it as it is.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from springbench import units
from springbench.analysis.ranking import rank
from springbench.analysis.warnings import HOST_CODES, host_warnings
from springbench.results.run import Caution, Result, Run

# --- Whether the host had the same speed for all cases of a run, and what it did to them ----------
# A window tells it by `calibration_probe_s`: the CPU time of a fixed piece of work on the server's
# CPU.


# what differs by less is not distinguished from the spread of forks
SPEED_RATIO = 1.05
# less than these show nothing of what processes differ by
ENOUGH_FORKS = 3
# a delay by design makes such a number, however fast the CPU is
DELAYED = frozenset({"latency", "thread-cap"})
SPEED_CODE, ORDER_CODE = "host-speed", "one-speed"


def speed_warnings(results: Sequence[Result]) -> list[Caution]:
    """Warnings of a run in some windows of which the CPU was slower than in others.

    First how much, then for each load the order of its servers without that.
    """
    windows = _windows(results)
    forks = max((len(result.forks) for result in results), default=0)
    return [_uneven(windows, forks), *_orders(results)] if _differ(windows) else []


def _uneven(windows: Sequence[tuple[float, str]], forks: int) -> Caution:
    (least_s, fast), (most_s, slow) = windows[0], windows[-1]
    slower, limit = units.apart(units.share, most_s / least_s - 1, SPEED_RATIO - 1)
    return Caution(
        code=SPEED_CODE,
        message=f"the host's CPU took up to {slower} longer for the same work in some windows "
        f"(limit: {limit}; most in {slow}, least in {fast}): differences between rows may "
        "be as much the host's",
        remedy=f"measure again with --forks {max(ENOUGH_FORKS, 2 * forks)}, or compare two of them "
        "in pairs with `springbench compare`",
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

    Of cases that the server's CPU bounds: they go with its speed, collecting garbage does not. By
    case, the median of its forks, the best first; empty where the speed did not change.
    """
    windows = _windows(results)
    if not _differ(windows):
        return {}
    middle_s = statistics.median(work_s for work_s, _ in windows)
    found = {
        result.case: [
            load.throughput_rps * load.calibration_probe_s / middle_s
            for load in (fork.load for fork in result.forks if fork.status == "ok")
            if load and load.calibration_probe_s and not load.compiling
        ]
        for result in results
        if result.bottleneck and result.bottleneck.kind == "server-cpu"
    }
    medians = {case: statistics.median(rates) for case, rates in found.items() if rates}
    return dict(sorted(medians.items(), key=lambda item: -item[1]))


def _windows(results: Sequence[Result]) -> list[tuple[float, str]]:
    """How long the work took in each window that may go with it, and of which case it was; the
    fastest first."""
    return sorted(
        (fork.load.calibration_probe_s, result.case)
        for result in results
        if result.bottleneck is None or result.bottleneck.kind not in DELAYED
        for fork in result.forks
        if fork.load and fork.load.calibration_probe_s
    )


def _differ(windows: Sequence[tuple[float, str]]) -> bool:
    return bool(windows) and windows[-1][0] > SPEED_RATIO * windows[0][0]


# --- All conclusions ------------------------------------------------------------------------------


CONCLUDED_CODES = frozenset({*HOST_CODES, SPEED_CODE, ORDER_CODE})
"""Warnings of a run that follow from its results; others are known before anything is measured."""


def conclude(run: Run) -> None:
    """Put the conclusions into the run, in place of earlier ones."""
    known = [caution for caution in run.warnings if caution.code not in CONCLUDED_CODES]
    concluded = [*host_warnings(run.results), *speed_warnings(run.results)]
    run.warnings = [*known, *concluded]
    run.results, run.rankings = rank(run.results)
