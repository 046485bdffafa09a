"""Many publishers, one branch: every run arrives, and the branch is whole at every moment."""

from __future__ import annotations

import gzip
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from springbench.errors import ConfigurationError, HostError
from springbench.history import push as pushing
from springbench.history.branch import Branch
from springbench.history.push import backoff_s, push_rebuild, push_run
from springbench.history.remote import Remote
from springbench.history.remote_git import RefusedError, RejectedError, UnreachableError
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from tests.fakes import FakeShell
from tests.history.histories import published, raw_run, rebuilt
from tests.history.remotes import IDENTITY, checked_out, commits, git, remote, start

pytestmark = pytest.mark.process
PUBLISHERS = 20
KILLS = 8


def store(matrix: Matrix, results: Path, number: int) -> Path:
    """A run folder."""
    folder = results / f"run-{number:05d}"
    folder.mkdir(parents=True)
    text = raw_run(matrix, number).model_dump_json(by_alias=True)
    (folder / "run.json").write_text(text)
    return folder


def test_the_branch_is_made_when_it_is_missing(bare: Path, tmp_path: Path, matrix: Matrix) -> None:
    pushed = push_run(RealShell(), remote(bare), published(matrix, 1))
    assert (pushed.changed, pushed.attempts) == (True, 1)
    files = checked_out(bare, tmp_path / "clone")
    assert "data/runs/run-00001.json.gz" in files
    assert (tmp_path / "clone/.nojekyll").exists()


def test_publishing_again_makes_no_commit(bare: Path, tmp_path: Path, matrix: Matrix) -> None:
    for _ in range(2):
        pushed = push_run(RealShell(), remote(bare), published(matrix, 1))
    assert not pushed.changed
    assert commits(bare) == 1


def test_a_run_that_was_packed_otherwise_is_the_same_run(
    bare: Path, tmp_path: Path, matrix: Matrix
) -> None:
    push_run(RealShell(), remote(bare), published(matrix, 1))
    clone = tmp_path / "other"
    git("clone", "--quiet", "--branch", "gh-pages", bare, clone)
    run = clone / "data/runs/run-00001.json.gz"
    run.write_bytes(gzip.compress(gzip.decompress(run.read_bytes()), compresslevel=1, mtime=7))
    git("-C", clone, *IDENTITY, "commit", "--quiet", "--all", "-m", "packed again")
    git("-C", clone, "push", "--quiet")
    assert not push_run(RealShell(), remote(bare), published(matrix, 1)).changed


def test_what_else_is_on_the_branch_stays(bare: Path, tmp_path: Path, matrix: Matrix) -> None:
    push_run(RealShell(), remote(bare), published(matrix, 1))
    clone = tmp_path / "other"
    git("clone", "--quiet", "--branch", "gh-pages", bare, clone)
    (clone / "dev/bench").mkdir(parents=True)
    (clone / "dev/bench/data.js").write_text("window.BENCHMARK_DATA = {}")
    git("-C", clone, "add", "dev")
    git("-C", clone, *IDENTITY, "commit", "--quiet", "-m", "other")
    git("-C", clone, "push", "--quiet")
    push_run(RealShell(), remote(bare), published(matrix, 2))
    checked_out(bare, tmp_path / "clone")
    assert (tmp_path / "clone/dev/bench/data.js").read_text() == "window.BENCHMARK_DATA = {}"


def test_the_branch_grows_as_a_folder_would(bare: Path, tmp_path: Path, matrix: Matrix) -> None:
    for number in (0, 3, 1, 3):
        push_run(RealShell(), remote(bare), published(matrix, number))
    files = checked_out(bare, tmp_path / "clone")
    assert files == rebuilt(tmp_path / "clone", tmp_path / "fresh")
    assert not push_rebuild(RealShell(), remote(bare)).changed


