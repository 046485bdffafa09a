"""A service's commits, measured and pushed as its workflow does it: whatever clocks and owners."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli
from tests.history.remotes import make_bare
from tests.recorded import RECORDINGS
from tests.repositories import Repository

pytestmark = pytest.mark.process
TOML = 'name = "orders"\ncommand = ["./serve", "{port}"]\n[[routes]]\npath = "/hello"\n'


@dataclass
class Pushed:
    """A repository of a service, and the history that its runs are pushed to."""

    folder: Path
    cli: Cli

    @property
    def service(self) -> Repository:
        return Repository(self.folder / "service")

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @property
    def bare(self) -> Path:
        return self.folder / "remote.git"

    def commit(self, hours_ago: float, files: dict[str, str] | None = None) -> str:
        committed_at = datetime.now(UTC) - timedelta(hours=hours_ago)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("GIT_COMMITTER_DATE", committed_at.isoformat(timespec="seconds"))
            return self.service.commit(files)

    def run(self, run_id: str) -> tuple[int, str, str]:
        paths = ("--matrix", self.service.root / "springbench.toml", "--results", self.results)
        recording = ("--recording", RECORDINGS / "orders.json.gz")
        options = ("--id", run_id, "--profile", "commit", "--no-open")
        return self.cli("run", *options, *paths, *recording)

    def publish(self, run_id: str) -> tuple[int, str, str]:
        return self.cli("publish", self.results / run_id, "--push", self.bare)

    def base(self) -> tuple[int, str, str]:
        return self.cli("base", "--remote", self.bare)

    def measured(self, run_id: str) -> None:
        for code, out, err in (self.run(run_id), self.publish(run_id)):
            assert code == 0, out + err

    def index(self) -> dict[str, Any]:
        index = json.loads(Repository(self.bare).git("show", "gh-pages:data/index.json"))
        commits = index["commits"]
        return {
            "runs": index["runs"]["id"],
            "marks": index["runs"]["marks"],
            "shas": [commit["sha"] for commit in commits],
            "times": [commit["time"] for commit in commits],
        }


@pytest.fixture
def pushed(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Pushed:
    scene = Pushed(tmp_path, cli)
    Repository.create(scene.service.root)
    make_bare(scene.bare)
    for command in ("base", "publish"):
        monkeypatch.setattr(f"springbench.commands.{command}.REPOSITORY", scene.service.root)
    return scene


def test_pushes_are_in_the_order_of_their_ancestry_and_compared_with_their_parents(
    pushed: Pushed,
) -> None:
    first = pushed.commit(6, {"springbench.toml": TOML, "mvnw": "#!/bin/sh\n"})
    (pushed.service.root / "mvnw").chmod(0o755)  # as a workflow does
    pushed.measured("run-1")
    slow = pushed.commit(11)  # a committer's clock is five hours slow
    pushed.measured("run-2")
    head = pushed.commit(5)
    assert pushed.base()[1] == f"{slow}\n"
    pushed.service.git("checkout", "--quiet", slow)
    pushed.measured("run-3")  # measured again, later
    pushed.service.git("checkout", "--quiet", "main")
    pushed.measured("run-4")
    index = pushed.index()
    assert index["runs"] == ["run-1", "run-2", "run-3", "run-4"]
    assert index["shas"] == [first[:12], slow[:12], head[:12]]
    assert index["times"] == sorted(set(index["times"]))
    assert index["marks"] == [[], [], [], []]


def test_what_stands_for_no_commit_is_measured_and_fails_whoever_pushes_it(
    pushed: Pushed, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed.commit(5, {"springbench.toml": TOML, "app.txt": "1"})
    (pushed.service.root / "app.txt").write_text("2", encoding="utf-8")
    code, out, _ = pushed.run("changed")
    assert (code, "app.txt" in out) == (0, True)
    code, _, err = pushed.publish("changed")
    assert code == 2
    assert "changed is published and never evaluated: tracked files differ" in err
    assert ": app.txt; commit or restore them" in err
    code, out, err = pushed.base()
    assert (code, out) == (0, "")
    assert "none of the newest 1 runs counts (1 dirty)" in err
    with monkeypatch.context() as patch:
        patch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
        assert "does not trust" in " ".join(pushed.run("distrusted")[1].split())
    code, _, err = pushed.publish("distrusted")
    assert code == 2
    assert "distrusted is published and never evaluated: the commit is not known" in err
    assert f"`git config --global --add safe.directory {pushed.service.root}`" in err


def test_a_shallow_clone_says_that_clocks_alone_order_its_commits(pushed: Pushed) -> None:
    pushed.commit(5, {"springbench.toml": TOML})
    pushed.commit(9)
    assert pushed.run("whole")[0] == 0
    original = pushed.service.root.rename(pushed.folder / "whole")
    Repository(original).git(
        "clone", "--quiet", "--depth=1", f"file://{original}", str(original.parent / "service")
    )
    code, _, err = pushed.publish("whole")
    assert code == 0
    assert "commits are ordered by the clocks of their committers alone: this clone is" in err
    assert "fetch-depth: 0" in err
    # what was measured in a whole clone brings its place along
    run = json.loads((pushed.results / "whole/run.json").read_text("utf-8"))
    published_at = datetime.fromisoformat(pushed.index()["times"][0])
    assert published_at == datetime.fromisoformat(run["commit"]["time"])
    assert datetime.now(UTC) - published_at < timedelta(hours=6)
