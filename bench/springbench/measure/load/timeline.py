"""The timeline of a load, and the numbers cut out of it. Pure.

wrk's own mean contains connecting, the first second of a one-second wait and the tail. The
timeline of the requests that wrk sends has them too, but lets them be cut off.
"""

from __future__ import annotations

import bisect
import itertools
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from springbench.results.middle import median_error

STEADY_BLOCKS = 4
STEADY_SPREAD_RATIO = 0.05
# where requests wait by design hardly anything else moves the rate: what does is worth waiting out
STEADY_SPREAD_RATIO_OF_WAITING = 0.02
STALL_RATIO = 0.5


class Sample(NamedTuple):
    """A sample of the processes. Cumulative but where an instant is named; None: not seen then."""

    at_s: float
    read_bytes: int | None
    requests: int | None = None
    """That the load generator has sent. In a closed loop a connection asks again as soon as it is
    answered: they grow as the answers do, the failed ones included."""
    server_cpu_s: float | None = None
    load_cpu_s: float | None = None
    upstream_cpu_s: float | None = None
    rss_bytes: int | None = None
    threads: int | None = None
    compiler_cpu_s: float | None = None
    compilers_runnable: int | None = None
    """How many of them had work at that moment."""
    stolen_s: float | None = None
    """Time that the hypervisor gave to others, over the CPUs that the measurement uses."""
    background_cpu_s: float | None = None
    """Time on these of programs that have no part in the measurement."""
    stolen_away_s: float | None = None
    """Where the load comes from another host: what was stolen of its CPUs there."""
    others_away_cpu_s: float | None = None
    """Time on these of programs that have no part in it."""
    calibration_probe_s: float | None = None
    """CPU time of a fixed piece of work on the server's CPUs."""
    classes_loaded: int | None = None
    heap_committed_bytes: int | None = None
    server_reads: int | None = None
    """Its calls of the kernel that read files or sockets; those that only receive are not seen."""
    server_writes: int | None = None
    services_cpu_s: float | None = None
    """Of the services that are declared, like a database."""
    cpu_periods: int | None = None
    """Of the quota that it is held to, if any."""
    throttled_periods: int | None = None
    throttled_s: float | None = None


Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Timeline:
    """Samples in the order of time; `at_s` counts from the start of the load."""

    samples: tuple[Sample, ...]

    def points(self, field: str) -> list[tuple[float, float]]:
        """(time in s, value) of every sample that has this field."""
        pairs = ((sample.at_s, getattr(sample, field)) for sample in self.samples)
        return [(at_s, float(value)) for at_s, value in pairs if value is not None]

    @property
    def end_s(self) -> float:
        """When the last sample was taken; 0 without any."""
        return self.samples[-1].at_s if self.samples else 0.0

    @property
    def probes_s(self) -> list[float]:
        """How long the fixed work took, each time."""
        return [value for _, value in self.points("calibration_probe_s") if value > 0]

    def since(self, begin_s: float) -> Timeline:
        """The samples from a moment on: the last seconds of a long load cost no more to
        evaluate.
        """
        first = bisect.bisect_left(self.samples, begin_s, key=lambda sample: sample.at_s)
        return Timeline(self.samples[first:])

    def harmonic_mean(self, field: str, begin_s: float, end_s: float) -> float | None:
        """The harmonic mean of a field inside a window: of times, what their mean speed takes."""
        values = [v for t, v in self.points(field) if begin_s <= t <= end_s and v > 0]
        return statistics.harmonic_mean(values) if values else None

    def largest(self, field: str, begin_s: float, end_s: float) -> float | None:
        """The largest value of a field inside a window."""
        return max((v for t, v in self.points(field) if begin_s <= t <= end_s), default=None)


def largest_rate(points: Points, begin_s: float, end_s: float) -> float | None:
    """The fastest growth per second from one sample to the next inside a window."""
    inside = [point for point in points if begin_s <= point[0] <= end_s]
    steps = itertools.pairwise(inside)
    return max(((b[1] - a[1]) / (b[0] - a[0]) for a, b in steps if b[0] > a[0]), default=None)


def value_at(points: Points, at_s: float) -> float | None:
    """A cumulative value at a moment, linear between samples; None outside them."""
    if not points or not points[0][0] <= at_s <= points[-1][0]:
        return None
    index = bisect.bisect_left(points, at_s, key=lambda point: point[0])
    after = points[index]
    if after[0] == at_s:
        return after[1]
    before = points[index - 1]
    share = (at_s - before[0]) / (after[0] - before[0])
    return before[1] + share * (after[1] - before[1])


def mean_rate(points: Points, begin_s: float, end_s: float, period_s: float = 0.0) -> float | None:
    """Mean growth per second of a cumulative value over a window.

    Connections that wait equally long answer together, so the cumulative count is a staircase
    with steps one delay apart, and a plain difference is off by up to one step at each edge.
    With `period_s` each edge is the mean over one delay, which takes the steps out.
    None when the samples do not cover the window and one period after it.
    """
    if end_s <= begin_s:
        return None
    first = _mean_value(points, begin_s, period_s)
    last = _mean_value(points, end_s, period_s)
    if first is None or last is None:
        return None
    return (last - first) / (end_s - begin_s)


def _mean_value(points: Points, begin_s: float, period_s: float) -> float | None:
    """Mean of a cumulative value over [begin, begin + period], by the trapezoid rule."""
    start, end = value_at(points, begin_s), value_at(points, begin_s + period_s)
    if start is None or end is None:
        return None
    if period_s <= 0:
        return start
    inner = [p for p in points if begin_s < p[0] < begin_s + period_s]
    path = [(begin_s, start), *inner, (begin_s + period_s, end)]
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in itertools.pairwise(path))
    return area / period_s


