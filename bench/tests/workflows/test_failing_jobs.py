"""The real workflow `benchmark` where a job fails: nothing else is lost with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.recorded import failing, recorded_run, write_recording
from tests.workflows.events import ONE_CASE, narrow, push, run_file, runs_in
from tests.workflows.local_github import END_TO_END, LocalGitHub

pytestmark = END_TO_END
HELLO = "boot4-tomcat-virtual-jvm/hello/16"


def measured_already(github: LocalGitHub) -> None:
    """Take the job `measure` out: act ends with the first called workflow that fails, and GitHub
    goes on with the jobs that ask for it."""
    file = github.work / ".github" / "workflows" / "benchmark.yml"
    before, _, remainder = file.read_text(encoding="utf-8").partition("\n  measure:\n")
    after = remainder[remainder.index("\n  compare:\n") :]
    assert "needs: [plan, build, measure]" in after
    text = before + after.replace("needs: [plan, build, measure]", "needs: [plan, build]")
    text = text.replace("needs: [plan, measure]", "needs: [plan]")
    file.write_text(text, encoding="utf-8")


def break_build(github: LocalGitHub, module: str) -> None:
    """A source file of that module that no compiler takes."""
    file = github.work / module / "src" / "main" / "java" / "dev" / "springbench" / "Broken.java"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("class {\n", encoding="utf-8")


@pytest.mark.system
def test_a_server_that_cannot_be_built_costs_no_other_its_point(github: LocalGitHub) -> None:
    break_build(github, "servers/boot4/netty")
    sha = narrow(github)
    ended = github.run("push", "benchmark", push(sha))
    assert not ended.ok
    assert "COMPILATION ERROR" in ended.log
    assert "run-pay" in github.artifacts()
    assert run_file(github, "pay")["results"][0]["status"] == "ok"
    measured_already(github)
    ended = github.run("push", "benchmark", push(sha))
    assert ended.succeeded("publish"), ended.excerpt
    assert "1 of 2 shards are published" in ended.log
    index = json.loads(github.history("data/index.json"))
    assert [case["workload"] for case in index["cases"]] == ["pay"]


@pytest.mark.system
def test_a_build_that_fails_costs_its_own_cases_of_a_shard_and_no_others(
    github: LocalGitHub,
) -> None:
    break_build(github, "servers/boot4/netty")
    sha = narrow(github, servers='["tomcat", "netty"]')
    ended = github.run("push", "benchmark", push(sha))
    assert not ended.ok
    measured_already(github)
    ended = github.run("push", "benchmark", push(sha))
    assert ended.succeeded("publish"), ended.excerpt
    [name] = runs_in(github)
    run = github.packed(name)
    assert {case["case"]: (case["status"], case.get("reason")) for case in run["cases"]} == {
        "boot4-tomcat-virtual-jvm/hello/16": ("ok", None),
        ONE_CASE: ("failed", "boot4-netty.jar is not there: its build has failed"),
        "boot4-tomcat-virtual-jvm/pay/100": ("ok", None),
    }
    index = json.loads(github.history("data/index.json"))
    assert (index["runs"]["ok"], index["runs"]["failed"]) == ([2], [1])
    # both shards came to their end: the mark is the failed case's own
    assert index["runs"]["marks"] == [[]]


# the shard of `pay` finds afterwards that its host was off, that of `json` dies after a case
CALL = "        run: springbench ci measure --jars jars\n"
ILL_FATED = r"""
        run: |
          springbench ci measure --jars jars &
          file=results/gh-$GITHUB_RUN_ID-$SHARD/run.json
          case $SHARD in
          pay)
            wait $!
            python3 - "$file" <<'CODE'
          import json, sys
          with open(sys.argv[1]) as file:
              run = json.load(file)
          run["warnings"].append({"code": "canary", "message": "off by a third", "remedy": None})
          with open(sys.argv[1], "w") as file:
              json.dump(run, file)
          CODE
            ;;
          json)
            until grep -qs '"status": "ok"' "$file"; do sleep 0.2; done
            kill -KILL $!
            exit 137
            ;;
          *)
            wait $!
            ;;
          esac
        env:
          SHARD: ${{ inputs.shard }}
""".lstrip("\n")
JSON_TOO = """
[[profiles.loads]]
workload = "json"
connections = [16, 32]
boots = "newest"
servers = ["netty"]
models = ["reactive"]
runtimes = ["jvm"]
warmup_min_s = 1
warmup_max_s = 2
compiling_max_s = 90
window_s = 1

"""


def ill_fated(github: LocalGitHub) -> str:
    """A commit with three shards, of which one drifts and one is killed in the middle."""
    narrow(github)
    file = github.work / "bench" / "matrix.toml"
    text = file.read_text(encoding="utf-8")
    at = text.index("[[profiles.loads]]", text.index('id = "commit"'))
    file.write_text(text[:at] + JSON_TOO.lstrip() + text[at:], encoding="utf-8")
    called = github.work / ".github" / "workflows" / "measure.yml"
    text = called.read_text(encoding="utf-8")
    assert CALL in text
    called.write_text(text.replace(CALL, ILL_FATED), encoding="utf-8")
    return github.commit("ill-fated")


@pytest.mark.system
def test_a_shard_that_drifted_and_one_that_was_killed_cost_no_other_its_points(
    github: LocalGitHub,
) -> None:
    sha = ill_fated(github)
    ended = github.run("push", "benchmark", push(sha))
    assert not ended.ok
    assert {"run-hello", "run-json", "run-pay"} <= github.artifacts(), ended.excerpt
    measured_already(github)
    ended = github.run("push", "benchmark", push(sha))
    assert ended.succeeded("publish"), ended.excerpt
    assert "is left out: the canary says that the host had drifted" in ended.log
    assert "2 of 3 shards are published" in ended.log
    index = json.loads(github.history("data/index.json"))
    shown = [(case["workload"], case["connections"]) for case in index["cases"]]
    assert shown == [("hello", 16), ("json", 16)]
    assert index["runs"]["marks"] == [["unfinished"]]
    assert index["runs"]["ok"] == [2]


@pytest.mark.process
def test_a_nightly_run_with_a_failing_shard_publishes_all_that_was_measured(
    github: LocalGitHub, tmp_path: Path
) -> None:
    sha = narrow(github, "nightly", servers='["tomcat"]')
    reason = "the server exited with code 1 during startup"
    broken = failing(recorded_run("smoke"), [HELLO], reason)
    github.recording = write_recording(tmp_path / "recording", broken)
    ended = github.run("schedule", "benchmark")
    assert not ended.ok
    assert run_file(github, "hello")["results"][0]["status"] == "failed"
    assert run_file(github, "pay")["results"][0]["status"] == "ok"
    measured_already(github)
    ended = github.run("schedule", "benchmark")
    assert ended.succeeded("publish"), ended.excerpt
    index = json.loads(github.history("data/index.json"))
    assert (index["runs"]["ok"], index["runs"]["failed"]) == ([1], [1])
    assert [commit["sha"] for commit in index["commits"]] == [sha[:12]]
    charts = (github.store / "charts" / "customBiggerIsBetter.json").read_text(encoding="utf-8")
    assert "/pay/" in charts
    assert "/hello/" not in charts
