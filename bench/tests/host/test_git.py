"""What git says of commits, whatever stands in them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from springbench.host.git import facts_of, head
from springbench.host.shell import RealShell

pytestmark = pytest.mark.process

HOSTILE = "\x1fone \x1b[31m $(reboot) `x` ##[error]\n\nbody"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    _git(tmp_path, "init", "--quiet", "--initial-branch=main")
    author = ("-c", "user.name=A\x1fB", "-c", "user.email=a@localhost")
    _git(tmp_path, *author, "commit", "--quiet", "--allow-empty", "-m", HOSTILE)
    return tmp_path


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", folder, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_a_commit_is_read_whatever_its_texts_hold(repository: Path) -> None:
    sha = _git(repository, "rev-parse", "HEAD")
    facts = facts_of(sha, repository, RealShell())
    assert facts is not None
    assert (facts.sha, facts.author) == (sha, "A\x1fB")
    assert facts.message.startswith("\x1fone")
    assert "body" not in facts.message
    head_commit = head(repository, RealShell())
    assert head_commit is not None
    assert (head_commit.sha, head_commit.message, head_commit.branch, head_commit.dirty) == (
        sha,
        facts.message,
        "main",
        False,
    )


@pytest.mark.parametrize("commit", ["0" * 40, "--output=x", "", "nowhere"])
def test_a_commit_that_is_not_there_is_none(repository: Path, commit: str) -> None:
    assert facts_of(commit, repository, RealShell()) is None
    assert not (repository / "x").exists()


def test_outside_of_git_there_is_none(tmp_path: Path) -> None:
    assert head(tmp_path, RealShell()) is None
