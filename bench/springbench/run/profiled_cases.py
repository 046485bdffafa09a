"""Flame graphs of a run: after its last fork one more process of each case, which never counts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from springbench.analysis.profiles import heaviest, short
from springbench.errors import SpringbenchError
from springbench.measure.profile.session import Event, record
from springbench.measure.server.command import Start
from springbench.measure.testbed import Testbed
from springbench.paths import shown
from springbench.plan.cases import STARTUP_ESTIMATE_S, Case
from springbench.plan.countdown import Countdown, Step
from springbench.run.profilers import Profilers, find_profilers
from springbench.run.profiling import drawn
from springbench.run.tools import Tools
from springbench.untrusted import one_line

RECORDING_S = 15.0
_MOST_NAMED = 3
FOLDER = "flame-graphs"


@dataclass(frozen=True)
class ProfilingCases:
    """What it takes; flame graphs go to the folder of raw output."""

    testbed: Testbed
    tools: Tools
    say: Callable[[str], None]

    def profile(self, cases: Sequence[Case]) -> None:
        """Record CPU time, one case after the other. One that fails is told, and costs no other."""
        profilers = find_profilers(self.tools, self.testbed.shell, self.say)
        (self.testbed.raw / FOLDER).mkdir(exist_ok=True)
        steps: dict[Hashable, Step] = {
            case.id: Step("profile", STARTUP_ESTIMATE_S + case.warmup_min_s + RECORDING_S)
            for case in cases
        }
        countdown = Countdown(steps)
        for number, case in enumerate(cases, start=1):
            countdown.begin(case.id)
            self.say(f"[{number}/{len(cases)}] {case.id}: a profile, {countdown.words()}")
            try:
                self._profile(case, profilers)
            except SpringbenchError as error:
                self.say(f"{case.id}: no flame graph: {one_line(str(error))}")

    def _profile(self, case: Case, profilers: Profilers) -> None:
        testbed, recorder = self.testbed, profilers.recorder(case.variant)
        recorded = record(testbed, case, Start.of(case), recorder, Event.CPU, RECORDING_S)
        profiled = drawn(recorded, case, Event.CPU, profilers, testbed.raw / FOLDER)
        named = ", ".join(
            f"{short(frame)} ({100 * share:.1f} %)"
            for frame, share in heaviest(profiled.profile, _MOST_NAMED)
        )
        graph = profiled.flame_graph
        place = shown(graph) if graph else f"no flame graph: {one_line(profiled.why_not)}"
        self.say(f"{case.id}: {named or 'nothing was sampled'}: {place}")
