"""`springbench plan`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from springbench.github.jobs import matrices
from springbench.matrix.rows import Matrix
from springbench.paths import ROOT
from springbench.plan.plan import make_plan
from tests.conftest import Cli

HOSTS: list[tuple[object, ...]] = [(), ("--hosts", 1), ("--hosts", 2), ("--hosts", 9)]


def test_it_lists_the_cases_and_the_time(cli: Cli, matrix: Matrix) -> None:
    plan = make_plan(matrix, "quick")
    forks = sum(case.forks for case in plan.cases)
    code, out, err = cli("plan")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[1:-2]] == [c.id for c in plan.cases]
    assert out.splitlines()[-2].startswith(f"{len(plan.cases)} cases, {forks} forks, about ")


def test_it_says_how_many_jobs_that_is_and_how_long_on_so_many_hosts(
    cli: Cli, matrix: Matrix
) -> None:
    """The expected time is that of the cases; no host makes a shard shorter."""
    plan = make_plan(matrix, "commit")
    jobs: Any = matrices(plan, matrix, ROOT)
    builds, shards = (len(jobs[name]["include"]) for name in ("builds", "shards"))
    lines = [cli("plan", "--profile", "commit", *more)[1].splitlines()[-1] for more in HOSTS]
    assert all(
        line.startswith(f"in a workflow: {builds} builds, {shards} shards: about ")
        for line in lines
    )
    of_all, on_one, on_two, on_nine = (line.split(": about ")[1] for line in lines)
    assert on_one.endswith(" on one host")
    assert on_two.startswith(f"{on_one}, ") and on_two.endswith(" on 2")
    # as many as there are shards; no further one helps
    assert of_all.endswith(f" on {shards}")
    assert on_nine == of_all.removesuffix(f"{shards}") + "9"
    size = json.loads(cli("plan", "--profile", "commit", "--json", "--hosts", "1")[1])["size"]
    assert (size["cases"], size["builds"], size["shards"]) == (len(plan.cases), builds, shards)
    assert size["hosts_s"] == size["one_host_s"]


def test_programs_get_json(cli: Cli) -> None:
    code, out, _ = cli("plan", "--json", "--only", "*-netty-*/pay/*", "--forks", "2")
    plan = json.loads(out)
    assert code == 0
    assert plan["profile"] == "quick"
    assert plan["cases"] == [
        {
            "case": "boot4-netty-reactive-jvm/pay/1000",
            "forks": 2,
            "warmup_min_s": 5.0,
            "warmup_max_s": 12.0,
            "compiling_max_s": 120.0,
            "window_s": 4.0,
            "theoretical_max_rps": 1000.0,
        }
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "boot4-tomcat-virtul-*"], "nearest: boot4-tomcat-virtual-jvm/"),
        (["--connections", "many"], "'many' is no number of connections; allowed: whole numbers"),
        (["--profile", "quik"], "no such profile; allowed: smoke, quick"),
        (["--hosts", "0"], "'--hosts': Input should be greater than or equal to 1"),
        (["--matrix", "nowhere.toml"], "nowhere.toml: cannot be read: No such file"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(cli: Cli, arguments: list[str], message: str) -> None:
    code, out, err = cli("plan", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("springbench: ")
    assert len(err.splitlines()) == 1
    assert message in err
