"""Instability: what goes on while a server answers and changes how fast they come. Pure.

A server whose compilers are at work lies flat for seconds at half of what it does a minute later:
the look of its throughput does not tell. The CPU time of the compilers' threads does.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from springbench.host.cpus import CpuCounts
from springbench.limits import (
    BEFORE_RATIO,
    BUSY_RATIO,
    END_RATIO,
    MAX_STEAL_RATIO,
    SETTLED_RATIO,
    had_ratio,
)
from springbench.measure.load.timeline import Timeline, mean_rate, value_at
from springbench.results.records import Instability

# of its CPUs; one that waits by design and has used less has them to spare
SPARE_RATIO = 0.5
# of a window, and before it: where compilers that are still at work show
EDGE_S = 2.0
# what is loaded once for code that is used for the first time, not by every request
CLASSES_PER_S = 5.0
HEAP_GROWTH_RATIO = 0.01
STARVING_RATIO = 0.5
STARVING_S = 1.0
# more than there is between two looks at a process
SAMPLES_APART_S = 1.0


def find_instability(
    timeline: Timeline, begin_s: float, end_s: float, cpus: CpuCounts, *, waits: bool
) -> list[Instability]:
    """All that went on in a window; nothing of what this host or this server does not tell.

    `waits`: requests wait by design, so that the server has CPU time to spare.
    """
    return list(
        _instability(
            timeline.since(begin_s - EDGE_S - SAMPLES_APART_S), begin_s, end_s, cpus, waits
        )
    )


def _instability(
    timeline: Timeline, begin_s: float, end_s: float, cpus: CpuCounts, waits: bool
) -> Iterator[Instability]:
    if not compilation_has_settled(timeline, begin_s, end_s, cpus.server, waits=waits):
        yield "compiling"
    if timeline.points("classes_loaded") and not timeline.points("compiler_cpu_s"):
        yield "unknown-compilers"
    classes_per_s = _rate(timeline, "classes_loaded", begin_s, end_s)
    if classes_per_s is not None and classes_per_s > CLASSES_PER_S:
        yield "loading-classes"
    if _heap_grows(timeline, begin_s, end_s):
        yield "growing-heap"
    stolen = taken_ratio(timeline, "stolen_s", begin_s, end_s, cpus.used)
    load_host_ratio = taken_ratio(timeline, "stolen_away_s", begin_s, end_s, cpus.load)
    if max(stolen or 0.0, load_host_ratio or 0.0) > MAX_STEAL_RATIO:
        yield "stolen"
    background = taken_ratio(timeline, "background_cpu_s", begin_s, end_s)
    load_host_ratio = taken_ratio(timeline, "others_away_cpu_s", begin_s, end_s)
    if max(background or 0.0, load_host_ratio or 0.0) > BUSY_RATIO:
        yield "disturbed"


def compiler_ratio(
    timeline: Timeline, begin_s: float, end_s: float, server_cpus: float | None
) -> float | None:
    """Share of the server's CPUs that its compilers had; None where it has none."""
    cpus = _rate(timeline, "compiler_cpu_s", begin_s, end_s)
    return None if cpus is None else cpus / (server_cpus or 1)


def compilation_has_settled(
    timeline: Timeline, begin_s: float, end_s: float, server_cpus: float | None, *, waits: bool
) -> bool:
    """Whether the compilers had next to nothing of the server's CPUs in a window.

    Nor in the seconds before it, nor in its last ones: what grows there goes on behind it. A server
    that nothing makes wait has its CPUs full; under a quota or beside a competitor it has less than
    all of them, and the limit is of that. A server without compilers has settled.
    """
    if not timeline.points("compiler_cpu_s"):
        return True
    spans = (
        (begin_s, end_s, SETTLED_RATIO),
        (max(0.0, begin_s - EDGE_S), begin_s, BEFORE_RATIO),
        (max(begin_s, end_s - EDGE_S), end_s, END_RATIO),
    )
    return all(
        _has_settled(timeline, begin, end, server_cpus, limit, waits) for begin, end, limit in spans
    )


