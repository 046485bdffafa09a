"""Why head is slower: after a confirmed regression one more process of either side is recorded.

None of these processes counts in a finding. A profile that fails costs the comparison nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.analysis.profiles import Profile, grown, parse, without_compilers, words
from springbench.bench.profilers import EVENT_WORDS, Profilers, find_profilers
from springbench.bench.tools import Tools
from springbench.compare.groups import VariantPairs
from springbench.errors import SpringbenchError
from springbench.host.shell import Shell
from springbench.measure.pair import SIDES
from springbench.measure.profile.session import Event, Recorded, record
from springbench.measure.server.command import Start
from springbench.plan.cases import Case
from springbench.results.comparison import ExplanationRecord, FindingRecord
from springbench.results.metrics import METRICS

logger = logging.getLogger(__name__)

FLAME_GRAPHS = "flame-graphs"
RECORDING_S = 15.0
# each takes about a minute
MOST_EXPLAINED = 2
# what a profile of that event can explain
EVENTS = {metric.name: Event(metric.profiled) for metric in METRICS if metric.profiled}


@dataclass(frozen=True)
class Explainer:
    """What it takes to explain findings; `folder` is that of the comparison."""

    groups: Sequence[VariantPairs]
    tools: Tools
    shell: Shell
    folder: Path

    def explain(self, findings: Iterable[FindingRecord]) -> list[ExplanationRecord]:
        """An explanation of the greatest regressions that a profile can explain."""
        explicable = list(self._explicable(findings))[:MOST_EXPLAINED]
        if not explicable:
            return []
        profilers = find_profilers(self.tools, self.shell)
        return [self._explanation(profilers, *each) for each in explicable]

    def _explicable(
        self, findings: Iterable[FindingRecord]
    ) -> Iterator[tuple[VariantPairs, Case, Event]]:
        """Each case and event once, the greatest change first."""
        worse = [f for f in findings if f.verdict == "regression" and f.metric in EVENTS]
        worse.sort(key=lambda finding: -abs(finding.ratio - 1))
        seen: set[tuple[str, Event]] = set()
        for finding in worse:
            event = EVENTS[finding.metric]
            for group in self.groups:
                for schedule in group.schedules:
                    case = schedule.case
                    # what waits for a lock or a limit has no CPU time to show
                    waits = case.workload.delay_s and finding.metric == "throughput_rps"
                    if case.id == finding.case and not waits and (case.id, event) not in seen:
                        seen.add((case.id, event))
                        yield group, case, event

    def _explanation(
        self, profilers: Profilers, group: VariantPairs, case: Case, event: Event
    ) -> ExplanationRecord:
        logger.info(f"{case.id}: a profile of either side, {EVENT_WORDS[event]}, about a minute")
        try:
            recorded = [self._record(profilers, group, case, event, at) for at in (0, 1)]
            base, head = (_profile(profilers, each, event) for each in recorded)
            text = words(grown(base, head), EVENT_WORDS[event])
        except SpringbenchError as error:
            return ExplanationRecord(case=case.id, event=event.value, text=f"no profile: {error}")
        file: str | None = f"{FLAME_GRAPHS}/{case.id.replace('/', '_')}-{event}.html"
        title = f"{case.id}, {EVENT_WORDS[event]}: head against base"
        try:
            profilers.draw(recorded, event, title, self.folder / str(file))
        except SpringbenchError as error:
            text, file = f"{text}; no flame graph: {error}", None
        return ExplanationRecord(case=case.id, event=event.value, text=text, file=file)

    def _record(
        self, profilers: Profilers, group: VariantPairs, case: Case, event: Event, at: int
    ) -> Recorded:
        recorder, side, setup = profilers.recorder(case.variant), SIDES[at], group.setup
        testbed = setup.sides[side].testbed
        testbed = replace(testbed, raw=testbed.raw / "profiles" / side)
        start = Start(
            setup.sides[side].variant, setup.connections, setup.java_options, setup.workload
        )
        return record(testbed, case, start, recorder, event, RECORDING_S)


def _profile(profilers: Profilers, recorded: Recorded, event: Event) -> Profile:
    stacks = without_compilers(parse(profilers.stacks(recorded, event)))
    samples = dict(parse(profilers.samples(recorded, event)))
    return Profile(stacks, recorded.answers, recorded.of_jvm, samples)
