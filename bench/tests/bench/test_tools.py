"""What is missing is named before anything is measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.bench import tools
from springbench.bench.tools import find_tools, jdk_cautions
from springbench.errors import HostError
from springbench.host.tools.find import NO_JDK, Jdk, Tool
from springbench.matrix.load import parse_matrix
from springbench.plan.plan import Plan, make_plan

JDK = Jdk(Path("/jdk-25"), "25.0.3", 25, "Somebody")
WRK = Tool("wrk", Path("/usr/bin/wrk"), "4.1.0")
MAVEN = Tool("maven", Path("/usr/bin/mvn"), "3.8.7")


def found(
    monkeypatch: pytest.MonkeyPatch, jdk: Jdk | None, wrk: Tool | None, maven: Tool | None
) -> None:
    monkeypatch.setattr(tools, "find_jdk", lambda: jdk)
    monkeypatch.setattr(tools, "find_wrk", lambda: wrk)
    monkeypatch.setattr(tools, "find_maven", lambda: maven)


def test_tools_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, JDK, WRK, MAVEN)
    assert find_tools(with_maven=True) == tools.Tools(JDK, WRK, MAVEN)


def test_every_missing_tool_is_named_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, None, None, None)
    with pytest.raises(HostError) as caught:
        find_tools(with_maven=True)
    assert caught.value.exit_code == 3
    lines = str(caught.value).splitlines()
    assert [line.split(";")[0] for line in lines] == [
        "missing: a JDK 25 or newer",
        "missing: wrk",
        "missing: Maven 3.8 or newer",
    ]
    assert all(line.partition("; ")[2] for line in lines)


def test_built_jars_need_no_maven(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, JDK, WRK, None)
    assert find_tools(with_maven=False).maven is None
    with pytest.raises(HostError, match=r"^missing: Maven 3.8 or newer; "):
        find_tools(with_maven=True)


def test_what_needs_no_java_is_not_asked_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, None, WRK, None)
    for with_maven in (True, False):
        assert find_tools(with_maven=with_maven, with_java=False) == tools.Tools(NO_JDK, WRK, None)
    found(monkeypatch, JDK, WRK, None)
    assert find_tools(with_maven=True, with_java=False) == tools.Tools(NO_JDK, WRK, None)


def test_java_that_is_there_is_used_where_it_is_not_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found(monkeypatch, JDK, WRK, MAVEN)
    assert find_tools(with_maven=True, with_java=False) == tools.Tools(JDK, WRK, MAVEN)


def service_plan(tmp_path: Path, more: str = "") -> Plan:
    text = f'jar = "a.jar"\n[[routes]]\npath = "/"\n{more}'
    return make_plan(parse_matrix(text, "springbench.toml", tmp_path), "quick")


def test_a_service_runs_on_its_own_jdk_and_all_else_on_ours(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    service_jdk = Jdk(Path("/jdk-17"), "17.0.15", 17, "Somebody")
    found(monkeypatch, JDK, WRK, MAVEN)
    monkeypatch.setattr(tools, "find_asked_jdk", lambda requirement: service_jdk)
    for more in ("", '[slow_upstream]\ndelay_ms = 5\nproperty = "a"\n'):
        service_tools = find_tools(with_maven=True, plan=service_plan(tmp_path, more))
        assert (service_tools.jdk, service_tools.harness_jdk) == (service_jdk, JDK)


def test_a_service_needs_no_jdk_of_ours_without_what_is_ours(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    service_jdk = Jdk(Path("/jdk-17"), "17.0.15", 17, "Somebody")
    found(monkeypatch, None, WRK, MAVEN)
    monkeypatch.setattr(tools, "find_asked_jdk", lambda requirement: service_jdk)
    service_tools = find_tools(with_maven=True, plan=service_plan(tmp_path))
    assert (service_tools.jdk, service_tools.maven) == (service_jdk, None)
    upstream = service_plan(tmp_path, '[slow_upstream]\ndelay_ms = 5\nproperty = "a"\n')
    with pytest.raises(HostError, match=r"^missing: a JDK 25 or newer; "):
        find_tools(with_maven=True, plan=upstream)


def test_a_java_home_that_was_passed_over_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    [caution] = jdk_cautions(tools.Tools(JDK, WRK, MAVEN))
    assert f"JAVA_HOME is {tmp_path}, no JDK; springbench's own servers need 25" in caution.message
    assert "25.0.3 in /jdk-25" in caution.message
    monkeypatch.setenv("JAVA_HOME", "/jdk-25")
    assert list(jdk_cautions(tools.Tools(JDK, WRK, MAVEN))) == []
    monkeypatch.delenv("JAVA_HOME")
    assert list(jdk_cautions(tools.Tools(JDK, WRK, MAVEN))) == []


def test_wrk_is_needed_whatever_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, None, None, None)
    with pytest.raises(HostError) as caught:
        find_tools(with_maven=True, with_java=False)
    assert [line.split(";")[0] for line in str(caught.value).splitlines()] == ["missing: wrk"]
