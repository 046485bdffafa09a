"""From recorded measurements to what is reported: history, event, issue, bisection."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from springbench.compare.execute import compare_live
from springbench.compare.sides import RequestedSide
from springbench.history.files import Folder
from springbench.history.reading import read_index
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.plan.plan import make_plan
from springbench.results.comparison import COMPARISON_FILE, Comparison, SideInfo
from springbench.results.events import Event
from springbench.results.recording import Recording
from springbench.results.run import CommitInfo
from springbench.results.store import RunFolder
from tests.bisect.benches import WHAT
from tests.conftest import Cli
from tests.recorded import (
    named,
    recorded_comparison,
    recorded_run,
    swapped,
    write_recording,
)
from tests.repositories import Repository
from tests.services.fake_github import REPO, TOKEN, FakeGitHub, fake_github

CASE = "boot4-tomcat-virtual-jvm/hello/64"
BEGIN = datetime(2026, 11, 20, 8, tzinfo=UTC)


def sha(number: int) -> str:
    return f"{number:012x}".ljust(40, "0")


@dataclass
class Pipeline:
    """A history that grows by pushes, whose measurements were recorded."""

    root: Path
    matrix: Matrix
    cli: Cli
    hours: int = 0

    @property
    def history(self) -> Path:
        return self.root / "history"

    def at(self, hours: int) -> str:
        return (BEGIN + timedelta(hours=hours)).isoformat(timespec="seconds")

    def push(self, number: int) -> None:
        """The run of a commit is published."""
        run = recorded_run("smoke")
        run.run.id, run.run.started_at = f"gh-{number}", self.at(number)
        run.run.finished_at = self.at(number)
        run.commit = CommitInfo(
            sha=sha(number),
            message=f"Change {number}",
            author="Someone",
            time=self.at(number),
            branch="main",
            dirty=False,
        )
        folder = RunFolder.create(self.root / "results", run.run.id)
        folder.save(run)
        self.publish(folder.path)

    def compare(self, base: int, head: int, recorded: Comparison, purpose: str, at: int) -> None:
        """Two commits are compared, that many hours later, and the comparison published."""
        sides = [
            RequestedSide(
                SideInfo(
                    kind="commit",
                    label=sha(number)[:12],
                    sha=sha(number),
                    message=f"Change {number}",
                    author="Someone",
                    time=self.at(number),
                )
            )
            for number in (base, head)
        ]
        folder = self.root / f"{purpose}-{at}"
        recording = Recording.read(write_recording(folder / "recording", recorded))
        live = compare_live(
            sides,
            make_plan(self.matrix, "pr"),
            recorded.comparison.budget_s,
            folder,
            RealShell(),
            recording=recording,
        )
        live.comparison.comparison.started_at = self.at(at)
        live.comparison.comparison.finished_at = self.at(at)
        text = live.comparison.model_dump_json(by_alias=True)
        (live.folder / COMPARISON_FILE).write_text(text, encoding="utf-8")
        self.publish("--comparison", live.folder, "--purpose", purpose)

    def publish(self, *words: object) -> None:
        code, _, err = self.cli("publish", *words, "--history", self.history)
        assert (code, err) == (0, "")

    @property
    def events(self) -> list[Event]:
        index = read_index(Folder(self.history))
        assert index
        return index.events


@pytest.fixture
def pipeline(tmp_path: Path, matrix: Matrix, cli: Cli) -> Pipeline:
    return Pipeline(tmp_path, matrix, cli)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    with fake_github() as state:
        monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
        monkeypatch.setenv("GITHUB_API_URL", state.address)
        monkeypatch.setenv("GITHUB_REPOSITORY", REPO)
        yield state


def alert(cli: Cli, pipeline: Pipeline) -> None:
    code, out, err = cli("alert", "--history", pipeline.history)
    assert code == 0, out + err


def regressed(pipeline: Pipeline) -> None:
    """Four commits, of which the third made a request cost more."""
    for number in range(1, 5):
        pipeline.push(number)
        if number > 1:
            recorded = recorded_comparison("cpu" if number == 3 else "aa")
            pipeline.compare(number - 1, number, recorded, "push", at=number)


@pytest.mark.process
def test_a_regression_is_an_event_then_confirmed_then_an_issue_then_fixed(
    pipeline: Pipeline, api: FakeGitHub, cli: Cli
) -> None:
    regressed(pipeline)
    [event] = pipeline.events
    assert (event.direction, event.state) == ("regression", "suspected")
    assert (event.culprit.before.sha, event.culprit.after.sha) == (sha(2)[:12], sha(3)[:12])
    assert CASE in {series.case for series in event.affected_series}
    alert(cli, pipeline)
    assert api.issues.all == []

    pipeline.compare(2, 3, recorded_comparison("cpu"), "confirm", at=30)
    [event] = pipeline.events
    assert event.state == "confirmed"
    alert(cli, pipeline)
    [issue] = api.issues.all
    assert issue["title"].startswith(f"Regression: {CASE}: ")
    assert issue["title"].endswith(f"since {sha(3)[:12]}")
    assert f"/{REPO}/compare/{sha(2)[:12]}...{sha(3)[:12]}" in issue["body"]
    assert cli("alert", "--history", pipeline.history, "--fail-on", "regression")[0] == 1

    pipeline.push(5)
    better = swapped(recorded_comparison("cpu"))
    pipeline.compare(4, 5, better, "push", at=35)
    pipeline.compare(4, 5, better, "confirm", at=36)
    states = {
        published_event.direction: published_event.state for published_event in pipeline.events
    }
    assert states == {"regression": "fixed", "improvement": "confirmed"}
    assert cli("alert", "--history", pipeline.history, "--fail-on", "regression")[0] == 0
    assert issue["state"] == "closed"


@pytest.mark.process
def test_one_that_another_job_does_not_see_is_not_confirmed_and_reported_to_nobody(
    pipeline: Pipeline, api: FakeGitHub, cli: Cli
) -> None:
    regressed(pipeline)
    pipeline.compare(2, 3, recorded_comparison("aa"), "confirm", at=30)
    assert {event.state for event in pipeline.events} == {"suspected"}
    alert(cli, pipeline)
    assert api.issues.all == []


@pytest.mark.process
def test_identical_commits_make_no_event(pipeline: Pipeline) -> None:
    for number in range(1, 6):
        pipeline.push(number)
        if number > 1:
            pipeline.compare(number - 1, number, recorded_comparison("aa"), "push", at=number)
    assert pipeline.events == []


# --- Bisection -----------------------------------------------------------------------------------

Bisect = Callable[..., dict[str, Any]]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    new_clone = Repository.create(tmp_path / "clone")
    for module in ("bisect.begin", "compare.sides"):
        monkeypatch.setattr(f"springbench.{module}.ROOT", new_clone.root)
    return new_clone


@pytest.mark.process
@pytest.mark.parametrize("culprit", [1, 3, 6, 7])
def test_a_bisection_names_the_commit_that_made_it_slower(
    clone: Repository, tmp_path: Path, cli: Cli, culprit: int
) -> None:
    names = [f"change {number}" for number in range(8)]
    shas = [clone.commit({"servers/A.java": name}, name) for name in names]
    same, slower = recorded_comparison("aa"), recorded_comparison("cpu")
    pairs = [
        named(slower if base < culprit <= head else same, names[base], names[head])
        for head in range(8)
        for base in range(head)
    ]
    recording = write_recording(tmp_path / "recording", *pairs)
    code, out, _ = cli(
        *("bisect", shas[0], shas[-1], *WHAT, "--json"),
        *("--recording", recording, "--results", tmp_path / "results"),
    )
    assert code == 0
    outcome = json.loads(out)["outcome"]
    assert (outcome["kind"], outcome["commits"]) == ("culprit", [shas[culprit]])
    assert outcome["span"] == {"after": shas[culprit - 1], "until": shas[culprit]}
    assert outcome["checked"] is True
