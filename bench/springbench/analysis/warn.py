"""What the reader of a result must know. Warnings are data and name the remedy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from springbench import units
from springbench.analysis.outliers import outliers
from springbench.measure.records import ForkRecord
from springbench.results.model import Caution

# fewer, and counting a single answer more moves the throughput by over half a per cent
MIN_ANSWERS = 200


def case_warnings(forks: Sequence[ForkRecord]) -> Iterator[Caution]:
    """Warnings about one case, each once however many forks show it."""
    loads = [fork.load for fork in forks if fork.load]
    if unsteady := sum(load.steady is False for load in loads):
        yield Caution(
            code="not-steady",
            message="throughput still changed when warm-up ended "
            f"({unsteady} of {len(loads)} forks)",
            remedy="raise warmup_max_s of the profile",
        )
    answers = [load.throughput_rps * load.window_s for load in loads]
    if answers and min(answers) < MIN_ANSWERS:
        yield Caution(
            code="few-answers",
            message=f"a window with {min(answers):.0f} good answers: one more or less shows",
            remedy=f"raise --duration until a window holds {MIN_ANSWERS}",
        )
    if failed := max((load.error_ratio for load in loads), default=0.0):
        kinds = [
            f"{kind} {sum(getattr(load.errors, kind) for load in loads)}"
            for kind in ("connect", "read", "write", "status")
            if any(getattr(load.errors, kind) for load in loads)
        ]
        yield Caution(
            code="errors",
            message=f"up to {failed:.2%} of the requests failed ({', '.join(kinds)})",
            remedy="they do not count in the throughput; the server log in raw/ says why",
        )
    if slow := sum(load.errors.timeout for load in loads):
        yield Caution(
            code="slow-answers",
            message=f"{slow} answers took longer than wrk's histogram reaches: "
            "no percentile has them",
            remedy=None,
        )
    if stalled := [stall for load in loads for stall in load.stalls]:
        worst = min(stalled, key=lambda stall: stall.throughput_ratio)
        yield Caution(
            code="stalled",
            message=f"the server stalled inside the window, at worst at second {worst.at_s:.0f} "
            f"with {worst.throughput_ratio:.0%} of its throughput",
            remedy="see the collector's log and the timelines in raw/",
        )
    throughputs = [load.throughput_rps for load in loads]
    if odd := outliers(throughputs):
        yield Caution(
            code="outlier",
            message="far from the other forks, and counted all the same: "
            + ", ".join(f"{units.rate(throughputs[index])} req/s" for index in odd),
            remedy="more forks, on a quieter host",
        )
    if any(not load.from_timeline for load in loads):
        yield Caution(
            code="no-timeline",
            message="throughput is wrk's own mean, connecting and the tail included",
            remedy="measure on Linux, which keeps I/O counters of processes",
        )
