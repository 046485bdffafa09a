"""A history that grew run by run is the one that a rebuild makes."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from springbench.history.condense import utc
from springbench.history.files import Folder
from springbench.history.folder import (
    add_comparisons_to_folder,
    add_to_folder,
    rebuild_folder,
)
from springbench.history.update import add, rebuild
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from springbench.results.published_run import (
    Columns,
    PublishedCase,
    PublishedCommit,
    PublishedHost,
    PublishedRun,
    PublishedShard,
    PublishedTools,
)
from springbench.results.schema import schemas
from tests.draws import draws
from tests.history.histories import contents, published, published_comparison, rebuilt

NUMBERS = st.one_of(st.none(), st.floats(0.1, 1e6).map(lambda value: round(value, 1)))


def _shard(host_class: str) -> PublishedShard:
    host = {
        "class": host_class,
        "fingerprint": host_class,
        "cpu_model": "cpu",
        "cores": 2,
        "memory_bytes": 1,
        "os": "Linux",
        "kernel": "6",
        "server_cpus": 1,
        "memory_limit_bytes": 1,
        "cpus_enforced_by": "x",
        "memory_enforced_by": "x",
    }
    return PublishedShard(
        run="r",
        started_at=utc("2026-01-01T00:00:00Z"),
        measured_s=1,
        host=PublishedHost.model_validate(host),
        tools=PublishedTools(jdk="25", wrk="4", springbench="0"),
        marks=["drifted"] if host_class == "c" else [],
    )


def _case(number: int, configuration: str, shard: int, status: str) -> PublishedCase:
    return PublishedCase.model_validate(
        {
            "case": f"boot4-tomcat-virtual-jvm/pay/{number}",
            "boot": "boot4",
            "server": "tomcat",
            "model": "virtual",
            "runtime": "jvm",
            "workload": "pay",
            "connections": number,
            "configuration": configuration,
            "notes": [f"note {status}"],
            "shard": shard,
            "status": status,
            "n": 1,
            "warnings": [],
        }
    )


@st.composite
def runs(draw: st.DrawFn) -> PublishedRun:
    """Any run: re-runs and late ones come of few ids and few times."""
    classes = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=2, unique=True))
    numbers = draw(st.lists(st.integers(1, 5), max_size=4, unique=True))
    cases = [
        _case(
            number,
            draw(st.sampled_from(("quick", "quick-1x6s"))),
            draw(st.integers(0, len(classes) - 1)),
            draw(st.sampled_from(("ok", "failed", "skipped"))),
        )
        for number in numbers
    ]
    values = draw(st.lists(NUMBERS, min_size=len(cases), max_size=len(cases)))
    month, day = draw(st.integers(1, 4)), draw(st.integers(1, 28))
    return PublishedRun(
        schema=2,
        id=f"r{draw(st.integers(0, 11))}",
        started_at=utc(f"2026-02-{draw(st.integers(1, 28)):02d}T00:00:00Z"),
        profile="quick",
        trigger="push",
        commit=PublishedCommit(
            sha=f"{month:x}{day:02x}".ljust(40, "0"),
            time=utc(f"2026-{month:02d}-{day:02d}T00:00:00+02:00"),
            message="m",
            author="a",
            dirty=False,
        )
        if draw(st.booleans())
        else None,
        marks=[],
        shards=[_shard(name) for name in classes],
        cases=cases,
        metrics={"throughput_rps": Columns(median=values, low=values, high=values)},
    )


@given(st.lists(runs(), min_size=1, max_size=12))
def test_a_grown_history_is_a_rebuilt_one(given_runs: list[PublishedRun]) -> None:
    with tempfile.TemporaryDirectory() as grown, tempfile.TemporaryDirectory() as fresh:
        for run in given_runs:
            add(Folder(Path(grown)), run)
        assert contents(Path(grown)) == rebuilt(Path(grown), Path(fresh))


@given(st.lists(runs(), min_size=1, max_size=8, unique_by=lambda run: run.id), st.data())
def test_the_order_of_publishing_does_not_matter(
    given_runs: list[PublishedRun], data: st.DataObject
) -> None:
    other_order = data.draw(st.permutations(given_runs))
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        for folder, order in ((one, given_runs), (other, other_order)):
            for run in order:
                add(Folder(Path(folder)), run)
        assert contents(Path(one)) == contents(Path(other))


@given(st.lists(runs(), min_size=1, max_size=12))
@settings(max_examples=draws(15))
def test_a_rebuild_mends_what_was_broken(given_runs: list[PublishedRun]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = Folder(Path(folder))
        for run in given_runs:
            add(files, run)
        before = contents(Path(folder))
        files.write("data/series/a/left/over.json", "{}")
        files.delete("data/index.json")
        rebuild(files)
        assert contents(Path(folder)) == before


def test_publishing_twice_changes_nothing(tmp_path: Path, matrix: Matrix) -> None:
    assert not add_to_folder(tmp_path, published(matrix, 1))
    before = contents(tmp_path)
    assert add_to_folder(tmp_path, published(matrix, 1))
    assert contents(tmp_path) == before


def test_a_rerun_replaces_its_own_point(tmp_path: Path, matrix: Matrix) -> None:
    for number in range(4):
        add_to_folder(tmp_path, published(matrix, number))
    add_to_folder(tmp_path, published(matrix, 2, hello=20000.0))
    (shard,) = [
        text
        for name, text in contents(tmp_path).items()
        if name.startswith("data/series/") and "tomcat-platform" in name
    ]
    assert json.loads(shard)["metrics"]["throughput_rps"]["median"] == [48000, 48000, 20000, 48000]
    assert json.loads(contents(tmp_path)["data/index.json"])["runs_total"] == 4


def test_a_late_run_is_sorted_in(tmp_path: Path, matrix: Matrix) -> None:
    for number in (0, 2, 1):
        add_to_folder(tmp_path, published(matrix, number))
    index = json.loads(contents(tmp_path)["data/index.json"])
    assert index["runs"]["id"] == ["run-00000", "run-00001", "run-00002"]
    assert index["classes"][0]["latest"]["run"] == ["run-00002"] * 4


def test_a_publish_that_was_cut_short_is_mended_by_the_next(tmp_path: Path, matrix: Matrix) -> None:
    add_to_folder(tmp_path, published(matrix, 0))
    (tmp_path / "data/.unfinished").touch()
    series = next((tmp_path / "data/series").rglob("*tomcat*"))
    series.unlink()
    add_to_folder(tmp_path, published(matrix, 1))
    assert len(json.loads(series.read_text())["run"]) == 2
    assert not (tmp_path / "data/.unfinished").exists()


def test_closed_months_never_change(tmp_path: Path, matrix: Matrix) -> None:
    files = Folder(tmp_path)
    contents_before: dict[str, str] = {}
    for number in range(40):
        before = json.loads(files.read("data/index.json") or '{"classes": []}')
        # the one that was open leaves its newest steps to the next
        closed = [
            row["month"] for host_class in before["classes"] for row in host_class["months"][:-1]
        ]
        add(files, published(matrix, number, per_month=8))
        now = contents(tmp_path)
        for name, text in contents_before.items():
            if any(f"/{month}" in name for month in closed):
                assert now[name] == text
        contents_before = now
    assert len(closed) == 4


def test_a_late_run_changes_its_month_alone(tmp_path: Path, matrix: Matrix) -> None:
    for number in (0, 1, 2, *range(4, 24)):
        add_to_folder(tmp_path, published(matrix, number, per_month=8))
    before = contents(tmp_path)
    add_to_folder(tmp_path, published(matrix, 3, per_month=8))
    now = contents(tmp_path)
    changed = {name for name, text in now.items() if before.get(name) != text}
    folders = {name.split("/")[3] for name in changed if name.startswith("data/series/")}
    assert folders == {"2026-01"}
    assert now == rebuilt(tmp_path, tmp_path / "rebuilt")


def test_a_run_whose_commit_has_another_time_now_moves(tmp_path: Path, matrix: Matrix) -> None:
    for number in range(4):
        add_to_folder(tmp_path, published(matrix, number, per_month=1))
    moved = published(matrix, 1, per_month=1)
    assert moved.commit
    moved.commit.time = "2026-04-20T00:00:00Z"
    add_to_folder(tmp_path, moved)
    index = json.loads(contents(tmp_path)["data/index.json"])
    assert index["classes"][0]["months"] == [
        {"month": "2026-01", "runs": 1},
        {"month": "2026-03", "runs": 1},
        {"month": "2026-04", "runs": 2},
    ]
    assert contents(tmp_path) == rebuilt(tmp_path, tmp_path / "rebuilt")


def test_every_file_keeps_to_its_schema(tmp_path: Path, matrix: Matrix) -> None:
    for number in range(3):
        add_to_folder(tmp_path, published(matrix, number, host=number // 2, per_month=1))
    kinds = []
    for name, text in contents(tmp_path).items():
        if name.endswith(".svg"):
            continue
        kind = (
            "index" if name == "data/index.json"
            else "published-run" if "/runs/" in name
            else "steps" if "/steps/" in name
            else "context" if "/context/" in name
            else "month" if name.endswith("month.json")
            else "series"
        )  # fmt: skip
        kinds.append(kind)
        jsonschema.validate(json.loads(text), json.loads(schemas()[f"{kind}.schema.json"]))
    assert set(kinds) == {"index", "published-run", "month", "series", "steps", "context"}


def _remove(file: Path) -> None:
    file.unlink()


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-9])


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        *product(
            ("index.json", "2026-02/month.json", "2026-02/*@*.json", "context/*/2026-02.json"),
            (_remove, _cut, _pipe),
        ),
        *product(("steps/*/2026-01.json", "evidence.json.gz"), (_cut, _pipe)),
    ],
)
def test_a_broken_derived_file_is_made_anew_by_the_next_publish(
    tmp_path: Path, matrix: Matrix, name: str, damage: Callable[[Path], None]
) -> None:
    folder, sound = tmp_path / "damaged", tmp_path / "sound"
    lines: list[str] = []
    show_messages(lines.append)
    comparisons = [published_comparison(matrix, 1, purpose="confirm")]
    for target in (folder, sound):
        for number in (0, 2):
            add_to_folder(target, published(matrix, number, per_month=2))
        add_comparisons_to_folder(target, comparisons)
    damage(next(folder.rglob(name)))
    for target in (folder, sound):
        add_to_folder(target, published(matrix, 3, per_month=2))
    assert contents(folder) == contents(sound)
    # what is not there is no mistake where the runs are
    assert len(lines) == (damage is not _remove or "index" not in name)
    assert all("is made anew, since a file is damaged: data/" in line for line in lines)


@pytest.mark.parametrize("number", [0, 1])
def test_a_broken_run_file_costs_no_other_run(tmp_path: Path, matrix: Matrix, number: int) -> None:
    lines: list[str] = []
    show_messages(lines.append)
    for run_number in (0, 1):
        add_to_folder(tmp_path, published(matrix, run_number))
    [file] = tmp_path.rglob(f"run-0000{number}.json.gz")
    _cut(file)
    # the newest one is read, and so is the one of that name
    add_to_folder(tmp_path, published(matrix, 0))
    index = (tmp_path / "data/index.json").read_text(encoding="utf-8")
    runs = json.loads(index)["runs"]["id"]
    assert runs == (["run-00000", "run-00001"] if number == 0 else ["run-00000"])
    assert (
        sum("left out: data/runs/run-00001.json.gz: cannot be read" in x for x in lines) == number
    )


def test_a_run_under_another_name_is_left_out(tmp_path: Path, matrix: Matrix) -> None:
    lines: list[str] = []
    show_messages(lines.append)
    add_to_folder(tmp_path, published(matrix, 0))
    [file] = (tmp_path / "data/runs").iterdir()
    (file.parent / "copy\n::error::x.json.gz").write_bytes(file.read_bytes())
    assert rebuild_folder(tmp_path) == 1
    assert len(lines) == 1
    assert "is the run run-00000 under another name" in lines[0]


def test_a_run_that_was_deleted_by_hand_stops_no_publish(tmp_path: Path, matrix: Matrix) -> None:
    for number in (0, 1):
        add_to_folder(tmp_path, published(matrix, number))
    [file] = tmp_path.rglob("run-00001.json.gz")
    file.unlink()
    add_to_folder(tmp_path, published(matrix, 0))
    assert json.loads(contents(tmp_path)["data/index.json"])["runs"]["id"] == ["run-00000"]
