"""Which methods cost a request more than before, or less: by samples of both sides. Pure.

A host that is slower for a while slows all methods alike, so the share of a method hardly differs
between processes of one build, and a per cent of a request is a fifth of a method. What changed is
taken out, one method after the other with all that it calls; what is left is taken as unchanged.

A loop that is added to a method which calls half of the program hardly moves the share of the two
together. So what each method does itself, without those that it calls, is compared as well.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from springbench.analysis.comparison.verdicts import ComparedCase
from springbench.analysis.intervals import two_sided_p
from springbench.analysis.profiles import MethodChange
from springbench.results.comparison import PairRecord, ProfiledEvent
from springbench.results.stacks import ITSELF, Stack, with_itself

# less of a request's whole CPU time than this is not worth a word
LEAST_SHARE = 0.005
# of its own cost so much must be new or gone: what calls everything changes with everything
LEAST_NEW = 0.1
# methods that changed by so much of what the best did are a chain with it
ALIKE = 0.8
MOST_METHODS = 5
# for all methods of a case together
SURE_P = 0.0002
# The share of a method differs between processes of one build, since compilers differ. How much is
# estimated for each, with so many degrees of freedom from what it is for all, and that is at least
# so much of the share, or of a request: C2 compiles some methods in another way each time, which is
# at most some per cent of a request, and nothing tells which.
PRIOR_DEGREES = 8
LEAST_DEVIATION = 0.25
LEAST_DEVIATION_OF_C1 = 0.05
MOST_OF_REQUEST = 0.01
# so many where there were none: their root is beyond what chance makes of some hundred methods
DETECTED_SAMPLES = 26
# shares that tell it
TELLING_SHARES = (0.02, 0.5)
# What is around so much of all that a process does is no part of a request. Whether a profiler
# walks up to it, past the frames that mount a virtual thread, differs from process to process.
AROUND_SHARE = 0.7


@dataclass(frozen=True)
class _Process:
    """Stacks of one process, and the samples of each method with all that it calls, and itself."""

    stacks: Sequence[Stack]

    @cached_property
    def samples(self) -> int:
        return sum(samples for _, samples in self.stacks)

    @cached_property
    def by_method(self) -> Counter[str]:
        totals: Counter[str] = Counter()
        for frames, samples in self.stacks:
            for frame in set(frames):
                totals[frame] += samples
        return totals

    def share(self, method: str) -> float:
        return self.by_method[method] / self.samples

    def without(self, method: str) -> _Process:
        return _Process([stack for stack in self.stacks if method not in stack[0]])


class _Sides(NamedTuple):
    """The processes of both sides, as many of each."""

    base: Sequence[_Process]
    head: Sequence[_Process]

    @property
    def processes(self) -> list[_Process]:
        return [*self.base, *self.head]

    def without(self, method: str) -> _Sides:
        return _Sides(*([process.without(method) for process in side] for side in self))


def changed_methods(
    base: Sequence[Sequence[Stack]],
    head: Sequence[Sequence[Stack]],
    least_deviation: float = LEAST_DEVIATION,
) -> list[MethodChange]:
    """Those that surely changed, the one that explains most first. `base` and `head` are the
    stacks of as many processes, two at least; none of them may be empty."""
    whole = rest = _Sides(*([_process(stacks) for stacks in side] for side in (base, head)))
    names: list[str] = []
    taken: list[_Sides] = []
    while len(names) < MOST_METHODS and all(process.samples for process in rest.processes):
        if (name := _most_changed(rest, least_deviation)) is None:
            break
        names.append(name)
        taken.append(rest)
        rest = rest.without(name)
    if not names or not all(process.samples for process in rest.processes):
        return []
    unit = _samples(whole.base)
    # what is left costs a request as much on head as on base
    scale = _samples(rest.base) / _samples(rest.head)
    changes = [
        MethodChange(
            name,
            sum(process.by_method[name] for process in sides.base) / unit,
            sum(process.by_method[name] for process in sides.head) * scale / unit,
        )
        for name, sides in zip(names, taken, strict=True)
    ]
    return sorted(changes, key=lambda change: -abs(change.grew))


def changed_methods_of(
    case: ComparedCase, event: ProfiledEvent, pairs: Sequence[PairRecord]
) -> list[MethodChange]:
    """Those of a case in pairs of processes; none where fewer than two were sampled."""
    sampled = [both for pair in pairs if (both := pair.sampled(case.case, event)) is not None]
    if len(sampled) < 2:
        return []
    base, head = ([both[side].stacks() for both in sampled] for side in (0, 1))
    least = LEAST_DEVIATION_OF_C1 if case.by_first_compiler else LEAST_DEVIATION
    return changed_methods(base, head, least)


def detectable_share(samples: int) -> float:
    """Of a request: what a new method must cost to be found by so many samples of each side, among
    some hundred methods. Of 0 and n samples the score test's statistic is the root of n."""
    return max(LEAST_SHARE, DETECTED_SAMPLES / samples)


