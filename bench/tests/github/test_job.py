"""What a job was asked for comes as JSON, and who gets to see its token."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path

import pytest

from springbench.errors import ConfigurationError
from springbench.github.job import authenticate_git, read_job, trust_workspace, with_digest
from tests.repositories import Repository

TOKEN = "0123456789-of-the-job"  # noqa: S105 - nobody's
HEADER = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()
GITHUB = {"GITHUB_SERVER_URL": "https://github.example", "GITHUB_REPOSITORY": "octo/bench"}


def job_of(inputs: object = None, variables: object = None) -> dict[str, str]:
    """The environment of a step."""
    texts = {"SPRINGBENCH_INPUTS": json.dumps(inputs), "SPRINGBENCH_VARS": json.dumps(variables)}
    return {**GITHUB, **texts}


def test_what_is_empty_was_not_asked() -> None:
    inputs = {"only": "", "forks": None, "force": False, "publish": True, "minutes": 30, "a": " "}
    assert read_job(job_of(inputs)).inputs == {"publish": "true", "minutes": "30", "a": " "}


@pytest.mark.parametrize("text", [None, "", "null", "{}"])
def test_an_event_without_inputs_asks_for_nothing(text: str | None) -> None:
    environment = {} if text is None else {"SPRINGBENCH_INPUTS": text}
    assert read_job(environment).inputs == {}


def test_a_variable_stands_in_for_an_input_that_is_empty() -> None:
    variables = {"SPRINGBENCH_RUNNER": "bench", "SPRINGBENCH_SITE": "", "OTHER": "x"}
    names = {"runner": "SPRINGBENCH_RUNNER", "site": "SPRINGBENCH_SITE"}
    assert read_job(job_of({}, variables)).inputs_or(**names) == {"runner": "bench"}
    job = read_job(job_of({"runner": "other"}, variables))
    assert job.inputs_or(**names) == {"runner": "other"}


def test_what_a_workflow_was_asked_for_goes_on_to_the_one_that_it_calls() -> None:
    inputs = {"profile": "pr", "forks": "", "options": json.dumps({"profile": "x", "forks": "3"})}
    assert read_job(job_of(inputs)).inputs == {"profile": "pr", "forks": "3"}


@pytest.mark.parametrize("text", ["[]", "3", "{", '"a"'])
def test_what_is_no_object_is_one_line(text: str) -> None:
    for environment in (
        {"SPRINGBENCH_INPUTS": text},
        {"SPRINGBENCH_INPUTS": json.dumps({"options": text})},
    ):
        with pytest.raises(ConfigurationError, match=r"^(SPRINGBENCH_INPUTS|options): "):
            read_job(environment)


def test_two_calls_of_one_run_have_two_names() -> None:
    names = [with_digest("orders", call) for call in ('{"java": 21}', '{"java": 25}', "$(id)\n`x`")]
    assert len(set(names)) == 3
    assert all(name.startswith("orders-") and len(name) == len("orders-") + 8 for name in names)
    assert with_digest("orders", "") == "orders"
    assert with_digest("", "x") == with_digest("", "x") != ""


def said_by(token: str, *command: str) -> subprocess.CompletedProcess[str]:
    """What a command says that a step with such a token starts."""
    environment = {**os.environ, **GITHUB, **({"GITHUB_TOKEN": token} if token else {})}
    authenticate_git(environment, read_job(environment))
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.process
def test_git_sends_the_token_to_this_server_alone(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("git", "config", "--get-urlmatch", "http.extraheader")
    done = said_by(TOKEN, *command, "https://github.example/octo/bench")
    assert done.stdout == f"AUTHORIZATION: basic {HEADER}\n"
    assert said_by(TOKEN, *command, "https://other.example/octo/bench").stdout == ""
    # before anything else is said, the log learns what to hide
    assert capsys.readouterr().out.splitlines()[0] == f"::add-mask::{HEADER}"


@pytest.mark.process
def test_without_a_token_git_asks_nobody() -> None:
    output = said_by("", "env").stdout
    assert "GIT_TERMINAL_PROMPT=0" in output
    assert "GIT_AUTHOR_NAME=github-actions[bot]" in output
    assert "extraheader" not in output


@pytest.mark.process
def test_a_checkout_of_another_user_is_read_where_it_is_the_job_s_own(tmp_path: Path) -> None:
    repository = Repository.create(tmp_path / "here")
    repository.commit({"a": ""})
    environment = {**os.environ, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    ask = ["git", "-C", str(repository.root), "rev-parse", "HEAD"]
    assert subprocess.run(ask, env=environment, capture_output=True, check=False).returncode
    trust_workspace(environment)
    assert subprocess.run(ask, env=environment, capture_output=True, check=False).returncode
    trust_workspace(environment := {**environment, "GITHUB_WORKSPACE": str(repository.root)})
    assert not subprocess.run(ask, env=environment, capture_output=True, check=False).returncode