def test_a_push_that_another_came_before_is_made_again_on_top_of_theirs(
    bare: Path, tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    push, numbers = Branch.push, [2]
    monkeypatch.setattr(pushing, "backoff_s", lambda attempts: 0.0)

    def late(branch: Branch, message: str) -> bool:
        if numbers:
            push_run(RealShell(), remote(bare), published(matrix, numbers.pop()))
        return push(branch, message)

    monkeypatch.setattr(Branch, "push", late)
    pushed = push_run(RealShell(), remote(bare), published(matrix, 1))
    assert (pushed.changed, pushed.attempts) == (True, 2)
    files = checked_out(bare, tmp_path / "clone")
    assert sum(name.startswith("data/runs/") for name in files) == 2


@pytest.mark.system
@pytest.mark.timeout(400)
def test_twenty_publishers_at_once_lose_nothing(bare: Path, tmp_path: Path, matrix: Matrix) -> None:
    folders = [store(matrix, tmp_path / "results", number) for number in range(PUBLISHERS)]
    processes = [start(bare, folder) for folder in folders]
    for process in processes:
        _, errors = process.communicate(timeout=360)
        assert process.returncode == 0, errors.decode()
    files = checked_out(bare, tmp_path / "clone")
    assert sum(name.startswith("data/runs/") for name in files) == PUBLISHERS
    assert files == rebuilt(tmp_path / "clone", tmp_path / "fresh")
    assert commits(bare) == PUBLISHERS


@pytest.mark.system
@pytest.mark.timeout(300)
def test_a_killed_publisher_leaves_a_whole_branch(
    bare: Path, tmp_path: Path, matrix: Matrix
) -> None:
    random.seed(4)
    push_run(RealShell(), remote(bare), published(matrix, 0))
    for number in range(1, KILLS + 1):
        folder = store(matrix, tmp_path / "results", number)
        process = start(bare, folder)
        time.sleep(random.uniform(0.3, 2.0))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        files = checked_out(bare, tmp_path / f"clone{number}")
        assert files == rebuilt(tmp_path / f"clone{number}", tmp_path / f"fresh{number}")
        finished = start(bare, folder)
        assert finished.wait(60) == 0
    files = checked_out(bare, tmp_path / "clone")
    assert sum(name.startswith("data/runs/") for name in files) == KILLS + 1
    assert files == rebuilt(tmp_path / "clone", tmp_path / "fresh")


def test_a_remote_that_is_not_there_is_reported_in_one_line(
    tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushing, "FIRST_WAIT_S", 0.01)
    address = Remote((tmp_path / "nowhere.git").as_uri())
    lines: list[str] = []
    show_messages(lines.append)
    with pytest.raises(HostError) as caught:
        push_run(RealShell(), address, published(matrix, 1))
    assert "fetch of branch gh-pages failed" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(lines) == pushing.UNREACHABLE_ATTEMPTS - 1


def test_a_branch_name_that_git_does_not_allow(bare: Path, matrix: Matrix) -> None:
    for name in ("a..b", "--force", "a b"):
        with pytest.raises(ConfigurationError, match="--branch"):
            push_run(RealShell(), Remote(bare.as_uri(), name), published(matrix, 1))


def test_a_password_in_an_address_is_not_printed(
    tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushing, "FIRST_WAIT_S", 0.01)
    with pytest.raises(HostError) as caught:
        address = Remote("http://user:secret@localhost:9/x.git")
        push_run(RealShell(), address, published(matrix, 1))
    assert "secret" not in str(caught.value)


def test_waiting_grows_and_differs() -> None:
    assert max(backoff_s(1) for _ in range(50)) <= 1.0
    assert max(backoff_s(30) for _ in range(50)) <= pushing.LONGEST_WAIT_S
    assert len({backoff_s(4) for _ in range(10)}) == 10


def _checked_out(bare: Path) -> Path:
    """A repository with a work tree, where somebody has the branch checked out."""
    folder = bare.with_name("checked-out")
    git("init", "--quiet", "--initial-branch=gh-pages", folder)
    git("-C", folder, *IDENTITY, "commit", "--quiet", "--allow-empty", "-m", "first")
    return folder


def _hook(bare: Path) -> Path:
    hook = bare / "hooks/pre-receive"
    # what a hook says is no reason to think of a race
    hook.write_text("#!/bin/sh\necho 'File exists: no force pushes, lock it' >&2\nexit 1\n")
    hook.chmod(0o755)
    return bare


def _without_objects(bare: Path) -> Path:
    """A remote that can write no object, whoever asks: as on a full or a read-only disk."""
    (bare / "objects").rename(bare / "old")
    (bare / "objects").symlink_to("/proc")
    return bare


def _little(bare: Path) -> Path:
    git("-C", bare, "config", "receive.maxInputSize", "100")
    return bare


def _occupied(bare: Path) -> Path:
    """A branch whose name is that of a folder of branches."""
    tree = git("-C", bare, "write-tree").strip()
    first = git("-C", bare, *IDENTITY, "commit-tree", tree, "-m", "first").strip()
    git("-C", bare, "branch", "gh-pages/old", first)
    return bare


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_checked_out, r"\[remote rejected\] \(branch is currently checked out\)"),
        (_hook, r"pre-receive hook declined\); remote: File exists: no force pushes"),
        (_without_objects, r"unable to create temporary object directory"),
        (_little, r"pack exceeds maximum allowed size"),
        (_occupied, r"'refs/heads/gh-pages/old' exists; cannot create"),
    ],
)
def test_what_is_no_race_is_not_tried_again_and_is_said_in_git_s_words(
    bare: Path, matrix: Matrix, make: Callable[[Path], Path], words: str
) -> None:
    address, lines = Remote(make(bare).as_uri(), path="springbench"), list[str]()
    show_messages(lines.append)
    with pytest.raises(HostError, match=words) as caught:
        push_run(RealShell(), address, published(matrix, 1))
    assert lines == []
    assert "\n" not in str(caught.value)
    assert "failed to push some refs" not in str(caught.value)


