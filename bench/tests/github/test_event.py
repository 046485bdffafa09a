"""The pull request that GitHub's own event vouches for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from springbench.errors import ConfigurationError
from springbench.github.api import Api
from springbench.github.comment import find_pull_request
from springbench.github.event import Head, RunOrder, read_event
from tests.services.fake_github import REPO, TOKEN, fake_github

REPOSITORY, FORK, OTHER = 100, 200, 300
FORK_HEAD = Head("mallory", "fix & more?per_page=1", "a" * 40)


def workflow_run(
    *, pulls: Sequence[dict[str, Any]] = (), fork: bool = True, event: str = "pull_request"
) -> dict[str, Any]:
    head = {"id": FORK if fork else REPOSITORY, "owner": {"login": "mallory" if fork else "octo"}}
    return {
        "action": "completed",
        "repository": {"id": REPOSITORY, "owner": {"login": "octo"}},
        "workflow_run": {
            "event": event,
            "head_branch": FORK_HEAD.branch,
            "head_sha": FORK_HEAD.sha,
            "head_repository": head,
            "html_url": "https://github.example/octo/app/actions/runs/5",
            "run_number": 31,
            "run_attempt": 2,
            "pull_requests": list(pulls),
        },
    }


def listed(number: int, base: int, head: int) -> dict[str, Any]:
    return {"number": number, "base": {"repo": {"id": base}}, "head": {"repo": {"id": head}}}


def event(folder: Path, data: object) -> Path:
    file = folder / "event.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_a_pull_request_of_the_same_repository_is_named_by_the_event(tmp_path: Path) -> None:
    pulls = [
        listed(3, OTHER, REPOSITORY),
        listed(7, REPOSITORY, REPOSITORY),
        listed(8, REPOSITORY, OTHER),
    ]
    found = read_event(event(tmp_path, workflow_run(pulls=pulls, fork=False)), {})
    assert found.pull_request == 7
    assert found.order == RunOrder(31, 2)
    assert found.run_url.endswith("/runs/5")


def test_that_of_a_fork_is_found_by_the_commit_that_the_event_names(tmp_path: Path) -> None:
    found = read_event(event(tmp_path, workflow_run()), {})
    assert found.pull_request is None
    assert found.head == FORK_HEAD
    assert found.is_fork
    with fake_github() as github:
        api = Api(github.address, TOKEN)
        label = f"{FORK_HEAD.owner}:{FORK_HEAD.branch}"
        github.pulls = [
            {"number": 6, "head": {"label": label, "sha": "b" * 40}},
            {"number": 9, "head": {"label": "octo:main", "sha": FORK_HEAD.sha}},
        ]
        assert find_pull_request(api, REPO, found.head) is None
        github.pulls.append({"number": 7, "head": {"label": label, "sha": FORK_HEAD.sha}})
        assert find_pull_request(api, REPO, found.head) == 7
        github.pulls.append({"number": 8, "head": {"label": label, "sha": FORK_HEAD.sha}})
        with pytest.raises(ConfigurationError, match="2 open pull requests have the commit"):
            find_pull_request(api, REPO, found.head)


def test_the_event_of_the_pull_request_itself(tmp_path: Path) -> None:
    head = {"ref": "fix", "sha": "c" * 40, "repo": {"id": REPOSITORY, "owner": {"login": "octo"}}}
    data = {"pull_request": {"number": 7, "head": head, "base": {"repo": {"id": REPOSITORY}}}}
    environment = {
        "GITHUB_SERVER_URL": "https://github.example",
        "GITHUB_REPOSITORY": "octo/app",
        "GITHUB_RUN_ID": "5",
        "GITHUB_RUN_NUMBER": "31",
        "GITHUB_RUN_ATTEMPT": "1",
    }
    found = read_event(event(tmp_path, data), environment)
    assert (found.pull_request, found.order) == (7, RunOrder(31, 1))
    assert found.run_url == "https://github.example/octo/app/actions/runs/5"
    assert not found.is_fork


@pytest.mark.parametrize(
    "repository", [None, {"id": REPOSITORY + 1, "owner": {"login": "octo"}}], ids=["gone", "other"]
)
def test_a_branch_of_another_repository_is_a_fork_whoever_owns_it(
    tmp_path: Path, repository: dict[str, object] | None
) -> None:
    head = {"ref": "fix", "sha": "c" * 40, "repo": repository}
    data = {"pull_request": {"number": 7, "head": head, "base": {"repo": {"id": REPOSITORY}}}}
    assert read_event(event(tmp_path, data), {}).is_fork


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"push": {}}, "allowed: a pull_request event"),
        (workflow_run(event="push"), "allowed: a pull_request event"),
        ({"workflow_run": {}}, "repository: Field required"),
        ([], "should be an object"),
    ],
)
def test_another_event_is_a_clear_line(data: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=message):
        read_event(event(tmp_path, data), {})
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_event(tmp_path / "nothing.json", {})
