"""A live comparison, from the sides that were asked for to a saved `comparison.json`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from springbench import __version__, units
from springbench.build.availability import unavailable
from springbench.build.prepared import Workshop, with_prepared
from springbench.compare.scheduler import Bout, Duel
from springbench.compare.sides import Side, provide_jars
from springbench.errors import ConfigurationError, HostError
from springbench.host.shell import Shell
from springbench.measure.duet.pair import Contender
from springbench.measure.duet.side import Schedule
from springbench.measure.testbed import Bench
from springbench.paths import ROOT
from springbench.plan.plan import Plan
from springbench.results.comparison import COMPARISON_FILE, Comparison, ComparisonInfo
from springbench.results.run import Caution, ToolsInfo
from springbench.results.store import write_atomically
from springbench.run.host import Host, Tools, check_limits, find_jars, find_tools

Say = Callable[[str], None]


@dataclass(frozen=True)
class Contest:
    """A comparison that has ended."""

    comparison: Comparison
    folder: Path
    interrupted: bool
    failed: bool


def hold(
    sides: Sequence[Side], plan: Plan, budget_s: float, results: Path, shell: Shell, say: Say
) -> Contest:
    """Measure base and head side by side. `sides` are base and head, in this order."""
    _check_parties(plan)
    tools = find_tools(with_maven=not all(side.jars for side in sides))
    cautions = list(check_limits(plan))
    for side in sides:
        for reason in unavailable(_started(plan, side), side.jars).values():
            raise HostError(reason)
    sides = [provide_jars(side, plan, tools, shell, say) for side in sides]
    for side in sides:
        find_jars(plan if side.variant is None else replace(plan, cases=()), side.jars, side.root)
    host = Host.read(shell)
    comparison = new_comparison(plan, budget_s, host, tools, sides)
    comparison.warnings += cautions
    folder = results / comparison.comparison.id
    folder.mkdir(parents=True)
    say(f"{len(plan.cases)} cases, at most {units.duration(budget_s)} of measuring")
    bench = Bench(
        root=ROOT,
        raw=folder / "raw",
        java=tools.jdk.java,
        wrk=tools.wrk.path,
        shell=shell,
        cpus=host.cpus,
        enclosure=host.enclosure,
    )
    workshop = Workshop(tools.jdk, tools.maven, say)
    benches = [_bench(bench, side, plan, workshop) for side in sides]
    host.pin_harness()

    before = list(comparison.warnings)

    def save(duel: Duel) -> None:
        comparison.warnings = [
            *before,
            *map(_load_bound, duel.load_bound()),
            *map(_compiling, duel.compiling()),
        ]
        comparison.pairs = duel.pairs
        comparison.findings = duel.findings()
        comparison.comparison.measured_s = duel.elapsed_s
        text = comparison.model_dump_json(by_alias=True, indent=2)
        write_atomically(folder / COMPARISON_FILE, text + "\n")

    duel = Duel(bouts(plan, sides, benches), budget_s, save, say)
    duel.execute()
    comparison.comparison.finished_at = _now()
    save(duel)
    return Contest(
        comparison,
        folder,
        interrupted=duel.interrupted,
        failed=any(pair.status == "failed" for pairs in duel.pairs.values() for pair in pairs),
    )


def _check_parties(plan: Plan) -> None:
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


def _started(plan: Plan, side: Side) -> Plan:
    """The plan as this side starts it: of the one variant, where it names one."""
    if side.variant is None:
        return plan
    return replace(plan, cases=(replace(plan.cases[0], variant=side.variant),))


def _bench(bench: Bench, side: Side, plan: Plan, workshop: Workshop) -> Bench:
    """The bench of one side, with what its variants need made."""
    own = replace(bench, root=side.root, jars=side.jars)
    variants = [side.variant] if side.variant else [case.variant for case in plan.cases]
    return with_prepared(own, variants, workshop)


def bouts(plan: Plan, sides: Sequence[Side], benches: Sequence[Bench]) -> list[Bout]:
    """One bout for each variant of the plan; a single one where two variants are compared."""
    base, head = benches
    groups = plan.by_variant()
    if sides[0].variant and sides[1].variant:
        # the loads come from the profile, whatever variant they were meant for
        first = next(iter(groups.values()))
        groups = {sides[0].variant.id: [replace(case, variant=sides[0].variant) for case in first]}
    return [
        Bout(
            variant=variant,
            contenders={
                "base": Contender(base, sides[0].variant or cases[0].variant),
                "head": Contender(head, sides[1].variant or cases[0].variant),
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
    plan: Plan, budget_s: float, host: Host, tools: Tools, sides: Sequence[Side]
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
