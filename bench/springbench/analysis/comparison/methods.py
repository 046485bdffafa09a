"""Which methods cost a request more than before, or less: by samples of both sides. Pure.

A host that is slower for a while slows all methods alike, so the share of a method hardly differs
between processes of one build, and a per cent of a request is a fifth of a method. What changed is
taken out, one method after the other with all that it calls; what is left is taken as unchanged.

A loop that is added to a method which calls half of the program hardly moves the share of the two
together. So what each method does itself, without those that it calls, is compared as well. And of
a new method around what was there before, as a filter is, only that counts.
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
from springbench.results.stacks import ITSELF, Frames, Stack, with_itself

# less of a request's whole CPU time than this is not worth a word
LEAST_SHARE = 0.005
# of its own cost so much must be new or gone: what calls everything changes with everything
LEAST_NEW = 0.1
# methods that changed by so much of what the best did are a chain with it
ALIKE = 0.8
MOST_METHODS = 5
# for all methods of a case together
SURE_P = 0.0002
# of what is missing without a method's stacks so much less is missing in all: then it lies in these
STILL_THERE = 0.5
# of a method that is around others: then what it does itself is seen best without its frame
MOSTLY = 0.7
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

    def share_of_any(self, methods: set[str]) -> float:
        """Of samples in one of them, or in several."""
        samples = (samples for frames, samples in self.stacks if not methods.isdisjoint(frames))
        return sum(samples) / self.samples

    def without(self, method: str) -> _Process:
        return _Process([stack for stack in self.stacks if method not in stack[0]])

    def passing(self, methods: set[str]) -> _Process:
        """As if what these methods call was called by their callers."""
        return _Process([(_passing(frames, methods), samples) for frames, samples in self.stacks])


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

    def passing(self, methods: set[str]) -> _Sides:
        return _Sides(*([process.passing(methods) for process in side] for side in self))

    def mean(self, method: str) -> float:
        """The mean share of a method."""
        return statistics.fmean(process.share(method) for process in self.processes)

    def both(self, method: str, other: str) -> int:
        """Samples of both methods together."""
        return sum(
            samples
            for process in self.processes
            for frames, samples in process.stacks
            if method in frames and other in frames
        )


@dataclass(frozen=True)
class _Found:
    """Methods in the order in which they were taken out, each with the sides that it was taken out
    of, and what is left of the whole."""

    whole: _Sides
    taken: Sequence[tuple[str, _Sides]]
    rest: _Sides

    def with_next(self, method: str) -> _Found:
        taken = [*self.taken, (method, self.rest)]
        return _Found(self.whole, taken, self.rest.without(method))

    @cached_property
    def changes(self) -> list[MethodChange]:
        """Each by what it was taken out of; none where nothing is left, which tells how much a
        request is."""
        if not self.rest.are_sampled:
            return []
        unit = _samples(self.whole.base)
        # what is left costs a request as much on head as on base
        scale = _samples(self.rest.base) / _samples(self.rest.head)
        return [
            MethodChange(
                name,
                sum(process.by_method[name] for process in sides.base) / unit,
                sum(process.by_method[name] for process in sides.head) * scale / unit,
            )
            for name, sides in self.taken
        ]

    @cached_property
    def wrappers(self) -> list[tuple[MethodChange, list[MethodChange]]]:
        """Methods that are new, or gone, around what the other side has as well, each with that: it
        seems to have changed the other way where the stacks of the wrapper are left out."""
        changes = self.changes
        inside: dict[str, list[MethodChange]] = {}
        for number, change in enumerate(changes):
            if abs(_row(change.method, self.whole).grew) >= STILL_THERE * abs(change.grew):
                continue
            together = {
                other.method: self.whole.both(other.method, change.method)
                for other in changes[:number]
                if other.grew * change.grew < 0
            }
            if any(together.values()):
                wrapper = max(together, key=together.__getitem__)
                inside.setdefault(wrapper, []).append(change)
        return [(change, inside[change.method]) for change in changes if change.method in inside]


def changed_methods(
    base: Sequence[Sequence[Stack]],
    head: Sequence[Sequence[Stack]],
    least_deviation: float = LEAST_DEVIATION,
) -> list[MethodChange]:
    """Those that surely changed, the one that explains most first. `base` and `head` are the
    stacks of as many processes, two at least; none of them may be empty."""
    whole = _Sides(*([_process(stacks) for stacks in side] for side in (base, head)))
    found = _find(whole, least_deviation)
    passed: set[str] = set()
    while methods := _mere_wrappers(found, least_deviation) - passed:
        passed |= methods
        found = _find(found.whole.passing(methods), least_deviation)
    return sorted(_merged(found), key=lambda change: -abs(change.grew))


def _mere_wrappers(found: _Found, least_deviation: float) -> set[str]:
    """Those of which most is what they are around, or that do not surely cost more, or less."""
    wrappers = found.wrappers
    rows, (deviation, _) = _comparable(found.whole) if wrappers else ([], (0.0, 0.0))
    mere = set()
    for wrapper, inside in wrappers:
        methods = {change.method for change in (wrapper, *inside)}
        base, head = ([process.share_of_any(methods) for process in side] for side in found.whole)
        together = _row_of(wrapper.method, base, head, found.whole)
        if (
            -sum(change.grew for change in inside) / wrapper.grew >= MOSTLY
            or together.p_value(deviation, least_deviation) * len(rows) > SURE_P
        ):
            mere.add(wrapper.method)
    return mere


def _merged(found: _Found) -> list[MethodChange]:
    """The changes, of wrappers without what they are around."""
    wrappers = found.wrappers
    net = {
        wrapper.method: wrapper.grew + sum(change.grew for change in inside)
        for wrapper, inside in wrappers
    }
    inner = {change.method for _, inside in wrappers for change in inside}
    return [
        MethodChange(name, max(0.0, -net[name]), max(0.0, net[name])) if name in net else change
        for change in found.changes
        if (name := change.method) not in inner
    ]


def _find(whole: _Sides, least_deviation: float) -> _Found:
    """Methods that surely changed."""
    found = _Found(whole, (), whole)
    while len(found.taken) < MOST_METHODS and found.rest.are_sampled:
        if (name := _most_changed(found.rest, least_deviation)) is None:
            break
        found = found.with_next(name)
    return found


def _passing(frames: Frames, methods: set[str]) -> Frames:
    """The frames without those methods, but where one is at work itself."""
    if methods.isdisjoint(frames):
        return frames
    begin = len(frames) - 2 if frames[-1].endswith(ITSELF) else len(frames)
    return (*(frame for frame in frames[:begin] if frame not in methods), *frames[begin:])


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
    every = (_row(method, sides) for method in methods if sides.mean(method) >= LEAST_SHARE / 2)
    rows = [row for row in every if not row.is_around]
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
    return _row_of(method, base, head, sides)


def _row_of(name: str, base: Sequence[float], head: Sequence[float], sides: _Sides) -> _Row:
    """Of shares by process."""
    mean = statistics.fmean([*base, *head])
    return _Row(
        name,
        statistics.fmean(base),
        statistics.fmean(head),
        mean * (1 - mean) * statistics.fmean(1 / process.samples for process in sides.processes),
        statistics.fmean((_variance(base), _variance(head))),
        len(base),
        max(*base, *head),
    )


def _variance(values: Sequence[float]) -> float:
    """As `statistics.variance`, which calculates with fractions, and thirty times as long."""
    mean = statistics.fmean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


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
