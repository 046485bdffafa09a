"""What git says of real repositories: changed contents, order, and what it does not read."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest

from springbench.errors import ConfigurationError
from springbench.host.git import (
    GitError,
    changed_files,
    check_out,
    commit_of,
    default_branch,
    facts_of,
    head,
    is_repository,
)
from springbench.host.shell import RealShell
from tests.repositories import Repository

pytestmark = pytest.mark.process
SHELL = RealShell()
DATE = "GIT_COMMITTER_DATE"
# git's own tests pretend so that files belong to another user
OTHER_OWNER = "GIT_TEST_ASSUME_DIFFERENT_OWNER"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv(DATE, "2026-02-01T10:00:00+00:00")
    new_repository = Repository.create(tmp_path / "service")
    new_repository.commit(
        {"mvnw": "#!/bin/sh\n", "a.txt": "one\ntwo\n", "empty": "", ".gitignore": "out/\n"}
    )
    return new_repository


def dated(repository: Repository, time: str, message: str = "a change") -> str:
    """A commit by somebody whose clock says so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DATE, time)
        return repository.commit(message=message)


def time_of(repository: Repository, commit: str) -> datetime:
    facts = facts_of(commit, repository.root, SHELL)
    assert facts
    return datetime.fromisoformat(facts.time)


def test_rights_line_ends_and_times_are_no_change_of_content(repository: Repository) -> None:
    root = repository.root
    (root / "mvnw").chmod(0o755)
    (root / "a.txt").write_bytes(b"one\r\ntwo\r\n")
    (root / "empty").touch()
    (root / "new.txt").write_text("not tracked", encoding="utf-8")
    assert changed_files(root, SHELL) == []
    repository.git("add", "mvnw")
    head_commit = head(root, SHELL)
    assert head_commit
    assert not head_commit.dirty


def test_each_changed_content_is_named_from_any_folder(repository: Repository) -> None:
    root = repository.root
    repository.commit({"sub/b.bin": "\0one", "sub/ü x.txt": "one"})
    (root / "a.txt").write_text("one\nthree\n", encoding="utf-8")
    (root / "sub/b.bin").write_bytes(b"\0two")
    (root / "sub/ü x.txt").write_text("two", encoding="utf-8")
    (root / "empty").unlink()
    (root / "staged").touch()
    repository.git("add", "staged")
    found = ["a.txt", "empty", "staged", "sub/b.bin", "sub/ü x.txt"]
    assert changed_files(root / "sub", SHELL) == found
    repository.git("config", "core.autocrlf", "true")
    repository.git("config", "diff.relative", "true")
    assert changed_files(root / "sub", SHELL) == found


def test_what_git_is_set_to_take_for_unchanged_is_compared_too(repository: Repository) -> None:
    repository.git("update-index", "--assume-unchanged", "a.txt", "mvnw")
    assert changed_files(repository.root, SHELL) == []
    (repository.root / "a.txt").write_text("mine", encoding="utf-8")
    assert changed_files(repository.root, SHELL) == ["a.txt"]
    # it is still what the user made it
    assert "h a.txt" in repository.git("ls-files", "-v")


def test_what_a_sparse_checkout_leaves_out_is_no_change(repository: Repository) -> None:
    repository.commit({"docs/x": "x", "src/y": "y"})
    repository.git("sparse-checkout", "set", "src")
    assert not (repository.root / "docs").exists()
    assert changed_files(repository.root, SHELL) == []


