"""Which cases a fork pair goes through together: those that one process can answer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

from springbench.analysis.comparison.verdicts import ComparedCase
from springbench.analysis.limits import LimitedVariant
from springbench.compare.sides import RequestedSide
from springbench.matrix.servers import Limits
from springbench.matrix.settings import FIRST_COMPILER
from springbench.measure.pair import SIDES, PairSetup, Schedule, SideSetup, measure_pair
from springbench.measure.testbed import Testbed
from springbench.plan.cases import STARTUP_ESTIMATE_S, Case
from springbench.plan.plan import Plan
from springbench.results.comparison import (
    Comparison,
    ExplanationRecord,
    PairRecord,
)


@dataclass(frozen=True)
class VariantPairs:
    """Everything compared on one variant."""

    setup: PairSetup
    schedules: tuple[Schedule, ...]
    limits: Limits | None = None
    """What the owner of head asks of it."""

    @property
    def limited(self) -> LimitedVariant:
        """What is known of it that limits are evaluated by."""
        started = [s.case for s in self.schedules if "{java}" in s.case.variant.runtime.start]
        options = {option for case in started for option in case.java_options}
        return LimitedVariant(self.limits, self.cases, FIRST_COMPILER not in options)

    @property
    def variant(self) -> str:
        """The key of its pairs."""
        return self.setup.name

    @property
    def cases(self) -> list[ComparedCase]:
        return [
            ComparedCase(
                s.case.id,
                waits=s.case.workload.delay_s > 0,
                rates=s.case.rates,
                by_first_compiler=s.case.by_first_compiler,
            )
            for s in self.schedules
        ]

    @property
    def loads_s(self) -> float:
        """What its loads take at least, of both sides."""
        return sum(2 * schedule.load_s for schedule in self.schedules)

    @property
    def planned_s(self) -> float:
        """Expected time of a pair, where nothing is slow."""
        warmups_s = {s.case.warmup_templates: s.case.warmup_min_s for s in self.schedules}
        return 2 * (STARTUP_ESTIMATE_S + sum(warmups_s.values())) + self.loads_s

    @property
    def stages(self) -> tuple[str, ...]:
        """What a pair goes through after its start."""
        return self.variant, *(schedule.case.id for schedule in self.schedules)


Measure = Callable[[VariantPairs, int], PairRecord]


def measure_group(group: VariantPairs, pair: int) -> PairRecord:
    """The real measurement of one pair."""
    return measure_pair(group.setup, group.schedules, pair)


def variant_pairs(
    plan: Plan, sides: Sequence[RequestedSide], testbeds: Sequence[Testbed] = ()
) -> list[VariantPairs]:
    """The pairs of each variant of the plan; a single one where two variants are compared.

    Without `testbeds` nothing of them can be started.
    """
    groups = _by_process(plan)
    if sides[0].variant:
        # the loads come from the profile, whatever variant they were meant for
        first = next(iter(plan.by_variant().values()))
        cases = [replace(case, variant=sides[0].variant) for case in first]
        groups = _by_process(replace(plan, cases=tuple(cases)))
    return [
        VariantPairs(
            _setup(name, cases, sides, testbeds),
            _schedules(cases),
            sides[1].variant_of(cases[0].variant).server.limits,
        )
        for name, cases in groups.items()
    ]


def _setup(
    name: str,
    cases: Sequence[Case],
    sides: Sequence[RequestedSide],
    testbeds: Sequence[Testbed],
) -> PairSetup:
    """Processes that are made for the largest of their loads."""
    return PairSetup(
        name,
        {
            name: SideSetup(testbed, side.variant_of(cases[0].variant))
            for name, side, testbed in zip(SIDES, sides, testbeds, strict=False)
        },
        connections=max(case.connections for case in cases),
        java_options=cases[0].java_options,
        workload=cases[0].workload if cases[0].process_needs else None,
    )


def _schedules(cases: Sequence[Case]) -> tuple[Schedule, ...]:
    return tuple(Schedule(case, case.bursts, case.window_s) for case in cases)


def _by_process(plan: Plan) -> dict[str, list[Case]]:
    """Cases that one process can answer, under the name of their variant.

    Where that needs several processes, others are called after their first workload too.
    """
    groups: dict[tuple[str, Hashable], list[Case]] = {}
    for case in plan.cases:
        groups.setdefault((case.variant.id, case.process_needs), []).append(case)
    return {
        f"{name}/{cases[0].workload.id}" if needs else name: cases
        for (name, needs), cases in groups.items()
    }


@dataclass
class RecordedPairs:
    """Hands out the pairs of a comparison in their order; each takes the mean time of all."""

    recorded: Comparison
    now_s: float = 0.0

    def clock(self) -> float:
        """Seconds of measuring that the pairs handed out so far have taken."""
        return self.now_s

    def available(self, variant: str) -> int:
        """How many pairs of a variant were recorded."""
        return len(self.recorded.pairs.get(variant, []))

    def measure(self, group: VariantPairs, pair: int) -> PairRecord:
        """The recorded pair of that number."""
        every = sum(map(len, self.recorded.pairs.values()))
        self.now_s += self.recorded.comparison.measured_s / every
        return self.recorded.pairs[group.variant][pair].model_copy(deep=True)

    def explain(self, comparison: Comparison) -> list[ExplanationRecord]:
        """The recorded explanations of regressions that were found again."""
        regressed = {statement.case for statement in comparison.with_verdict("regression")}
        return [
            explanation
            for explanation in self.recorded.explanations
            if explanation.case in regressed
        ]
