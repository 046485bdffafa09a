"""The real workflow that checks suspicions, from the history to the history, without GitHub."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

from springbench.history.files import INDEX, Folder
from springbench.results.events import Event
from tests.suspected import between, event, index_of, witness
from tests.workflows.local_github import END_TO_END, LocalGitHub, git
from tests.workflows.test_pull_requests import shorten

pytestmark = END_TO_END
CASE = "boot4-netty-reactive-jvm/hello/64"
COMPARISONS = "data/comparisons/"


def publish(github: LocalGitHub, folder: Path, *events: Event) -> None:
    """Make a history branch that has these events."""
    Folder(folder).write(INDEX, index_of(*events))
    at = ("-C", str(folder))
    git(*at, "init", "--quiet")
    git(*at, "add", "--all")
    git(*at, "commit", "--quiet", "--message", "history")
    git(*at, "push", "--quiet", "--force", str(github.origin), "HEAD:refs/heads/gh-pages")


def published(github: LocalGitHub) -> list[str]:
    listed = git("-C", str(github.origin), "ls-tree", "--name-only", "gh-pages", COMPARISONS)
    return listed.splitlines()


def test_without_suspicions_nothing_is_measured(github: LocalGitHub, tmp_path: Path) -> None:
    publish(github, tmp_path / "history")
    ended = github.run("schedule", "confirm")
    assert ended.ok, ended.told
    assert "no suspicion to confirm" in ended.log
    assert not any(ended.ran(job) for job in ("compare", "bisect", "publish"))


def test_a_suspicion_is_compared_again_and_the_comparison_published(
    github: LocalGitHub, tmp_path: Path
) -> None:
    shorten(github)
    base = git("-C", str(github.work), "rev-parse", "HEAD")
    (github.work / "NOTICE").write_text("another commit\n", encoding="utf-8")
    head = github.commit("another commit")
    github.variables = {"SPRINGBENCH_CONFIRM_MINUTES": "1"}
    publish(github, tmp_path / "history", between(base, head, event(witness(1.5, CASE))))
    ended = github.run("schedule", "confirm")
    assert ended.ok, ended.told
    assert github.artifacts() == {"confirmation-1"}
    [name] = published(github)
    packed = subprocess.run(
        ["git", "-C", str(github.origin), "show", f"gh-pages:{name}"],
        capture_output=True,
        check=True,
    )
    comparison = json.loads(gzip.decompress(packed.stdout))
    assert comparison["purpose"] == "confirm"
    assert [comparison[side]["sha"] for side in ("base", "head")] == [base[:12], head[:12]]
    # what was found depends on how many pairs this host manages in a minute
    assert comparison["profile"] == "pr"
