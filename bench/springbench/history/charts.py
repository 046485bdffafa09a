"""github-action-benchmark's own history of a branch: which of its charts a run belongs to.

It compares a point with the last one of the same chart, whatever that was measured with. So a chart
is of one profile on one host class: a nightly is held against the nightly before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from springbench.history.entries import host_classes
from springbench.history.files import Files
from springbench.history.packing import BrokenFileError
from springbench.matrix.service_name import one_service
from springbench.results.published_run import PublishedRun
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
    """What tells a run's charts from those of other conditions."""
    classes = host_classes(run)
    service = one_service(case.case for case in run.cases)
    of = f"{service}, " if service else ""
    name = f"{of}{run.profile}, {classes[0] if len(classes) == 1 else SEVERAL_CLASSES}"
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
