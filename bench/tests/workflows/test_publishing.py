"""The real workflow `benchmark`, from a push to the point that it publishes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.recorded import RECORDINGS, recorded_comparison, recorded_run, write_recording
from tests.workflows.events import ONE_CASE, narrow, push, run_file, runs_in
from tests.workflows.local_github import END_TO_END, LocalGitHub, shorten

pytestmark = END_TO_END


@pytest.mark.process
def test_a_push_publishes_a_point_and_a_slower_one_an_event(
    github: LocalGitHub, tmp_path: Path
) -> None:
    github.recording = RECORDINGS / "smoke.json.gz"
    sha = narrow(github, servers='["tomcat"]')
    ended = github.run("push", "benchmark", push(sha))
    assert ended.ok, ended.excerpt
    assert {"run-hello", "run-pay"} <= github.artifacts()
    first = runs_in(github)
    assert len(first) == 1
    assert "data/index.json" in github.published()
    assert sha[:12] in github.history("data/index.json")
    # of a history that this run began
    assert "is not compared" in ended.log or "there is nothing to compare" in ended.log
    assert not ended.ran("compare with base")
    charts = sorted(path.name for path in (github.store / "charts").iterdir())
    assert charts == ["customBiggerIsBetter.json", "customSmallerIsBetter.json"]
    # the next push makes a request cost more
    (github.work / "README.md").write_text("other words\n", encoding="utf-8")
    slower = github.commit("slower")
    github.run_id = "2"
    parts = recorded_run("smoke"), recorded_comparison("cpu")
    github.recording = write_recording(tmp_path / "recording", *parts)
    ended = github.run("push", "benchmark", push(slower))
    assert ended.ok, ended.excerpt
    [file_name] = github.published("data/comparisons/")
    compared = github.packed(file_name)
    assert [compared[side]["sha"] for side in ("base", "head")] == [sha[:12], slower[:12]]
    index = json.loads(github.history("data/index.json"))
    [event] = index["events"]
    assert (event["direction"], event["kind"]) == ("regression", "step")
    assert event["culprit"]["after"]["sha"] == slower[:12]


@pytest.mark.system
def test_a_re_run_replaces_its_point_and_a_wrong_profile_is_reported_at_once(
    github: LocalGitHub,
) -> None:
    github.recording = RECORDINGS / "smoke.json.gz"
    sha = narrow(github, servers='["tomcat"]')
    assert github.run("push", "benchmark", push(sha)).ok
    first = runs_in(github)
    again = github.run("push", "benchmark", push(sha))
    assert again.ok, again.excerpt
    assert "BUILD SUCCESS" not in again.log
    assert runs_in(github) == first
    assert json.loads(github.history("data/index.json"))["runs_total"] == 1
    # the profile is a variable's; one that there is not is reported before anything is built
    github.variables = {"SPRINGBENCH_COMMIT_PROFILE": "comit"}
    wrong = github.run("push", "benchmark", push(sha))
    assert not wrong.ok
    assert "SPRINGBENCH_COMMIT_PROFILE: --profile 'comit': no such profile; allowed: " in wrong.log
    assert not wrong.ran("build")


@pytest.mark.system
def test_a_push_that_touches_no_server_builds_nothing_and_is_compared_with_the_one_before(
    github: LocalGitHub,
) -> None:
    github.cache = github.store / "cache"
    shorten(github, budget_s=10)
    first = narrow(github, runtimes='["jvm-aot"]', pay=False)
    ended = github.run("push", "benchmark", push(first))
    assert ended.ok, ended.excerpt
    assert ended.log.count("preparing boot4-netty-reactive-jvm-aot") == 1
    (github.work / "README.md").write_text("other words\n", encoding="utf-8")
    second = github.commit("@all ::error::<b>a word`")
    github.run_id = "2"
    ended = github.run("push", "benchmark", push(second))
    assert ended.ok, ended.excerpt
    assert "BUILD SUCCESS" not in ended.log
    assert "preparing boot4" not in ended.log
    statuses = {result["case"]: result["status"] for result in run_file(github, "hello")["results"]}
    assert statuses == {ONE_CASE.replace("jvm", "jvm-aot"): "ok"}
    index = json.loads(github.history("data/index.json"))
    assert [commit["sha"] for commit in index["commits"]] == [first[:12], second[:12]]
    # side by side, and kept beside the runs
    assert f"{second[:12]} is compared with {first[:12]}" in ended.log
    [file_name] = github.published("data/comparisons/")
    compared = github.packed(file_name)
    assert compared["purpose"] == "push"
    assert [compared[side]["sha"] for side in ("base", "head")] == [first[:12], second[:12]]
