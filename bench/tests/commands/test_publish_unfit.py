"""`springbench publish` of runs that are not whole: what is unfit costs the rest nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from springbench.results.run import INTERRUPTED, Caution, Run
from tests.commands.test_publish import run
from tests.conftest import Cli
from tests.history.conftest import bare
from tests.history.histories import contents, stored_run

pytestmark = pytest.mark.process

__all__ = ["bare", "run"]


def drifted(run: Run) -> None:
    run.warnings.append(Caution(code="canary", message="off"))


def unfinished(run: Run) -> None:
    run.run.finished_at = None


def interrupted(run: Run) -> None:
    run.run.interrupted = True


def test_a_drifted_run_is_refused_unless_forced_and_then_marked(
    tmp_path: Path, run: Run, cli: Cli
) -> None:
    drifted(run)
    folder, history = stored_run(tmp_path, run), tmp_path / "history"
    code, _, err = cli("publish", folder, "--history", history)
    assert (code, err.count("\n")) == (2, 1)
    assert "nothing is published: run-00007 is left out: the canary says" in err
    assert not history.exists()
    assert cli("publish", folder, "--history", history, "--force")[0] == 0
    index = json.loads(contents(history)["data/index.json"])
    assert index["runs"]["marks"] == [["drifted"]]


@pytest.mark.parametrize("spoil", [unfinished, interrupted])
def test_what_did_not_finish_is_published_as_far_as_it_came_and_marked(
    tmp_path: Path, run: Run, cli: Cli, spoil: object
) -> None:
    assert callable(spoil)
    spoil(run)
    run.results[0].status, run.results[0].reason = "skipped", INTERRUPTED
    history = tmp_path / "history"
    code, _, err = cli("publish", stored_run(tmp_path, run), "--history", history)
    assert code == 0
    assert "run-00007 is published as far as it came, marked: its plan did not finish" in err
    index = json.loads(contents(history)["data/index.json"])
    assert index["runs"]["marks"] == [["unfinished"]]
    assert sum(index["classes"][0]["points"]) == len(run.results) - 1


def shards(results: Path, run: Run) -> list[Path]:
    """Two shards of a run, each with half of its cases."""
    other = run.model_copy(deep=True)
    other.run.id = "run-00007-b"
    run.results, other.results = run.results[:2], run.results[2:]
    drifted(other)
    return [stored_run(results, run), stored_run(results, other)]


def test_a_shard_that_drifted_takes_no_other_with_it(
    tmp_path: Path, run: Run, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    folders, history = shards(tmp_path, run), tmp_path / "history"
    code, _, err = cli("publish", *folders, "--history", history, "--shards", 2)
    assert code == 0
    assert "run-00007-b is left out: the canary says that the host had drifted" in err
    assert "1 of 2 shards are published" in err
    assert "run-00007-b is left out" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    record = json.loads(contents(history)["data/runs/run-00007.json.gz"])
    assert len(record["cases"]) == 2
    # what is there is sound: only the run as a whole lacks something
    assert (record["marks"], record["shards"][0]["marks"]) == (["unfinished"], [])


@pytest.mark.parametrize("text", ["", "{", '{"schema": 1}'])
def test_a_shard_that_cannot_be_read_takes_no_other_with_it(
    tmp_path: Path, run: Run, cli: Cli, text: str
) -> None:
    folders, history = shards(tmp_path, run), tmp_path / "history"
    (folders[1] / "run.json").write_text(text, encoding="utf-8")
    code, _, err = cli("publish", *folders, "--history", history)
    assert code == 0
    assert "run-00007-b is left out: " in err
    assert "data/runs/run-00007.json.gz" in contents(history)
    assert cli("publish", folders[1], "--history", history)[0] == 2


def test_a_shard_that_is_missing_makes_the_run_unfinished(
    tmp_path: Path, run: Run, cli: Cli
) -> None:
    folder = stored_run(tmp_path, run)
    history = tmp_path / "history"
    code, _, err = cli("publish", folder, "--history", history, "--shards", 2)
    assert code == 0
    assert "1 of 2 shards are published" in err
    record = json.loads(contents(history)["data/runs/run-00007.json.gz"])
    assert (record["marks"], record["shards"][0]["marks"]) == (["unfinished"], [])


def negative(run: Run) -> None:
    run.results[0].summary["throughput_rps"].median = -5.0


def endless(run: Run) -> None:
    run.results[0].summary["throughput_rps"].high = 1e308


def boundless(run: Run) -> None:
    summary = run.results[0].summary["throughput_rps"]
    summary.median = summary.high = 1e12


def crossed(run: Run) -> None:
    run.results[0].summary["throughput_rps"].low = 1e8


def without_a_number(run: Run) -> None:
    run.results[0].summary = {}


@pytest.mark.parametrize("spoil", [negative, endless, boundless, crossed, without_a_number])
def test_what_nothing_can_have_measured_is_left_out_alone(
    tmp_path: Path, run: Run, cli: Cli, spoil: object
) -> None:
    assert callable(spoil)
    run.results[0].status = "ok"
    spoil(run)
    history = tmp_path / "history"
    code, _, err = cli("publish", stored_run(tmp_path, run), "--history", history)
    assert code == 0
    assert f"{run.results[0].case} of run-00007 is left out: " in err
    record = json.loads(contents(history)["data/runs/run-00007.json.gz"])
    assert [case["case"] for case in record["cases"]] == [r.case for r in run.results[1:]]


def test_forks_that_hardly_agree_are_published_with_their_interval(
    tmp_path: Path, run: Run, cli: Cli
) -> None:
    run.results[0].summary["throughput_rps"].high = 1e15
    history = tmp_path / "history"
    code, _, err = cli("publish", stored_run(tmp_path, run), "--history", history)
    assert (code, err) == (0, "")


def test_a_time_that_is_none_is_a_line(tmp_path: Path, run: Run, cli: Cli) -> None:
    run.run.started_at = "yesterday"
    code, _, err = cli("publish", stored_run(tmp_path, run), "--history", tmp_path / "history")
    assert (code, err.count("\n")) == (2, 1)
    assert "'yesterday' is no time like" in err


def test_a_run_from_the_future_is_refused_and_a_commit_from_it_is_as_old_as_its_run(
    tmp_path: Path, run: Run, cli: Cli
) -> None:
    assert run.commit is not None
    history = tmp_path / "history"
    run.commit.time = "2199-01-01T00:00:00+00:00"
    assert cli("publish", stored_run(tmp_path, run), "--history", history)[0] == 0
    record = json.loads(contents(history)["data/runs/run-00007.json.gz"])
    assert record["commit"]["time"] == record["started_at"]
    run.run.id, run.run.started_at = "later", "2199-01-01T00:00:00+00:00"
    code, _, err = cli("publish", stored_run(tmp_path, run), "--history", history)
    assert code == 2
    assert "later is left out: it began at 2199-01-01T00:00:00+00:00, which is still to come" in err


@pytest.mark.parametrize("time", ["1970-01-01T00:04:11+00:00", "2025-06-01T00:00:00+00:00"])
def test_a_run_by_a_clock_that_stood_still_is_refused(
    tmp_path: Path, run: Run, cli: Cli, time: str
) -> None:
    run.run.started_at = time
    history = tmp_path / "history"
    code, _, err = cli("publish", stored_run(tmp_path, run), "--history", history)
    assert (code, err.count("\n")) == (2, 1)
    assert f"run-00007 is left out: it began at {time}, which was before" in err
    assert "set the clock of its host" in err
    assert not history.exists()


def test_a_commit_has_one_time_whenever_it_is_measured(tmp_path: Path, run: Run, cli: Cli) -> None:
    assert run.commit
    history = tmp_path / "history"
    run.commit.time = run.run.started_at.replace(":30+", ":59+")  # a committer's clock was ahead
    later = run.model_copy(deep=True)
    later.run.id, later.run.started_at = "run-00008", "2026-03-01T00:00:00+00:00"
    assert cli("publish", stored_run(tmp_path, run), "--history", history)[0] == 0
    assert cli("publish", stored_run(tmp_path, later), "--history", history)[0] == 0
    index = json.loads(contents(history)["data/index.json"])
    assert len(index["commits"]) == 1
    assert index["runs"]["commit"] == [0, 0]


def changed(run: Run) -> str:
    assert run.commit
    run.commit.dirty = True
    message = "tracked files differ from commit 0123: pom.xml \x1b[31m"
    run.warnings.append(Caution(code="dirty", message=message, remedy="commit them"))
    return "tracked files differ from commit 0123: pom.xml  [31m; commit them"


def of_an_older_run(run: Run) -> str:
    assert run.commit
    run.commit.dirty = True
    return "tracked files differ from its commit; commit or restore them"


def distrusted(run: Run) -> str:
    run.commit = None
    run.warnings.append(Caution(code="no-commit", message="the commit is not known: git does not"))
    return "the commit is not known: git does not"


def outside_of_git(run: Run) -> str:
    run.commit = None
    return "it is of no commit; measure in a checkout"


@pytest.mark.parametrize("spoil", [changed, of_an_older_run, distrusted, outside_of_git])
def test_a_run_that_is_never_evaluated_is_said_and_fails_whoever_pushes(
    tmp_path: Path, run: Run, cli: Cli, bare: Path, monkeypatch: pytest.MonkeyPatch, spoil: object
) -> None:
    assert callable(spoil)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    line = f"run-00007 is published and never evaluated: {spoil(run)}"
    folder = stored_run(tmp_path, run)
    code, out, err = cli("publish", folder, "--history", tmp_path / "history")
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith(line)
    code, out, err = cli("publish", folder, "--push", bare)
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith(line)
    assert "pushed run-00007 on branch gh-pages" in out
    assert cli("publish", folder, "--push", bare, "--force")[0] == 0
    assert line in (tmp_path / "summary.md").read_text(encoding="utf-8")
