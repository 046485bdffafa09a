"""Series of commits, one a day, for tests of the finder."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from springbench.analysis.finder.observations import MetricSeries, SeriesKey
from springbench.results.history_names import CommitRow
from springbench.results.metrics import Better
from springbench.results.published_run import CaseRow
from springbench.results.steps import MeasuredCommit

CASE = "boot4-tomcat-virtual-jvm/hello/64"
_START = datetime(2026, 1, 1, tzinfo=UTC)


def commit(number: int) -> CommitRow:
    time = (_START + timedelta(days=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
    return CommitRow(sha=f"{number:012x}", time=time, message=f"change {number}", author="somebody")


def row(
    server: str, model: str, workload: str = "hello", boot: str = "boot4", connections: int = 64
) -> CaseRow:
    return CaseRow(
        case=f"{boot}-{server}-{model}-jvm/{workload}/{connections}",
        configuration="commit-1x6s",
        boot=boot,
        server=server,
        model=model,
        runtime="jvm",
        workload=workload,
        connections=connections,
    )


def series(
    values: Sequence[float],
    environments: Sequence[str] | None = None,
    *,
    case: str = CASE,
    metric: str = "throughput_rps",
    better: Better = "higher",
    host_class: str = "a-host",
) -> MetricSeries:
    names = environments or ["kernel 6.8"] * len(values)
    return MetricSeries(
        SeriesKey(case, "commit-1x6s", host_class, metric),
        "rps",
        better,
        tuple(
            MeasuredCommit(commit=commit(number), run=f"run-{number}", environment=name)
            for number, name in enumerate(names)
        ),
        values,
    )


def noisy(*levels: tuple[float, int], deviation: float = 0.02, seed: int = 1) -> list[float]:
    """Values around levels, each for so many commits."""
    draw = random.Random(seed)
    return [level * (1 + draw.gauss(0, deviation)) for level, count in levels for _ in range(count)]
