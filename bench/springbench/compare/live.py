"""A live comparison, from the sides that were asked for to a saved `comparison.json`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from springbench import __version__, units
from springbench.build.availability import unavailable
from springbench.build.jars import artifacts, find_jars, upstream_jar
from springbench.build.maven import build
from springbench.build.prepared import PreparationContext, with_prepared
from springbench.compare.cautions import cautions
from springbench.compare.explain import Explaining
from springbench.compare.groups import variant_pairs
from springbench.compare.replay import RecordedPairs
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
from springbench.results.recording import Recording
from springbench.results.run import Caution, HostInfo, ToolsInfo
from springbench.results.store import write_atomically
from springbench.run import environment
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
from springbench.run.tools import Tools, find_tools, jdk_cautions, with_oha

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
    recording: Recording | None = None,
) -> LiveComparison:
    """Measure base and head side by side. `sides` are base and head, in this order.

    With `explain` a regression that was confirmed is looked into with a profiler afterwards.
    `metrics` are those that are judged, all where none is named. `built` carries what was built
    over to the next comparison. `apart` says how many commits head is from base where git cannot.
    `load_host` is USER@HOST that the load comes from. With a `recording` nothing is built or
    started: its pairs take the place of new ones.
    """
    if recording:
        return _replay(sides, plan, budget_s, results, shell, say, recording, metrics, apart)
    is_built = all(side.is_built for side in sides)
    check_upstream(plan, sides[0].jars)
    by_maven = not is_built or (
        plan.needs("upstream") and not upstream_jar(sides[0].jars).is_file()
    )
    tools = find_tools(
        with_maven=by_maven,
        with_java=by_maven or plan.needs_java,
        plan=plan,
        artifacts=[
            file for side in sides for file in artifacts(side.started(plan), side.jars, side.root)
        ],
    )
    limits = list(check_limits(plan))
    tools, without_oha = with_oha(tools, plan, shell, say)
    for side in sides:
        for reason in unavailable(side.started(plan), side.jars, tools.jdk).values():
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
        comparison = new_comparison(
            plan, budget_s, sides, host.info(tools.jdk), versions(tools), host.warnings()
        )
        comparison.comparison.commits = apart or commits_between(sides, plan, shell)
        comparison.warnings += started_differently(plan, sides)
        comparison.warnings += [
            *limits,
            *environment.cautions(plan),
            *jdk_cautions(tools),
            *without_oha,
            *(there.warnings(plan) if there else ()),
        ]
        folder = _make_folder(comparison, results)
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
    return _ended(comparison, folder, scheduler)


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


def _replay(
    sides: Sequence[RequestedSide],
    plan: Plan,
    budget_s: float,
    results: Path,
    shell: Shell,
    say: Say,
    recording: Recording,
    metrics: frozenset[str],
    apart: int | None,
) -> LiveComparison:
    """The comparison that the recorded pairs of these sides make."""
    recorded = recording.comparison_of(sides[0].info, sides[1].info)
    comparison = new_comparison(
        plan, budget_s, sides, recorded.host, recorded.tools, [recording.caution]
    )
    comparison.comparison.commits = apart or commits_between(sides, plan, shell)
    comparison.warnings += started_differently(plan, sides)
    folder = _make_folder(comparison, results)
    pairs = RecordedPairs(recorded)
    saving = _Saving(comparison, folder, tuple(comparison.warnings))
    scheduler = PairScheduler(
        [group for group in variant_pairs(plan, sides) if pairs.available(group.variant)],
        budget_s,
        saving,
        say,
        measure=pairs.measure,
        available=pairs.available,
        server_cpus=len(recorded.host.limits.server_cpus) or 1,
        metrics=metrics,
        clock=pairs.clock,
    )
    scheduler.execute()
    comparison.comparison.finished_at = _now()
    grown = {each.case for each in comparison.findings if each.verdict == "regression"}
    comparison.explanations = [each for each in recorded.explanations if each.case in grown]
    saving(scheduler)
    return _ended(comparison, folder, scheduler)


def _ended(comparison: Comparison, folder: Path, scheduler: PairScheduler) -> LiveComparison:
    """The comparison as its scheduler has left it."""
    return LiveComparison(
        comparison,
        folder,
        interrupted=scheduler.interrupted,
        failed=any(pair.status == "failed" for pairs in scheduler.pairs.values() for pair in pairs),
    )


def _provide_services(
    plan: Plan, sides: Sequence[RequestedSide], tools: Tools, shell: Shell, say: Say
) -> None:
    """Build what both sides share, from the sources of this harness, where no folder has it."""
    needed = [name for name in ("upstream", "database") if plan.needs(name)]
    if needed and tools.maven and not sides[0].jars:
        build(service_modules(plan), tools.harness_jdk, tools.maven, ROOT, shell, say)


def _testbed(
    testbed: Testbed, side: RequestedSide, plan: Plan, context: PreparationContext
) -> Testbed:
    """The testbed of one side, with what its variants need made."""
    own = replace(testbed, root=side.root, jars=side.jars)
    variants = [case.variant for case in side.started(plan).cases]
    return with_prepared(own, variants, context)


def versions(tools: Tools) -> ToolsInfo:
    """The versions of what measured, for `comparison.json`."""
    return ToolsInfo(jdk=tools.jdk.version, wrk=tools.wrk.version, springbench=__version__)


def new_comparison(
    plan: Plan,
    budget_s: float,
    sides: Sequence[RequestedSide],
    host: HostInfo,
    tools: ToolsInfo,
    warnings: Iterable[Caution],
) -> Comparison:
    """A comparison of base and head, in this order, of which nothing has been measured yet."""
    return Comparison(
        comparison=ComparisonInfo(
            id="-".join(filter(None, (f"{_stamp()}-compare", plan.profile, plan.service))),
            started_at=_now(),
            profile=plan.profile,
            java_options=_java_options(plan),
            budget_s=budget_s,
        ),
        base=sides[0].info,
        head=sides[1].info,
        host=host,
        tools=tools,
        warnings=list(warnings),
    )


def _java_options(plan: Plan) -> list[str]:
    """Those that the profile gives to what it starts with `java`: no image or program has them."""
    started = [case for case in plan.cases if "{java}" in case.variant.runtime.start]
    return [*dict.fromkeys(option for case in started for option in case.java_options)]


def _make_folder(comparison: Comparison, results: Path) -> Path:
    """A folder of its own; a comparison that begins in the same second as another gets a number."""
    first = comparison.comparison.id
    for number in itertools.count(2):
        folder = results / comparison.comparison.id
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            comparison.comparison.id = f"{first}-{number}"
        else:
            return folder
    raise AssertionError


def _stamp() -> str:
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
