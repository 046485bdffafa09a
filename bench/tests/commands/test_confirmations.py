"""`springbench confirmations`, as a person or a workflow runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from springbench.history.files import INDEX, Folder
from springbench.paths import ROOT
from springbench.results.events import Event
from springbench.results.history_names import CommitRow
from springbench.results.published_comparison import PublishedComparison
from tests.conftest import Cli
from tests.history.remotes import make_bare
from tests.repositories import Repository
from tests.suspected import CASE, affected, between, compared, event, found, index_of

Make = Callable[..., Path]


def commits() -> tuple[str, str]:
    """A commit of this repository and its parent."""
    head, *parents = Repository(ROOT).git("rev-list", "--max-count=2", "HEAD").split()
    return (parents or [head])[0], head


def suspected(base: str, head: str, **fields: Any) -> Event:
    return between(base, head, event(**fields))


@pytest.fixture
def history(tmp_path: Path) -> Make:
    def make(*events: Event, comparisons: tuple[PublishedComparison, ...] = ()) -> Path:
        folder = tmp_path / "history"
        Folder(folder).write(INDEX, index_of(*events))
        for comparison in comparisons:
            text = comparison.model_dump_json(by_alias=True, exclude_none=True)
            Folder(folder).write(f"data/comparisons/{comparison.id}.json.gz", text)
        return folder

    return make


@pytest.mark.process
def test_a_candidate_change_is_said_with_what_is_compared(history: Make, cli: Cli) -> None:
    base, head = commits()
    code, out, _ = cli("confirmations", "--history", history(suspected(base, head)))
    assert code == 0
    assert f"compare {base[:12]} with {head[:12]} for regression-" in out
    assert f"{CASE}, profile pr, at most 5 min 00 s, try 1 of 3" in out
    assert "0 s of 1 h 00 min were spent" in out


@pytest.mark.process
def test_a_program_gets_the_same(history: Make, cli: Cli) -> None:
    base, head = commits()
    _, out, _ = cli("confirmations", "--history", history(suspected(base, head)), "--json")
    document = json.loads(out)
    [row] = document["comparisons"]
    assert (row["base"], row["head"], row["cases"]) == (base, head, [CASE])
    assert (row["budget_s"], document["daily_s"], document["left"]) == (300, 3600, [])


@pytest.mark.process
def test_a_workflow_gets_a_matrix(
    history: Make, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, summary = tmp_path / "output", tmp_path / "summary"
    monkeypatch.setenv("GITHUB_OUTPUT", str(output))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    base, head = commits()
    folder = history(suspected(base, head, id="regression-1"))
    options = ("--github", "--runner-labels", "self-hosted,bench")
    assert cli("confirmations", "--history", folder, *options)[0] == 0
    lines = dict(line.split("=", 1) for line in output.read_text().splitlines())
    assert json.loads(lines["comparisons"]) == {
        "include": [
            {
                "name": "1",
                "events": "regression-1",
                "base": base,
                "head": head,
                "profile": "pr",
                "cases": CASE,
                "budget": "300",
            }
        ]
    }
    assert (lines["count"], lines["parallel"]) == ("1", "1")
    assert json.loads(lines["runner"]) == ["self-hosted", "bench"]
    assert "regression-1" in summary.read_text()


@pytest.mark.process
def test_a_confirmed_range_is_bisected(
    history: Make, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "output"))
    base, head = commits()
    about = suspected(base, head, state="confirmed", id="regression-1")
    about.culprit.exact = False
    folder = history(about)
    code, out, _ = cli("confirmations", "--history", folder)
    assert (code, f"bisect {base[:12]} to {head[:12]} for regression-1" in out) == (0, True)
    assert cli("confirmations", "--history", folder, "--github")[0] == 0
    lines = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    assert (lines["count"], lines["bisection_count"]) == ("0", "1")
    [row] = json.loads(lines["bisections"])["include"]
    assert (row["good"], row["bad"], row["case"]) == (base, head, CASE)
    assert (row["metric"], row["budget"]) == ("cpu_per_request_s", "1800")


@pytest.mark.process
def test_minutes_of_today_count(history: Make, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    base, head = commits()
    begin = datetime.now(UTC) - timedelta(hours=2)
    spent = compared(
        found(1.0),
        base=1,
        head=2,
        started_at=begin.isoformat(),
        finished_at=(begin + timedelta(minutes=28)).isoformat(),
    )
    folder = history(suspected(base, head), comparisons=(spent,))
    monkeypatch.setenv("SPRINGBENCH_CONFIRM_MINUTES", "30")
    _, out, _ = cli("confirmations", "--history", folder)
    assert "not now: regression-" in out
    assert "2 min 00 s of the day's 30 min 00 s are left" in out
    # an option goes before the variable
    _, out, _ = cli("confirmations", "--history", folder, "--daily-minutes", "33")
    assert "at most 5 min 00 s" in out
    # and a variable that is set to nothing is not set
    monkeypatch.setenv("SPRINGBENCH_CONFIRM_MINUTES", "")
    assert "of 1 h 00 min were spent" in cli("confirmations", "--history", folder)[1]


@pytest.mark.parametrize("words", ["-1", "1441", "60.5", "many", "nan"])
def test_minutes_that_are_none_are_refused(history: Make, cli: Cli, words: str) -> None:
    code, _, err = cli("confirmations", "--history", history(), f"--daily-minutes={words}")
    assert code == 2
    assert "--daily-minutes" in err


@pytest.mark.process
def test_no_minutes_turn_it_off(history: Make, cli: Cli) -> None:
    base, head = commits()
    options = ("--history", history(suspected(base, head)), "--daily-minutes", 0)
    code, out, _ = cli("confirmations", *options)
    assert (code, out.count("not now:")) == (0, 1)


def test_without_candidate_changes_there_is_nothing_to_do(history: Make, cli: Cli) -> None:
    code, out, err = cli("confirmations", "--history", history())
    assert (code, err) == (0, "")
    assert "no candidate change to confirm" in out


@pytest.mark.process
def test_a_commit_that_a_push_by_force_took_away_is_named(history: Make, cli: Cli) -> None:
    _, head = commits()
    code, out, _ = cli("confirmations", "--history", history(suspected("0" * 12, head)))
    assert code == 0
    assert "its commit '000000000000' is not in this repository any more" in out


def test_hostile_texts_of_a_history_stay_texts(history: Make, cli: Cli) -> None:
    about = event(shared="x\x1b[31m\n::error::y")
    about.culprit.before = CommitRow(sha="0", time="", message="$(id)", author="`id`")
    code, out, _ = cli("confirmations", "--history", history(about))
    assert code == 0
    assert "\x1b" not in out
    assert not any(line.startswith("::") for line in out.splitlines())


@pytest.mark.parametrize("field", ["id", "sha"])
def test_names_that_could_be_paths_or_options_are_refused(
    history: Make, cli: Cli, field: str
) -> None:
    about = event()
    target = about if field == "id" else about.culprit.before
    setattr(target, field, "--help/../../x\x1b[31m\n::error::y")
    code, out, err = cli("confirmations", "--history", history(about))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{field}: String should match pattern" in err
    assert "\x1b" not in err


def test_a_folder_without_a_history_says_so(tmp_path: Path, cli: Cli) -> None:
    code, out, err = cli("confirmations", "--history", tmp_path)
    assert (code, "no candidate change" in out) == (0, True)
    assert "there is no history with events yet" in err
    code, _, err = cli("confirmations", "--history", tmp_path / "none")
    assert code == 2
    assert "no such folder" in err


@pytest.mark.process
def test_a_branch_is_read_and_one_that_is_missing_is_said(
    history: Make, cli: Cli, tmp_path: Path
) -> None:
    base, head = commits()
    folder, bare = history(suspected(base, head)), make_bare(tmp_path / "remote.git")
    git = Repository(folder).git
    code, _, err = cli("confirmations", "--remote", bare)
    assert (code, "there is no history with events yet" in err) == (0, True)
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "history")
    git("push", "-q", str(bare), "HEAD:refs/heads/pages")
    code, out, _ = cli("confirmations", "--remote", bare, "--branch", "pages")
    assert (code, f"compare {base[:12]}" in out) == (0, True)


@pytest.mark.process
def test_a_remote_that_is_none_is_refused(cli: Cli, tmp_path: Path) -> None:
    code, _, err = cli("confirmations", "--remote", "nowhere-at-all")
    assert (code, "--remote 'nowhere-at-all'" in err) == (2, True)
    code, _, err = cli("confirmations", "--remote", tmp_path / "none")
    assert code == 3
    assert "git fetch of branch gh-pages failed" in err
    code, _, err = cli("confirmations", "--remote", "origin", "--history", tmp_path)
    assert (code, "a folder or a branch" in err) == (2, True)


@pytest.mark.process
def test_a_comparison_that_cannot_be_read_is_reported(history: Make, cli: Cli) -> None:
    base, head = commits()
    folder = history(suspected(base, head))
    Folder(folder).write("data/comparisons/gh-9.json.gz", '{"schema":1,"id":')
    code, out, err = cli("confirmations", "--history", folder)
    assert (code, f"compare {base[:12]}" in out) == (0, True)
    assert "left out: data/comparisons/gh-9.json.gz" in err


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ('{"schema":3}', 2, "schema 3"),
        ('{"schema":1}', 2, "schema 1; this springbench reads"),
        ('{"schema":2', 2, "data/index.json"),
    ],
)
def test_a_foreign_or_broken_index(
    tmp_path: Path, cli: Cli, text: str, code: int, message: str
) -> None:
    Folder(tmp_path).write(INDEX, text)
    ended, _, err = cli("confirmations", "--history", tmp_path)
    assert ended == code
    assert message in err


@pytest.mark.process
def test_what_another_service_is_suspected_of_is_for_its_own_folder(
    history: Make, cli: Cli, tmp_path: Path
) -> None:
    base, head = commits()
    cases = {name: f"app-{name}-own-command/hello/64" for name in ("orders", "payments")}
    events = [
        suspected(base, head, id=f"regression-{head[:12]}-of-{name}").model_copy(
            update={"affected_series": [affected(1.1, case=case, configuration="pr-3x5s")]}
        )
        for name, case in cases.items()
    ]
    # payments was compared, and nothing was said of it: that was no try of orders
    nothing = compared(found(1.0, case=cases["payments"]))
    tried = nothing.model_copy(update={"base": events[0].culprit.before, "purpose": "confirm"})
    tried = tried.model_copy(update={"head": events[0].culprit.after})
    file = tmp_path / "springbench.toml"
    file.write_text('name = "orders"\ncommand = ["{port}"]\n[[routes]]\npath = "/hello"\n')
    at = ("--history", history(*events, comparisons=(tried,)), "--matrix", file)
    code, out, _ = cli("confirmations", *at)
    assert code == 0
    assert f"{cases['orders']}, profile pr, at most 5 min 00 s, try 1 of 3" in out
    assert "payments" not in out
    # a matrix of servers has neither
    assert "orders" not in cli("confirmations", *at[:2])[1]
