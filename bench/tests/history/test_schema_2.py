"""Schema 2: how a case was measured is part of its series, latest is of each; schema 1 is read."""

from __future__ import annotations

import json
from pathlib import Path

from springbench.history.condense import Publication, condense
from springbench.history.files import INDEX, Folder, run_path, save
from springbench.history.folder import add_to_folder
from springbench.history.update import rebuild
from springbench.matrix.rows import Matrix
from springbench.results.published_run import Columns, PublishedRun
from springbench.results.run import Caution
from tests.history.histories import contents, published, raw_run


def as_schema_1(run: PublishedRun) -> str:
    """The same run as an older springbench published it."""
    data = json.loads(run.model_dump_json(by_alias=True, exclude_none=True))
    data["schema"] = 1
    for case in data["cases"]:
        del case["conditions"], case["notes"]
    for shard in data["shards"]:
        del shard["tools"]["boots"]
    return json.dumps(data, separators=(",", ":")) + "\n"


def older_history(folder: Path, matrix: Matrix, count: int) -> Folder:
    """A history of schema 1: its runs, and an index of that time."""
    files = Folder(folder)
    for number in range(count):
        run = published(matrix, number)
        files.write(run_path(run.id), as_schema_1(run))
    files.write(INDEX, f'{{"schema":1,"runs_total":{count}}}\n')
    return files


def test_a_history_of_schema_1_is_taken_over_by_the_next_run(
    tmp_path: Path, matrix: Matrix
) -> None:
    older_history(tmp_path, matrix, 5)
    add_to_folder(tmp_path, published(matrix, 5))
    index = json.loads(contents(tmp_path)["data/index.json"])
    assert index["schema"] == 2
    assert index["runs_total"] == 6
    # nobody knows how the older ones were measured: theirs is a series of its own
    conditions = {row["conditions"] for row in index["cases"]}
    assert conditions == {"quick", "quick-1x6s", "quick-1x6s-apart"}
    names = [row["conditions"] for row in index["cases"]]
    points = set(zip(names, index["classes"][0]["points"], strict=True))
    assert points == {("quick", 5), ("quick-1x6s", 1), ("quick-1x6s-apart", 1)}


def test_a_rebuild_reads_both_schemas(tmp_path: Path, matrix: Matrix) -> None:
    files = older_history(tmp_path, matrix, 3)
    save(files, run_path("run-00003"), published(matrix, 3))
    assert rebuild(files) == 4
    assert sum(json.loads(contents(tmp_path)["data/index.json"])["classes"][0]["points"]) == 16


def test_latest_is_of_each_case_and_not_of_the_newest_run(tmp_path: Path, matrix: Matrix) -> None:
    whole, narrow = published(matrix, 0), published(matrix, 1)
    narrow.cases, kept = narrow.cases[:1], narrow.cases[0]
    narrow.metrics = {
        name: Columns(median=c.median[:1], low=c.low[:1], high=c.high[:1])
        for name, c in narrow.metrics.items()
    }
    for run in (whole, narrow):
        add_to_folder(tmp_path, run)
    index = json.loads(contents(tmp_path)["data/index.json"])
    latest = index["classes"][0]["latest"]
    by_case = {
        index["cases"][row]["case"]: run
        for row, run in zip(latest["row"], latest["run"], strict=True)
    }
    assert by_case.pop(kept.case) == "run-00001"
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
    assert {name.rpartition("@")[2] for name in names} == {"quick-1x6s.json", "quick-3x30s.json"}


def test_all_that_the_report_says_of_a_number_is_published(matrix: Matrix) -> None:
    run = raw_run(matrix, 0)
    caution = Caution(code="not-steady", message="it still changed", remedy="a longer warm-up")
    run.results[0].warnings = [caution]
    run.tools.boots = {"boot4": "4.0.7"}
    made = condense([run], Publication(url="https://example.invalid/1"))
    assert made.cases[0].notes == ["warning: it still changed; a longer warm-up."]
    assert made.shards[0].tools.boots == {"boot4": "4.0.7"}
