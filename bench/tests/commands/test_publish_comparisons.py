"""`springbench publish --comparison` and `--squash-history`, as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from springbench.matrix.rows import Matrix
from springbench.results.comparison import Comparison
from springbench.results.run import Caution
from springbench.results.store import RunFolder
from tests.conftest import Cli
from tests.history.histories import contents, published_comparison, raw_comparison, raw_run
from tests.history.remotes import IDENTITY, checked_out, commits, git, make_bare

DRIFT = Caution(code="canary", message="off by 40 %")


def save(folder: Path, comparison: Comparison) -> Path:
    folder.mkdir(parents=True)
    text = comparison.model_dump_json(by_alias=True)
    (folder / "comparison.json").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path, matrix: Matrix) -> Path:
    return save(tmp_path / "compared", raw_comparison(matrix, 7))


@pytest.fixture
def run(tmp_path: Path, matrix: Matrix) -> Path:
    record = raw_run(matrix, 7)
    run_folder = RunFolder.create(tmp_path / "results", record.run.id)
    run_folder.save(record)
    return run_folder.path


def comparison_files(history: Path) -> list[str]:
    return [name for name in contents(history) if name.startswith("data/comparisons/")]


@pytest.mark.process
def test_a_comparison_goes_into_a_folder_once(
    tmp_path: Path, folder: Path, matrix: Matrix, cli: Cli
) -> None:
    history = tmp_path / "history"
    words = ("publish", "--comparison", folder, "--purpose", "push", "--history", history)
    id_ = published_comparison(matrix, 7).id
    for state in ("added", "nothing new:"):
        code, out, err = cli(*words)
        assert (code, err) == (0, "")
        assert out.startswith(f"{state} comparison {id_} in ")
    assert comparison_files(history) == [f"data/comparisons/{id_}.json.gz"]
    record = json.loads(contents(history)[comparison_files(history)[0]])
    assert (record["schema"], record["purpose"]) == (1, "push")


@pytest.mark.process
def test_a_run_and_its_comparison_are_one_commit(
    tmp_path: Path, folder: Path, run: Path, matrix: Matrix, cli: Cli
) -> None:
    bare = make_bare(tmp_path / "remote.git")
    id_ = published_comparison(matrix, 7).id
    words = ("publish", run, "--comparison", folder, "--purpose", "push", "--push", bare.as_uri())
    code, out, _ = cli(*words)
    assert code == 0
    assert out.splitlines() == [
        f"added comparison {id_} on branch gh-pages",
        "pushed run-00007 on branch gh-pages, attempt 1",
    ]
    assert commits(bare) == 1
    message = git("-C", bare, "log", "-1", "--format=%s", "gh-pages").strip()
    assert message == f"Publish run run-00007 and comparison {id_}"
    # the same again, with another address of the job
    code, out, _ = cli(*words, "--url", "https://example.org/2")
    assert code == 0
    assert out.splitlines()[0] == f"nothing new: comparison {id_} on branch gh-pages"
    assert f"data/comparisons/{id_}.json.gz" in checked_out(bare, tmp_path / "clone")


@pytest.mark.process
def test_all_that_a_folder_of_shards_has(tmp_path: Path, matrix: Matrix, cli: Cli) -> None:
    shards, history = tmp_path / "shards", tmp_path / "history"
    for number in (1, 2):
        save(shards / f"comparison-{number}", raw_comparison(matrix, number))
    (shards / "comparison-3").mkdir()
    code, _, err = cli("publish", "--comparison", shards, "--history", history)
    assert (code, err) == (0, "comparison-3 holds no comparison\n")
    assert len(comparison_files(history)) == 2


@pytest.mark.process
def test_what_is_unsound_takes_no_other_with_it(
    tmp_path: Path, folder: Path, matrix: Matrix, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    bad = raw_comparison(matrix, 8)
    bad.warnings.append(DRIFT)
    drifted = save(tmp_path / "drifted", bad)
    history = tmp_path / "history"
    words = ("publish", "--comparison", folder, "--comparison", drifted, "--history", history)
    code, _, err = cli(*words)
    assert (code, err.count("\n")) == (0, 1)
    assert "drifted/comparison.json is left out: the canary says that the host had drifted" in err
    assert "the host had drifted" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert len(comparison_files(history)) == 1
    assert cli(*words, "--force")[0] == 0
    assert len(comparison_files(history)) == 2


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ('{"schema": 1, "comparison"', "not valid JSON"),
        ('{"schema": 9}', "schema 9; this springbench reads comparisons of schema 1"),
        ('{"schema": 1}', "`springbench compare` makes one"),
    ],
)
def test_one_that_cannot_be_read_is_one_line_and_the_run_is_published(
    tmp_path: Path, folder: Path, run: Path, cli: Cli, text: str, words: str
) -> None:
    (folder / "comparison.json").write_text(text, encoding="utf-8")
    history = tmp_path / "history"
    code, out, err = cli("publish", run, "--comparison", folder, "--history", history)
    assert (code, err.count("\n")) == (2, 1), err
    assert "no comparison is published: compared/comparison.json is left out: " in err
    assert words in err
    assert "added run-00007" in out
    assert "data/runs/run-00007.json.gz" in contents(history)


@pytest.mark.process
def test_a_run_that_cannot_be_read_does_not_stop_its_comparison(
    tmp_path: Path, folder: Path, run: Path, cli: Cli
) -> None:
    (run / "run.json").write_text("{", encoding="utf-8")
    history = tmp_path / "history"
    code, _, err = cli("publish", run, "--comparison", folder, "--history", history)
    assert (code, err.count("\n")) == (2, 1)
    assert "not valid JSON" in err
    assert len(comparison_files(history)) == 1


@pytest.mark.process
def test_other_content_under_an_id_that_is_there_is_refused(
    tmp_path: Path, folder: Path, matrix: Matrix, cli: Cli
) -> None:
    history = tmp_path / "history"
    cli("publish", "--comparison", folder, "--history", history)
    before = contents(history)
    changed = save(tmp_path / "changed", raw_comparison(matrix, 7, ratio=0.5))
    code, _, err = cli("publish", "--comparison", changed, "--history", history)
    assert (code, err.count("\n")) == (2, 1)
    assert "is there already, with other content" in err
    assert contents(history) == before


@pytest.mark.process
def test_an_older_file_gets_its_commits_from_git(
    tmp_path: Path, matrix: Matrix, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = tmp_path / "sources"
    git("init", "--quiet", sources)
    for message in ("one", "two"):
        git("-C", sources, *IDENTITY, "commit", "--quiet", "--allow-empty", "-m", message)
    monkeypatch.setattr("springbench.commands.publish.REPOSITORY", sources)
    comparison = raw_comparison(matrix, 7)
    shas = git("-C", sources, "rev-list", "HEAD").split()
    for side, sha in zip((comparison.head, comparison.base), shas, strict=True):
        side.sha, side.message, side.author, side.time = sha, None, None, None
    history = tmp_path / "history"
    assert (
        cli("publish", "--comparison", save(tmp_path / "a", comparison), "--history", history)[0]
        == 0
    )
    record = json.loads(contents(history)[comparison_files(history)[0]])
    assert (record["head"]["sha"], record["base"]["sha"]) == (shas[0][:12], shas[1][:12])
    assert (record["head"]["message"], record["head"]["author"]) == ("two", "a")
    # as after a force push
    comparison.base.sha = "0" * 40
    code, _, err = cli(
        "publish", "--comparison", save(tmp_path / "b", comparison), "--history", history
    )
    assert code == 2
    assert "nothing is known of base's commit 000000000000" in err
    assert "`git fetch` it" in err


@pytest.mark.process
def test_hostile_words_are_reported_on_one_line(tmp_path: Path, matrix: Matrix, cli: Cli) -> None:
    comparison = raw_comparison(matrix, 7)
    comparison.comparison.started_at = "\x1b[31m\n##[error]\n::error::x"
    code, _, err = cli(
        "publish", "--comparison", save(tmp_path / "a", comparison), "--history", tmp_path / "h"
    )
    assert (code, err.count("\n")) == (2, 1)
    assert not {"\x1b", "##["} & {err[i : i + n] for n in (1, 3) for i in range(len(err))}


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--comparison", "C"), "nowhere to publish to"),
        (("--comparison", "C", "--export", "h"), "nowhere to publish to"),
        (("--comparison", "nowhere", "--history", "h"), "there is no such comparison"),
        (("--comparison", "empty", "--history", "h"), "holds no comparison"),
        (("--comparison", "C", "--purpose", "luck", "--history", "h"), "luck"),
        (("--comparison", "C", "--id", "x", "--history", "h"), "--id 'x'"),
        (("--comparison", "C", "--mark", "<b>", "--history", "h"), "cannot be published"),
        (("--purpose", "push", "--history", "h", "--rebuild"), "--comparison FOLDER is missing"),
        (("--squash-history",), "nowhere to publish to"),
        (("--squash-history", "--history", "h"), "a folder has no commits"),
        (("--squash-history", "--push", "nowhere"), "no remote of this repository"),
    ],
)
def test_mistakes_are_reported(
    tmp_path: Path,
    folder: Path,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    code, _, err = cli("publish", *(folder if word == "C" else word for word in arguments))
    assert code == 2, err
    assert words in err
    assert not (tmp_path / "h").exists()


@pytest.mark.process
def test_a_branch_is_made_one_commit_and_then_grows_again(
    tmp_path: Path, folder: Path, run: Path, cli: Cli
) -> None:
    bare = make_bare(tmp_path / "remote.git")
    cli("publish", run, "--push", bare.as_uri())
    cli("publish", "--comparison", folder, "--push", bare.as_uri())
    assert commits(bare) == 2
    for state in ("is one commit now", "was one commit already"):
        code, out, _ = cli("publish", "--squash-history", "--push", bare.as_uri())
        assert (code, out) == (0, f"branch gh-pages {state}; its files are as they were\n")
        assert commits(bare) == 1
    code, out, _ = cli("publish", "--comparison", folder, "--push", bare.as_uri())
    assert out.startswith("nothing new: comparison ")
    assert commits(bare) == 1
