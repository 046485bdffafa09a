"""Warnings for the reader of a result. They are data and name the remedy."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from functools import partial

from springbench import units
from springbench.analysis.bottleneck import MORE_COMPILING, MORE_WARMING_UP, SIZED_HEAP
from springbench.limits import (
    BEFORE_RATIO,
    BUSY_RATIO,
    END_RATIO,
    MAX_STEAL_RATIO,
    SETTLED_RATIO,
    had_ratio,
)
from springbench.results.records import ForkRecord, LoadRecord
from springbench.results.run import Caution, Result

# fewer, and counting a single answer more moves the throughput by over half a per cent
MIN_ANSWERS = 200
# below, some connections are served several times as often as others
UNFAIR = 0.7
# of answers to who is not logged in, or no longer
_DENIED = ("401", "403")

# Iglewicz and Hoaglin, How to detect and handle outliers (1993): the modified z-score
THRESHOLD = 3.5
SCALE = 0.6745
MIN_FORKS = 4


def case_warnings(
    forks: Sequence[ForkRecord], *, waits: bool = False, of_service: bool = False
) -> Iterator[Caution]:
    """Warnings about one case, each once however many forks show it; without the host's.

    `waits`: its requests wait by design. `of_service`: a springbench.toml describes it.
    """
    if not (loads := [fork.load for fork in forks if fork.load]):
        return
    rules = (
        _starved,
        _inconsistent,
        partial(_compiling, waits=waits, of_service=of_service),
        partial(_not_steady, of_service=of_service),
        _unknown_compilers,
        partial(_still_growing, of_service=of_service),
        _few_answers,
        _errors,
        _slow_answers,
        _stalled,
        _outlier,
        _unknown_gc_line,
    )
    for rule in rules:
        if caution := rule(loads):
            yield caution


def host_warnings(results: Sequence[Result]) -> Iterator[Caution]:
    """What the host did to the rows of a run, each once however many of them it concerns."""
    rows = {
        result.case: [fork.load for fork in result.forks if fork.load]
        for result in results
        if any(fork.load for fork in result.forks)
    }
    for rule in _HOST_RULES:
        concerned = [case for case, loads in rows.items() if rule(loads)]
        if caution := rule([load for case in concerned for load in rows[case]]):
            where = rows_words(concerned, len(rows))
            yield caution.model_copy(update={"message": f"{caution.message} ({where})"})


def rows_words(rows: Sequence[str], of_all: int) -> str:
    """Which rows something holds for; by their names where it is not all."""
    if of_all == 1:
        return rows[0]
    count = f"{len(rows)} of {of_all} rows"
    return count if len(rows) == of_all else f"{count}: {', '.join(rows)}"


def _starved(loads: Sequence[LoadRecord]) -> Caution | None:
    """Who is never answered is in no percentile, and in no throughput either."""
    long_loads = [load for load in loads if load.is_long]
    worst = max(long_loads, key=lambda load: load.unanswered_ratio or 0.0, default=None)
    if worst is None or worst.connections is None:
        return None
    if silent := worst.unanswered_ratio or 0.0:
        answers = (worst.answers_per_connection or 0.0) / (1 - silent) if silent < 1 else 0.0
        return Caution(
            code="starved",
            message=f"{silent * worst.connections:,.0f} of {worst.connections:,} connections got "
            f"no answer in {worst.loaded_s or 0.0:.0f} s, the others {answers:,.0f} each: those "
            "that wait are in no percentile",
            remedy="load it with fewer connections than it lets in at once, or raise that limit",
        )
    uneven = min(load.fairness or 1.0 for load in long_loads)
    if uneven >= UNFAIR:
        return None
    index, limit = units.apart(lambda ratio, digits: f"{ratio:.{digits}f}", uneven, UNFAIR, 2)
    return Caution(
        code="unfair",
        message="some connections were answered several times as often as others (Jain's index "
        f"{index} of 1, limit: {limit}): the percentiles are mostly of those",
        remedy=None,
    )


def _inconsistent(loads: Sequence[LoadRecord]) -> Caution | None:
    """By Little's law, throughput × mean latency = the connections that wait for an answer."""
    off = [load for load in loads if not load.is_consistent]
    if not off:
        return None
    worst = max(off, key=lambda load: abs(load.flight_ratio - 1))
    at_once = (worst.connections or 0) * worst.streams
    return Caution(
        code="inconsistent",
        message=f"throughput × mean latency makes {worst.in_flight or 0.0:,.0f} requests at once "
        f"on {at_once:,} {'connections' if worst.streams == 1 else 'streams'} (Little's law): the "
        "latencies are of the whole load, not of the window alone, and are left out",
        remedy="a longer window (--duration), beside which the start of the load weighs less",
    )


