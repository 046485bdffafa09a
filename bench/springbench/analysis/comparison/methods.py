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
from dataclasses import dataclass, replace
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
# What changed by about as much as the others together, the other way, is taken for what they were,
# or have become, as soon as chance, not corrected for all methods, makes it so seldom.
OPPOSITE_RATIOS = (0.6, 1.5)
OPPOSITE_P = 0.0005
# The share of a method differs between processes of one build, since compilers differ. How much is
# estimated for each, with so many degrees of freedom from what it is for all, and that is at least
# so much of the share, or of a request: C2 compiles some methods in another way each time, which is
# at most some per cent of a request, and nothing tells which.
PRIOR_DEGREES = 8
LEAST_DEVIATION = 0.25
LEAST_DEVIATION_OF_C1 = 0.05
MOST_OF_REQUEST = 0.01
# deviations that an estimate is above its mean in one of five: what is found in four of five
FOUND_DEVIATIONS = 0.84
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

    @property
    def are_sampled(self) -> bool:
        """Whether something is left of each."""
        return all(process.samples for process in self.processes)

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
    while len(names) < MOST_METHODS and rest.are_sampled:
        if (name := _most_changed(rest, least_deviation)) is None:
            break
        names.append(name)
        taken.append(rest)
        rest = rest.without(name)
    if not names or not rest.are_sampled:
        return []
    grew = sum(change.grew for change in _changes(whole, names, taken, rest))
    if name := _opposite(rest, grew, least_deviation):
        names.append(name)
        taken.append(rest)
        rest = rest.without(name)
    changes = _changes(whole, names, taken, rest) if rest.are_sampled else []
    return sorted(changes, key=lambda change: -abs(change.grew))


def _changes(
    whole: _Sides, names: Sequence[str], taken: Sequence[_Sides], rest: _Sides
) -> list[MethodChange]:
    """Each method by what it was taken out of."""
    unit = _samples(whole.base)
    # what is left costs a request as much on head as on base
    scale = _samples(rest.base) / _samples(rest.head)
    return [
        MethodChange(
            name,
            sum(process.by_method[name] for process in sides.base) / unit,
            sum(process.by_method[name] for process in sides.head) * scale / unit,
        )
        for name, sides in zip(names, taken, strict=True)
    ]


def changed_methods_of(
    case: ComparedCase, event: ProfiledEvent, pairs: Sequence[PairRecord]
) -> list[MethodChange]:
    """Those of a case in pairs of processes; none where fewer than two were sampled."""
    base, head = _stacks(case, event, pairs)
    return changed_methods(base, head, _least_deviation(case)) if len(base) > 1 else []


def detectable_share(
    base: Sequence[Sequence[Stack]],
    head: Sequence[Sequence[Stack]],
    least_deviation: float = LEAST_DEVIATION,
) -> float:
    """Of a request: what a new method must cost to be found with 80 % probability by processes like
    these, as for `changed_methods`; 1 where none would be."""
    sides = _Sides(*([_process(stacks) for stacks in side] for side in (base, head)))
    rows, (deviation, _) = _comparable(sides)
    chance = statistics.fmean(1 / process.samples for process in sides.processes)

    def is_found(share: float) -> bool:
        row = _new_method(share, chance, len(base), deviation, least_deviation)
        p_value = row.p_value(deviation, least_deviation, less=FOUND_DEVIATIONS)
        return p_value * (len(rows) + 1) <= SURE_P

    if not is_found(1.0):
        return 1.0
    low, high = LEAST_SHARE, 1.0
    while high - low > LEAST_SHARE / 10:
        middle = (low + high) / 2
        low, high = (low, middle) if is_found(middle) else (middle, high)
    return high


def detectable_share_of(
    case: ComparedCase, event: ProfiledEvent, pairs: Sequence[PairRecord]
) -> float:
    """That of a case, by pairs of which two were sampled at least."""
    base, head = _stacks(case, event, pairs)
    return detectable_share(base, head, _least_deviation(case))


def _stacks(
    case: ComparedCase, event: ProfiledEvent, pairs: Sequence[PairRecord]
) -> tuple[list[list[Stack]], list[list[Stack]]]:
    """Those of the processes of base, and of head."""
    sampled = [both for pair in pairs if (both := pair.sampled(case.case, event)) is not None]
    return [base.stacks() for base, _ in sampled], [head.stacks() for _, head in sampled]


