"""What a host that changed its speed did to the cases of a run, and their figures without it. Pure.

A window tells the speed by `calibration_probe_s`: the CPU time of a fixed piece of work on the
server's CPU. What the CPU bounds goes with it, mostly by more than in proportion (measured:
docs/evaluation.md). By how much is fitted to the processes of all cases (the analysis of
covariance: Fisher, Statistical methods for research workers, 1932): within each case, the
logarithm of a figure on that of the probe, with one exponent for all cases.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from springbench import units
from springbench.analysis.block_design import noise
from springbench.analysis.intervals import Interval, Spread, readings, t_quantile
from springbench.limits import SPEED_RATIO, is_one_speed
from springbench.matrix.service_name import service_of
from springbench.results.metrics import BY_NAME
from springbench.results.run import Caution, Result

# less than these show nothing of what processes differ by
ENOUGH_FORKS = 3
# a delay by design makes such a number, however fast the CPU is
DELAYED = frozenset({"latency", "thread-cap"})
SPEED_CODE, ORDER_CODE = "host-speed", "one-speed"
THROUGHPUT = "throughput_rps"
# The exponent is drawn to that of what goes in proportion, as if two windows that lie 5 % from
# their mean had shown it: squared deviations of logarithms. Ridge regression (Hoerl and Kennard,
# 1970).
PRIOR_SQUARES = 0.005
# The standard deviation of a program's exponent between runs, of which one run shows nothing:
# those of two programs were -1.0 to -1.8 in eight runs (docs/evaluation.md).
EXPONENT_DEVIATION = 0.3
WITH_THE_SPEED = {THROUGHPUT: -1.0, "cpu_per_request_s": 1.0}
"""Metrics that go with the probe where the CPU bounds a closed loop, and the exponent of what goes
in proportion."""


# --- The model ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Point:
    """A figure of one process, and its calibration probe; both as logarithms."""

    value: float
    probe: float


Group = Sequence[Point]
"""The processes of a case, or of one side of it; one or more."""


@dataclass(frozen=True)
class SpeedFit:
    """How a figure goes with the probe: value = level of its group + exponent × probe + residual.
    All are logarithms."""

    exponent: float
    residual: Spread | None
    """Of processes of one group at one speed; None where no group has two."""
    squares: float
    """Of the probe's deviations within groups, with those of the prior."""

    @property
    def exponent_error(self) -> float:
        """Its standard error, with what it differs by between runs; 0 where nothing is known of the
        residual."""
        if not self.residual:
            return 0.0
        return math.hypot(self.residual.deviation / math.sqrt(self.squares), EXPONENT_DEVIATION)

    def moved(self, group: Group, probe: float) -> list[float]:
        """The values of processes, no logarithms, had they had this speed."""
        return [math.exp(point.value + self.exponent * (probe - point.probe)) for point in group]

    def interval(self, group: Group, probe: float) -> Interval:
        """The geometric mean of a group at a speed; the edges are the middle where nothing is known
        of the residual."""
        away = probe - mean_probe(group)
        level = statistics.fmean(point.value for point in group) + self.exponent * away
        half = 0.0
        if self.residual:
            of_group = self.residual.deviation / math.sqrt(len(group))
            error = math.hypot(of_group, away * self.exponent_error)
            half = t_quantile(self.residual.degrees) * error
        return Interval(*(math.exp(level + sign * half) for sign in (0, -1, 1)))


def mean_probe(group: Group) -> float:
    """Of a group's processes, as a logarithm."""
    return statistics.fmean(point.probe for point in group)


def fit_speed(groups: Sequence[Group], usual: float, expected: float = -1.0) -> SpeedFit:
    """Least squares over all groups. `usual` is the deviation that identical processes mostly have,
    `expected` the exponent of what goes in proportion: -1 for a rate, 1 for a time."""
    centred = [point for group in groups for point in _centred(group)]
    seen = sum(point.probe**2 for point in centred)
    squares = seen + PRIOR_SQUARES
    products = sum(point.probe * point.value for point in centred) + expected * PRIOR_SQUARES
    exponent = products / squares
    degrees = len(centred) - len(groups) - seen / squares
    if degrees < 1:
        return SpeedFit(exponent, None, squares)
    left = sum((point.value - exponent * point.probe) ** 2 for point in centred)
    return SpeedFit(exponent, noise(Spread(math.sqrt(left / degrees), degrees), usual), squares)


def _centred(group: Group) -> list[Point]:
    value = statistics.fmean(point.value for point in group)
    probe = mean_probe(group)
    return [Point(point.value - value, point.probe - probe) for point in group]


# --- Whether the host had the same speed for all cases of a run, and what it did to them ----------


