"""What is missing is named before anything is measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.errors import HostError
from springbench.host.tools.find import NO_JDK, Jdk, Tool
from springbench.run import tools
from springbench.run.tools import find_tools

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


def test_wrk_is_needed_whatever_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, None, None, None)
    with pytest.raises(HostError) as caught:
        find_tools(with_maven=True, with_java=False)
    assert [line.split(";")[0] for line in str(caught.value).splitlines()] == ["missing: wrk"]
