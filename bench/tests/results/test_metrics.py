"""The registry of metrics: each declaration is whole, and there is no other list."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from springbench.paths import ROOT
from springbench.report.headline import metric_words
from springbench.results.metrics import (
    BY_NAME,
    HISTORY_METRICS,
    IMPORTANCE,
    METRICS,
    PAGE_VIEWS,
    Metric,
    View,
    metrics_in,
)
from springbench.results.records import LoadRecord
from springbench.results.schema import schemas

PACKAGE, PAGE = ROOT / "bench" / "springbench", ROOT / "site" / "src"
REGISTRY = PACKAGE / "results" / "metrics.py"
PUBLISHED = {metric.name for metric in HISTORY_METRICS}


def test_a_name_stands_once() -> None:
    assert [name for name, count in Counter(m.name for m in METRICS).items() if count > 1] == []


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_declaration_is_whole(metric: Metric) -> None:
    assert metric.description
    # what is on the page has a name in both languages, and data that fill it
    if metric.published or set(metric.views) & set(PAGE_VIEWS):
        assert metric.published
        assert metric.label is not None
        assert all(metric.label)
    if metric.noise is not None:
        assert metric.phrases is not None
        assert metric.importance is not None
        assert "{size}" in metric.phrases.grown
        assert "{size}" in metric.phrases.shrunk
    if metric.importance is not None:
        assert metric_words(metric.name) != metric.name
    if set(metric.views) & {"table", "details", "rates"}:
        assert metric.head
    assert metric.source is None or metric.name in LoadRecord.model_fields
    assert metric.minimum_ratio is None or metric.published
    assert metric.chart is None or (metric.published and metric.term)
    assert not metric.closed_loop or (metric.label and metric.label.en.endswith("*"))


@pytest.mark.parametrize("view", get_args(View))
def test_a_view_has_an_order(view: View) -> None:
    positions = [
        metric.views[view] for metric in metrics_in(view) if metric.capacity_percent in (None, 50)
    ]
    assert positions
    assert len(set(positions)) == len(positions)


def test_what_a_sentence_names_comes_in_the_order_in_which_people_notice_it() -> None:
    assert IMPORTANCE[:3] == ("throughput_rps", "cpu_per_request_s", "memory_peak_bytes")
    assert set(IMPORTANCE) == {metric.name for metric in METRICS if metric.noise}


def test_a_cell_has_the_unit_of_its_column_and_a_dash_for_nothing() -> None:
    assert BY_NAME["cpu_per_request_s"].cell(0.000021) == "21 µs"
    assert BY_NAME["latency_p99_s"].cell(1.003) == "1,003 ms"
    assert BY_NAME["memory_peak_bytes"].cell(432013312.0) == "412 MiB"
    assert all(metric.cell(None) == "–" for metric in METRICS)


def test_the_file_has_every_metric_and_what_the_page_shows_of_it() -> None:
    rows = {row["name"]: row for row in json.loads(schemas()["metrics.json"])["metrics"]}
    assert list(rows) == [metric.name for metric in METRICS]
    assert rows["startup_s"]["label"] == {"en": "Startup", "zh": "启动时间"}
    assert rows["startup_s"]["views"] == {"footprint": 1, "run": 11}
    assert "label" not in rows["build_s"]


def test_there_is_no_other_list_of_metrics_in_the_harness() -> None:
    files = sorted(set(PACKAGE.rglob("*.py")) - {REGISTRY})
    found = {(file.name, names) for file in files for names in lists_in_python(file)}
    assert found == set(), "derive it from springbench.results.metrics"


def test_there_is_no_other_list_of_metrics_on_the_page() -> None:
    files = sorted(
        file
        for file in [*PAGE.rglob("*.ts"), *PAGE.rglob("*.tsx")]
        if "generated" not in file.parts
    )
    found = {(file.name, names) for file in files for names in lists_in_typescript(file)}
    assert found == set(), "derive it from site/src/data/metrics.ts"


def lists_in_python(file: Path) -> Iterator[tuple[str, ...]]:
    """Several metrics that stand in one list, tuple, set or mapping."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Dict):
            members = [key for key in node.keys if key is not None]
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            members = node.elts
        else:
            continue
        texts = (member.value for member in members if isinstance(member, ast.Constant))
        names = {text for text in texts if isinstance(text, str)} & PUBLISHED
        if len(names) > 1:
            yield tuple(sorted(names))


def lists_in_typescript(file: Path) -> Iterator[tuple[str, ...]]:
    """Several metrics between two brackets, or as keys between two braces."""
    text = file.read_text(encoding="utf-8")
    for part in re.findall(r"\[[^][]*\]|\{[^{}]*\}", text):
        keys = (
            r"[\"'](?:metric\.)?(\w+)[\"']" if part[0] == "[" else r"^\s*\"?(?:metric\.)?(\w+)\"?:"
        )
        names = set(re.findall(keys, part, re.MULTILINE)) & PUBLISHED
        if len(names) > 1:
            yield tuple(sorted(names))
