"""The workflows that `init` writes, in a repository of somebody's own service, without GitHub."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.recorded import (
    RECORDINGS,
    recorded_comparison,
    recorded_run,
    swapped,
    write_recording,
)
from tests.recordings.record import FAST, SLOW
from tests.services.fake_github import BOT, fake_github
from tests.workflows.events import dispatch
from tests.workflows.local_github import END_TO_END, git
from tests.workflows.local_service import LocalService
from tests.workflows.test_pull_requests import OWNER, comment, opened

pytestmark = END_TO_END
CASE = "app-orders-own-command/hello/64"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalService:
    """A repository of a service, and a runner."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "")  # restored after the test
    local_service = LocalService(tmp_path)
    edit(
        local_service,
        ".github/workflows/benchmark.yml",
        "    with:\n",
        "    with:\n      budget: '180'\n",
    )
    return local_service


def edit(service: LocalService, name: str, old: str, new: str) -> str:
    """The commit in which that file says something else."""
    file = service.work / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return service.commit(f"edit {name}")


def push(service: LocalService, sha: str, run_id: str) -> str:
    service.run_id = run_id
    ended = service.run("push", "benchmark", {"after": sha, "ref": "refs/heads/main"})
    assert ended.ok, ended.excerpt
    return ended.log


@pytest.mark.system
def test_a_push_that_is_slower_is_confirmed_narrowed_down_told_and_closed_once_fixed(
    service: LocalService, tmp_path: Path
) -> None:
    first = git("-C", str(service.work), "rev-parse", "HEAD")
    service.recording = RECORDINGS / "orders.json.gz"
    push(service, first, "1")
    [name] = service.published("data/runs/")
    run = service.packed(name)
    assert run["commit"]["sha"] == first
    assert [(case["case"], case["status"]) for case in run["cases"]] == [(CASE, "ok")]
    assert "index.html" in service.published()
    assert service.history("version.txt") == "main"

    # two commits in one push
    slow = edit(service, "serve.py", FAST, SLOW)
    pushed = edit(service, "serve.py", "import", "# another\nimport")
    regression = recorded_comparison("orders-regression")
    slower = recorded_run("orders-slow"), regression
    service.recording = write_recording(tmp_path / "slower", *slower)
    log = push(service, pushed, "2")
    # the same version of the dashboard is not built again
    assert "deployed=true" in log
    assert f"{pushed[:12]} is compared with {first[:12]}" in log
    event = only_event(service)
    assert (event["direction"], event["kind"], event["state"]) == (
        *("regression", "step", "suspected"),
    )
    assert event["culprit"]["after"]["sha"] == pushed[:12]

    with fake_github() as server:
        service.api = server.address
        confirm(service, "3")
        assert kinds(service) >= {"confirmation"}
        event = only_event(service)
        assert (event["state"], event["culprit"]["exact"]) == ("confirmed", False)
        [issue] = server.issues.all
        assert issue["title"].startswith(f"Regression: {CASE}: ")
        # what is known to be there is narrowed down
        confirm(service, "4")
        assert kinds(service) >= {"bisection"}
        culprit = only_event(service)["culprit"]
        assert (culprit["before"]["sha"], culprit["after"]["sha"]) == (first[:12], slow[:12])
        assert culprit["exact"]

        fixed = edit(service, "serve.py", SLOW, FAST)
        faster = recorded_run("orders"), swapped(regression)
        service.recording = write_recording(tmp_path / "faster", *faster)
        push(service, fixed, "5")
        confirm(service, "6")
        states = {
            published_event["direction"]: published_event["state"]
            for published_event in events(service)
        }
        assert states == {"regression": "fixed", "improvement": "confirmed"}
        assert (issue["state"], len(server.issues.all)) == ("closed", 1)


def events(service: LocalService) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(service.history("data/index.json"))["events"]
    return found


def only_event(service: LocalService) -> dict[str, Any]:
    [event] = events(service)
    return event


def kinds(service: LocalService) -> set[str]:
    """Of what was uploaded."""
    return {name.partition("-")[0] for name in service.artifacts()}


def confirm(service: LocalService, run_id: str) -> None:
    """What a schedule starts."""
    service.run_id = run_id
    service.variables["SPRINGBENCH_CONFIRM_MINUTES"] = "600"
    ended = service.run("schedule", "benchmark-confirm")
    assert ended.ok, ended.excerpt


@pytest.mark.system
def test_a_run_by_hand_is_measured_and_not_published(service: LocalService) -> None:
    workflow = ".github/workflows/benchmark.yml"
    trigger = "  workflow_dispatch:\n    inputs: { forks: { type: string } }\n"
    edit(service, workflow, "  workflow_dispatch:\n", trigger)
    settings = "      forks: ${{ inputs.forks }}\n      duration: '1'\n"
    edit(service, workflow, "      budget: '180'\n", settings)
    ended = service.run("workflow_dispatch", "benchmark", dispatch(forks="2"))
    assert ended.ok, ended.excerpt
    [file] = (service.store / "artifacts").glob("run-orders-*/run.json")
    run = json.loads(file.read_text("utf-8"))
    assert [len(result["forks"]) for result in run["results"]] == [2]
    assert run["run"]["filters"]["window_s"] == 1
    assert not ended.ran("publish")
    assert not ended.ran("compare")


@pytest.mark.parametrize(
    "owner",
    [
        pytest.param(OWNER, marks=pytest.mark.process),
        pytest.param("stranger", marks=pytest.mark.system),
    ],
)
def test_a_pull_request_is_compared_and_gets_a_comment(service: LocalService, owner: str) -> None:
    service.variables = {"SPRINGBENCH_RUNNER": '["own"]'} if owner == OWNER else {}
    service.runners += ["own"] if owner == OWNER else []
    service.recording = RECORDINGS / "orders-regression.json.gz" if owner == OWNER else None
    if owner != OWNER:
        # measured for real: two pairs tell as much of the wiring as four
        edit(service, ".github/workflows/benchmark.yml", "budget: '180'", "budget: '60'")
    text = (service.work / "serve.py").read_text(encoding="utf-8")
    proposal = service.propose({"serve.py": text.replace(FAST, SLOW)})
    payload = opened(proposal, owner)
    with fake_github() as server:
        service.api = server.address
        ended = service.run("pull_request", "benchmark", payload)
    assert ended.ok, ended.excerpt
    assert not ended.ran("publish")
    [file] = (service.store / "artifacts").glob("comparison-orders-*/comparison.json")
    comparison = json.loads(file.read_text(encoding="utf-8"))
    shas = [comparison[side]["sha"] for side in ("base", "head")]
    assert shas == [proposal.base, proposal.merge]
    with fake_github() as server:
        ended = comment(service, server, proposal, owner, workflow="benchmark-comment")
        assert ended.ok, ended.excerpt
        [body] = server.comments_by(BOT)
    assert f"`{CASE}`" in body
    assert "CPU per request" in body
