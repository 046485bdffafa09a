"""Flame graphs of a run: after its last fork one more process of each case, which never counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from springbench.analysis.profiles import heaviest, short
from springbench.build.profiler import Profiler, provide_profiler
from springbench.errors import SpringbenchError
from springbench.host.tools.find import find_maven
from springbench.measure.profile.convert import Converter
from springbench.measure.profile.session import Event, record
from springbench.measure.server.command import Start
from springbench.measure.testbed import Testbed
from springbench.paths import ROOT, shown
from springbench.plan.cases import Case
from springbench.report.sanitise import one_line
from springbench.run.profiling import drawn
from springbench.run.tools import Tools

RECORDING_S = 15.0
_MOST_NAMED = 3
FOLDER = "flame-graphs"


@dataclass(frozen=True)
class ProfilingCases:
    """What it takes; flame graphs go to the folder of raw output."""

    testbed: Testbed
    tools: Tools
    say: Callable[[str], None]

    def profile(self, cases: Iterable[Case]) -> None:
        """Record CPU time, one case after the other. One that fails is told, and costs no other."""
        wanted = [case for case in cases if case.variant.runtime.needs_java]
        if not wanted:
            self.say("no flame graphs: a jar can be profiled, no image and no other command")
            return
        try:
            maven = self.tools.maven or find_maven()
            profiler = provide_profiler(self.tools.jdk, maven, ROOT, self.testbed.shell, self.say)
        except SpringbenchError as error:
            self.say(f"no flame graphs: {error}")
            return
        (self.testbed.raw / FOLDER).mkdir(exist_ok=True)
        for case in wanted:
            try:
                self._profile(case, profiler)
            except SpringbenchError as error:
                self.say(f"{case.id}: no flame graph: {one_line(str(error))}")

    def _profile(self, case: Case, profiler: Profiler) -> None:
        testbed = self.testbed
        recorded = record(testbed, case, Start.of(case), profiler.library, Event.CPU, RECORDING_S)
        converter = Converter(testbed.shell, testbed.java, profiler.converter)
        profiled = drawn(recorded, case, Event.CPU, converter, testbed.raw / FOLDER)
        named = ", ".join(
            f"{short(frame)} ({100 * share:.1f} %)"
            for frame, share in heaviest(profiled.profile, _MOST_NAMED)
        )
        self.say(f"{case.id}: {named or 'nothing was sampled'}: {shown(profiled.flame_graph)}")
