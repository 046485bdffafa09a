"""A comparison: of two sides that are measured now, interleaved, or of two stored runs."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from springbench import units
from springbench.analysis.comparison.methods import changed_methods_of
from springbench.analysis.comparison.stored import compare_runs, in_both
from springbench.analysis.comparison.verdicts import ComparedCase
from springbench.analysis.host_speed import compared_at_one_speed
from springbench.analysis.profiles import words
from springbench.bench.assembly import BenchOptions, BuildCache, open_bench
from springbench.bench.profilers import EVENT_WORDS, Profilers, find_profilers
from springbench.bench.records import new_comparison, tools_info
from springbench.bench.tools import Tools
from springbench.compare.groups import RecordedPairs, VariantPairs, variant_pairs
from springbench.compare.scheduler import PairScheduler
from springbench.compare.sides import (
    RequestedSide,
    check_artifacts,
    commits_between,
    started_differently,
)
from springbench.errors import ConfigurationError, SpringbenchError
from springbench.host.interrupts import interrupts_ignored
from springbench.host.shell import Shell
from springbench.measure.pair import SIDES
from springbench.measure.profile import Event, Recorded
from springbench.plan.plan import Plan
from springbench.results.comparison import (
    COMPARISON_FILE,
    Comparison,
    ComparisonInfo,
    ExplanationRecord,
    HeadLimitRecord,
    PairRecord,
    ProfiledEvent,
    SideInfo,
)
from springbench.results.metrics import METRICS
from springbench.results.recording import Recording
from springbench.results.run import Caution
from springbench.results.stacks import collapsed_text
from springbench.results.store import load_run, write_atomically

logger = logging.getLogger(__name__)

Explain = Callable[[Comparison], list[ExplanationRecord]]
_MOST_NAMED = 4
_STORED_RUNS = Caution(
    code="stored-runs",
    message="the runs were measured at different times: what drifted between counts as a change",
    remedy="compare the commits side by side",
)


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
    *,
    explain: bool = False,
    metrics: frozenset[str] = frozenset(),
    built: BuildCache | None = None,
    apart: int | None = None,
    load_host: str | None = None,
    recording: Recording | None = None,
) -> LiveComparison:
    """Measure base and head side by side. `sides` are base and head, in this order.

    With `explain` a regression that was confirmed is looked into with a profiler afterwards.
    `metrics` are those that are evaluated, all where none is named. `built` carries what was built
    over to the next comparison. `apart` says how many commits head is from base where git cannot.
    `load_host` is USER@HOST that the load comes from. With a `recording` nothing is built or
    started: its pairs take the place of new ones.
    """
    infos = [side.info for side in sides]
    apart = apart or commits_between(sides, plan, shell)
    if recording:
        recorded = recording.comparison_of(*infos)
        comparison = new_comparison(
            plan, budget_s, infos, recorded.host, recorded.tools, [recording.caution]
        )
        comparison.comparison.commits = apart
        comparison.warnings += started_differently(plan, sides)
        pairs = RecordedPairs(recorded)
        saving = _Saving(comparison, _make_folder(comparison, results))
        scheduler = PairScheduler(
            [group for group in variant_pairs(plan, sides) if pairs.available(group.variant)],
            budget_s,
            saving,
            measure=pairs.measure,
            available=pairs.available,
            server_cpus=len(recorded.host.limits.server_cpus) or 1,
            metrics=metrics,
            clock=pairs.clock,
        )
        return saving.execute(scheduler, pairs.explain)
    for side in sides:
        check_artifacts(side, plan)
    options = BenchOptions(
        plan,
        sides=tuple(side.bench_side(plan) for side in sides),
        jars=sides[0].jars,
        load_host=load_host,
        samples=True,
        built={} if built is None else built,
    )
    with open_bench(options, shell) as bench:
        host, tools = bench.host, bench.tools
        comparison = new_comparison(
            plan, budget_s, infos, host.info(tools.jdk), tools_info(tools), host.warnings()
        )
        comparison.comparison.commits = apart
        comparison.warnings += [*started_differently(plan, sides), *bench.warnings]
        saving = _Saving(comparison, _make_folder(comparison, results))
        cases = units.counted(len(plan.cases), "case")
        logger.info(f"{cases}, at most {units.duration(budget_s)} of measuring")
        (saving.folder / "raw").mkdir()
        groups = variant_pairs(plan, sides, bench.start(saving.folder / "raw"))
        scheduler = PairScheduler(
            groups,
            budget_s,
            saving,
            server_cpus=len(host.cpus.server) or 1,
            metrics=metrics,
        )
        explaining = Explainer(groups, tools, shell, saving.folder)
        return saving.execute(scheduler, explaining.explain if explain else None)


@dataclass
class _Saving:
    """Writes `comparison.json` after each pair: what ends it by force leaves what was measured."""

    comparison: Comparison
    folder: Path

    def __post_init__(self) -> None:
        self._before = [*self.comparison.warnings]

    def __call__(self, scheduler: PairScheduler) -> None:
        comparison = self.comparison
        comparison.warnings = [*self._before, *_not_compared(scheduler)]
        comparison.pairs = scheduler.pairs
        comparison.findings = scheduler.findings()
        comparison.facts = scheduler.facts()
        comparison.limits = scheduler.limits()
        comparison.comparison.measured_s = scheduler.budget.elapsed_s
        text = comparison.model_dump_json(by_alias=True, indent=2)
        write_atomically(self.folder / COMPARISON_FILE, text + "\n")

    def execute(self, scheduler: PairScheduler, explain: Explain | None) -> LiveComparison:
        """Execute it to its end, and explain what it found, unless it was interrupted."""
        scheduler.execute()
        with interrupts_ignored():
            self.comparison.comparison.finished_at = _now()
            self(scheduler)
        if explain and not scheduler.interrupted:
            self.comparison.explanations = explain(self.comparison)
            self(scheduler)
        pairs = itertools.chain.from_iterable(scheduler.pairs.values())
        return LiveComparison(
            self.comparison,
            self.folder,
            interrupted=scheduler.interrupted,
            failed=any(pair.status == "failed" for pair in pairs),
        )


def _not_compared(scheduler: PairScheduler) -> Iterator[Caution]:
    """The cases that were not evaluated, those of one reason together."""
    if cases := scheduler.load_bottleneck():
        yield Caution(
            code="load-generator",
            message=f"{_named(cases)}: wrk was the limit, so the two sides were not compared",
            remedy="compare on a host with more CPUs",
        )
    if cases := scheduler.compiling():
        yield Caution(
            code="compiling",
            message=f"{_named(cases)}: just-in-time compilers were at work in each burst, so the "
            "two sides were not compared",
            remedy="compare on a host with more CPUs, or a faster one",
        )
    reasons = scheduler.not_at_rates()
    for reason in dict.fromkeys(reasons.values()):
        cases = [case for case, of_case in reasons.items() if of_case == reason]
        yield Caution(
            code="constant-rate",
            message=f"{_named(cases)}: latencies at a constant rate were not compared: {reason}",
            remedy="compare on a host that is idle",
        )
    by_reason: dict[str, list[str]] = {}
    for variant, pairs in scheduler.pairs.items():
        for reason in {pair.not_sampled for pair in pairs if pair.not_sampled}:
            by_reason.setdefault(reason, []).append(variant)
    for reason, variants in by_reason.items():
        yield Caution(
            code="not-sampled",
            message=f"{_named(variants)}: methods were not compared in each pair: {reason}",
        )
    if cases := scheduler.unmeasured_cases():
        yield Caution(
            code="not-looked-at",
            message=f"not looked at, for want of time: {_named(cases)}",
            remedy="a longer --budget has them",
        )


def _named(cases: Sequence[str]) -> str:
    """The first of them by their names, and how many more."""
    more = len(cases) - _MOST_NAMED
    return ", ".join(cases[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


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


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def compare_stored(base: Path, head: Path, *, force: bool) -> Comparison:
    """Two stored runs compared.

    Raises `ConfigurationError` when their hosts are of different classes and `force` is not set.
    """
    runs = load_run(base), load_run(head)
    classes = [run.host.host_class for run in runs]
    warnings = [_STORED_RUNS]
    if classes[0] != classes[1]:
        if not force:
            raise ConfigurationError(
                f"the runs come from different host classes ({classes[0]} and {classes[1]}): "
                "their difference is that of the hosts. --force compares them all the same"
            )
        warnings.append(
            Caution(
                code="host-classes",
                message=f"different host classes, {classes[0]} and {classes[1]}: "
                "the hosts differ, whatever the servers do",
                remedy="measure both on one host",
            )
        )
    warnings += compared_at_one_speed(in_both(*runs))
    return Comparison(
        comparison=ComparisonInfo(
            id=f"{runs[0].run.id}-{runs[1].run.id}",
            started_at=runs[1].run.started_at,
            finished_at=runs[1].run.finished_at,
            profile=runs[1].run.profile,
            budget_s=runs[0].run.estimate_s + runs[1].run.estimate_s,
            measured_s=runs[0].run.measured_s + runs[1].run.measured_s,
            interleaved=False,
        ),
        base=SideInfo(kind="run", label=runs[0].run.id),
        head=SideInfo(kind="run", label=runs[1].run.id),
        host=runs[1].host,
        tools=runs[1].tools,
        warnings=warnings,
        findings=compare_runs(*runs),
        limits=[
            HeadLimitRecord(**limit.model_dump(), case=result.case)
            for result in runs[1].results
            for limit in result.limits
        ],
    )


# --- Why head is slower: by the samples of its pairs ----------------------------------------------


FLAME_GRAPHS = "flame-graphs"
MOST_EXPLAINED = 5
# what a profile of that event can explain
EVENTS: dict[str, ProfiledEvent] = {m.name: m.profiled for m in METRICS if m.profiled}


@dataclass(frozen=True)
class Explainer:
    """What it takes to explain findings; `folder` is that of the comparison."""

    groups: Sequence[VariantPairs]
    tools: Tools
    shell: Shell
    folder: Path

    def explain(self, comparison: Comparison) -> list[ExplanationRecord]:
        """An explanation of the greatest regressions whose cases were sampled."""
        explicable = list(self._explicable(comparison))[:MOST_EXPLAINED]
        if not explicable:
            return []
        profilers = find_profilers(self.tools, self.shell)
        return [
            self._explain(profilers, comparison.pairs[group.variant], case, event)
            for group, case, event in explicable
        ]

    def _explicable(
        self, comparison: Comparison
    ) -> Iterator[tuple[VariantPairs, ComparedCase, ProfiledEvent]]:
        """Each case and event once, the greatest change first."""
        worse = [
            finding
            for finding in comparison.findings
            if finding.verdict == "regression" and finding.metric in EVENTS
        ]
        worse.sort(key=lambda finding: -abs(finding.ratio - 1))
        methods: list[tuple[str, ProfiledEvent]] = [
            (fact.case, "cpu")
            for fact in comparison.facts
            if fact.metric == "methods" and fact.verdict == "regression"
        ]
        seen: set[tuple[str, ProfiledEvent]] = set()
        for name, event in [
            *((finding.case, EVENTS[finding.metric]) for finding in worse),
            *methods,
        ]:
            for group in self.groups:
                pairs = comparison.pairs.get(group.variant, [])
                sampled = any(pair.sampled(name, event) for pair in pairs)
                for case in group.cases:
                    if case.case == name and sampled and (name, event) not in seen:
                        seen.add((name, event))
                        yield group, case, event

    def _explain(
        self,
        profilers: Profilers,
        pairs: Sequence[PairRecord],
        compared: ComparedCase,
        event: ProfiledEvent,
    ) -> ExplanationRecord:
        """The methods that grew, with a flame graph of what head has more if it can be drawn."""
        case, what = compared.case, EVENT_WORDS[Event(event)]
        changes = changed_methods_of(compared, event, pairs)
        text = words([change for change in changes if change.grew > 0], what)
        file: str | None = f"{FLAME_GRAPHS}/{case.replace('/', '_')}-{event}.html"
        recorded = self._collapsed(pairs, case, event)
        try:
            title = f"{case}, {what}: head against base"
            profilers.draw(recorded, Event(event), title, self.folder / str(file))
        except SpringbenchError as error:
            text, file = f"{text}; no flame graph: {error}", None
        return ExplanationRecord(case=case, event=event, text=text, file=file)

    def _collapsed(
        self, pairs: Sequence[PairRecord], case: str, event: ProfiledEvent
    ) -> list[Recorded]:
        """Files of the stacks of each side, those of all pairs together."""
        folder = self.folder / "raw" / "samples"
        folder.mkdir(parents=True, exist_ok=True)
        sampled = [both for pair in pairs if (both := pair.sampled(case, event))]
        recorded = []
        for at, side in enumerate(SIDES):
            file = folder / f"{case.replace('/', '_')}-{event}-{side}.collapsed"
            stacks = [stack for both in sampled for stack in both[at].stacks()]
            write_atomically(file, collapsed_text(stacks))
            recorded.append(Recorded(file))
        return recorded
