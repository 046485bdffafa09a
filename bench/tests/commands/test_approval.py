"""`springbench approval`: whose code may run on a repository's own runners, and which commit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from springbench.commands import approval
from springbench.github.approval import CONTEXT
from tests.conftest import Cli
from tests.services.fake_github import BOT, REPO, TOKEN, FakeGitHub, Fault, fake_github

pytestmark = pytest.mark.process

REPOSITORY, FORK = 100, 200
SEEN, PUSHED_LATER = "a" * 40, "b" * 40
PERSON = {"login": "who", "type": "User"}
COPILOT = {"login": "Copilot", "type": "Bot"}
DEPENDABOT = {"login": "dependabot[bot]", "type": "Bot"}
APPROVED = {"context": CONTEXT, "state": "success"}
RIGHTS = {
    "owner": "admin",
    "maintainer": "write",
    "helper": "triage",
    "reader": "read",
    "their-app[bot]": "write",
}


@pytest.fixture
def github(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeGitHub]:
    with fake_github() as state:
        monkeypatch.setenv("GITHUB_API_URL", state.address)
        monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
        monkeypatch.setenv("GITHUB_REPOSITORY", REPO)
        monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "output"))
        monkeypatch.setattr(approval, "RUNNER_FILE", tmp_path / "runner.json")
        state.rights = RIGHTS
        state.pulls = [{"number": 7, "state": "open", "head": {"sha": SEEN}}]
        state.runs = [{"id": 31, "head_sha": SEEN}]
        yield state


def event(tmp_path: Path, data: dict[str, Any]) -> Path:
    file = tmp_path / "event.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def pull_request(
    *,
    repo: int | None = FORK,
    author: dict[str, str] | None = PERSON,
    sender: dict[str, str] | None = PERSON,
    action: str = "opened",
    sha: str = SEEN,
) -> dict[str, Any]:
    head = {"sha": sha, "repo": None if repo is None else {"id": repo}}
    pull = {"user": author, "head": head, "base": {"repo": {"id": REPOSITORY}}}
    return {"action": action, "pull_request": pull, "sender": sender}


def outputs(tmp_path: Path) -> dict[str, str]:
    text = (tmp_path / "output").read_text(encoding="utf-8")
    return dict(line.split("=", 1) for line in text.splitlines())


@pytest.mark.parametrize(
    ("data", "approved"),
    [
        (pull_request(repo=REPOSITORY), "true"),
        (pull_request(repo=REPOSITORY, action="synchronize"), "true"),
        (pull_request(), "false"),
        (pull_request(action="reopened"), "false"),
        # accounts that were deleted
        (pull_request(repo=REPOSITORY, author=None), "false"),
        (pull_request(repo=REPOSITORY, sender=None), "false"),
        # a fork that was deleted
        (pull_request(repo=None), "false"),
        # nobody has read what a bot proposes, though its branch is here
        (pull_request(repo=REPOSITORY, author=COPILOT, sender=COPILOT), "false"),
        (pull_request(repo=REPOSITORY, author=DEPENDABOT, sender=DEPENDABOT), "false"),
        (pull_request(repo=REPOSITORY, author=BOT, sender=BOT), "false"),
        # a bot pushes to a person's branch
        (pull_request(repo=REPOSITORY, sender=COPILOT, action="synchronize"), "false"),
        # a person starts what a bot has written
        (pull_request(repo=REPOSITORY, author=COPILOT, action="reopened"), "false"),
        # an account that was removed
        (pull_request(repo=REPOSITORY, author=None), "false"),
    ],
)
def test_branches_of_people_here_may_and_nobody_elses(
    github: FakeGitHub, tmp_path: Path, cli: Cli, data: dict[str, Any], approved: str
) -> None:
    code, _, err = cli("approval", "--event", event(tmp_path, data))
    assert (code, err) == (0, "")
    assert outputs(tmp_path)["approved"] == approved


@pytest.mark.parametrize("author", [PERSON, COPILOT])
@pytest.mark.parametrize("action", ["opened", "synchronize", "reopened", "edited"])
def test_an_approved_commit_may_whatever_happens_to_its_pull_request(
    github: FakeGitHub, tmp_path: Path, cli: Cli, author: dict[str, str], action: str
) -> None:
    github.statuses = {SEEN: [{"context": "other", "state": "failure"}, APPROVED]}
    cli("approval", "--event", event(tmp_path, pull_request(author=author, action=action)))
    assert outputs(tmp_path)["approved"] == "true"


def test_what_is_pushed_after_an_approval_is_another_commit(
    github: FakeGitHub, tmp_path: Path, cli: Cli
) -> None:
    github.statuses = {SEEN: [APPROVED]}
    pushed = pull_request(action="synchronize", sha=PUSHED_LATER)
    cli("approval", "--event", event(tmp_path, pushed))
    assert outputs(tmp_path)["approved"] == "false"


def test_an_approval_can_be_taken_back(github: FakeGitHub, tmp_path: Path, cli: Cli) -> None:
    github.statuses = {SEEN: [{"context": CONTEXT, "state": "failure"}, APPROVED]}
    cli("approval", "--event", event(tmp_path, pull_request()))
    assert outputs(tmp_path)["approved"] == "false"


def test_no_answer_is_no_approval(github: FakeGitHub, tmp_path: Path, cli: Cli) -> None:
    github.statuses = {SEEN: [APPROVED]}
    github.faults.append(Fault(403, {}, {"message": "Resource not accessible"}))
    code, out, _ = cli("approval", "--event", event(tmp_path, pull_request()))
    assert code == 0
    assert "not approved: GET /repos/octo/app/commits" in out
    assert outputs(tmp_path) == {"approved": "false"}


def test_the_approved_get_the_runner_of_the_base(
    github: FakeGitHub, tmp_path: Path, cli: Cli
) -> None:
    (tmp_path / "runner.json").write_text('["self-hosted",\n "bench"]\n', encoding="utf-8")
    cli("approval", "--event", event(tmp_path, pull_request()))
    assert outputs(tmp_path) == {"approved": "false"}
    github.statuses = {SEEN: [APPROVED]}
    cli("approval", "--event", event(tmp_path, pull_request()))
    assert outputs(tmp_path) == {"approved": "true", "runner": '["self-hosted", "bench"]'}


def test_the_runner_may_be_a_group_and_nothing_that_is_no_runner(
    github: FakeGitHub, tmp_path: Path, cli: Cli
) -> None:
    github.statuses = {SEEN: [APPROVED]}
    file, event_file = tmp_path / "runner.json", event(tmp_path, pull_request())
    file.write_text('{"group": "bench", "labels": ["self-hosted"]}', encoding="utf-8")
    cli("approval", "--event", event_file)
    assert json.loads(outputs(tmp_path)["runner"]) == {"group": "bench", "labels": ["self-hosted"]}
    for text in ('{"group": 7}', "[[]]", "\udcff"):
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
        code, _, err = cli("approval", "--event", event_file)
        assert code == 2
        assert "runner.json" in err


def comment(
    body: str = f"/benchmark {SEEN}",
    author: dict[str, str] | None = None,
    *,
    action: str = "created",
    is_pull: bool = True,
) -> dict[str, Any]:
    issue = {"number": 7, **({"pull_request": {"url": "x"}} if is_pull else {})}
    author = author or {"login": "maintainer", "type": "User"}
    return {"action": action, "issue": issue, "comment": {"body": body, "user": author}}


def test_who_may_write_approves_the_commit_they_name(
    github: FakeGitHub, tmp_path: Path, cli: Cli
) -> None:
    code, out, err = cli("approval", "--event", event(tmp_path, comment()))
    assert (code, out, err) == (0, f"approved: {SEEN}, by maintainer\n", "")
    [status] = github.statuses[SEEN]
    assert status == {**APPROVED, "description": "maintainer in #7"}
    assert github.run_again == [31]
    assert github.comments_by(BOT) == [
        f"Approved {SEEN}: it is compared again, on this repository's own runner."
    ]
    # and the comparison that now runs again is let onto the runner
    cli("approval", "--event", event(tmp_path, pull_request()))
    assert outputs(tmp_path)["approved"] == "true"


@pytest.mark.parametrize(
    "body",
    [f"/benchmark {SEEN}\r\nthanks!", f"  /benchmark\t{SEEN}  "],
    ids=["with-more-lines", "with-blanks"],
)
def test_the_first_line_counts(github: FakeGitHub, tmp_path: Path, cli: Cli, body: str) -> None:
    cli("approval", "--event", event(tmp_path, comment(body)))
    assert SEEN in github.statuses


@pytest.mark.parametrize(
    ("data", "answered"),
    [
        # pushed between looking and naming
        (comment(f"/benchmark {PUSHED_LATER}"), True),
        # short names can be made to fit
        (comment(f"/benchmark {SEEN[:12]}"), True),
        (comment("/benchmark"), True),
        (comment("/benchmark main"), True),
        (comment(f"/benchmark {SEEN} {PUSHED_LATER}"), True),
        (comment(f"Please /benchmark {SEEN}"), False),
        (comment(action="edited"), False),
        (comment(is_pull=False), False),
        (comment(author={"login": "helper", "type": "User"}), False),
        (comment(author={"login": "reader", "type": "User"}), False),
        (comment(author={"login": "stranger", "type": "User"}), False),
        (comment(author={"login": "../../x", "type": "User"}), False),
        (comment(author={"login": "their-app[bot]", "type": "Bot"}), False),
        (comment(author=COPILOT), False),
        (comment(author=BOT), False),
    ],
)
def test_nothing_else_approves_anything(
    github: FakeGitHub, tmp_path: Path, cli: Cli, data: dict[str, Any], answered: bool
) -> None:
    code, _, err = cli("approval", "--event", event(tmp_path, data))
    assert (code, err) == (0, "")
    assert (github.statuses, github.run_again) == ({}, [])
    assert bool(github.comments_by(BOT)) == answered
    # nobody is handed a hash that they have not looked up
    assert not any(SEEN in body for body in github.comments_by(BOT))


def test_a_closed_pull_request_is_not_approved(
    github: FakeGitHub, tmp_path: Path, cli: Cli
) -> None:
    github.pulls[0]["state"] = "closed"
    cli("approval", "--event", event(tmp_path, comment()))
    assert github.statuses == {}


def test_one_that_still_runs_is_approved_and_said_to_run(
    github: FakeGitHub, tmp_path: Path, cli: Cli
) -> None:
    github.faults.append(Fault(403, {}, {"message": "already running"}, path="/rerun"))
    # the first request is not the one that fails
    code, out, _ = cli("approval", "--event", event(tmp_path, comment()))
    assert (code, out) == (0, f"approved: {SEEN}, by maintainer\n")
    assert SEEN in github.statuses
    assert "Re-run* it once it has ended" in github.comments_by(BOT)[0]


def test_an_event_of_another_kind_is_a_clear_line(
    github: FakeGitHub, tmp_path: Path, cli: Cli
) -> None:
    code, _, err = cli("approval", "--event", event(tmp_path, {"push": {}}))
    assert code == 2
    assert "allowed: a pull_request or an issue_comment event" in err
