"""The real workflow `benchmark`, started by hand: what is asked is built, measured and uploaded."""

from __future__ import annotations

import pytest

from tests.recorded import RECORDINGS
from tests.workflows.events import ONE_CASE, dispatch, run_file
from tests.workflows.local_github import END_TO_END, LocalGitHub

pytestmark = END_TO_END


@pytest.mark.system
def test_a_dispatch_with_filters_builds_measures_and_uploads_just_that(github: LocalGitHub) -> None:
    ended = github.run(
        "workflow_dispatch", "benchmark", dispatch(only="*-netty-*/hello/*", duration="1")
    )
    assert ended.ok, ended.excerpt
    names = {name.rpartition("-")[0] for name in github.artifacts() - {"run-hello"}}
    assert names == {"server-boot4-netty-jvm", "server-slow-upstream"}
    run = run_file(github, "hello")
    assert [result["case"] for result in run["results"]] == [ONE_CASE]
    assert run["results"][0]["status"] == "ok"
    assert run["run"]["filters"]["window_s"] == 1
    assert not ended.ran("publish")


@pytest.mark.system
@pytest.mark.parametrize(
    ("inputs", "message", "set_up"),
    [
        ({"connections": "many"}, "'many' is no number of connections; allowed: whole", "in full"),
        ({"forks": "$(touch /tmp/x)"}, "should be a valid integer", "shared"),
    ],
)
def test_a_bad_value_fails_in_plan_with_the_line_of_the_command(
    github: LocalGitHub, inputs: dict[str, str], message: str, set_up: str
) -> None:
    if set_up == "in full":
        github.venv = ""
    ended = github.run("workflow_dispatch", "benchmark", dispatch(**inputs))
    assert not ended.ok
    assert message in ended.log
    assert not ended.ran("build")
    assert not ended.ran("measure")


@pytest.mark.system
def test_a_second_run_of_the_same_sources_builds_nothing(github: LocalGitHub) -> None:
    github.cache = github.store / "cache"
    github.recording = RECORDINGS / "smoke.json.gz"
    only = dispatch(only="*-netty-*/hello/*")
    assert github.run("workflow_dispatch", "benchmark", only).log.count("BUILD SUCCESS") == 2
    first = run_file(github, "hello")["run"]
    again = github.run("workflow_dispatch", "benchmark", only)
    assert again.ok, again.excerpt
    assert "BUILD SUCCESS" not in again.log
    second = run_file(github, "hello")["run"]
    # the same run of GitHub again: the same name, so that it takes the place of the first
    assert second["id"] == first["id"]
