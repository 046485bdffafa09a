"""A run from a plan to a saved folder: the parts, put together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from springbench import units
from springbench.build.availability import missing_images, runnable, unavailable
from springbench.build.jars import artifacts, find_jars, missing_jars, upstream_jar
from springbench.build.maven import build
from springbench.build.prepared import PreparationContext, with_prepared
from springbench.errors import BuildError
from springbench.host.ports import free_port
from springbench.host.shell import RealShell
from springbench.host.tools.find import NO_JDK, find_maven
from springbench.measure.testbed import Silent, Testbed
from springbench.paths import IN_CLONE, ROOT
from springbench.plan.cases import Case
from springbench.plan.countdown import Countdown
from springbench.plan.plan import Plan
from springbench.report.progress import following
from springbench.results.recording import Recording
from springbench.results.run import Result, Run
from springbench.results.store import RunFolder
from springbench.run.canary import CANARY_ESTIMATE_S, LONG_RUN_S, measure_canary, warning
from springbench.run.ending import tell_end
from springbench.run.environment import cautions
from springbench.run.host import Host
from springbench.run.in_turn import possibly_in_turn
from springbench.run.limits import check_limits
from springbench.run.load_host import reached_for
from springbench.run.new_run import new_run, new_run_id
from springbench.run.profiled_cases import ProfilingCases
from springbench.run.replay import RecordedForks, replayed_run
from springbench.run.resume import resumed
from springbench.run.scheduler import LiveForks, RunScheduler, new_result
from springbench.run.services import (
    Services,
    check_seed_option,
    check_upstream,
    service_modules,
    started_needs,
)
from springbench.run.testbed import prepare_testbed
from springbench.run.tools import find_tools, jdk_cautions, with_oha


@dataclass(frozen=True)
class Given:
    """Options that a person gave beside the plan."""

    jars: Path | None
    port: int | None
    cpus: str | None
    results: Path
    resume: Path | None
    id: str | None = None
    # whoever has a matrix of their own measures their own commit
    sources: Path = ROOT
    seed_database: bool = False
    memory_bytes: int | None = None
    # a server whose jar is not there fails, and costs the others nothing
    keep_going: bool = False
    # where there is a screen
    open_page: bool = False
    # one of many: no table and no page of its own
    brief: bool = False
    # a flame graph of each case, from a process that does not count
    profile_cpu: bool = False
    # USER@HOST that the load comes from
    load_host: str | None = None
    # measurements made earlier, which take the place of measuring
    recording: Recording | None = None


def execute(whole: Plan, given: Given, unfinished: Run | None, out: Console) -> int:
    """Build, start, measure, save and print; or replay a recording. The exit code.

    `unfinished` is a run to go on with. Raises `ConfigurationError` and `HostError` before anything
    is measured.
    """
    if given.recording:
        return _replay(whole, given, given.recording, out)
    return _measure(whole, given, unfinished, out)


def _measure(whole: Plan, given: Given, unfinished: Run | None, out: Console) -> int:
    shell, tell = RealShell(), teller(out)
    _check(whole, given)
    by_maven = given.jars is None and _is_built_here(whole)
    tools = find_tools(
        with_maven=by_maven,
        with_java=_needs_java(whole, by_maven=by_maven),
        plan=whole,
        artifacts=artifacts(whole, given.jars),
    )
    limit_warnings = list(check_limits(whole))
    tools, without_oha = with_oha(tools, whole, shell, tell)
    absent = unavailable(whole, given.jars, tools.jdk)
    plan = runnable(whole, absent)
    if tools.maven:
        modules = [*plan.modules, *service_modules(plan)]
        build(modules, tools.harness_jdk, tools.maven, ROOT, shell, tell)
    lost = missing_jars(plan, given.jars) if given.keep_going else {}
    # where nothing is left there is nothing to go on with
    plan = _but_for(plan, lost) if len(lost) < len(plan.cases) else plan
    find_jars(plan, given.jars)
    with ExitStack() as stack:
        there = stack.enter_context(reached_for(given.load_host, plan, tell))
        host = Host.read(shell, given.cpus, given.memory_bytes, there)
        run = new_run("", whole, host, tools, shell, given.sources, given.jars)
        of_link = there.warnings(plan) if there else ()
        plan, one_by_one = possibly_in_turn(plan, host.memory_limit.limit_bytes, given.port)
        run.warnings += [
            *limit_warnings,
            *cautions(whole),
            *jdk_cautions(tools),
            *without_oha,
            *of_link,
            *one_by_one,
        ]
        testbed = prepare_testbed(
            host, tools, shell, given.results, jars=given.jars, port=given.port
        )
        # first of all: training an AOT cache asks the service too
        needed = stack.enter_context(started_needs(plan, shell, host, tell))
        testbed = replace(testbed, needed=needed)
        # before `latest` points to a run that may never begin
        variants = [case.variant for case in plan.cases]
        context = PreparationContext(tools.jdk, tools.maven, tell, failures={})
        testbed = with_prepared(testbed, variants, context)
        broken = context.failures or {}
        plan = _without(plan, broken)
        run, folder = _folder(run, given, unfinished, whole.service)
        testbed = replace(testbed, raw=folder.raw)
        if given.keep_going and given.jars:
            # made elsewhere, as the jars are: what is not there is no lack of this host
            lost, absent = lost | missing_images(whole, given.jars), {}
        failed = {case: f"{name} is not there: its build has failed" for case, name in lost.items()}
        run.results += list(_not_measured(run, whole, absent, broken | failed))
        _announce(plan, absent, out, _finished(run))
        host.pin_harness()
        services = Services(stack, plan, tools, shell, host, folder.raw, given.jars)
        # before the display of progress, which leaves no room for other lines
        data = services.start_database(tell, seed_existing=given.seed_database)
        testbed = replace(
            testbed,
            database=data,
            upstream=services.start_upstream(),
            observer=stack.enter_context(following(plan, out, _finished(run))),
        )
        if run.canary is None:
            own = replace(testbed, java=tools.harness_jdk.java)
            _look_at_canary(run, own, plan, tell, with_java=tools.harness_jdk is not NO_JDK)
        forks = LiveForks(testbed, plan, run)
        scheduler = RunScheduler(plan, forks, folder, run, testbed.observer)
        code = scheduler.execute()
        if given.profile_cpu and not scheduler.interrupted:
            done = [case for case in plan.cases if _is_measured(run, case)]
            ProfilingCases(replace(testbed, observer=Silent()), tools, tell).profile(done)
    tell_end(scheduler, given.results, out, brief=given.brief, open_page=given.open_page)
    return int(code)


def _replay(plan: Plan, given: Given, recording: Recording, out: Console) -> int:
    """Execute a plan with recorded forks: nothing is built or started."""
    run, plan = replayed_run(plan, recording, given.sources)
    run, folder = _folder(run, given, None, plan.service)
    _announce(plan, {}, out)
    scheduler = RunScheduler(plan, RecordedForks(recording), folder, run)
    code = scheduler.execute()
    tell_end(scheduler, given.results, out, brief=given.brief, open_page=given.open_page)
    return int(code)


def _check(whole: Plan, given: Given) -> None:
    """Raises `ConfigurationError` or `HostError` where options ask for what cannot be."""
    check_seed_option(given.seed_database)
    check_upstream(whole, given.jars)
    free_port(given.port)


def _is_measured(run: Run, case: Case) -> bool:
    result = run.find(case.id)
    return result is not None and result.status == "ok"


def _finished(run: Run) -> set[Hashable]:
    """The forks that a run has which is resumed."""
    return {(result.case, fork.fork) for result in run.results for fork in result.forks}


def _is_built_here(plan: Plan) -> bool:
    """Whether Maven is asked for. The canary's target is built where it can be: nobody must."""
    if plan.modules or plan.needs("upstream") or plan.needs("database"):
        return True
    return IN_CLONE and find_maven() is not None


