"""The real wrk against the real slow upstream, and one real server through the real command."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from springbench.build import UPSTREAM_JAR, build
from springbench.host.packages import remedy
from springbench.host.platforms import this_platform
from springbench.host.shell import RealShell
from springbench.host.tools import find_jdk, find_maven, find_wrk
from springbench.measure import upstream
from springbench.measure.http import get_json
from springbench.measure.load import Driver
from springbench.measure.server import ServerProcess
from springbench.measure.timeline import mean_rate
from springbench.paths import ROOT
from springbench.prepare import Tools
from springbench.results.schema import schemas
from tests.conftest import left_behind
from tests.measure.benches import NOTHING, bench
from tests.processes import FINE, SERVICES, running

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("processes")]

TOMCAT = "boot4-tomcat-virtual-jvm/hello/16"


@pytest.fixture(scope="session")
def tools() -> Tools:
    """The tools of this host; a missing one fails, with what brings it."""
    jdk, maven, wrk = find_jdk(), find_maven(), find_wrk()
    found = {"jdk": jdk, "maven": maven, "wrk": wrk}
    missing = [remedy(name, this_platform()) for name, tool in found.items() if tool is None]
    assert not missing, missing
    assert jdk is not None
    assert wrk is not None
    return Tools(jdk, wrk, maven)


@pytest.fixture(scope="session")
def jars(tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the jars of Tomcat and of the slow upstream, and the fake server."""
    assert tools.maven is not None
    build(["servers/boot4/tomcat"], tools.jdk, tools.maven, ROOT, RealShell(), lambda _: None)
    folder = tmp_path_factory.mktemp("jars")
    built = [
        ROOT / "servers/boot4/tomcat/target/boot4-tomcat.jar",
        ROOT / UPSTREAM_JAR,
        SERVICES / "fake_server.py",
    ]
    for jar in built:
        (folder / jar.name).symlink_to(jar)
    return folder


@pytest.mark.timeout(300)  # the fixture may build first
def test_wrk_sees_what_the_upstream_delays(tmp_path: Path, tools: Tools, jars: Path) -> None:
    shell = RealShell()
    jar, log = jars / "slow-upstream.jar", tmp_path / "upstream.log"
    with upstream.started(shell, tools.jdk.java, jar, log, NOTHING, ("--delay=200",)) as slow:
        server = ServerProcess(slow.running, slow.port, time.perf_counter())
        driver = Driver(bench(tmp_path, shell, wrk=tools.wrk.path), server, tmp_path)
        answer = server.check_route("/anything", 5)
        slow.reset()
        driven = driver.drive("load", "/anything", 50, 3.0, answer.wire_bytes)
        stats = get_json(slow.port, "/stats")
        late_s = slow.lateness_max_s()

    size = driven.summary.bytes_per_response
    assert size is not None
    assert size == pytest.approx(answer.wire_bytes, rel=0.1)
    assert driven.summary.errors.total == 0
    assert 0.19 < driven.summary.latency_s.p50 < 0.4
    if sys.platform.startswith("linux"):
        bytes_per_s = mean_rate(driven.timeline.points("read_bytes"), 1.0, 2.4, period_s=0.2)
        assert bytes_per_s is not None
        assert bytes_per_s / size == pytest.approx(250, rel=0.1)
    assert stats["served"] >= driven.summary.requests
    assert late_s is not None
    assert late_s >= 0
    assert left_behind() == []


@pytest.mark.timeout(300)
def test_a_load_ends_early_when_it_is_enough(tmp_path: Path, tools: Tools, jars: Path) -> None:
    shell = RealShell()
    jar, log = jars / "slow-upstream.jar", tmp_path / "upstream.log"
    with upstream.started(shell, tools.jdk.java, jar, log, NOTHING, ("--delay=1",)) as slow:
        server = ServerProcess(slow.running, slow.port, time.perf_counter())
        driver = Driver(bench(tmp_path, shell, wrk=tools.wrk.path), server, tmp_path)
        driven = driver.drive("warm-up", "/", 4, 60.0, 100, enough=lambda _: True)
    assert driven.summary.duration_s < 30
    assert driven.summary.requests > 0


@pytest.mark.timeout(300)
def test_a_real_server_is_measured(tmp_path: Path, jars: Path) -> None:
    options = ["--profile", "smoke", "--only", "boot4-tomcat-virtual-jvm/hello/*", "--jars", jars]
    with running(tmp_path, *options) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, ""), out
    assert springbench.statuses == {TOMCAT: "ok"}
    text = (springbench.results / "latest" / "run.json").read_text(encoding="utf-8")
    jsonschema.validate(json.loads(text), json.loads(schemas()["run.schema.json"]))

    result = springbench.run.find(TOMCAT)
    assert result is not None
    [fork] = result.forks
    assert fork.load is not None
    assert fork.load.errors.total == 0
    assert result.summary["throughput_rps"].median > 100
    assert result.summary["memory_peak_bytes"].median > 50 << 20
    assert (fork.startup.first_200_s or 0) > 0.1
    for name in ("server.log", "warm-up.txt", "warm-up.json", "load.txt", "load.json"):
        assert springbench.raw(TOMCAT, name).stat().st_size > 0
    assert "boot4-tomcat-virtual-jvm" in out
    assert left_behind() == []


@pytest.mark.timeout(300)
def test_what_relays_the_upstream_is_told_where_it_is(tmp_path: Path, jars: Path) -> None:
    matrix = SERVICES / "matrix.toml"
    with running(tmp_path, "--matrix", matrix, "--profile", "relay", "--jars", jars) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, ""), out
    [result] = springbench.run.results
    assert result.case == FINE.replace("hello", "upstream")
    load = result.forks[0].load
    assert load is not None
    assert load.upstream_lateness_max_s is not None
    assert (springbench.results / "latest" / "raw" / "upstream.log").is_file()
    assert left_behind() == []
