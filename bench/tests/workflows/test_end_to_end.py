"""The real workflow files, from an event to what they leave, without GitHub."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.workflows.local_github import END_TO_END, LocalGitHub, shorten

pytestmark = END_TO_END
ONE_CASE = "boot4-netty-reactive-jvm/hello/16"


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
    assert ended.ok, ended.told
    names = {name.rpartition("-")[0] for name in github.artifacts() - {"run-hello"}}
    assert names == {"server-boot4-netty-jvm", "server-slow-upstream"}
    run = run_file(github, "hello")
    assert [result["case"] for result in run["results"]] == [ONE_CASE]
    assert run["results"][0]["status"] == "ok"
    assert run["run"]["filters"]["window_s"] == 1
    assert not ended.ran("publish")


@pytest.mark.parametrize(
    ("inputs", "said", "set_up"),
    [
        ({"connections": "many"}, "'many' is no number of connections; allowed: whole", "in full"),
        ({"forks": "$(touch /tmp/x)"}, "should be a valid integer", "shared"),
    ],
)
def test_a_bad_value_fails_in_plan_with_the_line_of_the_command(
    github: LocalGitHub, inputs: dict[str, str], said: str, set_up: str
) -> None:
    if set_up == "in full":
        github.venv = ""
    ended = github.run("workflow_dispatch", "benchmark", dispatch(**inputs))
    assert not ended.ok
    assert said in ended.log
    assert not ended.ran("build")
    assert not ended.ran("measure")


def test_a_second_run_of_the_same_sources_builds_nothing(github: LocalGitHub) -> None:
    github.cache = github.store / "cache"
    only = dispatch(only="*-netty-*/hello/*", duration="1")
    assert github.run("workflow_dispatch", "benchmark", only).log.count("BUILD SUCCESS") == 2
    first = run_file(github, "hello")["run"]
    again = github.run("workflow_dispatch", "benchmark", only)
    assert again.ok, again.told
    assert "BUILD SUCCESS" not in again.log
    second = run_file(github, "hello")["run"]
    # the same run of GitHub again: the same name, so that it takes the place of the first
    assert second["id"] == first["id"]


def runs_in(github: LocalGitHub) -> list[str]:
    return github.published("data/runs/")


def narrow(
    github: LocalGitHub,
    profile: str = "commit",
    *,
    broken: bool = False,
    servers: str = '["netty"]',
    runtimes: str = '["jvm"]',
) -> str:
    """A commit whose profile of that name is a short case of `hello` on each of these, and one of
    `pay`, which may not start."""
    file = github.work / "bench" / "matrix.toml"
    text = file.read_text(encoding="utf-8")
    head, _, profiles = text.partition("[[profiles]]")
    smoke, *others = ["[[profiles]]" + part for part in profiles.split("[[profiles]]")]
    short = smoke.replace('"smoke"', f'"{profile}"').replace('["tomcat", "netty"]', servers)
    short = short.replace('runtimes = ["jvm"]', f"runtimes = {runtimes}", 1)
    # windows in which compilers work count for nobody: the first one alone is soon at rest
    short = short.replace("compiling_max_s = 0\n", "compiling_max_s = 90\n").replace(
        "\n[[profiles.loads]]",
        '\njava_options = ["-XX:TieredStopAtLevel=1"]\n[[profiles.loads]]',
        1,
    )
    rest = [each for each in others if f'id = "{profile}"' not in each]
    if broken:
        head = head.replace('id = "virtual"\n', 'id = "virtual"\n', 1).replace(
            '"spring.threads.virtual.enabled" = "true"', '"server.port" = "no number"', 1
        )
    file.write_text(head + smoke + short + "".join(rest), encoding="utf-8")
    return github.commit("narrow")


def test_a_push_publishes_a_point_and_a_re_run_replaces_it(github: LocalGitHub) -> None:
    sha = narrow(github)
    ended = github.run("push", "benchmark", {"after": sha, "ref": "refs/heads/main"})
    assert ended.ok, ended.told
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
    again = github.run("push", "benchmark", {"after": sha, "ref": "refs/heads/main"})
    assert again.ok, again.told
    assert "BUILD SUCCESS" not in again.log
    assert runs_in(github) == first
    assert json.loads(github.history("data/index.json"))["runs_total"] == 1
    # the profile is a variable's; one that there is not is told before anything is built
    github.variables = {"SPRINGBENCH_COMMIT_PROFILE": "comit"}
    wrong = github.run("push", "benchmark", {"after": sha, "ref": "refs/heads/main"})
    assert not wrong.ok
    assert "SPRINGBENCH_COMMIT_PROFILE: --profile 'comit': no such profile; allowed: " in wrong.log
    assert not wrong.ran("build")


def test_a_push_that_touches_no_server_builds_nothing_and_is_compared_with_the_one_before(
    github: LocalGitHub,
) -> None:
    github.cache = github.store / "cache"
    shorten(github)
    first = narrow(github, runtimes='["jvm-aot"]')
    ended = github.run("push", "benchmark", {"after": first, "ref": "refs/heads/main"})
    assert ended.ok, ended.told
    assert ended.log.count("preparing boot4-netty-reactive-jvm-aot") == 1
    (github.work / "README.md").write_text("other words\n", encoding="utf-8")
    second = github.commit("@all ::error::<b>a word`")
    github.run_id = "2"
    ended = github.run("push", "benchmark", {"after": second, "ref": "refs/heads/main"})
    assert ended.ok, ended.told
    assert "BUILD SUCCESS" not in ended.log
    assert "preparing boot4" not in ended.log
    statuses = {result["case"]: result["status"] for result in run_file(github, "hello")["results"]}
    assert statuses == {ONE_CASE.replace("jvm", "jvm-aot"): "ok"}
    index = json.loads(github.history("data/index.json"))
    assert [commit["sha"] for commit in index["commits"]] == [first[:12], second[:12]]
    # side by side, and kept beside the runs
    assert f"{second[:12]} is compared with {first[:12]}" in ended.log
    [kept] = github.published("data/comparisons/")
    compared = github.packed(kept)
    assert compared["purpose"] == "push"
    assert [compared[side]["sha"] for side in ("base", "head")] == [first[:12], second[:12]]


def break_build(github: LocalGitHub, module: str) -> None:
    """A source file of that module that no compiler takes."""
    file = github.work / module / "src" / "main" / "java" / "dev" / "springbench" / "Broken.java"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("class {\n", encoding="utf-8")


def test_a_server_that_cannot_be_built_costs_no_other_its_point(github: LocalGitHub) -> None:
    break_build(github, "servers/boot4/netty")
    sha = narrow(github)
    push = {"after": sha, "ref": "refs/heads/main"}
    ended = github.run("push", "benchmark", push)
    assert not ended.ok
    assert "COMPILATION ERROR" in ended.log
    assert "run-pay" in github.artifacts()
    assert run_file(github, "pay")["results"][0]["status"] == "ok"
    measured_already(github)
    ended = github.run("push", "benchmark", push)
    assert ended.succeeded("publish"), ended.told
    assert "1 of 2 shards are published" in ended.log
    index = json.loads(github.history("data/index.json"))
    assert [case["workload"] for case in index["cases"]] == ["pay"]


def test_a_build_that_fails_costs_its_own_cases_of_a_shard_and_no_others(
    github: LocalGitHub,
) -> None:
    break_build(github, "servers/boot4/netty")
    sha = narrow(github, servers='["tomcat", "netty"]')
    push = {"after": sha, "ref": "refs/heads/main"}
    ended = github.run("push", "benchmark", push)
    assert not ended.ok
    measured_already(github)
    ended = github.run("push", "benchmark", push)
    assert ended.succeeded("publish"), ended.told
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
ILL_FATED = r"""
case $ID in
*-pay)
  springbench run "${options[@]}" || code=$?
  python3 - "results/$ID/run.json" <<'CODE'