def _compiling(loads: Sequence[LoadRecord], *, waits: bool, of_service: bool) -> Caution | None:
    compiling = [load for load in loads if load.compiling]
    # where it is all of them, that is what limits the case
    if not compiling or len(compiling) == len(loads):
        return None
    return Caution(
        code="compiling",
        message=f"JIT compilation did not settle in {len(compiling)} of {len(loads)} forks, which "
        f"are left out: they had {compilers_had(compiling, waits=waits)}",
        remedy=MORE_COMPILING.text(of_service),
    )


def compilers_had(loads: Sequence[LoadRecord], *, waits: bool) -> str:
    """The share that was too much, with its limit; at the edges of a window nobody keeps it.

    `waits`: requests wait by design.
    """

    def limit(load: LoadRecord) -> float:
        used = None if waits else load.server_cpu_ratio
        return 1.0 if used is None else had_ratio(used)

    most = max(loads, key=lambda load: load.compiler_cpu_ratio or 0.0)
    had, limit_ratio = most.compiler_cpu_ratio or 0.0, SETTLED_RATIO * limit(most)
    if had >= limit_ratio:
        shares = units.apart(units.share, had, limit_ratio, 1)
        return "up to {} of the server's CPUs (limit: {})".format(*shares)
    before, end = (units.share(ratio * limit(most)) for ratio in (BEFORE_RATIO, END_RATIO))
    return (
        f"more than {before} of the server's CPUs just before the window, or than {end} at its end"
    )


def _unknown_compilers(loads: Sequence[LoadRecord]) -> Caution | None:
    if not any("unknown-compilers" in load.instability for load in loads):
        return None
    return Caution(
        code="unknown-compilers",
        message="none of the threads of its JVM is known as a just-in-time compiler: whether they "
        "were still at work, and the numbers are too low, is not known",
        remedy="measure it on another release of the JDK, or without -Xint",
    )


def _still_growing(loads: Sequence[LoadRecord], *, of_service: bool) -> Caution | None:
    names = {"loading-classes": "classes were loaded", "growing-heap": "the heap was enlarged"}
    seen = [
        text for cause, text in names.items() if any(cause in load.instability for load in loads)
    ]
    if not seen:
        return None
    return Caution(
        code="not-settled",
        message=f"{' and '.join(seen)} in the window: the server had not settled",
        remedy=f"{MORE_WARMING_UP.text(of_service)}; {SIZED_HEAP.text(of_service)}",
    )


def _not_steady(loads: Sequence[LoadRecord], *, of_service: bool) -> Caution | None:
    # what is distinguished is the reason, and said by another rule
    if not (unsteady := sum(load.steady is False and not load.instability for load in loads)):
        return None
    return Caution(
        code="not-steady",
        message=f"throughput still changed when warm-up ended ({unsteady} of {len(loads)} forks)",
        remedy=MORE_WARMING_UP.text(of_service),
    )


def _few_answers(loads: Sequence[LoadRecord]) -> Caution | None:
    fewest = min(load.throughput_rps * load.window_s for load in loads)
    if fewest >= MIN_ANSWERS:
        return None
    return Caution(
        code="few-answers",
        # never as many as were enough
        message=f"a window with {math.floor(fewest)} good answers: one more or less shows",
        remedy=f"raise --duration until a window holds {MIN_ANSWERS}",
    )


def _errors(loads: Sequence[LoadRecord]) -> Caution | None:
    if not (failed := max(load.error_ratio for load in loads)):
        return None
    kinds = [
        f"{kind} {sum(getattr(load.errors, kind) for load in loads)}"
        for kind in ("connect", "read", "write", "status")
        if any(getattr(load.errors, kind) for load in loads)
    ]
    # what wrk counts, as a status over 399, is said already
    sent_away = {
        answer for load in loads if (answer := load.wrong_answer) and answer[0] not in "45"
    }
    kinds += [f"answered {answer}" for answer in sorted(sent_away)]
    denied = any((load.wrong_answer or "").startswith(_DENIED) for load in loads)
    expired = "; a token that expires while its process is measured is answered so" * denied
    return Caution(
        code="errors",
        message=f"up to {units.apart(units.share, failed, 0.0, 2)[0]} of the requests failed "
        f"({', '.join(kinds)})",
        remedy=f"they do not count in the throughput; the server log in raw/ says why{expired}",
    )


