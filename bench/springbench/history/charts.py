"""github-action-benchmark's own history of a branch: which of its charts a run belongs to.

It compares a point with the last one of the same chart, whatever that was measured with. So a chart
is of one profile on one host class: a nightly is held against the nightly before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from springbench.history.entries import host_classes
from springbench.history.files import Files
from springbench.history.packing import BrokenFileError
from springbench.results.published_run import PublishedRun
from springbench.untrusted import parse_json

CHARTS_FILE = "dev/bench/data.js"
SEVERAL_CLASSES = "several host classes"
_UNFIT = re.compile(r"[^A-Za-z0-9 ,._-]")
_PREFIX = "window.BENCHMARK_DATA = "


def has_charts(files: Files) -> bool:
    """Whether the action has ever written to this branch."""
    folder, _, name = CHARTS_FILE.rpartition("/")
    return name in files.names(folder)


def chart_of(run: PublishedRun) -> str:
    """What tells a run's charts from those of other conditions."""
    classes = host_classes(run)
    name = f"{run.profile}, {classes[0] if len(classes) == 1 else SEVERAL_CLASSES}"
    # it becomes an output of a step: one line, whatever a run file says
    return _UNFIT.sub("", name)


def run_line(run_id: str) -> str:
    """The line of a point's notes that names the run it is of."""
    return f"run {run_id}"


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
        kept = {
            name: [point for point in points if not _is_of(point, run_id)]
            for name, points in charts.items()
        }
    except (ValueError, LookupError, TypeError, AttributeError):
        return False
    if kept == charts:
        return False
    data["entries"] = kept
    files.write(CHARTS_FILE, _PREFIX + json.dumps(data, indent=2, ensure_ascii=False))
    return True


def _is_of(point: dict[str, Any], run_id: str) -> bool:
    return any(run_line(run_id) in _notes(bench) for bench in point["benches"])


def _notes(bench: dict[str, Any]) -> Iterator[str]:
    yield from str(bench.get("extra", "")).splitlines()
