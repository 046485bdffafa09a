"""The real workflow files, from a pull request to its comment, without GitHub."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest

from springbench.github.approval import CONTEXT
from tests.recorded import RECORDINGS
from tests.services.fake_github import BOT, REPO, FakeGitHub, fake_github
from tests.workflows.local_github import (
    END_TO_END,
    Ended,
    LocalGitHub,
    Proposal,
    git,
    shorten,
)

pytestmark = END_TO_END
OWNER, NAME = REPO.split("/")
RUN_URL = f"https://github.com/{REPO}/actions/runs/5"


CALL = "        run: springbench ci compare\n"
# what GitHub does in the end to a step that is over its time
CUT_SHORT = """\
        run: |
          springbench ci compare &
          until grep -qs '"status": "ok"' results/*/comparison.json; do sleep 0.2; done
          kill -KILL $!
          exit 137
"""


def repository(owner: str) -> dict[str, Any]:
    number = 100 if owner == OWNER else 200
    return {"id": number, "full_name": f"{owner}/{NAME}", "owner": {"login": owner}}


def pull_request(proposal: Proposal, owner: str) -> dict[str, Any]:
    return {
        "number": 7,
        "user": {"login": owner, "type": "User"},
        "head": {"ref": "change", "sha": proposal.head, "repo": repository(owner)},
        "base": {"ref": "main", "sha": proposal.base, "repo": repository(OWNER)},
    }


def opened(proposal: Proposal, owner: str) -> dict[str, Any]:
    """What GitHub says of a pull request that somebody has just made."""
    return {
        "action": "opened",
        "number": 7,
        "pull_request": pull_request(proposal, owner),
        "sender": {"login": owner, "type": "User"},
    }


def comment(
    github: LocalGitHub,
    server: FakeGitHub,
    proposal: Proposal,
    owner: str,
    attempt: int = 1,
    conclusion: str = "success",
    workflow: str = "comment",
) -> Ended:
    """Let the comparison have ended, and wait for the workflow that posts it."""
    pull = pull_request(proposal, owner)
    run = {
        "id": 5,
        "event": "pull_request",
        "conclusion": conclusion,
        "head_branch": "change",
        "head_sha": proposal.head,
        "head_repository": repository(owner),
        "html_url": RUN_URL,
        "run_number": 1,
        "run_attempt": attempt,
        # GitHub names none for a fork
        "pull_requests": [pull] if owner == OWNER else [],
    }
    server.pulls = [{"number": 7, "head": {"label": f"{owner}:change", "sha": proposal.head}}]
    github.api = server.address
    # such an event runs what the default branch holds
    git("-C", str(github.work), "checkout", "--quiet", proposal.base)
    return github.run("workflow_run", workflow, {"action": "completed", "workflow_run": run})


@pytest.mark.parametrize(
    "owner",
    [
        pytest.param(OWNER, marks=pytest.mark.process),
        pytest.param("stranger", marks=pytest.mark.system),
    ],
)
def test_a_pull_request_is_compared_and_gets_one_comment(github: LocalGitHub, owner: str) -> None:
    if owner == OWNER:
        github.recording = RECORDINGS / "cpu.json.gz"
    else:
        shorten(github, budget_s=10)
    # what a stranger makes of the harness does not measure
    broken = {"bench/springbench/__main__.py": "raise SystemExit('all quiet')\n"}
    proposal = github.propose(None if owner == OWNER else broken)
    if owner == OWNER:
        # GitHub gives a fork's event no variables
        github.variables = {"SPRINGBENCH_RUNNER": '["own"]', "SPRINGBENCH_BUDGET": "171"}
        # a stranger's comparison that asked for this runner would find none, and leave nothing
        github.runners.append("own")
    payload = opened(proposal, owner)
    with fake_github() as server:
        github.api = server.address
        ended = github.run("pull_request", "pull-request", payload)
    assert ended.ok, ended.excerpt
    assert f"set-output:: approved={'true' if owner == OWNER else 'false'}" in ended.log
    comparison = json.loads(
        (github.store / "artifacts/comparison/comparison.json").read_text(encoding="utf-8")
    )
    shas = [comparison[side]["sha"] for side in ("base", "head")]
    assert shas == [proposal.base, proposal.merge]
    assert comparison["comparison"]["budget_s"] == (171 if owner == OWNER else 10)
    compared = "boot4-tomcat-virtual-jvm" if owner == OWNER else "boot4-netty-reactive-jvm"
    assert set(comparison["pairs"]) == {compared}

    if owner != OWNER:
        # what the job could have left beside its numbers
        for name in ("comparison/report.html", "report-page/report.html"):
            uploaded_file = github.store / "artifacts" / name
            uploaded_file.parent.mkdir(exist_ok=True)
            uploaded_file.write_text("Made by a stranger", encoding="utf-8")
    with fake_github() as server:
        for attempt in (1, 2):
            ended = comment(github, server, proposal, owner, attempt)
            assert ended.ok, ended.excerpt
        [body] = server.comments_by(BOT)
    assert body.startswith("<!-- springbench-comment run=1 attempt=2 -->")
    assert RUN_URL in body
    assert ("built and ran the code of `stranger`" in body) == (owner != OWNER)
    [page] = (github.store / "artifacts" / "report-page").iterdir()
    assert page.name == "report.html"
    # made where it is posted, of the default branch's code
    assert "[The comparison as a page](https://github.example/artifacts/report-page)" in body
    assert "Made by a stranger" not in page.read_text(encoding="utf-8")
    assert f"head `{proposal.head[:12]}`" in body
    assert proposal.merge[:12] in body
    if owner == OWNER:
        assert "Merging this makes `hello` on Tomcat virtual" in body
        assert "nothing was measured: the measurements are those of cpu.json.gz" in body


@pytest.mark.system
def test_a_stranger_cannot_change_the_rule_that_is_called_by_its_full_reference(
    github: LocalGitHub,
) -> None:
    """Every workflow file is the pull request's own, but for those of a full reference."""
    workflows = github.work / ".github" / "workflows"
    own_file = workflows / "pull-request.yml"
    full = f"{REPO}/.github/workflows/compare.yml@main"
    text = own_file.read_text(encoding="utf-8")
    assert text.count("./.github/workflows/compare.yml") == 1
    own_file.write_text(text.replace("./.github/workflows/compare.yml", full), encoding="utf-8")
    (github.work / ".github" / "runner.json").write_text('{"group": "own"}', encoding="utf-8")
    github.recording = RECORDINGS / "cpu.json.gz"
    github.commit("by its full reference")
    github.keep_default_branch()
    called = (workflows / "compare.yml").read_text(encoding="utf-8")
    changes = {
        ".github/workflows/pull-request.yml": own_file.read_text(encoding="utf-8").replace(
            "${{ vars.SPRINGBENCH_RUNNER }}", """'{"group": "own"}'"""
        ),
        ".github/workflows/compare.yml": called.replace(
            "'[\"ubuntu-latest\"]'", """'{"group": "own"}'"""
        ),
    }
    proposal = github.propose(changes)
    payload = opened(proposal, "stranger")
    with fake_github() as server:
        github.api = server.address
        ended = github.run("pull_request", "pull-request", payload)
        assert ended.ok, ended.excerpt
        # where `own` is no runner of this machine, a job that asks for it is skipped
        assert github.artifacts() == {"comparison"}
        assert "set-output:: approved=false" in ended.log
        shutil.rmtree(github.store / "artifacts")
        server.statuses = {proposal.head: [{"context": CONTEXT, "state": "success"}]}
        ended = github.run("pull_request", "pull-request", payload)
        assert "set-output:: approved=true" in ended.log
        assert github.artifacts() == set()
        github.runners.append("own")
        ended = github.run("pull_request", "pull-request", payload)
        assert ended.ok, ended.excerpt
        assert github.artifacts() == {"comparison"}


@pytest.mark.system
def test_a_comparison_that_ran_out_of_time_posts_what_it_has(github: LocalGitHub) -> None:
    called = github.work / ".github" / "workflows" / "compare.yml"
    text = called.read_text(encoding="utf-8")
    assert CALL in text
    called.write_text(text.replace(CALL, CUT_SHORT), encoding="utf-8")
    shorten(github, budget_s=300)
    proposal = github.propose()
    payload = opened(proposal, OWNER)
    with fake_github() as server:
        github.api = server.address
        ended = github.run("pull_request", "pull-request", payload)
    assert not ended.ok
    assert github.artifacts() == {"comparison"}, ended.excerpt
    assert "what was measured until then is kept" in ended.log
    with fake_github() as server:
        ended = comment(github, server, proposal, OWNER, conclusion="failure")
        assert ended.ok, ended.excerpt
        [body] = server.comments_by(BOT)
    assert "it was cut short, and is not complete" in body
    assert "`boot4-netty-reactive-jvm/hello/64`" in body


@pytest.mark.system
def test_a_comment_with_a_hash_approves_that_commit(github: LocalGitHub) -> None:
    proposal = github.propose()
    comment_body = {"body": f"/benchmark {proposal.head}", "user": {"login": "who", "type": "User"}}
    event = {
        "action": "created",
        "issue": {"number": 7, "pull_request": {"url": "x"}},
        "comment": {**comment_body, "author_association": "MEMBER"},
    }
    strangers = {**event, "comment": {**comment_body, "author_association": "CONTRIBUTOR"}}
    with fake_github() as server:
        server.rights = {"who": "write"}
        server.pulls = [{"number": 7, "state": "open", "head": {"sha": proposal.head}}]
        server.runs = [{"id": 5, "head_sha": proposal.head}]
        github.api = server.address
        ended = github.run("issue_comment", "approval", strangers)
        assert not ended.ran("approve")
        assert server.statuses == {}
        ended = github.run("issue_comment", "approval", event)
        assert ended.ok, ended.excerpt
        assert list(server.statuses) == [proposal.head]
        assert server.run_again == [5]
        server.rights = {}
        server.statuses.clear()
        assert github.run("issue_comment", "approval", event).ok
        assert server.statuses == {}


@pytest.mark.system
@pytest.mark.parametrize(
    ("conclusion", "message"),
    [
        ("failure", "it left no comparison"),
        ("cancelled", "over the time that its job may take"),
        ("timed_out", "over the time that its job may take"),
    ],
)
def test_a_comparison_that_left_nothing_is_said_to_have_failed(
    github: LocalGitHub, conclusion: str, message: str
) -> None:
    with fake_github() as server:
        ended = comment(github, server, github.propose(), OWNER, conclusion=conclusion)
        assert ended.ok, ended.excerpt
        [body] = server.comments_by(BOT)
    assert "compare" in body
    assert message in body