@pytest.fixture
def with_submodules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A service with a submodule that has one itself; each was changed once."""
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "protocol.file.allow")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "always")
    inner, lib = Repository.create(tmp_path / "inner"), Repository.create(tmp_path / "lib")
    service = Repository.create(tmp_path / "service")
    service.git("remote", "add", "origin", str(tmp_path / "service"))
    inner.commit({"inner.txt": "1"})
    lib.git("submodule", "--quiet", "add", str(inner.root), "deep")
    lib.commit({"lib.txt": "1"})
    service.git("submodule", "--quiet", "add", "../lib", "libs/a lib")
    service.git("submodule", "--quiet", "update", "--init", "--recursive")
    service.commit({"service.txt": "1"})
    for at, name in ((inner, "inner"), (lib, "lib"), (service, "service")):
        inside = Repository(service.root / "libs/a lib")
        if at is lib:
            Repository(inside.root / "deep").git("pull", "--quiet", "origin", "main")
            inside.commit({"lib.txt": "2"})
        elif at is service:
            service.commit({"service.txt": "2"})
        else:
            at.commit({f"{name}.txt": "2"})
    for name in ("GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"):
        monkeypatch.delenv(name)
    return service


def contents(folder: Path) -> list[str]:
    names = ("service.txt", "libs/a lib/lib.txt", "libs/a lib/deep/inner.txt")
    return [(folder / name).read_text(encoding="utf-8") for name in names]


def test_a_commit_is_checked_out_with_its_submodules_and_without_a_network(
    with_submodules: Repository, tmp_path: Path
) -> None:
    root, worktree = with_submodules.root, tmp_path / "base"
    assert contents(root) == ["2", "2", "2"]
    before, now = (commit_of(name, root, SHELL) for name in ("HEAD~1", "HEAD"))
    assert before
    assert now
    # what they were cloned from is gone
    for name in ("inner", "lib"):
        (tmp_path / name).rename(tmp_path / f"{name}-gone")
    for _ in range(2):
        check_out(before, worktree, root, SHELL)
        assert contents(worktree) == ["1", "1", "1"]
    check_out(now, worktree, root, SHELL)
    assert contents(worktree) == ["2", "2", "2"]
    assert contents(root) == ["2", "2", "2"]
    assert changed_files(root, SHELL) == changed_files(worktree, SHELL) == []


def test_a_submodule_that_the_clone_leaves_out_is_left_out_of_others(
    with_submodules: Repository, tmp_path: Path
) -> None:
    with_submodules.git("submodule", "--quiet", "deinit", "--all", "--force")
    check_out(
        with_submodules.git("rev-parse", "HEAD~1"), tmp_path / "base", with_submodules.root, SHELL
    )
    assert not (tmp_path / "base/libs/a lib/lib.txt").exists()
    assert (tmp_path / "base/service.txt").read_text(encoding="utf-8") == "1"


def test_a_submodule_that_is_gone_and_cannot_be_fetched_is_said_and_leaves_nothing(
    with_submodules: Repository, tmp_path: Path
) -> None:
    with_submodules.git("rm", "--quiet", "libs/a lib")
    with_submodules.commit(message="without it")
    (tmp_path / "lib").rename(tmp_path / "lib-gone")
    for module_folder in (with_submodules.root / ".git/modules").iterdir():
        module_folder.rename(tmp_path / module_folder.name)
    worktree = tmp_path / "base"
    with pytest.raises(ConfigurationError, match=r"git submodule --quiet update .*libs/a lib"):
        check_out(with_submodules.git("rev-parse", "HEAD~1"), worktree, with_submodules.root, SHELL)
    assert not worktree.exists()


def test_a_change_inside_a_submodule_counts_and_its_build_does_not(
    with_submodules: Repository,
) -> None:
    inside = with_submodules.root / "libs/a lib"
    (inside / "built.jar").write_text("x", encoding="utf-8")
    (inside / "lib.txt").chmod(0o755)
    assert changed_files(with_submodules.root, SHELL) == []
    (inside / "deep/inner.txt").write_text("3", encoding="utf-8")
    assert changed_files(with_submodules.root, SHELL) == ["libs/a lib/deep/inner.txt"]
    Repository(inside).git("checkout", "--quiet", "--force", "HEAD~1")
    assert "libs/a lib" in changed_files(with_submodules.root, SHELL)


def test_a_commit_is_later_than_what_it_stands_on_whatever_clocks_said(
    repository: Repository,
) -> None:
    right = dated(repository, "2026-03-01T10:00:00+00:00")
    slow = dated(repository, "2026-03-01T05:30:00+00:00")
    wild = dated(repository, "2001-01-01T00:00:00+00:00")
    late = dated(repository, "2026-03-01T11:00:00+02:00")
    times = [time_of(repository, commit) for commit in (right, slow, wild, late)]
    assert times == sorted(set(times))
    assert (times[-1] - times[0]).total_seconds() == 3
    ahead = dated(repository, "2026-03-02T10:00:00+02:00")
    facts = facts_of(ahead, repository.root, SHELL)
    assert facts
    # nothing is corrected where nothing is wrong
    assert facts.time == "2026-03-02T10:00:00+02:00"


def test_a_clock_in_the_future_moves_nothing_else_there(repository: Repository) -> None:
    before = dated(repository, "2026-03-01T10:00:00+00:00")
    future = dated(repository, "2095-01-01T00:00:00+00:00")
    after = dated(repository, "2026-03-01T12:00:00+00:00")
    times = [time_of(repository, commit) for commit in (before, future, after)]
    assert times == sorted(set(times))
    assert times[-1].isoformat() == "2026-03-01T12:00:00+00:00"


def test_a_merge_is_later_than_both_sides_and_commits_of_one_second_have_an_order(
    repository: Repository,
) -> None:
    time = "2026-03-01T10:00:00+00:00"
    first = dated(repository, time)
    repository.git("checkout", "--quiet", "-b", "topic")
    topic = [dated(repository, time, f"topic {number}") for number in range(3)]
    repository.git("checkout", "--quiet", "main")
    main = dated(repository, time, "main")
    # the fixture's clock is slow
    repository.git("merge", "--quiet", "--no-ff", "-m", "merge", "topic")
    line = [time_of(repository, commit) for commit in (first, *topic, "HEAD")]
    assert line == sorted(set(line))
    assert time_of(repository, main) < line[-1]


def test_texts_of_any_bytes_are_read(repository: Repository) -> None:
    for name, value in (("i18n.commitEncoding", "UTF-8"), ("i18n.logOutputEncoding", "latin1")):
        repository.git("config", name, value)
    repository.git("config", "log.showSignature", "true")
    repository.commit_bytes(b"gr\xfc\xdfe \x01\x1b[31m" + b"x" * 100_000, b"M\xfcller")
    (repository.root / os.fsdecode(b"na\xefve.txt")).write_text("x", encoding="utf-8")
    repository.git("add", "--all")
    head_commit = head(repository.root, SHELL)
    assert head_commit
    assert head_commit.message.startswith("gr\N{REPLACEMENT CHARACTER}")
    assert head_commit.author == "M\N{REPLACEMENT CHARACTER}ller"
    head_commit.message.encode()
    assert changed_files(repository.root, SHELL) == ["na\N{REPLACEMENT CHARACTER}ve.txt"]


def distrusted(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(OTHER_OWNER, "1")
    return f"git config --global --add safe.directory {repository.root}"


def of_a_broken_repository(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> str:
    (repository.root / ".git/HEAD").unlink()
    return "not a git repository"


def without_objects(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> str:
    (repository.root / ".git/objects").rename(repository.root / ".git/elsewhere")
    (repository.root / ".git/objects").mkdir()
    return "does not read the commit"


def without_git(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PATH", str(repository.root))
    return "git cannot be started: No such file"


@pytest.mark.parametrize(
    "spoil", [distrusted, of_a_broken_repository, without_objects, without_git]
)
def test_what_git_does_not_read_is_distinguished_from_no_repository(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spoil: object
) -> None:
    assert callable(spoil)
    message = spoil(repository, monkeypatch)
    folder = repository.root / "below"
    folder.mkdir()
    for path in (repository.root, folder):
        with pytest.raises(GitError) as error:
            head(path, SHELL)
        assert message in str(error.value)
        assert "\n" not in str(error.value)
    outside = tmp_path / "outside"
    outside.mkdir()
    assert head(outside, SHELL) is None


def test_before_the_first_commit_there_is_a_repository_and_no_commit(tmp_path: Path) -> None:
    new_repository = Repository.create(tmp_path / "new")
    assert head(new_repository.root, SHELL) is None
    assert is_repository(new_repository.root, SHELL)
    assert not is_repository(tmp_path, SHELL)


def test_the_branch_of_a_repository_is_its_remote_s_or_the_one_checked_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    (tmp_path / "config").write_text("[init]\ndefaultBranch = trunk\n", encoding="utf-8")
    new_repository = Repository.create(tmp_path / "own")
    new_repository.git("checkout", "--quiet", "-b", "master")
    assert default_branch(new_repository.root, SHELL) == "master"  # nothing is committed yet
    new_repository.commit()
    new_repository.git("checkout", "--quiet", "--detach")
    assert default_branch(new_repository.root, SHELL) == "trunk"
    new_repository.git("checkout", "--quiet", "-b", "release/1.x")
    clone = tmp_path / "clone"
    new_repository.git("clone", "--quiet", str(new_repository.root), str(clone))
    Repository(clone).git("checkout", "--quiet", "-b", "topic")
    assert default_branch(clone, SHELL) == "release/1.x"
    assert default_branch(tmp_path, SHELL) == "trunk"
