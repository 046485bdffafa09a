"""`springbench plan`."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Cli
from tests.plan.test_plan import QUICK


def test_it_lists_the_cases_and_the_time(cli: Cli) -> None:
    code, out, err = cli("plan")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[1:-1]] == QUICK
    assert out.splitlines()[-1].startswith("14 cases, 14 forks, about ")


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
            "window_s": 6.0,
            "ideal_rps": 1000.0,
        }
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "boot4-tomcat-virtul-*"], "nearest: boot4-tomcat-virtual-jvm/"),
        (["--connections", "many"], "'many' is no number of connections; allowed: whole numbers"),
        (["--profile", "quik"], "no such profile; allowed: smoke, quick"),
        (["--matrix", "nowhere.toml"], "nowhere.toml: cannot be read: No such file"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(cli: Cli, arguments: list[str], said: str) -> None:
    code, out, err = cli("plan", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("springbench: ")
    assert len(err.splitlines()) == 1
    assert said in err
