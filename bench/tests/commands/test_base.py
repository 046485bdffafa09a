"""`springbench base`, over real repositories."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from springbench.github.step import OUTPUT, SUMMARY
from springbench.history.condense import condense
from springbench.history.files import INDEX, Folder
from springbench.history.folder import add_to_folder
from springbench.matrix.rows import Matrix
from tests.conftest import Cli
from tests.history.histories import raw_run, service_run
from tests.history.remotes import make_bare
from tests.repositories import Repository

pytestmark = pytest.mark.process


@dataclass
class Checkout:
    """A repository, a history beside it, and what the command left in its step."""

    folder: Path
    matrix: Matrix
    measured: int = 0

    @property
    def root(self) -> Path:
        return self.folder / "clone"

    @property
    def history(self) -> Path:
        return self.folder / "history"

    def git(self, *arguments: str) -> str:
        return Repository(self.root).git(*arguments)

    def commit(self, message: str = "a change") -> str:
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def measure(self, sha: str) -> None:
        """Publish a run of that commit, newer than those before it."""
        self.measured += 1
        run = raw_run(self.matrix, self.measured)
        assert run.commit
        run.commit.sha = sha
        add_to_folder(self.history, condense([run]))

    @property
    def output(self) -> str:
        return (self.folder / "output").read_text(encoding="utf-8")

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    checkout = Checkout(tmp_path, matrix)
    checkout.root.mkdir()
    checkout.git("init", "--quiet", "--initial-branch=main")
    monkeypatch.setattr("springbench.commands.base.REPOSITORY", checkout.root)
    monkeypatch.setenv(OUTPUT, str(tmp_path / "output"))
    monkeypatch.setenv(SUMMARY, str(tmp_path / "summary"))
    return checkout


def test_a_push_is_compared_with_the_newest_measured_commit_before_it(
    checkout: Checkout, cli: Cli
) -> None:
    first, second, _ = checkout.commit(), checkout.commit(), checkout.commit()
    head = checkout.commit("::set-output name=x::<b>@all")
    checkout.measure(first)
    checkout.measure(second)
    code, out, err = cli("base", "--history", checkout.history)
    assert (code, out) == (0, f"{second}\n")
    assert err == f"{head[:12]} is compared with {second[:12]}\n"
    assert checkout.output == f"base={second}\n"
    assert err.strip() in checkout.summary


def test_a_branch_of_a_remote_is_read_as_well(checkout: Checkout, cli: Cli) -> None:
    measured, _ = checkout.commit(), checkout.commit()
    checkout.measure(measured)
    bare = make_bare(checkout.folder / "remote.git")
    work = ("--git-dir", str(checkout.root / ".git"), "--work-tree", str(checkout.history))
    checkout.git("checkout", "--quiet", "--orphan", "gh-pages")
    checkout.git(*work, "add", "--all")
    checkout.git(*work, "commit", "--quiet", "--message", "published")
    checkout.git("push", "--quiet", str(bare), "gh-pages")
    assert cli("base", "main", "--remote", bare)[:2] == (0, f"{measured}\n")
    assert cli("base", "main", "--remote", bare, "--branch", "none")[:2] == (0, "")


def test_a_re_run_is_compared_with_the_same_commit_again(checkout: Checkout, cli: Cli) -> None:
    first, head = checkout.commit(), checkout.commit()
    checkout.measure(first)
    checkout.measure(head)
    assert cli("base", "--history", checkout.history)[:2] == (0, f"{first}\n")


def test_a_late_run_is_compared_with_what_came_before_it_and_not_after(
    checkout: Checkout, cli: Cli
) -> None:
    first, late, newest = checkout.commit(), checkout.commit(), checkout.commit()
    checkout.measure(first)
    checkout.measure(newest)
    code, out, err = cli("base", late, "--history", checkout.history)
    assert (code, out) == (0, f"{first}\n")
    assert f"{newest[:12]} is not in the past of {late[:12]}" in err


def test_a_history_of_this_commit_alone_is_no_mistake(checkout: Checkout, cli: Cli) -> None:
    head = checkout.commit()
    checkout.measure(head)
    code, out, err = cli("base", "--history", checkout.history)
    assert (code, out) == (0, "")
    assert err == f"{head[:12]} is not compared: the history has no commit but itself\n"
    assert checkout.output == "base=\n"


def test_what_a_force_push_took_away_is_said_and_passed_over(checkout: Checkout, cli: Cli) -> None:
    survivor = checkout.commit()
    checkout.git("checkout", "--quiet", "-b", "away")
    branch_commit = checkout.commit()
    checkout.git("checkout", "--quiet", "main")
    head = checkout.commit("written anew")
    removed = "1234567890abcdef1234567890abcdef12345678"
    for sha in (survivor, branch_commit, removed):
        checkout.measure(sha)
    code, out, err = cli("base", "--history", checkout.history)
    assert (code, out) == (0, f"{survivor}\n")
    assert err.splitlines() == [
        f"{removed[:12]} is not in this clone: force-pushed away, or it is shallow",
        f"{branch_commit[:12]} is not in the past of {head[:12]}",
        f"{head[:12]} is compared with {survivor[:12]}",
    ]


def test_where_nothing_is_left_it_is_said_and_nothing_fails(checkout: Checkout, cli: Cli) -> None:
    head = checkout.commit()
    for number in range(5):
        checkout.measure(f"{number:x}" * 40)
    code, out, err = cli("base", "--history", checkout.history)
    assert (code, out) == (0, "")
    assert err.splitlines()[3:] == [
        "and 2 more that are not in its past",
        f"{head[:12]} is not compared: the history has no commit that came before it",
    ]
    assert checkout.output == "base=\n"


def test_a_history_that_is_empty_has_no_base(checkout: Checkout, cli: Cli) -> None:
    checkout.commit()
    checkout.history.mkdir()
    code, out, err = cli("base", "--history", checkout.history)
    assert (code, out) == (0, "")
    assert "no measured commit yet" in err


def test_a_history_of_another_schema_is_refused(checkout: Checkout, cli: Cli) -> None:
    checkout.commit()
    Folder(checkout.history).write(INDEX, '{"schema": 1}')
    code, out, err = cli("base", "--history", checkout.history)
    assert (code, out) == (2, "")
    assert "schema 1; this springbench reads schema 2" in err


def test_of_two_lines_that_were_merged_it_is_the_one_that_was_merged_into(
    checkout: Checkout, cli: Cli
) -> None:
    fork_point = checkout.commit()
    checkout.git("checkout", "--quiet", "-b", "backport")
    backport = checkout.commit("a backport")
    checkout.git("checkout", "--quiet", "main")
    main = checkout.commit("on main")
    checkout.git("merge", "--quiet", "--no-ff", "-m", "merged", "backport")
    for sha in (main, fork_point, backport):
        checkout.measure(sha)
    assert cli("base", "--history", checkout.history)[1] == f"{main}\n"
    # and where main itself was merged into a topic that nobody measured
    checkout.git("checkout", "--quiet", "-b", "topic", fork_point)
    checkout.commit("a topic")
    checkout.git("merge", "--quiet", "--no-ff", "-m", "merged", main)
    assert cli("base", "--history", checkout.history)[1] == f"{main}\n"


def test_a_clone_that_git_does_not_read_is_said(
    checkout: Checkout, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.measure(checkout.commit())
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    code, _, err = cli("base", "--history", checkout.history)
    assert code == 2
    assert "git config --global --add safe.directory" in err
    assert "fetch-depth" not in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no-such-branch", "--history", "."), "'no-such-branch': no commit of this repository"),
        (("--history", "nowhere"), "--history nowhere: no such folder"),
        (("--history", ".", "--remote", "x"), "--history and --remote: a history is a folder or"),
        (("--remote", "upstream"), "--remote 'upstream': no remote of this repository and no"),
        (("--remote", "--upload-pack=x"), "--remote '--upload-pack=x': no remote of this"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(
    checkout: Checkout, cli: Cli, arguments: tuple[str, ...], message: str
) -> None:
    checkout.commit()
    code, out, err = cli("base", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"springbench: {message}")
    assert len(err.splitlines()) == 1


def test_a_history_of_a_newer_springbench_is_not_guessed_at(checkout: Checkout, cli: Cli) -> None:
    checkout.commit()
    Folder(checkout.history).write(INDEX, '{"schema": 99}')
    code, out, err = cli("base", "--history", checkout.history)
    assert (code, out) == (2, "")
    assert "schema 99; this springbench reads schema 2" in err


def test_only_commits_of_the_service_count(
    checkout: Checkout, cli: Cli, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, head = (checkout.commit() for _ in range(3))
    for number, (sha, service) in enumerate(((first, "orders"), (second, "payments")), start=1):
        run = service_run(matrix, number, service)
        assert run.commit
        run.commit.sha = sha
        add_to_folder(checkout.history, condense([run]))
    command = ("base", head, "--history", checkout.history)
    assert cli(*command)[1] == f"{second}\n"
    assert cli(*command, "--service", "orders")[1] == f"{first}\n"
    code, out, err = cli(*command, "--service", "invoices")
    assert (code, out) == (0, "")
    assert "no measured commit of invoices" in err
    # the file of the folder that a person stands in says which
    file = checkout.folder / "springbench.toml"
    file.write_text('name = "orders"\ncommand = ["{port}"]\n[[routes]]\npath = "/"\n')
    monkeypatch.setattr("springbench.commands.base.SERVICE", file)
    assert cli(*command)[1] == f"{first}\n"