def compilation_has_just_settled(
    timeline: Timeline, server_cpus: float | None, *, waits: bool
) -> bool:
    """Whether the compilers had next to nothing in the last seconds of a load that goes on."""
    return _has_just_settled(timeline, server_cpus, END_RATIO, waits)


def compilation_has_resumed(timeline: Timeline, server_cpus: float | None, *, waits: bool) -> bool:
    """Whether the compilers had so much in the last seconds that no window can hold these."""
    return not _has_just_settled(timeline, server_cpus, BEFORE_RATIO, waits)


def _has_just_settled(
    timeline: Timeline, server_cpus: float | None, limit_ratio: float, waits: bool
) -> bool:
    recent = timeline.since(timeline.end_s - EDGE_S - SAMPLES_APART_S)
    points = recent.points("compiler_cpu_s")
    if not points:
        return True
    now_s = points[-1][0]
    begin_s = now_s - EDGE_S
    if begin_s < points[0][0]:
        return False
    return _has_settled(recent, begin_s, now_s, server_cpus, limit_ratio, waits)


def compilers_starve(timeline: Timeline, cpus: int) -> bool:
    """Whether they want CPU time and get less than half of it, though they may go first on `cpus`.

    Under a quota on the whole server, or without the right to go first, the requests take it.
    """
    begin_s = timeline.end_s - STARVING_S
    recent = timeline.since(begin_s - SAMPLES_APART_S)
    runnable = [min(n, cpus) for at_s, n in recent.points("compilers_runnable") if at_s >= begin_s]
    had = _rate(recent, "compiler_cpu_s", begin_s, timeline.end_s)
    if not runnable or not runnable[-1] or had is None:
        return False
    return had < STARVING_RATIO * statistics.fmean(runnable)


def compiled_s(timeline: Timeline) -> float | None:
    """CPU time that the compilers have had since the process began; None where it has none."""
    points = timeline.since(timeline.end_s - SAMPLES_APART_S).points("compiler_cpu_s")
    return points[-1][1] if points else None


def _has_settled(
    timeline: Timeline,
    begin_s: float,
    end_s: float,
    server_cpus: float | None,
    limit_ratio: float,
    waits: bool,
) -> bool:
    compiled = compiler_ratio(timeline, begin_s, end_s, server_cpus)
    used = _rate(timeline, "server_cpu_s", begin_s, end_s)
    if waits and used is not None and used < SPARE_RATIO * (server_cpus or 1):
        # requests do nothing but wait: what compilers take is nobody's
        return True
    had = 1.0 if used is None or waits else had_ratio(used / (server_cpus or 1))
    return compiled is not None and compiled < limit_ratio * had


def taken_ratio(
    timeline: Timeline, counter: str, begin_s: float, end_s: float, cpus: int = 1
) -> float | None:
    """Share of so many CPUs that a counter grew by; None where nothing tells.

    `stolen_s` is what the hypervisor gave to others of the CPUs in use, `background_cpu_s` what
    programs without a part in it had of them, by ticks of the kernel, less what ours had by its
    exact clock: a few per cent of a CPU less. `stolen_away_s` and `others_away_cpu_s` are the same
    of the load's CPUs on a host of their own.
    """
    taken = _rate(timeline, counter, begin_s, end_s)
    return None if taken is None else max(0.0, taken) / cpus


def _heap_grows(timeline: Timeline, begin_s: float, end_s: float) -> bool:
    """Whether the JVM took more memory for its heap: collections came too often for it."""
    points = timeline.points("heap_committed_bytes")
    before, after = value_at(points, begin_s), value_at(points, _last(points, end_s))
    return bool(before and after and after > before * (1 + HEAP_GROWTH_RATIO))


def _rate(timeline: Timeline, field: str, begin_s: float, end_s: float) -> float | None:
    """Growth per second, from the first look at this field to the last that there is so far."""
    points = timeline.points(field)
    return mean_rate(points, max(begin_s, points[0][0]), _last(points, end_s)) if points else None


def _last(points: list[tuple[float, float]], end_s: float) -> float:
    return min(end_s, points[-1][0]) if points else end_s
