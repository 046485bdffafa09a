"""Lists for benchmark-action/github-action-benchmark: two, as its direction is the tool's.

Names are for ever, as its series hang on them: the case id, and after `·` the metric. In a chart of
several host classes the class comes after that: the action compares points of one name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from springbench.history.charts import run_line
from springbench.history.entries import host_classes
from springbench.results.metrics import METRICS, Chart
from springbench.results.published_run import PublishedCase, PublishedRun
from springbench.results.run import UNRANKED

THROUGHPUT_FILE = "throughput.json"
COSTS_FILE = "costs.json"
FILES = (THROUGHPUT_FILE, COSTS_FILE)


def export(run: PublishedRun) -> dict[str, str]:
    """File name and text of each list. One that would be empty is left out: the action fails on it.

    Cases that failed are left out, and those whose number is not the server's.
    """
    lists = {name: list(_entries(run, name)) for name in FILES}
    return {
        name: json.dumps(entries, indent=1, ensure_ascii=False) + "\n"
        for name, entries in lists.items()
        if entries
    }


def _entries(run: PublishedRun, file: str) -> Iterator[dict[str, object]]:
    for position, case in enumerate(run.cases):
        if case.status != "ok" or case.bound in UNRANKED:
            continue
        for metric in METRICS:
            chart = metric.chart
            if chart and chart.file == file:
                name = metric.term or metric.name
                if entry := _entry(run, position, metric.name, name, chart):
                    yield entry


def _entry(
    run: PublishedRun, position: int, metric: str, words: str, chart: Chart
) -> dict[str, object] | None:
    case, columns = run.cases[position], run.metrics.get(metric)
    median = columns.median[position] if columns else None
    # the action divides by the value
    if columns is None or not median:
        return None
    several = len(host_classes(run)) > 1
    where = f" · {run.shards[case.shard].host.host_class}" if several else ""
    entry: dict[str, object] = {
        "name": f"{case.case} · {words}{where}",
        "unit": chart.unit,
        "value": _rounded(median * chart.factor),
    }
    low, high = columns.low[position], columns.high[position]
    if low is not None and high is not None and case.n > 1:
        entry["range"] = f"{_rounded(low * chart.factor):g} … {_rounded(high * chart.factor):g}"
    return {**entry, "extra": _extra(run, case)}


def _rounded(value: float) -> float:
    return float(f"{value:.5g}")


def _extra(run: PublishedRun, case: PublishedCase) -> str:
    shard = run.shards[case.shard]
    lines = [
        f"host class {shard.host.host_class}",
        f"{case.n} fork{'s' if case.n != 1 else ''}, bound by {case.bound or 'unknown'}",
        run_line(run.id),
    ]
    if shard.marks:
        lines.append(f"marked: {', '.join(shard.marks)}")
    return "\n".join(lines)