def test_a_branch_that_is_locked_is_tried_again(
    bare: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    push_run(RealShell(), remote(bare), published(matrix, 1))
    lock = bare / "refs/heads/gh-pages.lock"
    lock.touch()
    monkeypatch.setattr(pushing, "backoff_s", lambda attempts: 0.0)
    messages: list[str] = []

    def collect(line: str) -> None:
        messages.append(line)
        lock.unlink()

    show_messages(collect)
    pushed = push_run(RealShell(), remote(bare), published(matrix, 2))
    assert (pushed.changed, pushed.attempts, len(messages)) == (True, 2, 1)
    lock.touch()
    monkeypatch.setattr(pushing, "GIVE_UP_AFTER_S", -1.0)
    with pytest.raises(HostError, match=r"the last time: git push .*gh-pages\.lock': File exists"):
        push_run(RealShell(), remote(bare), published(matrix, 3))


@pytest.mark.parametrize(
    ("refusal", "words", "error"),
    [
        ("[rejected] (fetch first)", "", RejectedError),
        ("[rejected] (stale info)", "", RejectedError),
        ("[remote rejected] (cannot lock ref 'x': is at 1ab but expected 2cd)", "", RejectedError),
        (
            "[remote rejected] (failed to update ref)",
            "remote: error: cannot lock ref 'x': reference already exists",
            RejectedError,
        ),
        ("[remote rejected] (failed to lock)", "", RejectedError),
        ("[remote rejected] (incorrect old value provided)", "", RejectedError),
        (
            "[remote rejected] (failed to update ref)",
            "remote: error: cannot lock ref 'x': Unable to create 'x.lock': No space left",
            RefusedError,
        ),
        ("[remote rejected] (protected branch hook declined)", "", RefusedError),
        ("[remote rejected] (push declined due to repository rule violations)", "", RefusedError),
        ("[remote rejected] (non-fast-forward)", "", RefusedError),
        ("[remote rejected] (shallow update not allowed)", "", RefusedError),
        ("[remote rejected] (Internal Server Error)", "", UnreachableError),
        ("[remote failure] (remote failed to report status)", "", UnreachableError),
        ("", "fatal: unable to access 'x': The requested URL returned error: 403", RefusedError),
        (
            "",
            "fatal: unable to access 'x': The requested URL returned error: 429",
            UnreachableError,
        ),
        ("", "error: RPC failed; HTTP 413 curl 22", RefusedError),
        ("", "remote: Permission to a/b.git denied to c.", RefusedError),
        ("", "git@github.com: Permission denied (publickey).", RefusedError),
        ("", "fatal: unable to access 'x': Could not resolve host: x", UnreachableError),
        ("", "fatal: the remote end hung up unexpectedly", UnreachableError),
    ],
)
def test_only_what_somebody_else_s_push_causes_is_a_race(
    tmp_path: Path, refusal: str, words: str, error: type[Exception]
) -> None:
    shell = FakeShell()
    line = f"!\tabc:refs/heads/gh-pages\t{refusal}\nDone\n" if refusal else ""
    command = ("git", "-C", str(tmp_path))
    shell.answer(*command, stdout=line, stderr=f"{words}\nerror: failed to push some refs", code=1)
    with pytest.raises(error) as caught:
        Branch(shell, tmp_path, Remote("somewhere"))._push("abc")
    assert (refusal or words) in str(caught.value)
    assert "failed to push" not in str(caught.value)
