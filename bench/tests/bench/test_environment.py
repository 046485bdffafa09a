"""What is passed through to servers stands in the result, and what is not is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.bench.environment import cautions, passed_variables
from springbench.bench.records import new_result
from springbench.errors import ConfigurationError
from springbench.history.condense import configuration
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Plan, make_plan
from springbench.results.history_names import profile_of
from springbench.results.run import PlannedInfo
from springbench.run.execute import plan_of
from tests.samples import empty_run

NEED = """
[[services]]
name = "stub"
command = ["stub"]
port = 9000
pass_env = ["STUB_KEY"]
"""


def matrix(lines: str = "", needs: str = "") -> Matrix:
    text = f'jar = "a.jar"\n{lines}\n[[routes]]\npath = "/"\n{needs}'
    return parse_matrix(text, "springbench.toml", Path())


def plan(lines: str = "", needs: str = "") -> Plan:
    return make_plan(matrix(lines, needs), "quick")


def test_values_that_were_passed_are_another_series(monkeypatch: pytest.MonkeyPatch) -> None:
    [case] = plan('pass_env = ["DB_URL", "UNSET"]').cases
    configurations = []
    for value in ("jdbc:one", "jdbc:other", "jdbc:one"):
        monkeypatch.setenv("DB_URL", value)
        planned = new_result(case, "ok").planned
        assert planned is not None
        assert planned.passed_variables == ["DB_URL"]
        configurations.append(configuration("quick", planned))
    assert configurations[0] == configurations[2] != configurations[1]
    assert configurations[0].startswith("quick-3x10s-env-")
    assert profile_of(configurations[0]) == "quick"
    assert profile_of(configurations[0].replace("10s", "10s-apart")) == "quick"


def test_what_is_passed_to_a_need_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    [case] = plan(needs=NEED).cases
    assert passed_variables(case.variant) == {}
    monkeypatch.setenv("STUB_KEY", "1")
    assert passed_variables(case.variant)["passed_variables"] == ["STUB_KEY"]


def test_where_nothing_is_passed_a_series_goes_on() -> None:
    planned = PlannedInfo(forks=3, warmup_min_s=1, warmup_max_s=1, window_s=10)
    assert configuration("quick", planned) == "quick-3x10s"


def test_what_reached_no_server_is_said_once_with_how_to_declare_it() -> None:
    caller = {"JAVA_TOOL_OPTIONS": "-Xint", "SPRING_PROFILES_ACTIVE": "x", "PATH": "/bin"}
    [caution] = cautions(plan(), caller)
    assert caution.message == (
        "set here and not passed to the servers: JAVA_TOOL_OPTIONS, SPRING_PROFILES_ACTIVE"
    )
    assert 'pass_env = ["JAVA_TOOL_OPTIONS"]' in str(caution.remedy)
    assert "springbench.toml" in str(caution.remedy)
    declared = 'pass_env = ["JAVA_TOOL_OPTIONS"]\nenvironment = { SPRING_PROFILES_ACTIVE = "y" }'
    assert list(cautions(plan(declared), caller)) == []
    assert list(cautions(plan(), {"PATH": "/bin"})) == []


def test_a_variable_that_should_be_passed_and_is_not_set_is_said() -> None:
    [caution] = cautions(plan('pass_env = ["DB_URL"]'), {"PATH": "/bin"})
    assert "pass_env names DB_URL, not set here" in caution.message


def test_a_run_is_not_finished_with_other_values(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = matrix('pass_env = ["DB_URL"]')
    quick_plan = make_plan(rows, "quick")
    monkeypatch.setenv("DB_URL", "jdbc:one")
    unfinished = empty_run()
    unfinished.run.profile, unfinished.run.plan_digest = "quick", quick_plan.digest
    unfinished.results = [new_result(quick_plan.cases[0], "ok")]
    assert plan_of(unfinished, rows).digest == quick_plan.digest
    monkeypatch.setenv("DB_URL", "jdbc:other")
    with pytest.raises(ConfigurationError, match="variables of pass_env have other values"):
        plan_of(unfinished, rows)
