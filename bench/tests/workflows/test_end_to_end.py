"""The real workflow files, from an event to what they leave, without GitHub."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from springbench.host.tools import find_wrk
from tests.workflows.local_github import ACT, LocalGitHub

pytestmark = [
    pytest.mark.integration,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not ACT.is_file(), reason="act is not installed; it needs Go"),
    pytest.mark.skipif(find_wrk() is None, reason="wrk is not installed"),
]
needs_publish = pytest.mark.skipif(
    find_spec("springbench.commands.publish") is None, reason="there is no command `publish` yet"
)
ONE_CASE = "boot4-netty-reactive-jvm/hello/16"


@pytest.fixture
def github(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalGitHub:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "")  # restored after the test
    return LocalGitHub(tmp_path)


def dispatch(**inputs: str) -> dict[str, Any]:
    return {"inputs": {"profile": "smoke", **inputs}}


def run_file(github: LocalGitHub, shard: str) -> dict[str, Any]:
    text = (github.store / "artifacts" / f"run-{shard}" / "run.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def test_a_dispatch_with_filters_builds_measures_and_uploads_just_that(github: LocalGitHub) -> None:
    ended = github.run(
        "workflow_dispatch", "benchmark", dispatch(only="*-netty-*/hello/*", duration="1")
    )
    assert ended.ok, ended.log[-4000:]
    names = {name.rpartition("-")[0] for name in github.artifacts() - {"run-hello"}}
    assert names == {"server-boot4-netty-jvm", "server-slow-upstream"}
    run = run_file(github, "hello")
    assert [result["case"] for result in run["results"]] == [ONE_CASE]
    assert run["results"][0]["status"] == "ok"
    assert run["run"]["filters"]["window_s"] == 1
    assert not ended.ran("publish")


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"connections": "many"}, "'many' is no number of connections; allowed: whole numbers"),
        ({"only": "boot4-tomcat-virtul-*"}, "nearest: boot4-tomcat-virtual-jvm/"),
        ({"runner": "a b"}, "no list of runner labels; allowed: labels with commas"),
        ({"forks": "$(touch /tmp/x)"}, "is not a valid int"),
    ],
)
def test_a_bad_value_fails_in_plan_with_the_line_of_the_command(
    github: LocalGitHub, inputs: dict[str, str], said: str
) -> None:
    ended = github.run("workflow_dispatch", "benchmark", dispatch(**inputs))
    assert not ended.ok
    assert said in ended.log
    assert not ended.ran("build")
    assert not ended.ran("measure")


def test_a_second_run_of_the_same_sources_builds_nothing(github: LocalGitHub) -> None:
    only = dispatch(only="*-netty-*/hello/*", duration="1")
    assert github.run("workflow_dispatch", "benchmark", only).log.count("BUILD SUCCESS") == 2
    first = run_file(github, "hello")["run"]
    again = github.run("workflow_dispatch", "benchmark", only)
    assert again.ok, again.log[-4000:]
    assert "BUILD SUCCESS" not in again.log
    second = run_file(github, "hello")["run"]
    # the same run of GitHub again: the same name, so that it takes the place of the first
    assert second["id"] == first["id"]
