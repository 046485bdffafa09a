"""A plan split over jobs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from springbench.errors import ConfigurationError
from springbench.github.jobs import (
    BUILD_SCRIPT,
    JOB_MAX_MINUTES,
    MAX_JOBS,
    SHARD_MAX_S,
    matrices,
    parallel,
    parse_runner,
)
from springbench.github.step import OUTPUT, SUMMARY
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import ROOT
from springbench.plan.plan import Filters, make_plan
from tests.conftest import Cli


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of all that Maven reads."""
    shutil.copy(ROOT / "pom.xml", tmp_path)
    ignore = shutil.ignore_patterns("target")
    shutil.copytree(ROOT / "servers", tmp_path / "servers", ignore=ignore)
    return tmp_path


def jobs(matrix: Matrix, root: Path = ROOT, **options: Any) -> dict[str, Any]:
    plan = make_plan(matrix, options.pop("profile", "quick"), Filters(**options.pop("filters", {})))
    return matrices(plan, matrix, root, **options)


def artifacts(matrix: Matrix, root: Path) -> dict[str, str]:
    return {row["name"]: row["artifact"] for row in jobs(matrix, root)["builds"]["include"]}


def test_a_server_is_built_once_for_all_its_models_and_loads(matrix: Matrix) -> None:
    names = [row["name"] for row in jobs(matrix)["builds"]["include"]]
    variants = [case.variant for case in make_plan(matrix, "quick").cases]
    servers = dict.fromkeys(f"{variant.boot}-{variant.server.id}-jvm" for variant in variants)
    assert names == [*servers, "slow-upstream"]


def test_each_native_image_is_built_once_for_the_models_that_share_it(matrix: Matrix) -> None:
    found = jobs(matrix, profile="full", filters={"only": ("boot4-tomcat-*-native/hello/64",)})
    rows = {row["name"]: row for row in found["builds"]["include"]}
    assert list(rows) == [
        "boot4-tomcat-jvm",
        "boot4-tomcat-platform-native",
        "boot4-tomcat-virtual-native",
        "slow-upstream",
    ]
    virtual = rows["boot4-tomcat-virtual-native"]
    assert (virtual["runtime"], virtual["image"]) == ("native", "virtual")
    assert virtual["made"] == "boot4-tomcat-virtual-native/server"
    (shard,) = found["shards"]["include"]
    assert all(row["artifact"] in shard["artifacts"] for row in rows.values())


def test_all_cases_of_a_workload_stay_in_one_shard(matrix: Matrix) -> None:
    shards = jobs(matrix)["shards"]["include"]
    assert [shard["name"] for shard in shards] == ["hello", "pay"]
    for shard in shards:
        assert {case.split("/")[1] for case in shard["cases"]} == {shard["name"]}
    plan = make_plan(matrix, "quick")
    assert [case for shard in shards for case in shard["cases"]] == [c.id for c in plan.cases]


def test_fewer_shards_than_workloads_share_them_out(matrix: Matrix) -> None:
    (shard,) = jobs(matrix, shards=1)["shards"]["include"]
    assert shard["name"] == "hello-pay"
    assert shard["estimate_s"] == pytest.approx(make_plan(matrix, "quick").estimate_s)


def test_a_shard_fetches_only_what_it_starts(matrix: Matrix) -> None:
    (shard,) = jobs(matrix, filters={"only": ("*-netty-*/pay/*",)})["shards"]["include"]
    artifacts = shard["artifacts"].strip("{}").split(",")
    assert [name.rpartition("-")[0] for name in artifacts] == [
        "server-boot4-netty-jvm",
        "server-slow-upstream",
    ]


def test_a_shard_that_starts_nothing_of_ours_fetches_the_upstream_alone() -> None:
    own_matrix = load_matrix(ROOT / "bench" / "examples" / "own_server.toml")
    found = jobs(own_matrix, profile="own")
    (built,) = found["builds"]["include"]
    # braces around one name would be looked for as they stand
    assert {shard["artifacts"] for shard in found["shards"]["include"]} == {built["artifact"]}


