"""The real workflow that checks candidate changes, from the history to the history, without
GitHub.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from springbench.history.files import INDEX, MANIFEST, Folder, save
from springbench.results.events import Event
from springbench.results.manifest import MANIFEST_SCHEMA_VERSION, Manifest
from tests.recorded import RECORDINGS
from tests.services.fake_github import FakeGitHub, fake_github
from tests.suspected import affected, between, event, index_of
from tests.workflows.local_github import END_TO_END, LocalGitHub, git

pytestmark = END_TO_END
CASE = "boot4-tomcat-virtual-jvm/hello/64"
COMPARISONS = "data/comparisons/"


@pytest.fixture(autouse=True)
def api(github: LocalGitHub) -> Iterator[FakeGitHub]:
    """The API that regressions are reported to; without it the job would ask the real one."""
    with fake_github() as api:
        github.api = api.address
        yield api


def publish(github: LocalGitHub, folder: Path, *events: Event) -> None:
    """Make a history branch that has these events."""
    Folder(folder).write(INDEX, index_of(*events))
    save(Folder(folder), MANIFEST, Manifest(schema=MANIFEST_SCHEMA_VERSION, files={}))
    at = ("-C", str(folder))
    git(*at, "init", "--quiet")
    git(*at, "add", "--all")
    git(*at, "commit", "--quiet", "--message", "history")
    git(*at, "push", "--quiet", "--force", str(github.origin), "HEAD:refs/heads/gh-pages")


@pytest.mark.system
def test_without_candidate_changes_nothing_is_measured(github: LocalGitHub, tmp_path: Path) -> None:
    publish(github, tmp_path / "history")
    ended = github.run("schedule", "confirm")
    assert ended.ok, ended.excerpt
    assert "no candidate change to confirm" in ended.log
    assert not any(ended.ran(job) for job in ("compare", "bisect", "publish"))


@pytest.mark.process
def test_a_candidate_change_is_compared_again_and_the_comparison_published(
    github: LocalGitHub, tmp_path: Path
) -> None:
    github.recording = RECORDINGS / "cpu.json.gz"
    base = git("-C", str(github.work), "rev-parse", "HEAD")
    (github.work / "NOTICE").write_text("another commit\n", encoding="utf-8")
    head = github.commit("another commit")
    github.variables = {"SPRINGBENCH_CONFIRM_MINUTES": "9"}
    publish(github, tmp_path / "history", between(base, head, event(affected(1.5, CASE))))
    ended = github.run("schedule", "confirm")
    assert ended.ok, ended.excerpt
    assert github.artifacts() == {"confirmation-1"}
    [name] = github.published(COMPARISONS)
    comparison = github.packed(name)
    assert comparison["purpose"] == "confirm"
    assert [comparison[side]["sha"] for side in ("base", "head")] == [base[:12], head[:12]]
    assert comparison["profile"] == "pr"
    found = {
        (finding["case"], finding["metric"]): finding["verdict"]
        for finding in comparison["findings"]
    }
    assert found[CASE, "cpu_per_request_s"] == "regression"


@pytest.mark.system
def test_a_confirmed_regression_is_reported_and_closed_once_it_is_fixed(
    github: LocalGitHub, api: FakeGitHub, tmp_path: Path
) -> None:
    publish(github, tmp_path / "confirmed", event(state="confirmed"))
    ended = github.run("schedule", "confirm")
    assert ended.ok, ended.excerpt
    [issue] = api.issues.all
    assert "CPU per request +10 %" in issue["title"]
    assert "https://octo.github.io/app/" in issue["body"]
    assert "/octo/app/compare/000000000004...000000000005" in issue["body"]
    better = event(affected(0.9), before=8, after=9, id="improvement-000000000009")
    better.direction, better.state = "improvement", "confirmed"
    publish(github, tmp_path / "fixed", event(state="fixed", fixed_by=better.id), better)
    ended = github.run("schedule", "confirm")
    assert ended.ok, ended.excerpt
    assert (issue["state"], len(api.issues.all)) == ("closed", 1)
    assert not ended.ran("publish")


@pytest.mark.system
@pytest.mark.parametrize("whose", ["a fork's", "a pull request's", "a deleted fork's", "ours"])
def test_only_a_run_of_this_repository_starts_it(
    github: LocalGitHub, tmp_path: Path, whose: str
) -> None:
    publish(github, tmp_path / "history")
    run: dict[str, object] = {
        "event": "pull_request" if whose == "a pull request's" else "push",
        "conclusion": "success",
        "head_branch": "main",
        "head_repository": {"id": 200 if whose == "a fork's" else 100},
    }
    if whose == "a deleted fork's":
        run["head_repository"] = None
    ended = github.run(
        "workflow_run", "confirm", {"action": "completed", "workflow_run": run, "ref": "main"}
    )
    assert ended.ran("plan") == (whose == "ours"), ended.excerpt
