"""github-action-benchmark: the lists that it reads, and its own history of a branch.

It compares a point with the last one of the same chart, whatever that was measured with. So a chart
is of one profile on one host class: a nightly is held against the nightly before it. There are two
lists, as its direction is the tool's. Names are for ever, as its series hang on them: the case id,
and after `·` the metric. In a chart of several host classes the class comes after that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from springbench import units
from springbench.history.entries import host_classes
from springbench.history.files import BrokenFileError, Files
from springbench.matrix.service_name import one_service
from springbench.results.metrics import METRICS, Chart
from springbench.results.published_run import PublishedCase, PublishedRun
from springbench.results.run import UNRANKED
from springbench.untrusted import parse_json

CHARTS_FILE = "dev/bench/data.js"
CHARTS_PAGE = "dev/bench/index.html"
# what the page that the action writes where there is none loads from elsewhere, as a script of the
# dashboard's origin
_OF_THE_ACTION = re.compile(r"<script src=\"https://[^\"]*/chart\.js@")
_PAGE = Path(__file__).with_name("charts.html")
SEVERAL_CLASSES = "several host classes"
_UNFIT = re.compile(r"[^A-Za-z0-9 ,._-]")
_PREFIX = "window.BENCHMARK_DATA = "


def has_charts(files: Files) -> bool:
    """Whether the action has ever written to this branch."""
    folder, _, name = CHARTS_FILE.rpartition("/")
    return name in files.names(folder)


def chart_of(run: PublishedRun) -> str:
    """What tells a run's charts from those of another measurement configuration."""
    classes = host_classes(run)
    service = one_service(case.case for case in run.cases)
    prefix = f"{service}, " if service else ""
    name = f"{prefix}{run.profile}, {classes[0] if len(classes) == 1 else SEVERAL_CLASSES}"
    # it becomes an output of a step: one line, whatever a run file says
    return _UNFIT.sub("", name)


def run_line(run_id: str) -> str:
    """The line of a point's notes that names the run it is of."""
    return f"run {run_id}"


def keep_page(files: Files) -> None:
    """Have a page over the charts that loads nothing from elsewhere: the action writes none then.

    A page that somebody has made in its place stays.
    """
    files.expect([CHARTS_PAGE])
    found = files.read(CHARTS_PAGE)
    if found is None or _OF_THE_ACTION.search(found):
        files.write(CHARTS_PAGE, _PAGE.read_text(encoding="utf-8"))


def forget(files: Files, run_id: str) -> bool:
    """Take the points of a run out of its charts: a re-run adds them anew. Whether there were any.

    A file that is not as the action writes it is left alone.
    """
    try:
        text = files.read(CHARTS_FILE)
    except BrokenFileError:
        text = None
    if text is None or not text.startswith(_PREFIX):
        return False
    try:
        data = parse_json(text.removeprefix(_PREFIX).rstrip().rstrip(";"))
        charts = data["entries"]
        remaining = {
            name: [point for point in points if not _is_of(point, run_id)]
            for name, points in charts.items()
        }
    except (ValueError, LookupError, TypeError, AttributeError):
        return False
    if remaining == charts:
        return False
    data["entries"] = remaining
    files.write(CHARTS_FILE, _PREFIX + json.dumps(data, indent=2, ensure_ascii=False))
    return True


def _is_of(point: dict[str, Any], run_id: str) -> bool:
    return any(run_line(run_id) in _notes(bench) for bench in point["benches"])


def _notes(bench: dict[str, Any]) -> Iterator[str]:
    yield from str(bench.get("extra", "")).splitlines()


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
        if case.status != "ok" or case.bottleneck in UNRANKED:
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
        f"{units.counted(case.n, 'fork')}, bottleneck {case.bottleneck or 'unknown'}",
        run_line(run.id),
    ]
    if shard.marks:
        lines.append(f"marked: {', '.join(shard.marks)}")
    return "\n".join(lines)
