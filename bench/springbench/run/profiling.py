"""Flame graphs: of one case, and of every case of a run. No number of these processes counts."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from springbench import units
from springbench.analysis.profiles import heaviest, short_name
from springbench.bench.assembly import BenchOptions, open_bench
from springbench.bench.profilers import CaseProfile, Profilers, draw_profile, find_profilers
from springbench.bench.tools import Tools
from springbench.errors import ConfigurationError, SpringbenchError
from springbench.host.shell import Shell
from springbench.measure.profile import Event, record
from springbench.measure.server.command import Start
from springbench.measure.testbed import Testbed
from springbench.paths import shown
from springbench.plan.cases import STARTUP_ESTIMATE_S, Case
from springbench.plan.countdown import Countdown, Step
from springbench.plan.plan import Plan
from springbench.untrusted import one_line

logger = logging.getLogger(__name__)

MOST_CASES_NAMED = 5
RECORDING_S = 15.0
_MOST_NAMED = 3
FOLDER = "flame-graphs"


@dataclass(frozen=True)
class CaseProfiler:
    """What it takes; flame graphs go to the folder of raw output."""

    testbed: Testbed
    tools: Tools

    def profile(self, cases: Sequence[Case]) -> None:
        """Record CPU time of one case after the other. A failure does not affect the others."""
        profilers = find_profilers(self.tools, self.testbed.shell)
        (self.testbed.raw / FOLDER).mkdir(exist_ok=True)
        steps: dict[Hashable, Step] = {
            case.id: Step("profile", STARTUP_ESTIMATE_S + case.warmup_min_s + RECORDING_S)
            for case in cases
        }
        countdown = Countdown(steps)
        for number, case in enumerate(cases, start=1):
            countdown.begin(case.id)
            logger.info(f"[{number}/{len(cases)}] {case.id}: a profile, {countdown.words()}")
            try:
                self._profile(case, profilers)
            except SpringbenchError as error:
                logger.info(f"{case.id}: no flame graph: {one_line(str(error))}")

    def _profile(self, case: Case, profilers: Profilers) -> None:
        testbed, recorder = self.testbed, profilers.recorder(case.variant)
        recorded = record(testbed, case, Start.of(case), recorder, Event.CPU, RECORDING_S)
        profiled = draw_profile(recorded, case, Event.CPU, profilers, testbed.raw / FOLDER)
        named = ", ".join(
            f"{short_name(frame)} ({100 * share:.1f} %)"
            for frame, share in heaviest(profiled.profile, _MOST_NAMED)
        )
        graph = profiled.flame_graph
        place = shown(graph) if graph else f"no flame graph: {one_line(profiled.why_not)}"
        logger.info(f"{case.id}: {named or 'nothing was sampled'}: {place}")


@dataclass(frozen=True)
class ProfileRequest:
    """What is to be recorded, for how long, and where its files go."""

    plan: Plan
    event: Event
    duration_s: float
    jars: Path | None
    results: Path


def profile_case(request: ProfileRequest, shell: Shell) -> CaseProfile:
    """Build what is missing, start the one case of the plan, and record it.

    Raises `ConfigurationError` where the plan has several, `HostError`, `CaseError`.
    """
    plan, event = request.plan, request.event
    if len(plan.cases) > 1:
        names = ", ".join(case.id for case in plan.cases[:MOST_CASES_NAMED])
        raise ConfigurationError(f"{len(plan.cases)} cases match, one is allowed: {names}")
    [case] = plan.cases
    with open_bench(BenchOptions(plan, jars=request.jars), shell) as bench:
        profilers = find_profilers(bench.tools, shell)
        recorder = profilers.recorder(case.variant)
        folder = request.results / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-profile"
        (folder / "raw").mkdir(parents=True)
        [testbed] = bench.start(folder / "raw")
        logger.info(
            f"{case.id}: warming up, then recording for {units.duration(request.duration_s)}"
        )
        recorded = record(testbed, case, Start.of(case), recorder, event, request.duration_s)
    return draw_profile(recorded, case, event, profilers, folder)
