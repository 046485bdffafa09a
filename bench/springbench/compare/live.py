"""A live comparison, from the sides that were asked for to a saved `comparison.json`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from springbench import __version__, units
from springbench.build.availability import unavailable
from springbench.build.jars import find_jars, upstream_jar
from springbench.build.maven import build
from springbench.build.prepared import PreparationContext, with_prepared
from springbench.compare.cautions import cautions
from springbench.compare.explain import Explaining
from springbench.compare.groups import variant_pairs
from springbench.compare.scheduler import PairScheduler
from springbench.compare.sides import (
    Built,
    RequestedSide,
    check_artifacts,
    commits_between,
    provide_jars,
)
from springbench.compare.starts import started_differently
from springbench.errors import HostError
from springbench.host.shell import Shell
from springbench.measure.testbed import Testbed
from springbench.paths import ROOT
from springbench.plan.plan import Plan
from springbench.results.comparison import COMPARISON_FILE, Comparison, ComparisonInfo
from springbench.results.run import Caution, ToolsInfo
from springbench.results.store import write_atomically
from springbench.run.host import Host
from springbench.run.limits import check_limits
from springbench.run.load_host import reached_for
from springbench.run.services import (
    Services,
    check_upstream,
    service_modules,
    started_needs,
)
from springbench.run.testbed import prepare_testbed
from springbench.run.tools import Tools, find_tools, with_oha

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
    *,
    explain: bool = False,
    metrics: frozenset[str] = frozenset(),
    built: Built | None = None,
    apart: int | None = None,
    load_host: str | None = None,
) -> LiveComparison:
    """Measure base and head side by side. `sides` are base and head, in this order.

    With `explain` a regression that was confirmed is looked into with a profiler afterwards.
    `metrics` are those that are judged, all where none is named. `built` carries what was built
    over to the next comparison. `apart` says how many commits head is from base where git cannot.
    `load_host` is USER@HOST that the load comes from.
    """
    is_built = all(side.is_built for side in sides)
    check_upstream(plan, sides[0].jars)
    by_maven = not is_built or (
        plan.needs("upstream") and not upstream_jar(sides[0].jars).is_file()
    )
    tools = find_tools(with_maven=by_maven, with_java=by_maven or plan.needs_java)
    limits = list(check_limits(plan))
    tools, without_oha = with_oha(tools, plan, shell, say)
    for side in sides:
        for reason in unavailable(side.started(plan), side.jars).values():
            raise HostError(reason)
    built = {} if built is None else built
    sides = [provide_jars(side, plan, tools, shell, say, built) for side in sides]
    _provide_services(plan, sides, tools, shell, say)
    for side in sides:
        check_artifacts(side, plan)
        # what a variant is built as lies where the build leaves it
        own = replace(plan, cases=()) if side.variant else side.started(plan)
        find_jars(own, side.jars, side.root)
    with ExitStack() as stack:
        there = stack.enter_context(reached_for(load_host, plan, say))
        host = Host.read(shell, load_host=there)
        comparison = new_comparison(plan, budget_s, host, tools, sides)
        comparison.comparison.commits = apart or commits_between(sides, plan, shell)
        comparison.warnings += started_differently(plan, sides)
        comparison.warnings += [*limits, *without_oha, *(there.warnings(plan) if there else ())]
        folder = results / comparison.comparison.id
        folder.mkdir(parents=True)
        say(f"{len(plan.cases)} cases, at most {units.duration(budget_s)} of measuring")
        testbed = prepare_testbed(host, tools, shell, folder / "raw")
        testbed.raw.mkdir()
        context = PreparationContext(tools.jdk, tools.maven, say)
        # first of all: training an AOT cache asks the service too
        needed = stack.enter_context(started_needs(plan, shell, host, say))
        testbed = replace(testbed, needed=needed)
        testbeds = [_testbed(testbed, side, plan, context) for side in sides]
        host.pin_harness()
        services = Services(stack, plan, tools, shell, host, testbed.raw, sides[0].jars)
        data, upstream = services.start_database(say), services.start_upstream()
        testbeds = [replace(each, database=data, upstream=upstream) for each in testbeds]
        saving = _Saving(comparison, folder, tuple(comparison.warnings))
        scheduler = PairScheduler(
            variant_pairs(plan, sides, testbeds),
            budget_s,
            saving,
            say,
            server_cpus=host.cpus.counts.server or 1,
            metrics=metrics,
        )
        scheduler.execute()
        comparison.comparison.finished_at = _now()
        saving(scheduler)
        if explain and not scheduler.interrupted:
            explaining = Explaining(scheduler.variant_pairs, tools, shell, folder, say)
            comparison.explanations = explaining.explain(comparison.findings)
            saving(scheduler)
    return LiveComparison(
        comparison,
        folder,
        interrupted=scheduler.interrupted,
        failed=any(pair.status == "failed" for pairs in scheduler.pairs.values() for pair in pairs),
    )


@dataclass(frozen=True)
class _Saving:
    """Writes `comparison.json` after each pair: what ends it by force leaves what was measured."""

    comparison: Comparison
    folder: Path
    before: tuple[Caution, ...]
    """What was said before the first pair."""

    def __call__(self, scheduler: PairScheduler) -> None:
        comparison = self.comparison
        comparison.warnings = [*self.before, *cautions(scheduler)]
        comparison.pairs = scheduler.pairs
        comparison.findings = scheduler.findings()
        comparison.facts = scheduler.facts()
        comparison.comparison.measured_s = scheduler.budget.elapsed_s
        text = comparison.model_dump_json(by_alias=True, indent=2)
        write_atomically(self.folder / COMPARISON_FILE, text + "\n")


def _provide_services(
    plan: Plan, sides: Sequence[RequestedSide], tools: Tools, shell: Shell, say: Say
) -> None:
    """Build what both sides share, from the sources of this harness, where no folder has it."""
    needed = [name for name in ("upstream", "database") if plan.needs(name)]
    if needed and tools.maven and not sides[0].jars:
        build(service_modules(plan), tools.jdk, tools.maven, ROOT, shell, say)


def _testbed(
    testbed: Testbed, side: RequestedSide, plan: Plan, context: PreparationContext
) -> Testbed:
    """The testbed of one side, with what its variants need made."""
    own = replace(testbed, root=side.root, jars=side.jars)
    variants = [case.variant for case in side.started(plan).cases]
    return with_prepared(own, variants, context)


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