def test_an_artifacts_name_changes_with_what_its_build_reads(matrix: Matrix, sources: Path) -> None:
    before = artifacts(matrix, sources)
    (sources / "servers/boot4/jetty/pom.xml").write_text("<project/>", encoding="utf-8")
    changed_jetty = artifacts(matrix, sources)
    assert {name for name in changed_jetty if changed_jetty[name] != before[name]} == {
        "boot4-jetty-jvm"
    }
    (sources / "pom.xml").write_text("<project/>", encoding="utf-8")
    shared = artifacts(matrix, sources)
    assert all(shared[name] != changed_jetty[name] for name in changed_jetty)


def test_the_name_does_not_depend_on_what_else_was_asked_for(matrix: Matrix) -> None:
    few = jobs(matrix, filters={"only": ("*-netty-*",)})["builds"]["include"]
    assert set(map(str, few)) <= set(map(str, jobs(matrix)["builds"]["include"]))


def test_an_artifacts_name_changes_with_the_script_that_builds_it(
    matrix: Matrix, sources: Path
) -> None:
    before = artifacts(matrix, sources)
    script = sources / BUILD_SCRIPT
    script.parent.mkdir(parents=True)
    script.write_text("mvn package\n", encoding="utf-8")
    after = artifacts(matrix, sources)
    assert all(after[name] != before[name] for name in after)


@pytest.mark.parametrize("profile", ["quick", "commit", "nightly", "full", "study-virtual-threads"])
def test_every_shard_fits_a_job_and_lets_others_in(matrix: Matrix, profile: str) -> None:
    plan = make_plan(matrix, profile)
    shards = jobs(matrix, profile=profile)["shards"]["include"]
    assert max(shard["timeout_minutes"] for shard in shards) <= JOB_MAX_MINUTES
    assert max(shard["estimate_s"] for shard in shards) <= SHARD_MAX_S
    assert sorted(case for shard in shards for case in shard["cases"]) == sorted(
        case.id for case in plan.cases
    )
    names = [shard["name"] for shard in shards]
    assert len(set(names)) == len(names)


def test_fewer_shards_than_fit_a_job_are_not_to_be_had(matrix: Matrix) -> None:
    shards = jobs(matrix, profile="full", shards=1)["shards"]["include"]
    assert len(shards) > 1
    assert max(shard["timeout_minutes"] for shard in shards) <= JOB_MAX_MINUTES


def test_what_is_compared_stays_together_longest(matrix: Matrix) -> None:
    shards = jobs(matrix, profile="full")["shards"]["include"]
    parted = [shard for shard in shards if shard["name"].startswith("pay-")]
    assert len(parted) > 1
    for shard in parted:
        groups: dict[tuple[str, str], set[str]] = {}
        for case in shard["cases"]:
            variant, _, connections = case.split("/")
            boot, server, suffix = variant.split("-", 2)
            groups.setdefault((f"{boot}-{suffix}", connections), set()).add(server)
        # every server of a line, model and runtime is measured by the same job
        for (suffix, connections), servers in groups.items():
            split_servers = {
                case.split("-")[1]
                for other in shards
                if other is not shard
                for case in other["cases"]
                if case.endswith(f"/pay/{connections}") and _without_server(case) == suffix
            }
            assert not split_servers, (suffix, connections, servers, split_servers)


def _without_server(case: str) -> str:
    boot, _, suffix = case.split("/", maxsplit=1)[0].split("-", 2)
    return f"{boot}-{suffix}"


@pytest.mark.parametrize(
    ("labels", "spread", "at_once"),
    [
        (["self-hosted", "bench"], False, 1),
        (["self-hosted", "bench"], True, MAX_JOBS),
        (["ubuntu-latest"], False, MAX_JOBS),
        (["ubuntu-24.04-arm"], False, MAX_JOBS),
    ],
)
def test_on_one_host_of_your_own_a_shard_waits_for_the_one_before_it(
    labels: list[str], spread: bool, at_once: int
) -> None:
    assert parallel(labels, spread=spread) == at_once


