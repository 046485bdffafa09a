"""Executes a comparison: rounds of fork pairs within a time budget, then the verdicts.

Screening gives every variant the same number of pairs. What looks like a change then is
measured again with fresh pairs. What is settled gets no more, nor what the pairs that are left
could not settle; and a pair goes only through the stages that an open finding needs.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property

from springbench import units
from springbench.analysis.comparison.facts import evaluate_bottlenecks, evaluate_facts
from springbench.analysis.comparison.paired import (
    Evaluated,
    as_record,
    compiling_cases,
    confirms,
    evaluate_pairs,
    load_bottleneck_cases,
    without_rates,
)
from springbench.analysis.comparison.verdicts import MIN_PAIRS, OF_THE_START, ComparedCase
from springbench.analysis.limits import evaluate_head
from springbench.compare.groups import Measure, VariantPairs, measure_group
from springbench.plan.countdown import Countdown, Step
from springbench.report.progress import SAY_EVERY_S, ticking
from springbench.results.comparison import (
    FactRecord,
    FindingRecord,
    HeadLimitRecord,
    PairRecord,
    Verdict,
)

logger = logging.getLogger(__name__)

SCREENING_PAIRS = 2
MAX_PAIRS = 10
MAX_FAILED = 2
CONFIRMING_PAIRS = 2
# fewer do not show how noisy a variant is
HOPELESS_FROM_PAIRS = 3
# kept back for stopping the last processes and writing the report
RESERVE_S = 5.0
# a pair may take a little longer than all of its kind did; of several, some take less
LONGER_RATIO = 0.05
Stages = tuple[str, ...]
"""What a pair goes through; those that go through the same take about as long."""


class Priority(IntEnum):
    """How much a finding needs another pair."""

    NEEDS_CONFIRMATION = 0
    UNDECIDED = 1
    SETTLED = 2


@dataclass
class TimeBudget:
    """Seconds in all, which begin with `begin`."""

    budget_s: float
    clock: Callable[[], float] = time.monotonic
    _begin_s: float = 0.0
    _longest_s: dict[Stages, float] = field(default_factory=dict)

    def begin(self) -> None:
        """Count from now on."""
        self._begin_s = self.clock()

    @property
    def elapsed_s(self) -> float:
        """Time used so far."""
        return self.clock() - self._begin_s

    @property
    def left_s(self) -> float:
        """Time left; never below 0."""
        return max(0.0, self.budget_s - self.elapsed_s)

    @contextmanager
    def pair(self, stages: Stages) -> Iterator[None]:
        """Note how long the pair that is measured in this block takes."""
        begin_s = self.clock()
        yield
        took_s = self.clock() - begin_s
        self._longest_s[stages] = max(took_s, self._longest_s.get(stages, 0.0))

    def fits(self, *pairs: Stages, saved_s: float = 0.0) -> bool:
        """Whether these pairs can end in time: each takes as long as the longest of its kind so
        far, or of all.

        One of a new kind that leaves loads out takes `saved_s` less than the longest.
        """
        new_s = max(0.0, self._pair_s - saved_s)
        pairs_s = [self._longest_s.get(stages, new_s) for stages in pairs]
        spare_s = RESERVE_S + max(pairs_s) * LONGER_RATIO
        return self.elapsed_s + sum(pairs_s) + spare_s <= self.budget_s

    def more_of_each(self, variants: int) -> int:
        """How many pairs more each variant gets, were the time left shared; one at least."""
        round_s = self._pair_s * variants
        return max(1, math.floor((self.budget_s - self.elapsed_s) / round_s) if round_s else 0)

    @property
    def _pair_s(self) -> float:
        return max(self._longest_s.values(), default=0.0)


@dataclass(frozen=True)
class _Candidate:
    verdict: Verdict
    since: int
    """How many pairs there were when it was found."""


@dataclass
class CandidateChanges:
    """Changes that pairs showed, by case and metric: only pairs that come after can confirm one."""

    _found: dict[tuple[str, str], _Candidate] = field(default_factory=dict)

    def note(self, evaluated: Evaluated, pairs: int) -> None:
        """Remember after how many pairs a change was found.

        One that is found again, or in the other direction, is a new candidate: the pairs that
        showed it are not fresh.
        """
        name, verdict = _name(evaluated), evaluated.finding.verdict
        if not evaluated.finding.is_change:
            self._found.pop(name, None)
        elif name not in self._found or self._found[name].verdict != verdict:
            self._found[name] = _Candidate(verdict, pairs)

    def confirmed(self, evaluated: Evaluated, pairs: Sequence[PairRecord]) -> bool | None:
        """Whether the pairs since then say the same; None where no change was."""
        candidate = self._found.get(_name(evaluated))
        if candidate is None or candidate.verdict != evaluated.finding.verdict:
            return None
        return confirms(evaluated, pairs[candidate.since :])

    def is_settled(self, evaluated: Evaluated, pairs: Sequence[PairRecord]) -> bool:
        """Whether no further pair is needed for a change that was noted."""
        fresh = len(pairs) - self._found[_name(evaluated)].since
        return fresh >= CONFIRMING_PAIRS or self.confirmed(evaluated, pairs) is True


def _name(evaluated: Evaluated) -> tuple[str, str]:
    return evaluated.finding.key.case, evaluated.finding.key.metric


@dataclass
class PairScheduler:
    """A comparison under way."""

    variant_pairs: Sequence[VariantPairs]
    budget_s: float
    saved: Callable[[PairScheduler], None]
    measure: Measure = measure_group
    available: Callable[[str], int] = lambda _: MAX_PAIRS
    """How many pairs of a variant there can be."""
    server_cpus: int = 0
    metrics: frozenset[str] = frozenset()
    """Those that are evaluated; all where none is named."""
    clock: Callable[[], float] = time.monotonic
    pairs: dict[str, list[PairRecord]] = field(default_factory=dict)
    interrupted: bool = False
    _candidates: CandidateChanges = field(default_factory=CandidateChanges)
    _facts: tuple[int, list[FactRecord]] | None = None
    """After how many pairs they were evaluated."""

    @cached_property
    def budget(self) -> TimeBudget:
        """Its time."""
        return TimeBudget(self.budget_s, self.clock)

    @cached_property
    def _countdown(self) -> Countdown:
        """Pairs that are sure to be measured: those of screening, and the one that goes on."""
        return Countdown(
            {
                (group.variant, number): Step("pair", group.planned_s)
                for group in map(self._loaded, self.variant_pairs)
                for number in range(min(SCREENING_PAIRS, self.available(group.variant)))
            },
            self.clock,
        )

    def execute(self) -> list[FindingRecord]:
        """Measure until all is settled or the budget is used up; then say what was found."""
        self.budget.begin()
        try:
            self._screen()
            while (group := self._next_unsettled()) is not None:
                self._measure(group)
        except KeyboardInterrupt:
            self.interrupted = True
        return self.findings()

    def findings(self) -> list[FindingRecord]:
        """Findings of the pairs measured so far."""
        return [
            as_record(evaluation, self._confirmed(evaluation)) for evaluation in self._evaluate()
        ]

    def facts(self) -> list[FactRecord]:
        """What the pairs measured so far say that is no ratio."""
        pairs = sum(map(len, self.pairs.values()))
        if self._facts is None or self._facts[0] != pairs:
            # methods take a tenth of a second for each case, and two where frames came and went
            self._facts = pairs, self._evaluate_facts()
        return self._facts[1]

    def _evaluate_facts(self) -> list[FactRecord]:
        bottlenecks = evaluate_bottlenecks(
            {group.variant: [s.case for s in group.schedules] for group in self.variant_pairs},
            self.pairs,
            self.server_cpus,
            self.findings(),
        )
        return [*evaluate_facts(self._cases, self.pairs), *bottlenecks]

    def limits(self) -> list[HeadLimitRecord]:
        """Which limits of its owner head keeps by the pairs measured so far."""
        return evaluate_head(
            {group.variant: group.limited for group in self.variant_pairs}, self.pairs
        )

    def unmeasured_cases(self) -> list[str]:
        """Cases of which there are too few pairs to say anything, for want of time."""
        return [
            case.case
            for variant, cases in self._cases.items()
            if not any(pair.status == "failed" for pair in self.pairs.get(variant, []))
            for case in cases
            if sum(self._shows(pair, case.case) for pair in self.pairs.get(variant, [])) < MIN_PAIRS
        ]

    def load_bottleneck(self) -> list[str]:
        """Cases that were measured and cannot be compared: wrk was the limit."""
        return load_bottleneck_cases(self._cases, self.pairs)

    def compiling(self) -> list[str]:
        """Cases that were measured and cannot be compared: a side never stopped compiling."""
        return compiling_cases(self._cases, self.pairs)

    def not_at_rates(self) -> dict[str, str]:
        """Cases without latencies at the constant rates that were asked for, and why."""
        return without_rates(self._cases, self.pairs)

    @property
    def _cases(self) -> dict[str, list[ComparedCase]]:
        return {group.variant: group.cases for group in self.variant_pairs}

    def _screen(self) -> None:
        """A variant is begun where all that are begun can have enough pairs: one says nothing."""
        begun: list[VariantPairs] = []
        for group in map(self._loaded, self.variant_pairs):
            owed = [
                begun_group.stages
                for begun_group in begun
                for _ in range(self._missing(begun_group))
            ]
            if self.budget.fits(*owed, *[group.stages] * self._missing(group)):
                self._measure(group)
                begun.append(group)
        for _ in range(1, SCREENING_PAIRS):
            for group in begun:
                done = len(self.pairs[group.variant])
                if done < self.available(group.variant) and self.budget.fits(group.stages):
                    self._measure(group)

    def _missing(self, group: VariantPairs) -> int:
        """How many pairs a variant needs before anything can be said; one at least."""
        done = len(self.pairs.get(group.variant, []))
        return max(1, min(MIN_PAIRS, self.available(group.variant)) - done)

    def _loaded(self, group: VariantPairs) -> VariantPairs:
        """The group, without its loads where nothing that is evaluated needs one."""
        return replace(group, schedules=()) if self._of_the_start else group

    @property
    def _of_the_start(self) -> bool:
        return bool(self.metrics) and self.metrics <= OF_THE_START

    def _shows(self, pair: PairRecord, case: str) -> bool:
        """Whether a pair went through what is evaluated of a case."""
        return _went_through(pair, case) or (self._of_the_start and pair.status == "ok")

    def _measure(self, group: VariantPairs) -> None:
        done = self.pairs.setdefault(group.variant, [])
        key = (group.variant, len(done))
        self._countdown.steps[key] = Step("pair", group.planned_s)
        self._countdown.begin(key)
        logger.info(f"{group.variant} pair {len(done) + 1}, {self._left()}")
        still = ticking(lambda: logger.info(f"  {self._left()}"), SAY_EVERY_S)
        with self.budget.pair(group.stages), still:
            done.append(self.measure(group, len(done)))
        if done[-1].status == "failed":
            logger.info(f"{group.variant} pair {len(done)} failed: {done[-1].reason}")
        self.saved(self)

    def _left(self) -> str:
        """The least time that is left, and the most: the budget ends what nothing settles."""
        least, most_s = self._countdown.left, self.budget.left_s
        most = units.duration(most_s)
        if least.over_s:
            return f"{units.duration(least.over_s)} longer than planned, at most {most} left"
        if least.total_s >= most_s:
            return f"about {most} left"
        return f"{units.duration(least.total_s)} to {most} left"

    def _next_unsettled(self) -> VariantPairs | None:
        """The variant that gains most from another pair: candidate changes first, then the fewest
        pairs.

        It has only the schedules that one of its unsettled findings needs; where no time is left
        for these, only those that a candidate needs, or the one whose finding is the surest.
        """
        evaluated, unconfirmed = self._evaluate(), self._unconfirmed_facts()
        for evaluation in evaluated:
            self._candidates.note(evaluation, len(self._pairs_of(evaluation)))
        fitting = [self._fitting(group, evaluated, unconfirmed) for group in self.variant_pairs]
        found = [candidate for candidate in fitting if candidate is not None]
        return min(found, key=lambda candidate: candidate[:2], default=(0, 0, None))[2]

    def _fitting(
        self, group: VariantPairs, evaluated: Sequence[Evaluated], unconfirmed: Collection[str]
    ) -> tuple[int, int, VariantPairs] | None:
        """How much a variant needs another pair, how many it has, and what that goes through."""
        done = len(self.pairs.get(group.variant, []))
        for least in (Priority.UNDECIDED, Priority.NEEDS_CONFIRMATION):
            required_group, priority = self._needed_loads(group, evaluated, unconfirmed, least)
            if (
                priority <= least
                and done < self.available(group.variant)
                and self._fits(required_group)
            ):
                return priority, done, required_group
        for single in self._undecided_loads(group, evaluated):
            if done < self.available(group.variant) and self._fits(single):
                return Priority.UNDECIDED, done, single
        return None

    def _undecided_loads(
        self, group: VariantPairs, evaluated: Sequence[Evaluated]
    ) -> list[VariantPairs]:
        """A group for each load with an undecided finding, the one that is nearest to a change
        first."""
        done = len(self.pairs.get(group.variant, []))
        p_values: dict[str, float] = {}
        for evaluation in evaluated:
            case, p_value = evaluation.finding.key.case, evaluation.finding.p_value
            if (
                self._group_of(evaluation) is group
                and evaluation.metric.stage != "start"
                and self._priority(evaluation, done) is Priority.UNDECIDED
            ):
                p_values[case] = min(p_value, p_values.get(case, p_value))
        loads = [schedule for schedule in group.schedules if schedule.case.id in p_values]
        loads.sort(key=lambda schedule: p_values[schedule.case.id])
        return [replace(group, schedules=(schedule,)) for schedule in loads]

    def _fits(self, group: VariantPairs) -> bool:
        full_group = next(
            candidate for candidate in self.variant_pairs if candidate.variant == group.variant
        )
        pairs = [group.stages] * self._missing(group)
        return self.budget.fits(*pairs, saved_s=full_group.loads_s - group.loads_s)

    def _unconfirmed_facts(self) -> set[str]:
        """Cases and variants with a fact that was seen once and may be an accident."""
        most = SCREENING_PAIRS + CONFIRMING_PAIRS
        young = {
            name
            for group in self.variant_pairs
            if len(self.pairs.get(group.variant, [])) < most
            for name in (group.variant, *(case.case for case in group.cases))
        }
        return {fact.case for fact in self.facts() if fact.verdict == "suspected"} & young

    def _needed_loads(
        self,
        group: VariantPairs,
        evaluated: Sequence[Evaluated],
        unconfirmed: Collection[str],
        least: Priority,
    ) -> tuple[VariantPairs, Priority]:
        """Loads that another pair of a variant should measure, and how much it is needed; what is
        needed less than `least` is left out."""
        if group.variant in unconfirmed:
            return group, Priority.NEEDS_CONFIRMATION
        done = self.pairs.get(group.variant, [])
        evaluations = [
            evaluation for evaluation in evaluated if self._group_of(evaluation) is group
        ]
        if not evaluations:
            failed = [pair for pair in done if pair.status == "failed"]
            # one may be an accident, two are a server that does not work
            is_open = len(failed) < MAX_FAILED
            return self._loaded(group), Priority.UNDECIDED if is_open else Priority.SETTLED
        priorities = {
            evaluation: self._priority(evaluation, len(done)) for evaluation in evaluations
        }
        open_ = {
            evaluation: priority for evaluation, priority in priorities.items() if priority <= least
        }
        loads = {
            evaluation.finding.key.case
            for evaluation in open_
            if evaluation.metric.stage != "start"
        }
        to_confirm = {schedule.case.id for schedule in group.schedules} & set(unconfirmed)
        schedules = tuple(s for s in group.schedules if s.case.id in loads | to_confirm)
        priority = min(open_.values(), default=Priority.SETTLED)
        return (
            replace(group, schedules=schedules),
            Priority.NEEDS_CONFIRMATION if to_confirm else priority,
        )

    def _priority(self, evaluated: Evaluated, pairs: int) -> Priority:
        """How much a finding needs another pair."""
        if evaluated.finding.is_change:
            settled = self._candidates.is_settled(evaluated, self._pairs_of(evaluated))
            return Priority.SETTLED if settled else Priority.NEEDS_CONFIRMATION
        if evaluated.finding.verdict != "undecided":
            return Priority.SETTLED
        hopeless = pairs >= HOPELESS_FROM_PAIRS and not evaluated.finding.within_reach(
            self._possible(pairs)
        )
        return Priority.SETTLED if hopeless else Priority.UNDECIDED

    def _possible(self, pairs: int) -> int:
        """How many pairs a variant can have in the end, were the time left shared among all."""
        return min(MAX_PAIRS, pairs + self.budget.more_of_each(len(self.variant_pairs)))

    def _pairs_of(self, evaluated: Evaluated) -> list[PairRecord]:
        return self.pairs.get(self._group_of(evaluated).variant, [])

    def _group_of(self, evaluated: Evaluated) -> VariantPairs:
        case = evaluated.finding.key.case
        return next(b for b in self.variant_pairs if any(c.case == case for c in b.cases))

    def _confirmed(self, evaluated: Evaluated) -> bool | None:
        return self._candidates.confirmed(evaluated, self._pairs_of(evaluated))

    def _evaluate(self) -> list[Evaluated]:
        return evaluate_pairs(self._cases, self.pairs, self.metrics)


def _went_through(pair: PairRecord, case: str) -> bool:
    """Whether a pair went through the loads of a case."""
    side = pair.sides.get("head")
    return (
        pair.status == "ok"
        and side is not None
        and bool(side.bursts.get(case) or side.windows.get(case))
    )
