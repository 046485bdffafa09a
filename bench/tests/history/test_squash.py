"""Compaction: one commit of the same files, whoever else pushes at the same time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from springbench.errors import ConfigurationError, HostError
from springbench.history import push as pushing
from springbench.history.files import Files
from springbench.history.push import push_run, push_squash, push_together
from springbench.history.remote import Remote
from springbench.history.squash import Squash
from springbench.history.update import add
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from springbench.results.published_run import PublishedRun
from tests.history.histories import published, published_comparison, raw_comparison, rebuilt
from tests.history.remotes import IDENTITY, checked_out, commits, git, remote, start

pytestmark = pytest.mark.process
SHELL = RealShell()


@pytest.fixture
def history(bare: Path, matrix: Matrix) -> Path:
    """A remote whose history branch has three commits."""
    for number in range(3):
        compared = [published_comparison(matrix, number)] if number else []
        push_together(SHELL, remote(bare), published(matrix, number), compared)
    return bare


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushing, "FIRST_WAIT_S", 0.01)


def tree(bare: Path) -> str:
    """Every file of the branch with its mode and the hash of its bytes."""
    return git("-C", bare, "ls-tree", "-r", "-t", "gh-pages")


def test_one_commit_of_the_same_files_is_left(history: Path) -> None:
    before, tip = tree(history), git("-C", history, "rev-parse", "gh-pages").strip()
    pushed = push_squash(SHELL, remote(history))
    assert (pushed.changed, pushed.attempts) == (True, 1)
    assert commits(history) == 1
    assert tree(history) == before
    git("-C", history, "fsck", "--strict")
    # where the past ended can be read, so that it can be found while the remote still has it
    assert tip in git("-C", history, "log", "-1", "--format=%B", "gh-pages")


def test_once_more_changes_nothing(history: Path) -> None:
    push_squash(SHELL, remote(history))
    tip = git("-C", history, "rev-parse", "gh-pages")
    assert not push_squash(SHELL, remote(history)).changed
    assert git("-C", history, "rev-parse", "gh-pages") == tip


def test_other_branches_and_what_else_the_branch_holds_stay(history: Path, tmp_path: Path) -> None:
    clone = tmp_path / "other"
    git("clone", "--quiet", "--branch", "gh-pages", history, clone)
    (clone / "dev/bench").mkdir(parents=True)
    (clone / "dev/bench/data.js").write_text("window.BENCHMARK_DATA = {}")
    (clone / "run.sh").write_text("#!/bin/sh\n")
    (clone / "run.sh").chmod(0o755)
    (clone / "latest").symlink_to("data/index.json")
    git("-C", clone, "add", "--all")
    git("-C", clone, *IDENTITY, "commit", "--quiet", "-m", "other")
    git("-C", clone, "push", "--quiet", "origin", "gh-pages", "gh-pages:main", "gh-pages:gh-pages2")
    git("-C", clone, "push", "--quiet", "origin", "gh-pages:refs/tags/v1")
    before = tree(history)
    other_branches = git(
        "-C", history, "for-each-ref", "refs/heads/main", "refs/heads/gh-pages2", "refs/tags"
    )
    with pytest.raises(ConfigurationError) as caught:
        push_squash(SHELL, remote(history))
    assert "whose past would go too: dev/, latest, run.sh. Nothing was changed; --force" in str(
        caught.value
    )
    assert (commits(history), tree(history)) == (4, before)
    push_squash(SHELL, remote(history), force=True)
    assert tree(history) == before
    assert commits(history) == 1
    assert commits(history, "main") == 4
    assert other_branches == git(
        "-C", history, "for-each-ref", "refs/heads/main", "refs/heads/gh-pages2", "refs/tags"
    )


def test_what_others_push_meanwhile_is_not_lost(
    history: Path, tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    push, numbers = Squash._push, [7, 8]

    def after_another(self: Squash, commit: str, *options: str) -> None:
        if numbers:
            push_run(SHELL, remote(history), published(matrix, numbers.pop()))
        push(self, commit, *options)

    monkeypatch.setattr(Squash, "_push", after_another)
    lines: list[str] = []
    show_messages(lines.append)
    pushed = push_squash(SHELL, remote(history))
    assert (pushed.changed, pushed.attempts) == (True, 3)
    assert all(line.startswith("another publisher came first; again in") for line in lines)
    assert commits(history) == 1
    files = checked_out(history, tmp_path / "clone")
    assert sum(name.startswith("data/runs/") for name in files) == 5
    assert {**rebuilt(tmp_path / "clone", tmp_path / "fresh"), **files} == files


def test_a_publisher_that_had_fetched_before_it_pushes_after_it(
    history: Path, tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    squashed: list[bool] = []

    def add_after_it(files: Files, run: PublishedRun) -> bool:
        if not squashed:
            squashed.append(push_squash(SHELL, remote(history)).changed)
        return add(files, run)

    monkeypatch.setattr(pushing, "add", add_after_it)
    pushed = push_run(SHELL, remote(history), published(matrix, 7))
    assert (squashed, pushed.changed, pushed.attempts) == ([True], True, 2)
    # the past is not brought back
    assert commits(history) == 2
    files = checked_out(history, tmp_path / "clone")
    assert sum(name.startswith("data/runs/") for name in files) == 4


def test_an_old_clone_can_take_the_new_branch(history: Path, tmp_path: Path) -> None:
    clone = tmp_path / "old"
    git("clone", "--quiet", "--branch", "gh-pages", history, clone)
    push_squash(SHELL, remote(history))
    git("-C", clone, "fetch", "--quiet")
    git("-C", clone, "reset", "--quiet", "--hard", "origin/gh-pages")
    assert git("-C", clone, "rev-list", "--count", "HEAD").strip() == "1"
    assert git("-C", clone, "status", "--porcelain") == ""


@pytest.mark.system
@pytest.mark.timeout(300)
def test_many_publishers_and_compactions_at_once_lose_nothing(
    history: Path, tmp_path: Path, matrix: Matrix
) -> None:
    words: list[tuple[str | Path, ...]] = [("--squash-history",)] * 3
    for number in range(10, 14):
        folder = tmp_path / f"comparison-{number}"
        folder.mkdir()
        words.append(("--comparison", folder))
        text = raw_comparison(matrix, number).model_dump_json(by_alias=True)
        (folder / "comparison.json").write_text(text)
    processes = [start(history, *arguments) for arguments in words]
    for process in processes:
        _, errors = process.communicate(timeout=280)
        assert process.returncode == 0, errors.decode()
    files = checked_out(history, tmp_path / "clone")
    assert sum(name.startswith("data/comparisons/") for name in files) == 2 + 4
    assert sum(name.startswith("data/runs/") for name in files) == 3
    # whatever came before the last compaction is in its one commit
    assert commits(history) <= 1 + 4


def test_nothing_is_brought_here_that_is_not_needed(history: Path, tmp_path: Path) -> None:
    squash = Squash(SHELL, tmp_path / "work", remote(history))
    squash.folder.mkdir()
    squash.open()
    assert squash.squash()
    objects = git(
        "-C", squash.folder, "cat-file", "--batch-check", "--batch-all-objects"
    ).splitlines()
    kinds = sorted(line.split()[1] for line in objects)
    # the manifest, the old commit and the new one, the root and data/
    assert kinds == ["blob", "commit", "commit", "tree", "tree"]


def test_a_remote_that_knows_no_filters_is_made_smaller_too(history: Path) -> None:
    git("-C", history, "config", "uploadpack.allowFilter", "false")
    before = tree(history)
    assert push_squash(SHELL, remote(history)).changed
    assert (commits(history), tree(history)) == (1, before)


def test_a_branch_that_is_no_history_is_left_alone(history: Path, tmp_path: Path) -> None:
    clone = tmp_path / "sources"
    git("clone", "--quiet", history, clone, "--branch", "gh-pages")
    git("-C", clone, "checkout", "--quiet", "--orphan", "main")
    git("-C", clone, "rm", "-r", "-f", "--quiet", ".")
    # neither does a file of that name make a history
    (clone / "data").write_text("a file")
    git("-C", clone, "add", "data")
    for message in ("one", "two"):
        git("-C", clone, *IDENTITY, "commit", "--quiet", "--allow-empty", "-m", message)
    git("-C", clone, "push", "--quiet", "origin", "main")
    with pytest.raises(ConfigurationError, match="it is no history; nothing was changed"):
        push_squash(SHELL, Remote(history.as_uri(), "main"))
    assert commits(history, "main") == 2


def test_a_branch_that_is_not_there_is_reported(history: Path) -> None:
    with pytest.raises(ConfigurationError, match="there is no branch nowhere; --branch names"):
        push_squash(SHELL, Remote(history.as_uri(), "nowhere"))


@pytest.mark.parametrize("guard", ["receive.denyNonFastForwards", "hook"])
def test_a_remote_that_forbids_it_is_reported_and_has_lost_nothing(
    history: Path, guard: str
) -> None:
    if guard == "hook":
        hook = history / "hooks/pre-receive"
        hook.write_text("#!/bin/sh\nexit 1\n")
        hook.chmod(0o755)
    else:
        git("-C", history, "config", guard, "true")
    lines: list[str] = []
    show_messages(lines.append)
    with pytest.raises(HostError) as caught:
        push_squash(SHELL, remote(history))
    assert "git push of branch gh-pages failed" in str(caught.value)
    assert re.search(r"non-fast-forward|hook declined", str(caught.value))
    assert lines == []
    assert commits(history) == 3
