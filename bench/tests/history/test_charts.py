"""Charts of github-action-benchmark: like beside like, and a re-run in the place of its run."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from springbench.history.charts import (
    CHARTS_FILE,
    CHARTS_PAGE,
    THROUGHPUT_FILE,
    chart_of,
    export,
    forget,
    keep_page,
)
from springbench.history.condense import Publication, condense
from springbench.history.files import INDEX, Folder
from springbench.history.update import add, rebuild
from springbench.matrix.rows import Matrix
from springbench.results.published_run import PublishedRun
from springbench.results.run import Run
from tests.samples import case, empty_run, fork, measured

CASES = ("boot4-tomcat-platform-jvm/hello/64", "boot4-netty-reactive-jvm/hello/64")


@pytest.fixture
def files(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def shard(matrix: Matrix, name: str, host_class: str) -> Run:
    run = empty_run()
    run.run.id = f"run-{name.split('-')[1]}"
    run.host.host_class = host_class
    run.results = [measured(case(matrix, name), fork(0, 1000.0))]
    return run


def published(matrix: Matrix, *classes: str) -> PublishedRun:
    shards = [shard(matrix, name, one) for name, one in zip(CASES, classes, strict=False)]
    return condense(shards, Publication("gh-7", None, (), None))


def names(run: PublishedRun) -> list[str]:
    return [entry["name"] for entry in json.loads(export(run)[THROUGHPUT_FILE])]


def point(run_id: str) -> dict[str, Any]:
    bench = {"name": "hello", "value": 1.0, "extra": f"host class a\nrun {run_id}"}
    return {"commit": {"id": "c0ffee"}, "date": 1, "benches": [bench]}


def draw(files: Folder, **points: list[str]) -> None:
    entries = {name: [point(run_id) for run_id in runs] for name, runs in points.items()}
    data = {"lastUpdate": 1, "repoUrl": "", "entries": entries}
    files.write(CHARTS_FILE, f"window.BENCHMARK_DATA = {json.dumps(data, indent=2)}")


def runs_in(files: Folder, chart: str) -> list[str]:
    text = files.read(CHARTS_FILE) or ""
    data = json.loads(text.removeprefix("window.BENCHMARK_DATA = "))
    return [one["benches"][0]["extra"].split("run ")[1] for one in data["entries"][chart]]


def test_a_chart_is_of_one_profile_and_one_host_class(matrix: Matrix) -> None:
    run = published(matrix, "epyc-4c", "epyc-4c")
    assert chart_of(run) == f"{run.profile}, epyc-4c"
    assert set(names(run)) == {f"{case_name} · throughput" for case_name in CASES}


def test_points_of_several_hosts_are_distinguished_by_their_names(matrix: Matrix) -> None:
    run = published(matrix, "epyc-4c", "xeon-2c")
    assert chart_of(run) == f"{run.profile}, several host classes"
    assert set(names(run)) == {
        f"{CASES[0]} · throughput · epyc-4c",
        f"{CASES[1]} · throughput · xeon-2c",
    }


def test_a_rerun_takes_the_place_of_its_run(files: Folder) -> None:
    draw(files, throughput=["gh-6", "gh-7", "gh-70"], costs=["gh-7"])
    assert forget(files, "gh-7")
    assert runs_in(files, "throughput") == ["gh-6", "gh-70"]
    assert runs_in(files, "costs") == []
    assert not forget(files, "gh-7")


def test_a_point_names_the_run_that_it_is_of(files: Folder, matrix: Matrix) -> None:
    [first, *_] = json.loads(export(published(matrix, "a", "a"))[THROUGHPUT_FILE])
    data = {"entries": {"throughput": [{"commit": {}, "benches": [first]}]}}
    files.write(CHARTS_FILE, f"window.BENCHMARK_DATA = {json.dumps(data)}")
    assert forget(files, "gh-7")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "window.BENCHMARK_DATA = ",
        "window.BENCHMARK_DATA = {",
        "window.BENCHMARK_DATA = []",
        'window.BENCHMARK_DATA = {"entries": 7}',
        'window.BENCHMARK_DATA = {"entries": {"a": [7]}}',
        "alert(1)",
    ],
)
def test_what_is_not_as_the_action_writes_it_is_left_alone(files: Folder, text: str) -> None:
    files.write(CHARTS_FILE, text)
    assert not forget(files, "gh-7")
    assert files.read(CHARTS_FILE) == text


def test_a_branch_without_charts_has_nothing_to_forget(files: Folder) -> None:
    assert not forget(files, "gh-7")


def test_the_index_says_whether_the_page_can_link_to_charts(files: Folder, matrix: Matrix) -> None:
    rebuild(files)
    assert json.loads(files.read(INDEX) or "")["charts"] is False
    draw(files, throughput=["gh-6"])
    add(files, published(matrix, "a", "a"))
    assert json.loads(files.read(INDEX) or "")["charts"] is True


def test_the_page_over_the_charts_loads_nothing_from_elsewhere(files: Folder) -> None:
    keep_page(files)
    page = files.read(CHARTS_PAGE) or ""
    assert re.findall(r"(?:src|href)=\"(.*?)\"", page) == ["../../"]
    [policy] = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    assert policy.startswith("default-src 'none'; connect-src 'self'; ")
    for tag in ("script", "style"):
        [inner] = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_the_actions_own_page_is_replaced_and_somebodys_is_kept(files: Folder) -> None:
    script = '<script src="https://cdn.jsdelivr.net/npm/chart.js@2.9.2/dist/Chart.min.js"></script>'
    files.write(CHARTS_PAGE, f"<html>{script}</html>")
    keep_page(files)
    assert "cdn." not in (files.read(CHARTS_PAGE) or "")
    files.write(CHARTS_PAGE, "<html>made by hand</html>")
    keep_page(files)
    assert files.read(CHARTS_PAGE) == "<html>made by hand</html>"