def _process(stacks: Sequence[Stack]) -> _Process:
    return _Process([(with_itself(frames), samples) for frames, samples in stacks])


def _samples(processes: Iterable[_Process]) -> int:
    return sum(process.samples for process in processes)


def _most_changed(sides: _Sides, least_deviation: float) -> str | None:
    """The method that explains most; of a chain that changed alike, the innermost."""
    candidates = list(_candidates(sides, least_deviation))
    best = max(candidates, key=lambda candidate: candidate.score, default=None)
    if best is None:
        return None
    alike = [
        candidate
        for candidate in candidates
        if candidate.grew / best.grew >= ALIKE and candidate.score >= ALIKE * best.score
    ]
    names = {candidate.method for candidate in alike}
    # what it calls did not change, or it calls nothing: then the method is named, and not a part
    whole = [c for c in alike if not (c.is_itself and c.method.removesuffix(ITSELF) in names)]
    depths = _depths(sides)
    return min(whole, key=lambda c: (c.mean, -depths[c.method])).method


def _depths(sides: _Sides) -> dict[str, int]:
    """How far from the outermost each method was met."""
    depths: dict[str, int] = {}
    for process in sides.processes:
        for frames, _ in process.stacks:
            for depth, frame in enumerate(frames):
                depths[frame] = max(depth, depths.get(frame, 0))
    return depths


def _candidates(sides: _Sides, least_deviation: float) -> Iterator[_Row]:
    """The methods that surely changed."""
    methods = {method for process in sides.processes for method in process.by_method}
    every = (_row(method, sides) for method in methods)
    rows = [row for row in every if row.mean >= LEAST_SHARE / 2 and not row.is_around]
    # apart: what a compiler inlines moves between a method and those that it calls
    deviations = [
        _deviation([row for row in rows if row.is_itself == is_]) for is_ in (False, True)
    ]
    for row in rows:
        large = abs(row.grew) >= max(LEAST_SHARE, LEAST_NEW * row.larger)
        deviation = deviations[row.is_itself]
        if large and row.p_value(deviation, least_deviation) * len(rows) <= SURE_P:
            yield row


@dataclass(frozen=True)
class _Row:
    """The shares of a method. `chance` is the variance of one by how many samples there are,
    `within` that between processes of one build."""

    method: str
    base: float
    head: float
    chance: float
    within: float
    processes: int
    """Of each side."""
    most: float
    """The share in the process where it is largest."""

    @property
    def is_around(self) -> bool:
        """Whether it is around all that is done, and no part of it."""
        return self.most > AROUND_SHARE and not self.is_itself

    @property
    def is_itself(self) -> bool:
        """Whether what the method calls is left out."""
        return self.method.endswith(ITSELF)

    @property
    def mean(self) -> float:
        return (self.base + self.head) / 2

    @property
    def larger(self) -> float:
        return max(self.base, self.head)

    @property
    def grew(self) -> float:
        return self.head - self.base

    @property
    def score(self) -> float:
        """What it cost before, it does not explain."""
        return self.grew * self.grew / self.larger

    @property
    def scale(self) -> float:
        """By how much a share moves where its cost changes by a small part of itself."""
        return self.mean * (1 - self.mean)

    @property
    def more_than_chance(self) -> float:
        """Variance between processes of one build; chance may leave it below 0."""
        return self.within - self.chance

    def p_value(self, deviation: float, least_deviation: float) -> float:
        """That processes of one build differ so, where the cost of a method has that deviation
        between them: Welch's statistic, with degrees of freedom by Satterthwaite (1946)."""
        degrees = PRIOR_DEGREES + 2 * (self.processes - 1)
        least = min(least_deviation * self.scale, MOST_OF_REQUEST)
        prior = max(deviation * self.scale, least) ** 2 * PRIOR_DEGREES
        own = max(0.0, self.more_than_chance) * (degrees - PRIOR_DEGREES)
        more = (prior + own) / degrees
        variance = 2 * (self.chance + more) / self.processes
        if not variance:
            return 1.0
        # chance is known: only the rest is estimated
        effective = degrees * ((self.chance + more) / more) ** 2 if more else math.inf
        return two_sided_p(self.grew / math.sqrt(variance), min(effective, 1e6))


def _row(method: str, sides: _Sides) -> _Row:
    base, head = ([process.share(method) for process in side] for side in sides)
    mean = statistics.fmean([*base, *head])
    return _Row(
        method,
        statistics.fmean(base),
        statistics.fmean(head),
        mean * (1 - mean) * statistics.fmean(1 / process.samples for process in sides.processes),
        statistics.fmean((statistics.variance(base), statistics.variance(head))),
        len(base),
        max(*base, *head),
    )


def _deviation(rows: Sequence[_Row]) -> float:
    """By how much the cost of a method differs between processes of one build, in units of it."""
    least, most = TELLING_SHARES
    telling = [row for row in rows if least <= row.mean <= most]
    total = sum(row.scale**2 for row in telling)
    found = sum(row.more_than_chance for row in telling) / total if total else 0.0
    return math.sqrt(max(0.0, found))
