"""Profilers of servers on any runtime, and flame graphs of what they recorded."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from springbench.analysis.profiles import Profile
from springbench.bench.tools import Tools
from springbench.build.profiler import Profiler, provide_profiler
from springbench.errors import HostError, SpringbenchError
from springbench.host.shell import Shell
from springbench.host.tools.find import NO_JDK, find_maven, find_perf
from springbench.measure.profile import (
    Agent,
    Converter,
    Event,
    JvmSampler,
    Perf,
    Recorded,
    Recorder,
    no_perf,
)
from springbench.measure.testbed import Sampler
from springbench.paths import ROOT
from springbench.plan.cases import Case, Variant
from springbench.results.run import Caution
from springbench.results.stacks import parse

logger = logging.getLogger(__name__)

EVENT_WORDS = {
    Event.CPU: "CPU time",
    Event.ALLOC: "allocated bytes",
    Event.LOCK: "waiting for locks",
}


@dataclass(frozen=True)
class CaseProfile:
    """What a profile of one case has left. Without a flame graph `why_not` says why."""

    profile: Profile
    flame_graph: Path | None
    why_not: str = ""


@dataclass(frozen=True)
class Profilers:
    """async-profiler for a JVM, `perf` for everything else; the first draws for both."""

    shell: Shell
    java: Path
    profiler: Profiler | None
    why_not: str = ""
    """Why there is no async-profiler."""

    def recorder(self, variant: Variant) -> Recorder:
        """What records a server of that runtime. Raises `HostError` where nothing can."""
        return Agent(self._found.library) if variant.runtime.needs_java else Perf()

    def stacks(self, recorded: Recorded, event: Event) -> str:
        """Collapsed stacks: a line each, frames from the outermost with `;` between, a weight."""
        if recorded.of_jvm:
            return self._converter.stacks(recorded.file, event)
        return recorded.file.read_text(encoding="utf-8", errors="replace")

    def draw(self, recorded: Sequence[Recorded], event: Event, title: str, out: Path) -> None:
        """A flame graph of one, or of what the second has more. Raises `HostError`, `CaseError`."""
        self._converter.flame_graph([recording.file for recording in recorded], event, title, out)

    @property
    def _found(self) -> Profiler:
        if self.profiler is None:
            raise HostError(self.why_not)
        return self.profiler

    @property
    def _converter(self) -> Converter:
        return Converter(self.shell, self.java, self._found.converter)


def find_profilers(tools: Tools, shell: Shell) -> Profilers:
    """Those of this host; async-profiler is fetched where it is missing."""
    java = tools.jdk.java
    if tools.jdk is NO_JDK:
        return Profilers(shell, java, None, "async-profiler takes a JDK, and none is here")
    try:
        # a comparison of two folders of jars builds nothing, and did not search for Maven
        maven = tools.maven or find_maven()
        return Profilers(shell, java, provide_profiler(tools.jdk, maven, ROOT, shell))
    except SpringbenchError as error:
        return Profilers(shell, java, None, str(error))


def find_samplers(
    jvm: Iterable[bool], tools: Tools, shell: Shell
) -> tuple[dict[bool, Sampler], list[Caution]]:
    """What looks into servers while they are compared: into JVMs, and into what is none. Without
    it all else is measured."""
    found: dict[bool, Sampler] = {}
    cautions: list[Caution] = []
    for is_jvm in sorted(jvm):
        sampler = _jvm_sampler(tools, shell) if is_jvm else _perf_sampler()
        if isinstance(sampler, str):
            caution = Caution(code="not-sampled", message=f"no method was compared: {sampler}")
            logger.info(f"warning: {caution.message}")
            cautions.append(caution)
        else:
            found[is_jvm] = sampler
    return found, cautions


def _jvm_sampler(tools: Tools, shell: Shell) -> Sampler | str:
    """async-profiler, or why it is not here."""
    profilers = find_profilers(tools, shell)
    if profilers.profiler is None:
        return profilers.why_not
    found = profilers.profiler
    return JvmSampler(Agent(found.library), Converter(shell, profilers.java, found.converter))


def _perf_sampler() -> Sampler | str:
    """`perf`, or why it is not here."""
    return Perf() if find_perf() else no_perf()


def draw_profile(
    recorded: Recorded, case: Case, event: Event, profilers: Profilers, folder: Path
) -> CaseProfile:
    """The stacks of a recording, and its flame graph in `folder` where one can be drawn."""
    stacks = parse(profilers.stacks(recorded, event))
    profile = Profile(stacks, of_jvm=recorded.of_jvm)
    graph = folder / f"{case.id.replace('/', '_')}-{event}.html"
    try:
        profilers.draw([recorded], event, f"{case.id}, {EVENT_WORDS[event]}", graph)
    except SpringbenchError as error:
        return CaseProfile(profile, None, str(error))
    return CaseProfile(profile, graph)