def speed_warnings(results: Sequence[Result]) -> list[Caution]:
    """Warnings of a run in some windows of which the CPU was slower than in others.

    First how much, then without that the servers under each load, the best first, or the routes of
    a service; one alone where its interval is known.
    """
    windows = windows_of(results)
    forks = max((len(result.forks) for result in results), default=0)
    return [_uneven(windows, forks), *_orders(results)] if differ(windows) else []


def compared_at_one_speed(both: Sequence[tuple[Result, Result]]) -> list[Caution]:
    """A warning for the cases that two stored runs have in common; none where the speed did not
    change, or where the CPU bounds none of them on both sides."""
    windows = windows_of(result for sides in both for result in sides)
    bounded = any(all(points_of(side, THROUGHPUT) for side in sides) for sides in both)
    if not bounded or not differ(windows):
        return []
    return [
        Caution(
            code=ORDER_CODE,
            message=f"the host's CPU took up to {_slower(windows)[0]} longer for the same work in "
            "some windows: throughput and CPU of what it bounds are compared as if it had had "
            "one speed",
        )
    ]


def _slower(windows: Sequence[tuple[float, str]]) -> tuple[str, str]:
    """By how much at most, and from where on that counts."""
    ratio = windows[-1][0] / windows[0][0]
    return units.apart(units.share, ratio - 1, SPEED_RATIO - 1)


def _uneven(windows: Sequence[tuple[float, str]], forks: int) -> Caution:
    (_, fast), (_, slow) = windows[0], windows[-1]
    slower, limit = _slower(windows)
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
    groups: dict[str, list[Result]] = {}
    for result in results:
        if result.case in speed:
            groups.setdefault(_group_name(result), []).append(result)
    for name, members in groups.items():
        found = speed[members[0].case]
        if len(members) < 2 and found.low == found.high:
            continue
        if service_of(members[0].case) is None:
            members.sort(key=lambda result: -speed[result.case].middle)
        rates = ", ".join(f"{_label(r, members)} {_rate(speed[r.case])}" for r in members)
        yield Caution(
            code=ORDER_CODE,
            message=f"{name}, had the host had one speed: {rates} (by that work; what the server's "
            "CPU bounds)",
        )


def _group_name(result: Result) -> str:
    """Of the servers under one load, or of the routes of a service."""
    return service_of(result.case) or f"{result.workload} at {result.connections} connections"


def _label(result: Result, members: Sequence[Result]) -> str:
    """What tells it from the others: the route of a service, the server of a ranking."""
    if service_of(result.case) is None:
        return result.case.split("/")[0]
    alone = [other.workload for other in members].count(result.workload) == 1
    return result.workload if alone else result.case


def _rate(found: Interval) -> str:
    text = units.rate(found.middle)
    if found.low == found.high:
        return text
    return f"{text} ± {units.share(found.high / found.middle - 1)}"


def at_one_speed(results: Sequence[Result]) -> dict[str, Interval]:
    """Answers a second of each case, had the host had one speed: that of the middle window.

    Of cases that the server's CPU bounds: they go with its speed, collecting garbage does not. By
    case; empty where the speed did not change. Where no case has two processes the edges are the
    middle.
    """
    windows = windows_of(results)
    if not differ(windows):
        return {}
    probe = math.log(statistics.median(probe_s for probe_s, _ in windows))
    groups = {result.case: group for result in results if (group := points_of(result, THROUGHPUT))}
    fitted = fit_speed(list(groups.values()), usual_of(THROUGHPUT))
    return {case: fitted.interval(group, probe) for case, group in groups.items()}


def points_of(result: Result, name: str) -> list[Point]:
    """A metric of the processes that went with the speed of the host: of a case that the server's
    CPU bounds, in windows without compiling."""
    if result.bottleneck is None or result.bottleneck.kind != "server-cpu":
        return []
    values = readings(BY_NAME[name], result.forks)
    return [
        Point(math.log(value), math.log(load.calibration_probe_s))
        for fork in result.forks
        if (load := fork.load) and not load.compiling and load.calibration_probe_s
        if (value := values.get(fork.fork))
    ]


def usual_of(metric: str) -> float:
    """The deviation that identical processes mostly have under a load that the CPU bounds."""
    known = BY_NAME[metric].noise
    return (known.busy if known else None) or 0.0


def windows_of(results: Iterable[Result]) -> list[tuple[float, str]]:
    """How long the work took in each window that may go with it, and of which case it was; the
    fastest first."""
    return sorted(
        (fork.load.calibration_probe_s, result.case)
        for result in results
        if result.bottleneck is None or result.bottleneck.kind not in DELAYED
        for fork in result.forks
        if fork.load and fork.load.calibration_probe_s
    )


def differ(windows: Sequence[tuple[float, str]]) -> bool:
    """Whether the speed of the host did, from these on, the fastest first."""
    return bool(windows) and not is_one_speed(windows[-1][0], windows[0][0])
