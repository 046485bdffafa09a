"""One case under load with a profiler inside, from a plan to a flame graph."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from springbench import units
from springbench.analysis.profiles import Profile, parse
from springbench.build.availability import unavailable
from springbench.build.jars import artifacts, find_jars
from springbench.build.maven import build
from springbench.build.prepared import PreparationContext, with_prepared
from springbench.errors import ConfigurationError, HostError, SpringbenchError
from springbench.host.shell import Shell
from springbench.measure.profile.session import Event, Recorded, record
from springbench.measure.server.command import Start
from springbench.measure.testbed import Testbed
from springbench.paths import ROOT
from springbench.plan.cases import Case
from springbench.plan.plan import Plan
from springbench.run.host import Host
from springbench.run.profilers import Profilers, find_profilers
from springbench.run.services import Services, service_modules, started_needs
from springbench.run.testbed import prepare_testbed
from springbench.run.tools import Tools, find_tools

EVENT_WORDS = {
    Event.CPU: "CPU time",
    Event.ALLOC: "allocated bytes",
    Event.LOCK: "waiting for locks",
}
MOST_CASES_NAMED = 5


@dataclass(frozen=True)
class Profiled:
    """What a profile of one case has left. Without a flame graph `why_not` says why."""

    profile: Profile
    flame_graph: Path | None
    why_not: str = ""


@dataclass(frozen=True)
class ProfileRequest:
    """What is to be recorded, for how long, and where its files go."""

    plan: Plan
    event: Event
    duration_s: float
    jars: Path | None
    results: Path


def profile_case(request: ProfileRequest, shell: Shell, say: Callable[[str], None]) -> Profiled:
    """Build what is missing, start the one case of the plan, and record it.

    Raises `ConfigurationError` where the plan has several, `HostError`, `CaseError`.
    """
    plan = request.plan
    if len(plan.cases) > 1:
        names = ", ".join(case.id for case in plan.cases[:MOST_CASES_NAMED])
        raise ConfigurationError(f"{len(plan.cases)} cases match, one is allowed: {names}")
    by_maven = request.jars is None and bool(plan.modules)
    tools = find_tools(
        with_maven=True,
        with_java=plan.needs_java or by_maven,
        plan=plan,
        artifacts=artifacts(plan, request.jars),
    )
    for reason in unavailable(plan, request.jars, tools.jdk).values():
        raise HostError(reason)
    profilers = find_profilers(tools, shell, say)
    # asked before anything is built for it
    profilers.recorder(plan.cases[0].variant)
    if request.jars is None and tools.maven:
        modules = [*plan.modules, *service_modules(plan)]
        build(modules, tools.harness_jdk, tools.maven, ROOT, shell, say)
    find_jars(plan, request.jars)
    folder = request.results / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-profile"
    host = Host.read(shell)
    testbed = prepare_testbed(host, tools, shell, folder / "raw", jars=request.jars)
    testbed.raw.mkdir(parents=True)
    return _recorded(request, testbed, host, tools, profilers, say)


def _recorded(
    request: ProfileRequest,
    testbed: Testbed,
    host: Host,
    tools: Tools,
    profilers: Profilers,
    say: Callable[[str], None],
) -> Profiled:
    [case], event, shell = request.plan.cases, request.event, testbed.shell
    context = PreparationContext(tools.jdk, tools.maven, say)
    with ExitStack() as stack:
        needed = stack.enter_context(started_needs(request.plan, shell, host, say))
        testbed = with_prepared(replace(testbed, needed=needed), [case.variant], context)
        host.pin_harness()
        services = Services(stack, request.plan, tools, shell, host, testbed.raw, request.jars)
        data, upstream = services.start_database(say), services.start_upstream()
        testbed = replace(testbed, database=data, upstream=upstream)
        say(f"{case.id}: warming up, then recording for {units.duration(request.duration_s)}")
        recorder = profilers.recorder(case.variant)
        recorded = record(testbed, case, Start.of(case), recorder, event, request.duration_s)
    return drawn(recorded, case, event, profilers, testbed.raw.parent)


def drawn(
    recorded: Recorded, case: Case, event: Event, profilers: Profilers, folder: Path
) -> Profiled:
    """The stacks of a recording, and its flame graph in `folder` where one can be drawn."""
    stacks = parse(profilers.stacks(recorded, event))
    profile = Profile(stacks, recorded.answers, of_jvm=recorded.of_jvm)
    graph = folder / f"{case.id.replace('/', '_')}-{event}.html"
    try:
        profilers.draw([recorded], event, f"{case.id}, {EVENT_WORDS[event]}", graph)
    except SpringbenchError as error:
        return Profiled(profile, None, str(error))
    return Profiled(profile, graph)
