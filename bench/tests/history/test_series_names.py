"""How a case was measured is part of its series; the newest point is that of each series."""

from __future__ import annotations

import json
from pathlib import Path

from springbench.history.condense import Publication, condense
from springbench.history.files import series_path
from springbench.history.folder import add_to_folder
from springbench.matrix.rows import Matrix
from springbench.results.published_run import Columns
from springbench.results.run import Caution
from tests.history.histories import contents, published, raw_run


def test_latest_is_of_each_case_and_not_of_the_newest_run(tmp_path: Path, matrix: Matrix) -> None:
    full, narrow = published(matrix, 0), published(matrix, 1)
    narrow.cases, case = narrow.cases[:1], narrow.cases[0]
    narrow.metrics = {
        name: Columns(median=c.median[:1], low=c.low[:1], high=c.high[:1])
        for name, c in narrow.metrics.items()
    }
    for run in (full, narrow):
        add_to_folder(tmp_path, run)
    index = json.loads(contents(tmp_path)["data/index.json"])
    latest = index["classes"][0]["latest"]
    by_case = {
        index["cases"][row]["case"]: run
        for row, run in zip(latest["row"], latest["run"], strict=True)
    }
    assert by_case.pop(case.case) == "run-00001"
    assert set(by_case.values()) == {"run-00000"}
    assert len(by_case) == 3


def test_what_was_measured_in_another_way_is_another_series(tmp_path: Path, matrix: Matrix) -> None:
    quick, longer = raw_run(matrix, 0), raw_run(matrix, 1)
    for result in longer.results:
        assert result.planned
        result.planned.window_s, result.planned.forks = 30.0, 3
    for run in (quick, longer):
        add_to_folder(tmp_path, condense([run]))
    names = [name for name in contents(tmp_path) if "hello~64@" in name]
    assert {name.rpartition("@")[2].split(".")[0] for name in names} == {
        "quick-1x6s",
        "quick-3x30s",
    }


def test_the_file_of_a_series_is_named_as_the_site_asks_for_it() -> None:
    # series.test.ts has the same
    path = series_path("c0ffee12", "2026-02", "boot4-tomcat-virtual-jvm/pay/100@quick-1x6s")
    name = "boot4-tomcat-virtual-jvm~pay~100@quick-1x6s.35cc6d05.json"
    assert path == f"data/series/c0ffee12/2026-02/{name}"


def test_all_that_the_report_says_of_a_number_is_published(matrix: Matrix) -> None:
    run = raw_run(matrix, 0)
    caution = Caution(code="not-steady", message="it still changed", remedy="a longer warm-up")
    run.results[0].warnings = [caution]
    run.tools.boots = {"boot4": "4.0.7"}
    record = condense([run], Publication(url="https://example.invalid/1"))
    assert record.cases[0].notes == ["warning: it still changed; a longer warm-up."]
    assert record.shards[0].tools.boots == {"boot4": "4.0.7"}
