"""Remotes of tests: bare repositories beside them, asked as hosted ones are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from springbench.history.remote import Remote
from tests.history.histories import contents

IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@localhost")


def git(*arguments: str | Path) -> str:
    done = subprocess.run(["git", *map(str, arguments)], check=True, capture_output=True, text=True)
    return done.stdout


def make_bare(path: Path) -> Path:
    """An empty repository to push to, as particular as a hosted one."""
    git("init", "--quiet", "--bare", "--initial-branch=main", path)
    git("-C", path, "config", "uploadpack.allowFilter", "true")
    git("-C", path, "config", "receive.fsckObjects", "true")
    return path


def remote(bare: Path) -> Remote:
    # by its address, so that git speaks its protocol instead of copying files
    return Remote(bare.as_uri())


def checked_out(bare: Path, into: Path) -> dict[str, str]:
    """What the branch holds; git itself finds nothing wrong with it."""
    git("-C", bare, "fsck", "--strict", "--no-dangling")
    git("clone", "--quiet", "--branch", "gh-pages", bare, into)
    return contents(into)


def commits(bare: Path, branch: str = "gh-pages") -> int:
    return int(git("-C", bare, "rev-list", "--count", branch))


def start(bare: Path, *words: str | Path) -> subprocess.Popen[bytes]:
    """`springbench publish` with these words, to that remote."""
    command = [sys.executable, "-m", "springbench", "publish", *map(str, words)]
    return subprocess.Popen(
        [*command, "--push", bare.as_uri()], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