def _look_at_canary(
    run: Run, testbed: Testbed, plan: Plan, tell: Callable[[str], None], *, with_java: bool
) -> None:
    """What the host can do before anything else is measured, by its slow upstream."""
    jar = upstream_jar(testbed.jars)
    target = jar if with_java and jar.is_file() else None
    if target and plan.estimate_s >= LONG_RUN_S:
        tell(f"first a target of known throughput, about {units.duration(CANARY_ESTIMATE_S)}")
    run.canary = measure_canary(testbed, target, plan.estimate_s)
    if caution := warning(run.canary, plan.estimate_s):
        run.warnings.append(caution)


def _needs_java(plan: Plan, *, by_maven: bool) -> bool:
    return plan.needs_java or (by_maven and bool(plan.modules))


def _not_measured(
    run: Run, whole: Plan, absent: Mapping[str, str], broken: Mapping[str, str]
) -> Iterator[Result]:
    """Results of what this host cannot run, and of what could not be built or prepared.

    `broken` holds the reason by case, or by variant.
    """
    for case in whole.cases:
        if run.find(case.id) is not None:
            continue
        failure = broken.get(case.id) or broken.get(case.variant.id)
        if case.id in absent:
            yield new_result(case, status="skipped", reason=absent[case.id])
        elif failure:
            # what failed, and the line that says why; the whole has been told
            reason = " ".join(failure.splitlines()[:2])
            yield new_result(case, status="failed", reason=reason)


def _but_for(plan: Plan, lost: Collection[str]) -> Plan:
    return replace(plan, cases=tuple(case for case in plan.cases if case.id not in lost))


def _without(plan: Plan, broken: Mapping[str, str]) -> Plan:
    """Plan of what is left to measure. Raises `BuildError` where that is nothing."""
    cases = tuple(case for case in plan.cases if case.variant.id not in broken)
    if not cases:
        raise BuildError("\n".join(dict.fromkeys(broken.values())))
    return replace(plan, cases=cases)


def teller(out: Console) -> Callable[[str], None]:
    """Function that says a line to a person."""
    return lambda line: out.print(line, markup=False)


def _folder(
    run: Run, given: Given, unfinished: Run | None, service: str | None
) -> tuple[Run, RunFolder]:
    """The run to go on with, or this new one in a folder that `latest` points to from now on."""
    if unfinished and given.resume:
        return resumed(unfinished, run), RunFolder.open(given.resume)
    run.run.id = given.id or new_run_id(run.run.profile, run.commit, service)
    folder = RunFolder.create(given.results, run.run.id)
    folder.save(run)
    return run, folder


def _announce(
    plan: Plan,
    absent: Mapping[str, str],
    out: Console,
    finished: Collection[Hashable] = (),
) -> None:
    for reason in dict.fromkeys(absent.values()):
        count = sum(each == reason for each in absent.values())
        out.print(f"skipping {count} cases: {reason}", markup=False, soft_wrap=True)
    forks: set[Hashable] = {(case.id, fork) for fork, case in plan.rounds()}
    done = forks & {*finished}
    before = f", {len(done)} of them measured before" if done else ""
    left_s = Countdown(plan.steps(), finished=done).left.total_s
    out.print(
        f"profile {plan.profile}: {len(plan.cases)} cases, {len(forks)} forks{before}, "
        f"about {units.duration(left_s)} of measuring",
        markup=False,
    )
