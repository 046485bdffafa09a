"""The command of a server: what stands for the places of its row."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from springbench.compare.sides import find_variant
from springbench.errors import ConfigurationError
from springbench.host.cpus import CpuPartition
from springbench.host.memory_limit.choose import not_enforced
from springbench.limits import Resources
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.measure.load.load_host import SameHost
from springbench.measure.server.command import Start
from springbench.measure.services.http import HOST
from springbench.measure.services.upstream import Upstream
from springbench.plan.plan import make_plan
from tests.fakes import FakeRunning, FakeShell
from tests.measure.testbeds import testbed
from tests.samples import case


def test_the_places_of_the_command_are_filled_in(tmp_path: Path, matrix: Matrix) -> None:
    virtual = case(matrix, "boot4-tomcat-virtual-jvm/hello/64").variant
    upstream = Upstream(FakeRunning(1, None), 9999)
    command = Start(virtual).command(
        testbed(tmp_path, FakeShell(), upstream=upstream), 8123, tmp_path
    )
    assert command[0] == "/jdk-25/bin/java"
    assert "-XX:MaxRAM=1073741824" in command
    assert command[-5:] == [
        "-jar",
        str(tmp_path / "servers/boot4/tomcat/target/boot4-tomcat.jar"),
        "--server.port=8123",
        "--spring.threads.virtual.enabled=true",
        f"--springbench.upstream.url=http://{HOST}:9999",
    ]


def test_a_variant_may_have_a_memory_limit_of_its_own(tmp_path: Path, matrix: Matrix) -> None:
    virtual = case(matrix, "boot4-tomcat-virtual-jvm/hello/64").variant
    small = virtual.set_to(memory="256m")
    bed = replace(
        testbed(tmp_path, FakeShell()),
        other_memory_limits={Resources(256 << 20): not_enforced(256 << 20)},
    )
    command = Start(small).command(bed, 8123, tmp_path)
    assert "-XX:MaxRAM=268435456" in command
    assert f"-Xmx{(256 << 20) * 60 // 100}" in command
    assert "-XX:MaxRAM=1073741824" in Start(virtual).command(bed, 8123, tmp_path)


@pytest.mark.parametrize(("cpus", "counted"), [(None, 4), ("0.5", 1), ("1.5", 2), ("3", 3)])
def test_a_jvm_counts_the_processors_that_its_variant_names(
    tmp_path: Path, matrix: Matrix, cpus: str | None, counted: int
) -> None:
    variant = case(matrix, "boot4-tomcat-virtual-jvm/hello/64").variant.set_to(cpus=cpus)
    four = CpuPartition(frozenset(range(4)), frozenset({4}), frozenset({5}), separate=True)
    bed = replace(
        testbed(tmp_path, FakeShell(), cpus=four),
        other_memory_limits={variant.resources: not_enforced(1 << 30)},
    )
    # whether or not the testbed is that of the variant already
    for current_bed in (bed, bed.for_variant(variant)):
        command = Start(variant).command(current_bed, 8123, tmp_path)
        assert f"-XX:ActiveProcessorCount={counted}" in command


def test_jars_of_another_folder_go_by_their_names(tmp_path: Path, matrix: Matrix) -> None:
    platform = case(matrix, "boot3-undertow-platform-jvm/hello/64").variant
    command = Start(platform).command(
        testbed(tmp_path, FakeShell(), jars=Path("/jars")), 8123, tmp_path
    )
    assert command[-2:] == ["/jars/boot3-undertow.jar", "--server.port=8123"]
    assert not any("{" in word for word in command)


def test_a_model_follows_the_connections_of_its_case(tmp_path: Path, matrix: Matrix) -> None:
    tuned = find_variant("boot4-jetty-platform-tuned-jvm", matrix)
    assert tuned
    command = Start(tuned, 3000).command(testbed(tmp_path, FakeShell()), 8123, tmp_path)
    assert command[-1] == "--server.jetty.threads.max=3000"


def test_system_properties_of_a_model_stand_before_the_jar(tmp_path: Path, matrix: Matrix) -> None:
    wide = find_variant("boot4-tomcat-virtual-parallelism-100-jvm", matrix)
    assert wide
    command = Start(wide).command(testbed(tmp_path, FakeShell()), 8123, tmp_path)
    assert command[command.index("-jar") - 2 : command.index("-jar")] == [
        "-Djdk.virtualThreadScheduler.parallelism=100",
        "-Djdk.virtualThreadScheduler.maxPoolSize=100",
    ]


def test_a_service_gets_the_address_of_the_slow_upstream_where_it_asks(tmp_path: Path) -> None:
    text = (
        'jar = "a.jar"\n[[routes]]\npath = "/"\n'
        '[slow_upstream]\ndelay_ms = 5\nproperty = "prices.url"\nvariable = "PRICES"\n'
    )
    matrix = parse_matrix(text, "springbench.toml", tmp_path)
    [case] = make_plan(matrix, "quick").cases
    upstream = Upstream(FakeRunning(1, None), 9999, "fe80::2")
    bed = testbed(tmp_path, FakeShell(), upstream=upstream)
    start = Start.of(case)
    assert start.properties(bed, 8123)["prices.url"] == "http://[fe80::2]:9999"
    assert "springbench.upstream.url" not in start.properties(bed, 8123)
    assert start.environment(bed, 8123)["PRICES"] == "http://[fe80::2]:9999"
    assert "PRICES" not in start.environment(testbed(tmp_path, FakeShell()), 8123)


def test_a_service_gets_what_it_declares_and_nothing_else_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        'command = ["./serve", "{port}"]\nenvironment = { PORT = "{port}", TZ = "Asia/Tokyo" }\n'
        'pass_env = ["DB_URL", "UNSET"]\n[[routes]]\npath = "/"\n'
    )
    [case] = make_plan(parse_matrix(text, "springbench.toml", tmp_path), "quick").cases
    monkeypatch.setenv("DB_URL", "jdbc:somewhere")
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xint")
    monkeypatch.setenv("LANGUAGE", "de")
    variables = Start.of(case).environment(testbed(tmp_path, FakeShell()), 8123)
    assert variables["JAVA_HOME"] == "/jdk-25"
    assert {
        "DB_URL": "jdbc:somewhere",
        "PORT": "8123",
        "TZ": "Asia/Tokyo",
    }.items() <= variables.items()
    assert {"JAVA_TOOL_OPTIONS", "LANGUAGE", "UNSET"}.isdisjoint(variables)


def test_properties_of_a_service_are_those_of_its_jvm(tmp_path: Path) -> None:
    # an application may keep the arguments of its command to itself
    text = 'jar = "a.jar"\nmodels = ["virtual"]\n[[routes]]\npath = "/"\n'
    [case] = make_plan(parse_matrix(text, "springbench.toml", tmp_path), "quick").cases
    command = Start.of(case).command(testbed(tmp_path, FakeShell()), 8123, tmp_path)
    assert command[-4:] == [
        "-Dserver.port=8123",
        "-Dspring.threads.virtual.enabled=true",
        "-jar",
        str(tmp_path / "a.jar"),
    ]


def test_a_variable_of_no_name_is_refused(tmp_path: Path) -> None:
    text = 'jar = "a.jar"\npass_env = ["DB-URL"]\n[[routes]]\npath = "/"\n'
    with pytest.raises(ConfigurationError, match="the name of a variable: letters, digits"):
        parse_matrix(text, "springbench.toml", tmp_path)


def test_a_server_listens_for_the_host_that_loads_it_and_for_nobody_else(
    tmp_path: Path, matrix: Matrix
) -> None:
    variant = case(matrix, "boot4-tomcat-virtual-jvm/hello/64").variant
    bed = testbed(tmp_path, FakeShell())
    assert not any("server.address" in word for word in Start(variant).command(bed, 1, tmp_path))
    for address in ("10.0.0.1", "fe80::1"):
        remote_bed = replace(
            bed, load_host=SameHost(FakeShell(), "wrk", frozenset(), server_address=address)
        )
        assert f"--server.address={address}" in Start(variant).command(remote_bed, 1, tmp_path)