def _least_deviation(case: ComparedCase) -> float:
    return LEAST_DEVIATION_OF_C1 if case.by_first_compiler else LEAST_DEVIATION


def _process(stacks: Sequence[Stack]) -> _Process:
    return _Process([(with_itself(frames), samples) for frames, samples in stacks])


def _samples(processes: Iterable[_Process]) -> int:
    return sum(process.samples for process in processes)


def _most_changed(sides: _Sides, least_deviation: float) -> str | None:
    """The method that explains most; of a chain that changed alike, the innermost."""
    return _innermost(list(_candidates(sides, least_deviation)), sides)


def _opposite(sides: _Sides, grew: float, least_deviation: float) -> str | None:
    """The method that others, which grew by so much of a request together, seem to have their cost
    from, or have lost it to. In which frames a profiler finds some code differs from process to
    process, and may do so between base and head by chance."""
    rows, deviations = _comparable(sides)
    least, most = OPPOSITE_RATIOS
    return _innermost(
        [
            row
            for row in rows
            if row.grew * grew < 0
            and least * abs(grew) <= abs(row.grew) <= most * abs(grew)
            and row.p_value(deviations[row.is_itself], least_deviation) <= OPPOSITE_P
        ],
        sides,
    )


def _innermost(candidates: Sequence[_Row], sides: _Sides) -> str | None:
    """Of these the one that explains most; of a chain that changed alike, the innermost."""
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


def _comparable(sides: _Sides) -> tuple[list[_Row], list[float]]:
    """The methods that are compared, and by how much the cost of one differs between processes of
    one build, with all that it calls, and itself."""
    methods = {method for process in sides.processes for method in process.by_method}
    every = (_row(method, sides) for method in methods)
    rows = [row for row in every if row.mean >= LEAST_SHARE / 2 and not row.is_around]
    # apart: what a compiler inlines moves between a method and those that it calls
    by_kind = ([row for row in rows if row.is_itself == itself] for itself in (False, True))
    return rows, [_deviation(of_kind) for of_kind in by_kind]


def _candidates(sides: _Sides, least_deviation: float) -> Iterator[_Row]:
    """The methods that surely changed."""
    rows, deviations = _comparable(sides)
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

    def prior_variance(self, deviation: float, least_deviation: float) -> float:
        """More than chance: of the share of a method whose cost has that deviation."""
        least = min(least_deviation * self.scale, MOST_OF_REQUEST)
        return max(deviation * self.scale, least) ** 2

    def p_value(self, deviation: float, least_deviation: float, less: float = 0.0) -> float:
        """That processes of one build differ so, where the cost of a method has that deviation
        between them: Welch's statistic, with degrees of freedom by Satterthwaite (1946), and so
        much less than it is."""
        degrees = PRIOR_DEGREES + 2 * (self.processes - 1)
        prior = self.prior_variance(deviation, least_deviation) * PRIOR_DEGREES
        own = max(0.0, self.more_than_chance) * (degrees - PRIOR_DEGREES)
        more = (prior + own) / degrees
        variance = 2 * (self.chance + more) / self.processes
        if not variance:
            return 1.0
        # chance is known: only the rest is estimated
        effective = degrees * ((self.chance + more) / more) ** 2 if more else math.inf
        statistic = max(0.0, abs(self.grew) / math.sqrt(variance) - less)
        return two_sided_p(statistic, min(effective, 1e6))


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


def _new_method(
    share: float, chance: float, processes: int, deviation: float, least_deviation: float
) -> _Row:
    """One that differs between processes as others do; `chance` is that of a single sample."""
    mean = share / 2
    by_chance = mean * (1 - mean) * chance
    row = _Row("", 0.0, share, by_chance, by_chance, processes, share)
    return replace(row, within=by_chance + row.prior_variance(deviation, least_deviation))


def _deviation(rows: Sequence[_Row]) -> float:
    """By how much the cost of a method differs between processes of one build, in units of it."""
    least, most = TELLING_SHARES
    telling = [row for row in rows if least <= row.mean <= most]
    total = sum(row.scale**2 for row in telling)
    found = sum(row.more_than_chance for row in telling) / total if total else 0.0
    return math.sqrt(max(0.0, found))