def stalls(
    points: Points, begin_s: float, end_s: float, block_s: float
) -> list[tuple[float, float]]:
    """(begin in s, rate as a share of the median) of the blocks in which hardly anything came.

    A block stalls when it brings less than half of what the median block of the window does.
    Blocks must be longer than a delay, or the pause between two steps would look like one.
    """
    edges, rates = _blocks(points, begin_s, end_s, block_s)
    # where most blocks stall the median is nothing itself
    middle = (statistics.median(rates) or max(rates)) if rates else 0.0
    return [
        (edge, rate / middle)
        for edge, rate in zip(edges, rates, strict=True)
        if middle and rate < STALL_RATIO * middle
    ]


def middle_rate(
    points: Points, begin_s: float, end_s: float, block_s: float, period_s: float = 0.0
) -> tuple[float, float] | None:
    """The median rate of the blocks of a window, and its standard error as a ratio.

    What a moment took from one block is in neither. None with fewer than three blocks, or where
    most brought nothing.
    """
    _, rates = _blocks(points, begin_s, end_s, block_s, period_s)
    error = median_error(rates)
    middle = statistics.median(rates) if rates else 0.0
    return None if error is None or not middle else (middle, error / middle)


def _blocks(
    points: Points, begin_s: float, end_s: float, block_s: float, period_s: float = 0.0
) -> tuple[list[float], list[float]]:
    """Begin in s and mean rate of each whole block of a window."""
    # a window of three delays must have three of them
    count = int((end_s - begin_s) / block_s + 1e-6)
    edges = [begin_s + index * block_s for index in range(count)]
    return edges, [mean_rate(points, edge, edge + block_s, period_s) or 0.0 for edge in edges]


def silence_s(points: Points) -> float:
    """For how long nothing had come when a cumulative value was last looked at."""
    if not points:
        return 0.0
    last_at_s, last = points[-1]
    return last_at_s - next(at_s for at_s, value in points if value >= last)


def at_one_speed(points: Points, work: Points) -> Points:
    """Growth, had the fixed work always taken 1 s: growth times the work's time.

    Each step is weighed with the newest look at the work, those before the first look with that.
    """
    if not work:
        return points
    times_s = [at_s for at_s, _ in work]
    weighed, total = [points[0]] if points else [], points[0][1] if points else 0.0
    for (_, before), (at_s, after) in itertools.pairwise(points):
        total += (after - before) * work[max(0, bisect.bisect_right(times_s, at_s) - 1)][1]
        weighed.append((at_s, total))
    return weighed


def is_steady(points: Points, begin_s: float, end_s: float, period_s: float = 0.0) -> bool:
    """Whether the rate does not change inside a window.

    Its four quarters lie within 5 % of their median (2 % where requests wait for `period_s`),
    and the later two are above the earlier two by at most half of that: a compiler that is still
    at work shows as a rise, the first collection of a full heap as a dip. After Georges,
    Buytaert and Eeckhout (2007), who call a process steady when the last k measurements vary
    less than a threshold.
    """
    length_s = (end_s - begin_s) / STEADY_BLOCKS
    edges = [begin_s + index * length_s for index in range(STEADY_BLOCKS)]
    rates = [mean_rate(points, edge, edge + length_s, period_s) or 0.0 for edge in edges]
    middle = statistics.median(rates)
    if middle <= 0:
        return False
    spread = STEADY_SPREAD_RATIO_OF_WAITING if period_s else STEADY_SPREAD_RATIO
    half = STEADY_BLOCKS // 2
    early_rps, late_rps = statistics.fmean(rates[:half]), statistics.fmean(rates[half:])
    within = all(abs(rate / middle - 1) <= spread for rate in rates)
    return within and late_rps <= early_rps * (1 + spread / 2)


# --- When a fresh process has come to the throughput of its window --------------------------------


# how near to the throughput of the window is at the peak
NEAR_RATIO = 0.05
# so many seconds in a row: one of them is soon caught between two collections
LASTING_S = 2
# of a CPU quota: answers come in its rhythm, which each edge is averaged over
PERIOD_S = 0.1
_STEP_S = 0.25


class Peak(NamedTuple):
    """The moment from which a process had its throughput."""

    at_s: float
    """Of load, since its first request."""
    requests: float
    """That it had been sent until then."""


def find_peak(loads: Sequence[Timeline], steady_rps: float) -> Peak | None:
    """The first moment from which each of `LASTING_S` seconds had at least 95 % of `steady_rps`.

    `loads` followed each other; what lay between them is left out. None where they never had it.
    """
    points = _joined(loads)
    if not points:
        return None
    begin_s, before = points[0]
    for step in range(int((points[-1][0] - begin_s) / _STEP_S)):
        at_s = begin_s + step * _STEP_S
        seconds = ((at_s + second, at_s + second + 1) for second in range(LASTING_S))
        rates = [mean_rate(points, *period, PERIOD_S) for period in seconds]
        if all(rate is not None and rate >= (1 - NEAR_RATIO) * steady_rps for rate in rates):
            return Peak(at_s, before + (mean_rate(points, begin_s, at_s) or 0.0) * (at_s - begin_s))
    return None


def _joined(loads: Sequence[Timeline]) -> Points:
    """Requests by the time under load; each generator counts from its own start."""
    joined: list[tuple[float, float]] = []
    for load in loads:
        shift_s, shift = joined[-1] if joined else (0.0, 0.0)
        joined += [(shift_s + at_s, shift + count) for at_s, count in load.points("requests")]
    return joined
