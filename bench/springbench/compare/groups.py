"""Which cases a fork pair goes through together: those that one process can answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from springbench.compare.scheduler import VariantPairs
from springbench.compare.sides import RequestedSide
from springbench.measure.duet.pair import PairSetup, SideSetup
from springbench.measure.duet.side import Schedule
from springbench.measure.testbed import Testbed
from springbench.plan.cases import Case
from springbench.plan.plan import Plan


def variant_pairs(
    plan: Plan, sides: Sequence[RequestedSide], testbeds: Sequence[Testbed]
) -> list[VariantPairs]:
    """The pairs of each variant of the plan; a single one where two variants are compared."""
    groups = _by_process(plan)
    if sides[0].variant:
        # the loads come from the profile, whatever variant they were meant for
        first = next(iter(plan.by_variant().values()))
        own = [replace(case, variant=sides[0].variant) for case in first]
        groups = _by_process(replace(plan, cases=tuple(own)))
    return [
        VariantPairs(_setup(name, cases, sides, testbeds), _schedules(cases))
        for name, cases in groups.items()
    ]


def _setup(
    name: str,
    cases: Sequence[Case],
    sides: Sequence[RequestedSide],
    testbeds: Sequence[Testbed],
) -> PairSetup:
    """Processes that are made for the largest of their loads."""
    base, head = (
        SideSetup(testbed, side.own(cases[0].variant))
        for side, testbed in zip(sides, testbeds, strict=True)
    )
    return PairSetup(
        name,
        {"base": base, "head": head},
        connections=max(case.connections for case in cases),
        java_options=cases[0].java_options,
        workload=cases[0].workload if cases[0].needs_own_process else None,
    )


def _schedules(cases: Sequence[Case]) -> tuple[Schedule, ...]:
    return tuple(Schedule(case, case.bursts, case.window_s) for case in cases)


def _by_process(plan: Plan) -> dict[str, list[Case]]:
    """Cases that one process can answer: those of a variant, but for workloads that need another.

    A workload with properties of its own, or with a database, has its process for itself.
    """
    groups: dict[str, list[Case]] = {}
    for case in plan.cases:
        name = case.variant.id
        own = f"{name}/{case.workload.id}" if case.needs_own_process else name
        groups.setdefault(own, []).append(case)
    return groups
