"""Histories that nobody measured, with noise that somebody did, and what is true of each."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from evaluation.finder.noise import Noise

COMMITS = 100
FIRST_CHANGE, LAST_CHANGE = 35, 75
FIRST_LOOK, LOOK_BEFORE, LOOK_AFTER = 10, 5, 25
STEPS = (0.02, 0.03, 0.05, 0.10, 0.20)
HOSTS = ("kernel 6.8; image 20261101; jdk 25.0.3", "kernel 6.11; image 20261108; jdk 25.0.3")


@dataclass(frozen=True)
class Truth:
    """A change of the program: the first commit that has it, and by how much (a logarithm).

    A drift lasts for `commits`.
    """

    commit: int
    change: float
    commits: int = 1


@dataclass(frozen=True)
class History:
    """One series of a value of which more is better; `levels` are the true ones, as logarithms."""

    kind: str
    levels: tuple[float, ...]
    logs: tuple[float, ...]
    environments: tuple[str, ...]
    truths: tuple[Truth, ...]
    probes_s: tuple[float, ...] = ()
    """What the CPU probe of each run took; empty where there is none."""

    @property
    def looked_at(self) -> range:
        """The commits after which the rules are asked: around the changes, or all but the first."""
        if not self.truths:
            return range(FIRST_LOOK, len(self.logs))
        last = max(truth.commit + truth.commits for truth in self.truths)
        begin = min(truth.commit for truth in self.truths) - LOOK_BEFORE
        return range(begin, min(len(self.logs), last + LOOK_AFTER))


def histories(count: int, deviation: float, noise: Noise, seed: int) -> Iterator[History]:
    """So many histories, of every kind in turn; half of the quiet ones have a trap in them."""
    random = Random(seed)  # noqa: S311 - drawn, not secret
    kinds = [
        *(["quiet"] * 4),
        "spike",
        "bad runs",
        "new host",
        *[f"step {size:.0%}" for size in STEPS for _ in range(2)],
        "drift",
        "comes back",
        "two steps",
    ]
    for number in range(count):
        yield _history(kinds[number % len(kinds)], deviation, noise, random)


def _history(kind: str, deviation: float, noise: Noise, random: Random) -> History:
    truths = tuple(_truths(kind, random))
    levels = [
        math.log(1000) + sum(_share(truth, commit) * truth.change for truth in truths)
        for commit in range(COMMITS)
    ]
    shown = list(levels)
    environments = [HOSTS[0]] * COMMITS
    position = random.randint(FIRST_CHANGE, LAST_CHANGE)
    sign = random.choice((-1, 1))
    if kind == "spike":
        shown[position] += sign * random.uniform(0.1, 0.6)
    elif kind == "bad runs":
        for commit in (position, position + 1):
            shown[commit] -= random.uniform(0.1, 0.4)
    elif kind == "new host":
        shift = sign * random.uniform(0.03, 0.15)
        for commit in range(position, COMMITS):
            shown[commit] += shift
            environments[commit] = HOSTS[1]
    logs = tuple(value + noise.fork(deviation, random) for value in shown)
    return History(kind, tuple(levels), logs, tuple(environments), truths)


def _truths(kind: str, random: Random) -> Iterator[Truth]:
    position = random.randint(FIRST_CHANGE, LAST_CHANGE)
    sign = random.choice((-1, 1))
    if kind.startswith("step "):
        size = float(kind.removeprefix("step ").removesuffix("%")) / 100
        yield Truth(position, sign * math.log1p(size))
    elif kind == "drift":
        yield Truth(
            random.randint(20, 40), sign * random.uniform(0.06, 0.15), random.randint(40, 55)
        )
    elif kind == "comes back":
        change = sign * random.uniform(0.04, 0.2)
        yield Truth(position, change)
        yield Truth(position + random.randint(8, 20), -change)
    elif kind == "two steps":
        yield Truth(position, -random.uniform(0.04, 0.15))
        yield Truth(position + random.randint(5, 8), -random.uniform(0.04, 0.15))


def _share(truth: Truth, commit: int) -> float:
    """How much of a change a commit has."""
    return min(1.0, max(0.0, (commit - truth.commit + 1) / truth.commits))