def _slow_answers(loads: Sequence[LoadRecord]) -> Caution | None:
    if not (slow := sum(load.errors.timeout for load in loads)):
        return None
    return Caution(
        code="slow-answers",
        message=f"{slow} answers took longer than wrk's histogram reaches: no percentile has them",
        remedy=None,
    )


def _stalled(loads: Sequence[LoadRecord]) -> Caution | None:
    stalls = [stall for load in loads for stall in load.stalls]
    worst = min(stalls, key=lambda stall: stall.throughput_ratio, default=None)
    if worst is None:
        return None
    return Caution(
        code="stalled",
        message=f"the server stalled inside the window, at worst at second {worst.at_s:.0f} "
        f"with {worst.throughput_ratio:.0%} of its throughput",
        remedy="see the collector's log and the timelines in raw/",
    )


def _stolen(loads: Sequence[LoadRecord]) -> Caution | None:
    stolen = [load for load in loads if "stolen" in load.instability]
    if not stolen:
        return None
    server_host_ratio = max(load.steal_ratio or 0.0 for load in stolen)
    load_host_ratio = max(load.load_host_steal_ratio or 0.0 for load in stolen)
    host = "host's" if server_host_ratio >= load_host_ratio else "load host's"
    had, limit = units.apart(
        units.share, max(server_host_ratio, load_host_ratio), MAX_STEAL_RATIO, 1
    )
    return Caution(
        code="stolen",
        message=f"up to {had} of the {host} CPU time went to its neighbours meanwhile "
        f"(limit: {limit})",
        remedy="measure again, on a host of its own if it stays so",
    )


def _disturbed(loads: Sequence[LoadRecord]) -> Caution | None:
    disturbed = [load for load in loads if "disturbed" in load.instability]
    if not disturbed:
        return None
    server_host_ratio = max(load.background_cpu_ratio or 0.0 for load in disturbed)
    load_host_ratio = max(load.load_host_background_cpu_ratio or 0.0 for load in disturbed)
    programs = (
        "the server and wrk" if server_host_ratio >= load_host_ratio else "wrk on the load host"
    )
    had, limit = units.apart(units.share, max(server_host_ratio, load_host_ratio), BUSY_RATIO)
    return Caution(
        code="disturbed",
        message=f"background load took up to {had} of a CPU beside {programs} (limit: {limit}) "
        f"in {len(disturbed)} of {len(loads)} forks",
        remedy="stop them (top shows them), and measure again",
    )


def _outlier(loads: Sequence[LoadRecord]) -> Caution | None:
    throughputs = [load.throughput_rps for load in loads]
    if not (odd := outliers(throughputs)):
        return None
    return Caution(
        code="outlier",
        message="far from the other forks, and counted all the same: "
        + ", ".join(f"{units.rate(throughputs[index])} req/s" for index in odd),
        remedy="more forks, on a quieter host",
    )


def outliers(values: Sequence[float]) -> list[int]:
    """The positions of values far from the median, measured in median absolute deviations.

    None with fewer than four values, which cannot tell who is odd.
    """
    if len(values) < MIN_FORKS:
        return []
    middle = statistics.median(values)
    deviation = statistics.median(abs(value - middle) for value in values)
    if not deviation:
        return []
    scores = [SCALE * abs(value - middle) / deviation for value in values]
    return [index for index, score in enumerate(scores) if score > THRESHOLD]


def _no_timeline(loads: Sequence[LoadRecord]) -> Caution | None:
    if all(load.from_timeline for load in loads):
        return None
    return Caution(
        code="no-timeline",
        message="throughput is wrk's own mean, connecting and the tail included",
        remedy="measure on Linux, which keeps I/O counters of processes",
    )


def _unknown_gc_line(loads: Sequence[LoadRecord]) -> Caution | None:
    line = next((load.unknown_gc_line for load in loads if load.unknown_gc_line), None)
    if line is None:
        return None
    return Caution(
        code="gc-log",
        message=f"collections were not counted: a line of their log is not understood: {line}",
        remedy="where java_options choose another collector or its log, leave that out; else "
        "please report the line",
    )


_HOST_RULES = (_stolen, _disturbed, _no_timeline)
HOST_CODES = frozenset({"stolen", "disturbed", "no-timeline"})
