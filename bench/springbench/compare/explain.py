"""Why head is slower: after a confirmed regression one more process of either side is recorded.

None of these processes counts in a finding. A profile that fails costs the comparison nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.analysis.profiles import Profile, grown, parse, without_compilers, words
from springbench.build.profiler import Profiler, provide_profiler
from springbench.compare.scheduler import VariantPairs
from springbench.errors import SpringbenchError
from springbench.host.shell import Shell
from springbench.host.tools.find import find_maven
from springbench.measure.duet.side import SIDES
from springbench.measure.profile.convert import Converter
from springbench.measure.profile.session import Event, Recorded, record
from springbench.measure.server.command import Start
from springbench.paths import ROOT
from springbench.plan.cases import Case
from springbench.report.rate_words import RATE_NAMES
from springbench.results.comparison import ExplanationRecord, FindingRecord
from springbench.run.profiling import EVENT_WORDS
from springbench.run.tools import Tools

FLAME_GRAPHS = "flame-graphs"
RECORDING_S = 15.0
# each takes about a minute
MOST_EXPLAINED = 2
# what a profile of that event can explain
EVENTS = {
    "throughput_rps": Event.CPU,
    "cpu_per_request_s": Event.CPU,
    "allocated_bytes_per_request": Event.ALLOC,
    # what takes longer at a rate that is the same for both mostly works longer
    **dict.fromkeys(RATE_NAMES, Event.CPU),
}


NO_JAVA = "no profile: a jar can be profiled, a command of its own cannot"


def _is_java(group: VariantPairs) -> bool:
    return all(side.variant.runtime.needs_java for side in group.setup.sides.values())


@dataclass(frozen=True)
class Explaining:
    """What it takes to explain findings; `folder` is that of the comparison."""

    groups: Sequence[VariantPairs]
    tools: Tools
    shell: Shell
    folder: Path
    say: Callable[[str], None]

    def explain(self, findings: Iterable[FindingRecord]) -> list[ExplanationRecord]:
        """An explanation of the greatest regressions that a profile can explain."""
        all_wanted = list(self._wanted(findings))[:MOST_EXPLAINED]
        wanted = [each for each in all_wanted if _is_java(each[0])]
        told = [
            ExplanationRecord(case=case.id, event=event.value, text=NO_JAVA)
            for group, case, event in all_wanted
            if not _is_java(group)
        ]
        if not wanted:
            return told
        try:
            # of two folders of jars nothing was built, and Maven not asked for
            maven = self.tools.maven or find_maven()
            profiler = provide_profiler(self.tools.jdk, maven, ROOT, self.shell, self.say)
        except SpringbenchError as error:
            return [
                ExplanationRecord(case=case.id, event=event.value, text=f"no profile: {error}")
                for _, case, event in wanted
            ] + told
        return [self._explanation(profiler, *each) for each in wanted] + told

    def _wanted(
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
        self, profiler: Profiler, group: VariantPairs, case: Case, event: Event
    ) -> ExplanationRecord:
        self.say(f"{case.id}: a profile of either side, {EVENT_WORDS[event]}")
        converter = Converter(self.shell, self.tools.jdk.java, profiler.converter)
        name = f"{FLAME_GRAPHS}/{case.id.replace('/', '_')}-{event}.html"
        try:
            recorded = [self._record(profiler, group, case, event, at) for at in (0, 1)]
            title = f"{case.id}, {EVENT_WORDS[event]}: head against base"
            files = [each.file for each in recorded]
            converter.flame_graph(files, event, title, self.folder / name)
            base, head = (_profile(converter, each, event) for each in recorded)
            text = words(grown(base, head), EVENT_WORDS[event])
        except SpringbenchError as error:
            return ExplanationRecord(case=case.id, event=event.value, text=f"no profile: {error}")
        return ExplanationRecord(case=case.id, event=event.value, text=text, file=name)

    def _record(
        self, profiler: Profiler, group: VariantPairs, case: Case, event: Event, at: int
    ) -> Recorded:
        side, setup = SIDES[at], group.setup
        testbed = setup.sides[side].testbed
        testbed = replace(testbed, raw=testbed.raw / "profiles" / side)
        start = Start(
            setup.sides[side].variant, setup.connections, setup.java_options, setup.workload
        )
        return record(testbed, case, start, profiler.library, event, RECORDING_S)


def _profile(converter: Converter, recorded: Recorded, event: Event) -> Profile:
    stacks = without_compilers(parse(converter.stacks(recorded.file, event)))
    # of bytes a sample stands for many
    largest = max((weight for _, weight in stacks), default=1)
    unit = 1.0 if event is Event.CPU else float(largest)
    return Profile(stacks, recorded.answers, unit)