def test_more_jobs_than_github_starts_are_refused(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    builds = len(jobs(matrix)["builds"]["include"])
    monkeypatch.setattr("springbench.github.jobs.MAX_JOBS", builds - 1)
    refused = f"{builds} builds, GitHub starts at most {builds - 1}"
    with pytest.raises(ConfigurationError, match=refused):
        jobs(matrix)
    assert MAX_JOBS == 256


def test_the_command_sets_outputs_of_one_line(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "output"
    monkeypatch.setenv(OUTPUT, str(file))
    code, out, _ = cli("plan", "--github", "--profile", "smoke", "--forks", 2)
    assert code == 0
    printed = json.loads(out)
    outputs = dict(line.split("=", 1) for line in file.read_text(encoding="utf-8").splitlines())
    assert json.loads(outputs["builds"]) == printed["builds"]
    assert json.loads(outputs["shards"]) == printed["shards"]
    assert json.loads(outputs["runner"]) == ["ubuntu-latest"]
    assert json.loads(outputs["parallel"]) == MAX_JOBS
    # a text for an input of a workflow, and no JSON
    assert outputs["profile"] == "smoke"


def test_the_summary_of_the_job_says_how_large_the_plan_is(
    cli: Cli, matrix: Matrix, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SUMMARY, str(tmp_path / "summary"))
    assert cli("plan", "--github", "--profile", "commit")[0] == 0
    summary = (tmp_path / "summary").read_text(encoding="utf-8")
    plan = make_plan(matrix, "commit")
    found = jobs(matrix, profile="commit")
    builds, shards = (len(found[name]["include"]) for name in ("builds", "shards"))
    assert f"commit: {len(plan.cases)} cases, {builds} builds, {shards} shards: about " in summary


@pytest.mark.parametrize(
    ("text", "runner"),
    [
        (None, ["ubuntu-latest"]),
        (" ", ["ubuntu-latest"]),
        ("self-hosted, bench", ["self-hosted", "bench"]),
        ('["self-hosted", "bench"]', ["self-hosted", "bench"]),
        ('{"group": "bench"}', {"group": "bench"}),
        (
            ' {"group": "Bench hosts", "labels": ["self-hosted"]}\n',
            {"group": "Bench hosts", "labels": ["self-hosted"]},
        ),
    ],
)
def test_a_runner_is_given_as_people_write_it(text: str | None, runner: object) -> None:
    assert parse_runner(text) == runner


@pytest.mark.parametrize(
    "text",
    [
        *("a b", "[1]", '["a"', "a,,b", "${{ secrets }}", "[]", '{"a": 1}'),
        *('{"group": ""}', '{"group": ["a"]}', '{"labels": ["a"]}', '{"group": "a", "label": "b"}'),
        *('{"group": "a\\nb"}', '{"group": "a", "labels": []}', "[" * 5_000, '"ubuntu-latest"'),
    ],
)
def test_another_runner_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ConfigurationError, match="names no runner; allowed: ") as refused:
        parse_runner(text, "runner.json")
    assert str(refused.value).startswith("runner.json ")
    assert len(str(refused.value)) < 600
    assert "\n" not in str(refused.value)


def test_on_a_group_of_ones_own_shards_wait_for_each_other() -> None:
    assert parallel({"group": "bench"}, spread=False) == 1
    assert parallel({"group": "large", "labels": ["ubuntu-24.04"]}, spread=False) == MAX_JOBS


def test_the_database_is_built_and_fetched_where_a_shard_needs_it(matrix: Matrix) -> None:
    found = jobs(matrix, profile="database")
    assert [row["name"] for row in found["builds"]["include"]][-1] == "database"
    assert all("server-database-" in shard["artifacts"] for shard in found["shards"]["include"])
