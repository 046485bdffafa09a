"""`springbench comment`: from folders of reports to one comment, or one clear line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from springbench.github import api as api_module
from springbench.results.comparison import Comparison
from tests.comparisons import REGRESSION, UNCHANGED, comparison
from tests.conftest import Cli
from tests.github.test_event import FORK_HEAD, REPOSITORY, listed, workflow_run
from tests.services.fake_github import BOT, REPO, TOKEN, FakeGitHub, Fault, fake_github

pytestmark = pytest.mark.process


@pytest.fixture
def github(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    with fake_github() as state:
        monkeypatch.setenv("GITHUB_API_URL", state.address)
        monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
        monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
        yield state


def store(folder: Path, record: Comparison) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "comparison.json"
    file.write_text(record.model_dump_json(by_alias=True), encoding="utf-8")
    return file


POST = ("--repo", REPO, "--pull-request", 7)


def test_the_comment_is_written_and_then_updated(
    tmp_path: Path, github: FakeGitHub, cli: Cli
) -> None:
    url = "https://github.example/octo/app/actions/runs/1"
    file = store(tmp_path, comparison(REGRESSION))
    code, out, err = cli("comment", file, *POST, "--run-number", 3, "--run-url", url)
    assert (code, out, err) == (0, "octo/app#7: comment created\n", "")
    store(tmp_path, comparison(UNCHANGED))
    code, out, err = cli("comment", tmp_path, *POST, "--run-number", 4)
    assert (code, out, err) == (0, "octo/app#7: comment updated\n", "")
    [body] = github.comments_by(BOT)
    assert "all quiet" in body
    assert "run=4 attempt=0" in body
    late = cli("comment", file, *POST, "--run-number", 3, "--run-attempt", 2)
    assert late[1] == "octo/app#7: comment left: a newer run has written already\n"


def test_a_dry_run_prints_it_and_sends_nothing(
    tmp_path: Path, github: FakeGitHub, cli: Cli
) -> None:
    store(tmp_path, comparison(REGRESSION))
    code, out, err = cli("comment", tmp_path, "--dry-run")
    assert (code, err) == (0, "")
    assert "🔴 springbench: Merging this makes `hello` on Tomcat virtual 10 % slower" in out
    assert github.requests == []


def test_shards_that_failed_are_named(tmp_path: Path, github: FakeGitHub, cli: Cli) -> None:
    store(tmp_path / "shard-1" / "some-run", comparison(UNCHANGED))
    (tmp_path / "shard-2").mkdir()
    failed = ("--failed", "shard-3: the runner was lost", "--failed", "shard-2: timed out")
    assert cli("comment", tmp_path, *POST, *failed)[0] == 0
    [body] = github.comments_by(BOT)
    assert "2 parts failed" in body
    assert "- `shard-3` failed: `the runner was lost`" in body
    assert "- `shard-2` failed: `timed out`" in body


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[" * 100_000, "not valid JSON"),
        (b"", "not valid JSON"),
        (b'{"schema": 9}', "schema 9; this springbench reads comparisons of schema 1"),
        (None, "cannot be read: not a regular file"),
    ],
)
def test_a_shard_that_cannot_be_read_takes_no_other_with_it(
    tmp_path: Path, github: FakeGitHub, cli: Cli, content: bytes | None, message: str
) -> None:
    store(tmp_path / "shard-1", comparison(UNCHANGED))
    bad = tmp_path / "shard-2" / "some-run" / "comparison.json"
    bad.parent.mkdir(parents=True)
    if content is None:
        os.mkfifo(bad)
    else:
        bad.write_bytes(content)
    code, _, err = cli("comment", tmp_path, *POST)
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith("shard-2 is left out: ")
    assert message in err
    [body] = github.comments_by(BOT)
    assert "1 part failed" in body
    assert "- `shard-2` failed: `its comparison: " in body
    assert message.partition(";")[0] in body
    # where it lay is nobody's business
    assert str(tmp_path) not in body
    # without another there is nothing to say
    code, _, err = cli("comment", tmp_path / "shard-2", *POST)
    assert (code, err.count("\n")) == (2, 1)


def test_every_shard_failed_and_there_is_nothing_to_read(
    tmp_path: Path, github: FakeGitHub, cli: Cli
) -> None:
    code, _, err = cli("comment", tmp_path / "nothing", *POST, "--failed", "measure")
    assert (code, err) == (0, "")
    assert "❌ springbench: 1 part failed. Nothing could be compared." in github.comments_by(BOT)[0]


def test_the_check_fails_when_it_was_asked_to(tmp_path: Path, github: FakeGitHub, cli: Cli) -> None:
    store(tmp_path, comparison(REGRESSION))
    assert cli("comment", tmp_path, *POST)[0] == 0
    code, out, _ = cli("comment", tmp_path, *POST, "--fail-on", "regression")
    assert (code, out) == (1, "octo/app#7: comment updated\n")
    store(tmp_path, comparison(UNCHANGED))
    assert cli("comment", tmp_path, *POST, "--fail-on", "regression")[0] == 0


def test_the_number_in_the_report_is_not_believed(
    tmp_path: Path, github: FakeGitHub, cli: Cli
) -> None:
    data = json.loads(comparison(UNCHANGED).model_dump_json(by_alias=True))
    (tmp_path / "comparison.json").write_text(json.dumps({**data, "pull_request": 8}), "utf-8")
    code, _, err = cli("comment", tmp_path, *POST)
    assert code == 2
    assert "pull_request: Extra inputs are not permitted" in err
    assert github.requests == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--repo", "octo", "--pull-request", 7), "--repo 'octo': allowed: OWNER/NAME"),
        (("--repo", "../../user", "--pull-request", 7), "allowed: OWNER/NAME"),
        (("--repo", "octo/..", "--pull-request", 7), "allowed: OWNER/NAME"),
        (("--pull-request", 7), "--repo '': allowed: OWNER/NAME"),
        (("--repo", REPO), "--pull-request is missing"),
        (("--repo", REPO, "--pull-request", "x"), "--pull-request"),
        ((*POST, "--run-url", "javascript:alert(1)"), "--run-url"),
        ((*POST, "--page", "javascript:alert(1)"), "--page"),
        ((*POST, "--run-url", "https://a.example/) <b>"), "--run-url"),
    ],
)
def test_a_wrong_option_is_a_line_and_nothing_is_sent(
    arguments: tuple[object, ...], message: str, tmp_path: Path, github: FakeGitHub, cli: Cli
) -> None:
    store(tmp_path, comparison(UNCHANGED))
    code, out, err = cli("comment", tmp_path, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert github.requests == []


def test_no_token_and_a_wrong_token(
    tmp_path: Path, github: FakeGitHub, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(tmp_path, comparison(UNCHANGED))
    monkeypatch.setenv("GITHUB_TOKEN", "other-token")
    code, _, err = cli("comment", tmp_path, *POST)
    assert code == 2
    assert "401 (Bad credentials); GITHUB_TOKEN is wrong or has expired" in err
    assert "other-token" not in err
    monkeypatch.delenv("GITHUB_TOKEN")
    code, _, err = cli("comment", tmp_path, *POST)
    assert code == 2
    assert "GITHUB_TOKEN is not set" in err


def test_a_github_that_is_down_ends_with_3(
    tmp_path: Path, github: FakeGitHub, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_module, "ATTEMPTS", 2)
    store(tmp_path, comparison(UNCHANGED))
    github.faults.extend(Fault(500, body={"message": "oh no"}) for _ in range(99))
    code, out, err = cli("comment", tmp_path, *POST)
    assert (code, out) == (3, "")
    assert err == "springbench: POST /graphql: GitHub answers 500 (oh no); try again later\n"


def test_the_event_gives_number_and_run(
    tmp_path: Path, github: FakeGitHub, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_REPOSITORY", REPO)
    event = tmp_path / "event.json"
    event.write_text(json.dumps(workflow_run()), encoding="utf-8")
    store(tmp_path / "reports", comparison(UNCHANGED))
    code, out, _ = cli("comment", tmp_path / "reports", "--event", event)
    assert (code, github.comments) == (0, [])
    assert "no open pull request has the measured commit" in out
    label = f"{FORK_HEAD.owner}:{FORK_HEAD.branch}"
    github.pulls = [{"number": 7, "head": {"label": label, "sha": FORK_HEAD.sha}}]
    assert cli("comment", tmp_path / "reports", "--event", event)[1].endswith("created\n")
    [body] = github.comments_by(BOT)
    assert "run=31 attempt=2" in body
    assert "(https://github.example/octo/app/actions/runs/5)" in body


@pytest.mark.parametrize("conclusion", ["cancelled", "timed_out"])
def test_a_run_that_was_ended_is_reported_unless_a_newer_push_ended_it(
    tmp_path: Path,
    github: FakeGitHub,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    conclusion: str,
) -> None:
    monkeypatch.setenv("GITHUB_REPOSITORY", REPO)
    data = workflow_run(pulls=[listed(7, REPOSITORY, REPOSITORY)], fork=False)
    data["workflow_run"]["conclusion"] = conclusion
    event = tmp_path / "event.json"
    event.write_text(json.dumps(data), encoding="utf-8")
    ended = ("comment", tmp_path / "none", "--event", event, "--failed", "compare")
    label = f"octo:{FORK_HEAD.branch}"
    github.pulls = [{"number": 7, "head": {"label": label, "sha": "f" * 40}}]
    code, out, _ = cli(*ended)
    assert (code, github.comments) == (0, [])
    assert "nothing was written" in out
    github.pulls = [{"number": 7, "head": {"label": label, "sha": FORK_HEAD.sha}}]
    assert cli(*ended)[0] == 0
    [body] = github.comments_by(BOT)
    assert "over the time that its job may take" in body


def without_a_fork(run: dict[str, Any]) -> None:
    run["head_repository"] = None
    # a list for a fork is empty, and may name what is gone
    run["pull_requests"] = [{"number": 7, "base": {"repo": None}, "head": {"repo": None}}]


def without_an_owner(run: dict[str, Any]) -> None:
    run["head_repository"]["owner"] = None
    run["pull_requests"] = None


def without_keys(run: dict[str, Any]) -> None:
    for name in ("head_repository", "head_branch", "pull_requests"):
        del run[name]


@pytest.mark.parametrize("spoil", [without_a_fork, without_an_owner, without_keys])
def test_where_the_fork_is_gone_nothing_is_written_and_nothing_fails(
    tmp_path: Path,
    github: FakeGitHub,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[dict[str, Any]], None],
) -> None:
    monkeypatch.setenv("GITHUB_REPOSITORY", REPO)
    data = workflow_run()
    spoil(data["workflow_run"])
    event = tmp_path / "event.json"
    event.write_text(json.dumps(data), encoding="utf-8")
    store(tmp_path, comparison(REGRESSION))
    code, out, err = cli("comment", tmp_path, "--event", event)
    assert (code, out.count("\n"), err) == (0, 1, "")
    assert "octo/app: the repository that was measured is gone" in out
    assert github.comments == []


def test_an_empty_folder_says_what_belongs_there(tmp_path: Path, cli: Cli) -> None:
    code, _, err = cli("comment", tmp_path, "--dry-run")
    assert code == 2
    assert "no comparison.json in its folders" in err


@pytest.mark.process
def test_other_commands_do_not_load_the_http_client() -> None:
    script = (
        "import sys, springbench.cli;"
        "sys.exit(any(name in sys.modules for name in ('requests', 'tenacity', 'urllib3')))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def of_service(name: str) -> Comparison:
    text = comparison(REGRESSION).model_dump_json(by_alias=True)
    text = text.replace("boot4-tomcat-virtual-jvm", f"app-{name}-own-jvm")
    return Comparison.model_validate_json(text)


def leave(folder: Path, name: str, record: Comparison | None) -> None:
    """What the job of a service uploads: its name, and perhaps a comparison."""
    if record:
        store(folder, record)
    folder.mkdir(exist_ok=True)
    (folder / "service.txt").write_text(f"{name}\n", encoding="utf-8")


BY_SERVICE = (*POST, "--by-service", "--failed", "compare", "--run-number", 3)


def test_each_service_of_a_run_gets_a_comment(tmp_path: Path, github: FakeGitHub, cli: Cli) -> None:
    leave(tmp_path / "comparison-orders-1", "orders", of_service("orders"))
    leave(tmp_path / "comparison-orders-2", "orders", of_service("orders"))
    leave(tmp_path / "comparison-payments-1", "payments", None)
    code, out, err = cli("comment", tmp_path, *BY_SERVICE)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "octo/app#7: comment of orders created",
        "octo/app#7: comment of payments created",
    ]
    orders, payments = github.comments_by(BOT)
    assert orders.startswith("<!-- springbench-comment run=3 attempt=0 service=orders -->\n")
    assert "## 🔴 springbench of `orders`: Merging this makes" in orders
    assert "## ❌ springbench of `payments`: " in payments
    assert "it left no comparison" in payments
    assert cli("comment", tmp_path, *BY_SERVICE)[1].count("updated") == 2


def test_the_event_says_of_which_workflow_a_comment_is(
    tmp_path: Path, github: FakeGitHub, cli: Cli
) -> None:
    leave(tmp_path / "comparison-orders", "orders", of_service("orders"))
    for workflow in (71, 72):
        happened = workflow_run(pulls=[listed(7, REPOSITORY, REPOSITORY)], fork=False)
        happened["workflow_run"]["workflow_id"] = workflow
        event = tmp_path / "event.json"
        event.write_text(json.dumps(happened), encoding="utf-8")
        code, _, err = cli("comment", tmp_path, "--repo", REPO, "--by-service", "--event", event)
        assert (code, err) == (0, "")
    first = [body.splitlines()[0] for body in github.comments_by(BOT)]
    of_run = "<!-- springbench-comment run=31 attempt=2"
    assert first == [f"{of_run} workflow={number} service=orders -->" for number in (71, 72)]


def test_one_artifact_alone_lies_in_the_folder_itself(
    tmp_path: Path, github: FakeGitHub, cli: Cli
) -> None:
    leave(tmp_path, "orders", of_service("orders"))
    assert cli("comment", tmp_path, *BY_SERVICE)[0] == 0
    [body] = github.comments_by(BOT)
    assert "service=orders" in body


def test_a_run_that_left_nothing_is_one_comment_of_no_service(
    tmp_path: Path, github: FakeGitHub, cli: Cli
) -> None:
    code, out, _ = cli("comment", tmp_path / "none", *BY_SERVICE)
    assert (code, out) == (0, "octo/app#7: comment created\n")
    [body] = github.comments_by(BOT)
    assert "`compare` failed" in body


def test_what_a_stranger_uploads_gets_few_comments_and_costs_no_other(
    tmp_path: Path, github: FakeGitHub, cli: Cli
) -> None:
    leave(tmp_path / "comparison-a", "orders", of_service("orders"))
    leave(tmp_path / "comparison-b", "--> @all <b> $(id)\n::error::x", None)
    leave(tmp_path / "comparison-c", "x" * 100_000, None)
    (tmp_path / "comparison-d").mkdir()
    (tmp_path / "comparison-d/comparison.json").write_text("[" * 9999, encoding="utf-8")
    (tmp_path / "comparison-e").mkdir()
    (tmp_path / "comparison-e/service.txt").symlink_to("/etc/passwd")
    for number in range(50):
        leave(tmp_path / f"comparison-z{number}", f"s{number}", None)
    code, out, err = cli("comment", tmp_path, *BY_SERVICE)
    assert code == 2
    assert "comparison-d" in err
    assert "43 more left out: at most 10 services and 20 folders" in err
    assert len(github.comments_by(BOT)) == 10
    assert "comment of orders created" in out
    assert not any("@all" in body or "root:" in body for body in github.comments_by(BOT))
    assert "::error" not in out + err
