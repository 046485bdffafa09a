"""The whole way of a history through the finder: runs, comparisons of pushes, confirming."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random

from evaluation.finder.histories import History
from evaluation.finder.noise import Noise
from evaluation.finder.rules import Alarm
from springbench.analysis.comparison.verdicts import Key, PairSample, evaluate
from springbench.analysis.confirming import MAX_TRIES
from springbench.analysis.finder.events import events_of
from springbench.analysis.finder.observations import MetricSeries, SeriesKey
from springbench.analysis.finder.series_steps import steps_of
from springbench.results.events import Event
from springbench.results.history_names import CommitRow
from springbench.results.published_comparison import (
    PublishedComparison,
    PublishedFinding,
    Purpose,
)
from springbench.results.published_run import PublishedHost, PublishedTools
from springbench.results.steps import MeasuredCommit, StepRow

CASE, METRIC, CLASS = "boot4-tomcat-virtual-jvm/hello/64", "throughput_rps", "a-host"
USUAL_SPREAD = 0.043
MOST_PAIRS: dict[Purpose, int] = {"push": 4, "confirm": 10}
LEAST_PAIRS = 3
# jobs that confirm run every few hours, and commits come some a day
TRIES_PER_COMMIT = 2
# what is reported once stays one event while its range moves by so much
SAME = 3
_START = datetime(2026, 1, 1, tzinfo=UTC)
_HOST = PublishedHost.model_validate(
    {
        "class": CLASS,
        "fingerprint": "0",
        "cpu_model": "drawn",
        "cores": 2,
        "memory_bytes": 1,
        "os": "drawn",
        "kernel": "drawn",
        "server_cpus": 1,
        "memory_limit_bytes": 1,
        "cpus_enforced_by": "nobody",
        "memory_enforced_by": "nobody",
    }
)
_TOOLS = PublishedTools(jdk="drawn", wrk="drawn", springbench="drawn")


@dataclass
class Replay:
    """One history, commit by commit. `pushes`: whether neighbours are compared in pairs as well."""

    history: History
    deviation: float
    noise: Noise
    random: Random
    pushes: bool
    steps: Sequence[Sequence[StepRow]]
    """What the series alone shows after each commit (`steps_after`)."""
    comparisons: list[PublishedComparison] = field(default_factory=list)
    suspected: list[Alarm] = field(default_factory=list)
    """Each the first time that it is shown."""
    alarms: list[Alarm] = field(default_factory=list)
    """What another comparison has confirmed."""
    tried: dict[tuple[int, int], int] = field(default_factory=dict)
    confirming: int = 0
    pairs: int = 0

    def run(self) -> None:
        """Over the commits that the rules are asked after."""
        for newest in self.history.looked_at:
            if self.pushes:
                self._compare(newest - 1, newest, newest, "push")
            self._look(newest)

    def _look(self, newest: int) -> None:
        steps = self.steps[newest]
        if not steps and not self.comparisons:
            return
        events = events_of(steps, self.comparisons)
        for event in events:
            if event.state == "suspected":
                _add(self.suspected, event, newest)
        for _ in range(TRIES_PER_COMMIT):
            if not self._confirm(events, newest):
                break
            events = events_of(steps, self.comparisons)
        for event in events:
            if event.state in ("confirmed", "fixed") and any(
                evidence.independent and evidence.agrees for evidence in event.evidence
            ):
                _add(self.alarms, event, newest)

    def _confirm(self, events: Sequence[Event], newest: int) -> bool:
        """Compare the ends of the newest candidate change, as the workflow would."""
        for event in events:
            ends = _index(event.culprit.before), _index(event.culprit.after)
            tries = self.tried.get(ends, 0)
            if event.state == "suspected" and tries < MAX_TRIES:
                self.tried[ends] = tries + 1
                self._compare(*ends, newest, "confirm", MOST_PAIRS["confirm"] * (tries + 1))
                self.confirming += 1
                return True
        return False

    def _compare(
        self, base: int, head: int, newest: int, purpose: Purpose, most: int | None = None
    ) -> None:
        true = self.history.levels[head] - self.history.levels[base]
        logs: list[float] = []
        while True:
            logs.append(true + self.noise.pair(self.deviation, self.random))
            if len(logs) < LEAST_PAIRS:
                continue
            found = _evaluated(logs)
            if found.verdict != "undecided" or len(logs) >= (most or MOST_PAIRS[purpose]):
                break
        if purpose != "push":
            self.pairs += len(logs)
        self.comparisons.append(
            PublishedComparison(
                id=f"{purpose}-{len(self.comparisons)}",
                purpose=purpose,
                started_at=_time(newest, minutes=30 + len(self.comparisons)),
                finished_at=_time(newest, minutes=31 + len(self.comparisons)),
                profile="pr",
                base=_commit(base),
                head=_commit(head),
                host=_HOST,
                tools=_TOOLS,
                findings=[found],
            )
        )


def steps_after(history: History) -> list[list[StepRow]]:
    """For each commit the steps that the finder sees once it is measured."""
    series = _series(history)
    return [
        steps_of([_first(series, newest + 1)])[0] if newest in history.looked_at else []
        for newest in range(len(history.logs))
    ]


def _first(series: MetricSeries, commits: int) -> MetricSeries:
    measured, values = series.measured[:commits], series.values[:commits]
    return replace(series, measured=measured, values=values)


def _add(alarms: list[Alarm], event: Event, newest: int) -> None:
    up = event.direction == "improvement"
    after, until = _index(event.culprit.before), _index(event.culprit.after)
    known = any(
        alarm.after - SAME <= until and after <= alarm.until + SAME and alarm.up == up
        for alarm in alarms
    )
    if not known:
        alarms.append(Alarm(after, until, up, newest, event.kind == "drift"))


def _evaluated(logs: Sequence[float]) -> PublishedFinding:
    first = tuple(number % 2 == 0 for number in range(len(logs)))
    sample = PairSample(Key(CASE, METRIC), "hello", "higher", tuple(logs), first, USUAL_SPREAD)
    (found,) = evaluate([sample])
    return PublishedFinding(
        case=CASE,
        metric=METRIC,
        unit="rps",
        better="higher",
        ratio=found.ratio,
        low_ratio=found.low,
        high_ratio=found.high,
        p_value=found.p_value,
        pairs=found.pairs,
        verdict=found.verdict,
    )


def _series(history: History) -> MetricSeries:
    return MetricSeries(
        SeriesKey(CASE, "commit-1x6s", CLASS, METRIC),
        "rps",
        "higher",
        tuple(
            MeasuredCommit(
                commit=_commit(index),
                run=f"run-{index}",
                environment=environment,
                cpu_probe_s=history.probes_s[index] if history.probes_s else None,
            )
            for index, environment in enumerate(history.environments)
        ),
        [math.exp(log) for log in history.logs],
    )


@cache
def _commit(index: int) -> CommitRow:
    return CommitRow(sha=f"{index:012x}", time=_time(index), message="", author="")


def _index(commit: CommitRow) -> int:
    return int(commit.sha, 16)


def _time(index: int, minutes: int = 0) -> str:
    return (_START + timedelta(days=index, minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")
