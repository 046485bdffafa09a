"""`springbench publish`, as a person or a workflow runs it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from springbench.matrix.rows import Matrix
from springbench.results.run import Caution, Run
from tests.conftest import Cli
from tests.history.histories import HOST_CLASSES, contents, raw_run, stored_run
from tests.history.remotes import make_bare
from tests.samples import full_run


@pytest.fixture
def run(matrix: Matrix) -> Run:
    return raw_run(matrix, 7)


@pytest.mark.process
def test_a_run_goes_into_a_folder(tmp_path: Path, run: Run, cli: Cli) -> None:
    folder, history = stored_run(tmp_path, run), tmp_path / "history"
    code, out, _ = cli("publish", folder, "--history", history)
    assert (code, out.split()[:2]) == (0, ["added", "run-00007"])
    code, out, _ = cli("publish", folder, "--history", history)
    assert (code, out.split()[:2]) == (0, ["replaced", "run-00007"])
    assert "data/runs/run-00007.json.gz" in contents(history)


@pytest.mark.process
def test_a_run_goes_onto_a_branch(tmp_path: Path, run: Run, cli: Cli) -> None:
    bare = make_bare(tmp_path / "remote.git")
    folder = stored_run(tmp_path, run)
    for words in ("pushed run-00007 on branch gh-pages, attempt 1", "nothing new: run-00007"):
        code, out, _ = cli("publish", folder, "--push", bare)
        assert code == 0
        assert words in out


@pytest.mark.process
def test_shards_become_one_run(tmp_path: Path, run: Run, cli: Cli) -> None:
    other = run.model_copy(deep=True)
    other.run.id = "run-00007-b"
    other.host.host_class = HOST_CLASSES[1]
    run.results, other.results = run.results[:2], run.results[2:]
    folders = [stored_run(tmp_path, run), stored_run(tmp_path, other)]
    history = tmp_path / "history"
    assert cli("publish", *folders, "--history", history, "--id", "github-1")[0] == 0
    record = json.loads(contents(history)["data/runs/github-1.json.gz"])
    assert {case["shard"] for case in record["cases"]} == {0, 1}
    index = json.loads(contents(history)["data/index.json"])
    assert index["runs_total"] == 1
    assert [sum(row["points"]) for row in index["classes"]] == [len(other.results), 2]


@pytest.mark.process
def test_a_run_of_a_shared_host_is_published_with_a_mark(
    tmp_path: Path, run: Run, cli: Cli
) -> None:
    run.warnings.append(Caution(code="shared-host", message="others use it"))
    history = tmp_path / "history"
    assert cli("publish", stored_run(tmp_path, run), "--history", history)[0] == 0
    index = json.loads(contents(history)["data/index.json"])
    assert index["runs"]["marks"] == [["shared-host"]]


@pytest.mark.process
def test_the_lists_for_github_action_benchmark(tmp_path: Path, matrix: Matrix, cli: Cli) -> None:
    run = full_run(matrix)
    run.results = [result for result in run.results if result.status != "skipped"]
    lists = tmp_path / "lists"
    assert cli("publish", stored_run(tmp_path, run), "--export", lists)[0] == 0
    throughput = json.loads((lists / "throughput.json").read_text())
    names = [entry["name"] for entry in throughput]
    assert "boot4-tomcat-platform-jvm/hello/64 · throughput" in names
    # failed, and bottleneck the load generator
    assert not [name for name in names if "jetty-platform" in name or "tomcat-virtual" in name]
    first = throughput[0]
    assert (first["unit"], first["value"]) == ("req/s", 48812)
    assert set(first) == {"name", "unit", "value", "range", "extra"}
    costs = json.loads((lists / "costs.json").read_text())
    assert {entry["unit"] for entry in costs} == {"s", "MiB", "µs"}
    assert {entry["name"].split(" · ")[1] for entry in costs} == {
        "startup",
        "peak memory",
        "CPU per request",
    }


@pytest.mark.process
def test_an_empty_list_is_not_written_and_said(tmp_path: Path, run: Run, cli: Cli) -> None:
    for result in run.results:
        result.status = "failed"
    lists = tmp_path / "lists"
    lists.mkdir()
    (lists / "costs.json").write_text("of an earlier run")
    code, out, _ = cli("publish", stored_run(tmp_path, run), "--export", lists)
    assert code == 0
    assert out.splitlines() == [
        "no throughput.json: no case counts for it",
        "no costs.json: no case counts for it",
    ]
    assert list(lists.iterdir()) == []


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "nowhere to publish to"),
        (("--history", "h"), "RUN is missing"),
        (("--history", "h", "--push", "origin", "x"), "a folder or a branch"),
        (("nowhere", "--history", "h"), "there is no such run"),
        (("RUN", "--push", "--force"), "--push '--force'"),
        (("RUN", "--push", "nowhere"), "no remote of this repository"),
        (("RUN", "--history", "h", "--id", "../x"), "cannot be published"),
        (("RUN", "--history", "h", "--mark", "<b>"), "cannot be published"),
        (("RUN", "--history", "h", "--url", "javascript:x"), "--url"),
        (("RUN", "RUN", "--history", "h"), "leave one folder out"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path,
    run: Run,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = str(stored_run(tmp_path, run))
    code, _, err = cli("publish", *(folder if word == "RUN" else word for word in arguments))
    assert (code, err.count("\n")) == (2, 1), err
    assert words in err
    assert not (tmp_path / "h").exists()


@pytest.mark.process
def test_runs_of_two_commits_are_not_one_run(tmp_path: Path, matrix: Matrix, cli: Cli) -> None:
    folders = [stored_run(tmp_path, raw_run(matrix, number)) for number in (1, 2)]
    code, _, err = cli("publish", *folders, "--history", tmp_path / "h")
    assert code == 2
    assert "publish these one by one" in err


@pytest.mark.process
@pytest.mark.parametrize("damage", [b"", b"\x1f\x8b cut", "short"])
def test_a_broken_run_file_is_reported_with_its_remedy_and_costs_no_other_run(
    tmp_path: Path, matrix: Matrix, cli: Cli, damage: bytes | str
) -> None:
    history = tmp_path / "history"
    for number in (1, 2):
        cli("publish", stored_run(tmp_path, raw_run(matrix, number)), "--history", history)
    file = history / "data" / "runs" / "run-00001.json.gz"
    content = gzip.decompress(file.read_bytes())
    broken = gzip.compress(content[: len(content) // 2]) if isinstance(damage, str) else damage
    file.write_bytes(broken)
    code, out, err = cli("publish", "--rebuild", "--history", history)
    assert code == 0
    assert out.endswith("from 1 run\n")
    assert "left out: data/runs/run-00001.json.gz: " in err
    assert "or delete it" in err
    index = (history / "data" / "index.json").read_text(encoding="utf-8")
    assert json.loads(index)["runs"]["id"] == ["run-00002"]
    # it is not ours to throw away
    assert file.read_bytes() == broken


@pytest.mark.process
def test_a_history_of_a_newer_springbench_is_left_as_it_is(
    tmp_path: Path, run: Run, cli: Cli
) -> None:
    history = tmp_path / "history"
    cli("publish", stored_run(tmp_path, run), "--history", history)
    file = history / "data" / "runs" / "run-00007.json.gz"
    newer = gzip.decompress(file.read_bytes()).replace(b'"schema":2', b'"schema":7', 1)
    file.write_bytes(gzip.compress(newer))
    code, _, err = cli("publish", "--rebuild", "--history", history)
    assert code == 2
    assert "schema 7; this springbench reads schema 2: use the springbench" in err
    assert "--rebuild" not in err
    assert gzip.decompress(file.read_bytes()) == newer


@pytest.mark.process
def test_rebuilding(tmp_path: Path, run: Run, cli: Cli) -> None:
    history = tmp_path / "history"
    cli("publish", stored_run(tmp_path, run), "--history", history)
    before = contents(history)
    (history / "data/index.json").write_text("{")
    code, out, _ = cli("publish", "--rebuild", "--history", history)
    assert (code, out.strip()[-10:]) == (0, "from 1 run")
    assert contents(history) == before
