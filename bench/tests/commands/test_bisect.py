"""What a person sees who names the wrong commits; real repositories."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from springbench.cli import app
from springbench.commands import bisect as command
from springbench.errors import ConfigurationError

CASE = "boot4-tomcat-virtual-jvm/hello/64"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", "-C", str(tmp_path), *identity, *arguments], check=True)

    git("init", "-q", "-b", "main")
    for name in ("servers/a", "README.md", "docs.md"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
        git("add", ".")
        git("commit", "-qm", name)
    git("checkout", "-q", "--orphan", "other")
    git("commit", "-qm", "unrelated")
    git("checkout", "-q", "main")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("good", "bad", "words"),
    [
        ("main", "main", "are one commit"),
        ("main", "main~1", "name the older one first"),
        ("other", "main", "not in the past of"),
        ("nothing", "main", "GOOD 'nothing' is no commit"),
        ("main~1", "main", "are the same servers"),
    ],
)
def test_ends_that_cannot_be_bisected_are_one_line(
    repository: Path, good: str, bad: str, words: str
) -> None:
    with pytest.raises(ConfigurationError, match=words):
        app(["bisect", good, bad, "--case", CASE], standalone_mode=False)


def test_a_case_that_the_profile_lacks_is_named(repository: Path) -> None:
    with pytest.raises(ConfigurationError, match="--case boot4-tomcat-.*: no such case"):
        app(["bisect", "main~2", "main", "--case", "boot4-tomcat-*"], standalone_mode=False)
