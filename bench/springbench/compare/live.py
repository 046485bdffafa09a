"""A live comparison, from the sides that were asked for to a saved `comparison.json`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from springbench import __version__, units
from springbench.build.availability import unavailable
from springbench.build.jars import find_jars
from springbench.build.prepared import PreparationContext, with_prepared
from springbench.compare.scheduler import PairScheduler, VariantPairs
from springbench.compare.sides import Built, RequestedSide, provide_jars
from springbench.errors import ConfigurationError, HostError
from springbench.host.shell import Shell
from springbench.measure.duet.pair import SideSetup
from springbench.measure.duet.side import Schedule
from springbench.measure.testbed import Testbed
from springbench.plan.plan import Plan
from springbench.results.comparison import COMPARISON_FILE, Comparison, ComparisonInfo
from springbench.results.run import Caution, ToolsInfo
from springbench.results.store import write_atomically
from springbench.run.host import Host
from springbench.run.limits import check_limits
from springbench.run.testbed import prepare_testbed
from springbench.run.tools import Tools, find_tools

Say = Callable[[str], None]


@dataclass(frozen=True)
class LiveComparison:
    """A comparison that has ended."""

    comparison: Comparison
    folder: Path
    interrupted: bool
    failed: bool


def compare_live(
    sides: Sequence[RequestedSide],
    plan: Plan,
    budget_s: float,
    results: Path,
    shell: Shell,
    say: Say,
) -> LiveComparison:
    """Measure base and head side by side. `sides` are base and head, in this order."""
    _check_services(plan)
    tools = find_tools(with_maven=not all(side.jars for side in sides))
    cautions = list(check_limits(plan))
    for side in sides:
        for reason in unavailable(_started(plan, side), side.jars).values():
            raise HostError(reason)
    built: Built = {}
    sides = [provide_jars(side, plan, tools, shell, say, built) for side in sides]
    for side in sides:
        find_jars(plan if side.variant is None else replace(plan, cases=()), side.jars, side.root)
    host = Host.read(shell)
    comparison = new_comparison(plan, budget_s, host, tools, sides)
    comparison.warnings += cautions
    folder = results / comparison.comparison.id
    folder.mkdir(parents=True)
    say(f"{len(plan.cases)} cases, at most {units.duration(budget_s)} of measuring")
    testbed = prepare_testbed(host, tools, shell, folder / "raw")
    context = PreparationContext(tools.jdk, tools.maven, say)
    testbeds = [_testbed(testbed, side, plan, context) for side in sides]
    host.pin_harness()

    before = list(comparison.warnings)

    def save(scheduler: PairScheduler) -> None:
        comparison.warnings = [
            *before,
            *map(_load_bound, scheduler.load_bound()),
            *map(_compiling, scheduler.compiling()),
        ]
        comparison.pairs = scheduler.pairs
        comparison.findings = scheduler.findings()
        comparison.comparison.measured_s = scheduler.elapsed_s
        text = comparison.model_dump_json(by_alias=True, indent=2)
        write_atomically(folder / COMPARISON_FILE, text + "\n")

    scheduler = PairScheduler(variant_pairs(plan, sides, testbeds), budget_s, save, say)
    scheduler.execute()
    comparison.comparison.finished_at = _now()
    save(scheduler)
    return LiveComparison(
        comparison,
        folder,
        interrupted=scheduler.interrupted,
        failed=any(pair.status == "failed" for pairs in scheduler.pairs.values() for pair in pairs),
    )


def _check_services(plan: Plan) -> None:
    for party in ("database", "upstream"):
        if plan.needs(party):
            raise ConfigurationError(
                f"compare starts no {party}: leave the workloads that need it out with --only, or "
                "compare two stored runs of them"
            )
    for case in plan.cases:
        if case.workload.properties:
            raise ConfigurationError(
                f"compare cannot start {case.id} with the properties of its workload: leave it out "
                "with --only, or compare two stored runs of it"
            )


def _started(plan: Plan, side: RequestedSide) -> Plan:
    """The plan as this side starts it: of the one variant, where it names one."""
    if side.variant is None:
        return plan
    return replace(plan, cases=(replace(plan.cases[0], variant=side.variant),))


def _testbed(
    testbed: Testbed, side: RequestedSide, plan: Plan, context: PreparationContext
) -> Testbed:
    """The testbed of one side, with what its variants need made."""
    own = replace(testbed, root=side.root, jars=side.jars)
    variants = [side.variant] if side.variant else [case.variant for case in plan.cases]
    return with_prepared(own, variants, context)


def variant_pairs(
    plan: Plan, sides: Sequence[RequestedSide], testbeds: Sequence[Testbed]
) -> list[VariantPairs]:
    """The pairs of each variant of the plan; a single one where two variants are compared."""
    base, head = testbeds
    groups = plan.by_variant()
    if sides[0].variant and sides[1].variant:
        # the loads come from the profile, whatever variant they were meant for
        first = next(iter(groups.values()))
        groups = {sides[0].variant.id: [replace(case, variant=sides[0].variant) for case in first]}
    return [
        VariantPairs(
            variant=variant,
            setups={
                "base": SideSetup(base, sides[0].variant or cases[0].variant),
                "head": SideSetup(head, sides[1].variant or cases[0].variant),
            },
            schedules=tuple(Schedule(case, case.bursts, case.window_s) for case in cases),
            connections=max(case.connections for case in cases),
            java_options=cases[0].java_options,
        )
        for variant, cases in groups.items()
    ]


def _load_bound(case: str) -> Caution:
    return Caution(
        code="load-generator",
        message=f"{case}: wrk was the limit, so the two sides were not compared",
        remedy="give wrk more CPUs, or the server fewer",
    )


def _compiling(case: str) -> Caution:
    return Caution(
        code="compiling",
        message=f"{case}: just-in-time compilers were at work in each burst, so the two sides were "
        "not compared",
        remedy="give the server more CPUs, or compare on a faster host",
    )


def new_comparison(
    plan: Plan, budget_s: float, host: Host, tools: Tools, sides: Sequence[RequestedSide]
) -> Comparison:
    """A comparison of base and head, in this order, of which nothing has been measured yet."""
    return Comparison(
        comparison=ComparisonInfo(
            id=f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-compare-{plan.profile}",
            started_at=_now(),
            profile=plan.profile,
            budget_s=budget_s,
        ),
        base=sides[0].info,
        head=sides[1].info,
        host=host.info(tools.jdk),
        tools=ToolsInfo(jdk=tools.jdk.version, wrk=tools.wrk.version, springbench=__version__),
        warnings=list(host.warnings()),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
