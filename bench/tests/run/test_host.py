"""From a plan to a bench: what is missing is named before anything is measured."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.errors import ConfigurationError, HostError
from springbench.host.cpus import CpuPartition
from springbench.host.facts.kernel_limits import AcceptQueue, FileLimit, PortRange
from springbench.host.memory_limit.choose import unenclosed
from springbench.host.tools.find import Jdk, Tool
from springbench.matrix.rows import Load, Matrix, Profile
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.run import host
from springbench.run.host import (
    Host,
    boot_versions,
    check_limits,
    find_jars,
    find_tools,
    new_run_id,
    upstream_jar,
)
from tests.host.facts.test_facts import RUNNER
from tests.samples import empty_run

JDK = Jdk(Path("/jdk-25"), "25.0.3", 25, "Somebody")
WRK = Tool("wrk", Path("/usr/bin/wrk"), "4.1.0")
MAVEN = Tool("maven", Path("/usr/bin/mvn"), "3.8.7")


@pytest.fixture
def plan(matrix: Matrix) -> Plan:
    return make_plan(matrix, "quick", Filters(("*-tomcat-*", "*-netty-*")))


def found(
    monkeypatch: pytest.MonkeyPatch, jdk: Jdk | None, wrk: Tool | None, maven: Tool | None
) -> None:
    monkeypatch.setattr(host, "find_jdk", lambda: jdk)
    monkeypatch.setattr(host, "find_wrk", lambda: wrk)
    monkeypatch.setattr(host, "find_maven", lambda: maven)


def test_tools_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, JDK, WRK, MAVEN)
    assert find_tools(with_maven=True) == host.Tools(JDK, WRK, MAVEN)


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


def limits(monkeypatch: pytest.MonkeyPatch, *, files: int, ports: int, queue: int) -> None:
    monkeypatch.setattr(host, "raise_file_limit", lambda n: FileLimit(files, files, files, n))
    monkeypatch.setattr(host, "port_range", lambda n: PortRange(1, ports, 0, n))
    monkeypatch.setattr(host, "accept_queue", lambda n: AcceptQueue(queue, n))


def test_limits_that_suffice(monkeypatch: pytest.MonkeyPatch, plan: Plan) -> None:
    limits(monkeypatch, files=100_000, ports=30_000, queue=4096)
    assert list(check_limits(plan)) == []


def test_a_limit_too_low_ends_the_run_before_the_first_connection(
    monkeypatch: pytest.MonkeyPatch, plan: Plan
) -> None:
    limits(monkeypatch, files=1024, ports=30_000, queue=4096)
    with pytest.raises(HostError, match=r"1000 connections need 2512 open files.*1024: ulimit"):
        list(check_limits(plan))
    limits(monkeypatch, files=100_000, ports=999, queue=4096)
    with pytest.raises(HostError, match=r"1000 connections need as many local ports, 999 are fre"):
        list(check_limits(plan))


def test_a_short_accept_queue_is_a_warning(monkeypatch: pytest.MonkeyPatch, plan: Plan) -> None:
    limits(monkeypatch, files=100_000, ports=30_000, queue=128)
    [warning] = check_limits(plan)
    assert warning.code == "somaxconn"
    assert "128 connections" in warning.message
    assert warning.remedy == "sysctl -w net.core.somaxconn=1000 (as root)"


def test_every_missing_jar_is_named_once(tmp_path: Path, plan: Plan) -> None:
    with pytest.raises(ConfigurationError) as caught:
        find_jars(plan, tmp_path)
    assert str(caught.value) == f"--jars {tmp_path}: not there: boot4-tomcat.jar, boot4-netty.jar"
    for name in ("boot4-tomcat.jar", "boot4-netty.jar"):
        (tmp_path / name).touch()
    find_jars(plan, tmp_path)


def test_the_upstream_is_needed_by_what_calls_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, matrix: Matrix
) -> None:
    monkeypatch.setattr(host, "ROOT", tmp_path / "clone")
    load = Load(workload="upstream", connections=(1,), boots="newest", servers=("netty",))
    relay = Profile(id="relay", description="", loads=(load,))
    plan = make_plan(matrix.model_copy(update={"profiles": (relay,)}), "relay")
    (tmp_path / "boot4-netty.jar").touch()
    with pytest.raises(ConfigurationError, match=r"not there: slow-upstream\.jar"):
        find_jars(plan, tmp_path)
    (tmp_path / "slow-upstream.jar").touch()
    find_jars(plan, tmp_path)
    assert upstream_jar(tmp_path) == tmp_path / "slow-upstream.jar"
    assert upstream_jar(None) == tmp_path / "clone/servers/slow-upstream/target/slow-upstream.jar"


def test_the_id_of_a_run_sorts_by_time_and_says_what_it_is() -> None:
    commit = empty_run().commit
    assert re.fullmatch(r"\d{8}T\d{6}Z-quick-1a2b3c4d", new_run_id("quick", commit))
    assert re.fullmatch(r"\d{8}T\d{6}Z-quick", new_run_id("quick", None))


def test_the_versions_of_spring_boot_come_from_the_one_place_that_has_them(
    plan: Plan, tmp_path: Path
) -> None:
    assert re.fullmatch(r"4\.\d+\.\d+", boot_versions(plan)["boot4"])
    assert boot_versions(plan, tmp_path) == {}


def test_a_memory_limit_that_the_kernel_does_not_enforce_is_another_host_class() -> None:
    cpus = CpuPartition(frozenset({1}), frozenset({0}), frozenset({0}), True)
    loose = unenclosed(1 << 30)
    enforced = replace(loose, how="cgroup v2", warning=None)
    names = [Host(RUNNER, cpus, each).info(JDK).host_class for each in (loose, enforced)]
    assert "-1call-" in names[0]
    assert "-1c1g-" in names[1]
