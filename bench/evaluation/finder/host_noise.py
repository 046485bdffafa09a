"""Noise of hosts as they are: a slow one stays slow for a while, and some points are far off.

Each kind draws the logarithms of so many points around 0. All deviate by as much but that of two
speeds.
"""

from __future__ import annotations

import itertools
import json
import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from random import Random

from evaluation.finder.histories import HOSTS, History, Truth
from evaluation.recorded import RECORDED

DEVIATION = 0.03
COMMITS = 120
CHANGES = (0.0, 0.05, 0.10)
FIRST_CHANGE, LAST_CHANGE = 50, 80
SPEED_RATIO, SPEED_CHANGES = 0.8, 1 / 20
"""The second speed of a host, and how probably the next point has the other one."""
WALK = 0.1
"""By so many deviations the level of a drifting host moves from point to point."""
BLOCK = 20
SPEED_FILE = RECORDED / "host" / "speed.json"

PROBED = "two speeds, with the CPU probe"
PROBE_DEVIATION = 0.01

Draw = Callable[[Random, int], list[float]]


def _independent(random: Random, points: int) -> list[float]:
    return [random.gauss(0, DEVIATION) for _ in range(points)]


def _autocorrelated(random: Random, points: int, *, by: float) -> list[float]:
    last = random.gauss(0, DEVIATION)
    values = []
    for noise in _independent(random, points):
        last = by * last + math.sqrt(1 - by**2) * noise
        values.append(last)
    return values


def _two_speeds(random: Random, points: int) -> list[float]:
    speeds = _speeds(random, points)
    return [noise + at for noise, at in zip(_independent(random, points), speeds, strict=True)]


def _speeds(random: Random, points: int) -> list[float]:
    slow = random.random() < 1 / 2
    speeds = []
    for _ in range(points):
        slow ^= random.random() < SPEED_CHANGES
        speeds.append(slow * math.log(SPEED_RATIO))
    return speeds


def _probes_s(random: Random, points: int) -> tuple[float, ...]:
    """What a probe tells of the speeds that the same random numbers draw."""
    speeds = _speeds(random, points)
    return tuple(0.05 * math.exp(random.gauss(0, PROBE_DEVIATION) - at) for at in speeds)


def _drifting(random: Random, points: int) -> list[float]:
    walk = itertools.accumulate(random.gauss(0, WALK * DEVIATION) for _ in range(points))
    return [0.8 * noise + at for noise, at in zip(_independent(random, points), walk, strict=True)]


def _heavy_tails(random: Random, points: int) -> list[float]:
    """Student's t of three degrees of freedom."""
    return [
        noise / math.sqrt(sum(random.gauss(0, 1) ** 2 for _ in range(3)))
        for noise in _independent(random, points)
    ]


@cache
def _recorded() -> Sequence[float]:
    """The logarithm of the speed of a host, half minute by half minute, with a deviation of 1."""
    work_s = json.loads(SPEED_FILE.read_text(encoding="utf-8"))["work_s"]
    logs = [-math.log(value) for value in work_s]
    middle, deviation = statistics.fmean(logs), statistics.stdev(logs)
    return [(value - middle) / deviation for value in logs]


def _blocks(random: Random, points: int) -> list[float]:
    recorded = _recorded()
    values: list[float] = []
    while len(values) < points:
        begin = random.randrange(len(recorded) - BLOCK + 1)
        values += [DEVIATION * value for value in recorded[begin : begin + BLOCK]]
    return values[:points]


KINDS: dict[str, Draw] = {
    "independent": _independent,
    **{f"autocorrelation {by}": partial(_autocorrelated, by=by) for by in (0.3, 0.6, 0.9)},
    "two speeds, 1.0 and 0.8": _two_speeds,
    PROBED: _two_speeds,
    "drifting (random walk)": _drifting,
    "heavy tails (Student, 3)": _heavy_tails,
    "blocks of a recorded host": _blocks,
}


def host_histories(count: int, seed: int) -> Iterator[History]:
    """So many histories of each kind of noise and of each change: none, or a step."""
    for name, draw in KINDS.items():
        for change in CHANGES:
            for number in range(count):
                seeded = f"{seed} {name} {number}"
                random = Random(seeded)  # noqa: S311 - drawn, not secret
                logs = draw(random, COMMITS)
                position = random.randint(FIRST_CHANGE, LAST_CHANGE)
                truth = Truth(position, random.choice((-1, 1)) * math.log1p(change))
                levels = [math.log(1000) + truth.change * (at >= position) for at in range(COMMITS)]
                yield History(
                    f"{name}, {change:.0%}",
                    tuple(levels),
                    tuple(level + noise for level, noise in zip(levels, logs, strict=True)),
                    (HOSTS[0],) * COMMITS,
                    (truth,) if change else (),
                    _probes_s(Random(seeded), COMMITS) if name == PROBED else (),  # noqa: S311
                )