import json, sys
with open(sys.argv[1]) as file:
    run = json.load(file)
run["warnings"].append({"code": "canary", "message": "off by a third", "remedy": None})
with open(sys.argv[1], "w") as file:
    json.dump(run, file)
CODE
  ;;
*-json)
  springbench run "${options[@]}" &
  until grep -qs '"status": "ok"' "results/$ID/run.json"; do sleep 0.2; done
  kill -KILL $!
  exit 137
  ;;
*)
  springbench run "${options[@]}" || code=$?
  ;;
esac
"""
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
    script = github.work / ".github" / "actions" / "measure-shard" / "measure.sh"
    text = script.read_text(encoding="utf-8")
    line = 'springbench run "${options[@]}" || code=$?\n'
    assert line in text
    script.write_text(text.replace(line, ILL_FATED), encoding="utf-8")
    return github.commit("ill-fated")


def test_a_shard_that_drifted_and_one_that_was_killed_cost_no_other_its_points(
    github: LocalGitHub,
) -> None:
    sha = ill_fated(github)
    push = {"after": sha, "ref": "refs/heads/main"}
    ended = github.run("push", "benchmark", push)
    assert not ended.ok
    assert {"run-hello", "run-json", "run-pay"} <= github.artifacts(), ended.told
    measured_already(github)
    ended = github.run("push", "benchmark", push)
    assert ended.succeeded("publish"), ended.told
    assert "is left out: the canary says that the host had drifted" in ended.log
    assert "2 of 3 shards are published" in ended.log
    index = json.loads(github.history("data/index.json"))
    shown = [(case["workload"], case["connections"]) for case in index["cases"]]
    assert shown == [("hello", 16), ("json", 16)]
    assert index["runs"]["marks"] == [["unfinished"]]
    assert index["runs"]["ok"] == [2]


def measured_already(github: LocalGitHub) -> None:
    """Take the job `measure` out: act ends with the first called workflow that fails, and GitHub
    goes on with the jobs that ask for it."""
    file = github.work / ".github" / "workflows" / "benchmark.yml"
    before, _, rest = file.read_text(encoding="utf-8").partition("\n  measure:\n")
    after = rest[rest.index("\n  compare:\n") :]
    assert "needs: [plan, build, measure]" in after
    text = before + after.replace("needs: [plan, build, measure]", "needs: [plan, build]")
    text = text.replace("needs: [plan, measure]", "needs: [plan]")
    file.write_text(text, encoding="utf-8")


def test_a_nightly_run_with_a_failing_shard_publishes_all_that_was_measured(
    github: LocalGitHub,
) -> None:
    sha = narrow(github, "nightly", broken=True)
    ended = github.run("schedule", "benchmark")
    assert not ended.ok
    assert run_file(github, "pay")["results"][0]["status"] == "failed"
    assert run_file(github, "hello")["results"][0]["status"] == "ok"
    measured_already(github)
    ended = github.run("schedule", "benchmark")
    assert ended.succeeded("publish"), ended.told
    index = json.loads(github.history("data/index.json"))
    assert (index["runs"]["ok"], index["runs"]["failed"]) == ([1], [1])
    assert [commit["sha"] for commit in index["commits"]] == [sha[:12]]
    charts = (github.store / "charts" / "customBiggerIsBetter.json").read_text(encoding="utf-8")
    assert "/hello/" in charts
    assert "/pay/" not in charts
