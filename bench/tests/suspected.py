"""Events and the comparisons that check them, made up for tests."""

from __future__ import annotations

import json

from springbench.results.comparison import FactRecord
from springbench.results.events import AffectedSeries, Culprit, Event
from springbench.results.history import RunColumns
from springbench.results.history_names import CommitRow
from springbench.results.published_comparison import PublishedComparison, PublishedFinding
from springbench.results.published_run import PublishedHost, PublishedTools

CASE = "boot4-tomcat-virtual-jvm/hello/64"
OTHER_CASES = (
    "boot4-jetty-virtual-jvm/hello/64",
    "boot4-netty-reactive-jvm/hello/64",
    "boot4-netty-reactive-jvm/pay/1000",
    "boot4-tomcat-virtual-jvm/pay/1000",
)
CPU = "cpu_per_request_s"
HOST_CLASS = "some-cpu-2c-8g-linux6-jdk25"


def commit(number: int) -> CommitRow:
    """The commits of a branch, one an hour."""
    return CommitRow(
        sha=f"{number:012x}",
        time=f"2026-11-{1 + number // 24:02d}T{number % 24:02d}:00:00+00:00",
        message=f"Change {number}",
        author="Someone",
    )


def affected(ratio: float, case: str = CASE, metric: str = CPU, **fields: object) -> AffectedSeries:
    standard = {
        "case": case,
        "configuration": "nightly-3x10s",
        "host_class": HOST_CLASS,
        "metric": metric,
        "unit": "s",
        "better": "lower",
        "before": 1e-4,
        "after": 1e-4 * ratio,
        "ratio": ratio,
        "low_ratio": ratio / 1.02,
        "high_ratio": ratio * 1.02,
    }
    return AffectedSeries.model_validate({**standard, **fields})


def event(
    *affected_series: AffectedSeries, before: int = 4, after: int = 5, **fields: object
) -> Event:
    """A candidate change; by default a regression of one case."""
    standard = {
        "id": f"regression-{commit(after).sha}",
        "kind": "step",
        "direction": "regression",
        "state": "suspected",
        "culprit": Culprit(before=commit(before), after=commit(after), exact=True),
        "run": "gh-5",
        "shared": "one case",
        "affected_series": list(affected_series) or [affected(1.1)],
    }
    return Event.model_validate({**standard, **fields})


def found(
    ratio: float, within: float = 0.01, case: str = CASE, metric: str = CPU, pairs: int = 8
) -> PublishedFinding:
    """A finding whose interval reaches so far to either side."""
    return PublishedFinding(
        case=case,
        metric=metric,
        unit="s",
        better="lower",
        ratio=ratio,
        low_ratio=ratio / (1 + within),
        high_ratio=ratio * (1 + within),
        p_value=0.001,
        pairs=pairs,
        verdict="undecided",
    )


def compared(
    *findings: PublishedFinding,
    base: int = 4,
    head: int = 5,
    facts: tuple[FactRecord, ...] = (),
    **fields: object,
) -> PublishedComparison:
    """A comparison that checked a candidate change, a month after all commits."""
    host = PublishedHost.model_validate(
        {
            "class": HOST_CLASS,
            "fingerprint": "0a1b2c3d",
            "cpu_model": "Some CPU",
            "cores": 2,
            "memory_bytes": 8 << 30,
            "os": "Linux",
            "kernel": "6.1",
            "server_cpus": 1,
            "memory_limit_bytes": 1 << 30,
            "cpus_enforced_by": "cgroup",
            "memory_enforced_by": "cgroup",
        }
    )
    standard = {
        "schema": 1,
        "id": "gh-100-confirm",
        "purpose": "confirm",
        "started_at": "2026-12-20T10:00:00+00:00",
        "finished_at": "2026-12-20T10:20:00+00:00",
        "profile": "nightly",
        "base": commit(base),
        "head": commit(head),
        "host": host,
        "tools": PublishedTools(jdk="25", wrk="4.2", springbench="0.1"),
        "findings": list(findings),
        "facts": list(facts),
    }
    return PublishedComparison.model_validate({**standard, **fields})


def index_of(*events: Event) -> str:
    """The index of a history that has these events, and no runs."""
    lists = ("metrics", "cases", "classes", "commits")
    return json.dumps(
        {
            "schema": 2,
            "runs_total": 0,
            **{name: [] for name in lists},
            "runs": {name: [] for name in RunColumns.model_fields},
            "events": [entry.model_dump(by_alias=True) for entry in events],
        }
    )


def between(base: str, head: str, about: Event) -> Event:
    """The event, moved to lie between these commits."""
    about.culprit.before.sha, about.culprit.after.sha = base[:12], head[:12]
    return about
