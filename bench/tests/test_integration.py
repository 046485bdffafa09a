"""The real wrk against the real slow upstream, and one real server through the real command."""

from __future__ import annotations

import itertools
import json
import signal
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import jsonschema
import psutil
import pytest

from springbench.bench.profilers import find_samplers
from springbench.bench.tools import Tools
from springbench.errors import CaseError
from springbench.host.ports import free_port
from springbench.host.shell import RealShell
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.matrix.templates import get
from springbench.measure.interleave import can_interleave
from springbench.measure.load.driver import Driver
from springbench.measure.load.timeline import mean_rate, value_at
from springbench.measure.pair import (
    SAMPLED_S,
    SIDES,
    RunningSide,
    Schedule,
    measure_load,
    measure_window,
)
from springbench.measure.server.command import Start
from springbench.measure.server.process import ServerProcess, started
from springbench.measure.services import upstream
from springbench.measure.services.http import get_json
from springbench.measure.testbed import Sampling
from springbench.paths import MATRIX
from springbench.plan.plan import make_plan
from springbench.results.comparison import PairRecord, SideRecord
from springbench.results.schema import schemas
from tests.conftest import Cli, left_behind
from tests.measure.testbeds import NOTHING, testbed
from tests.processes import FINE, QUICK, SERVICES, on_fakes, running, until, why_no_perf
from tests.samples import case as case_of

pytestmark = pytest.mark.process

TOMCAT = "boot4-tomcat-virtual-jvm/hello/16"


def upstreams(
    stack: ExitStack, tmp_path: Path, tools: Tools, jars: Path, delay_ms: int = 0
) -> list[RunningSide]:
    """Two targets that answer after a delay, standing still."""
    sides: list[RunningSide] = []
    pair = PairRecord(pair=0, status="ok", sides={name: SideRecord() for name in SIDES})
    for name in SIDES:
        folder = tmp_path / name
        folder.mkdir()
        shell, jar = RealShell(), jars / "slow-upstream.jar"
        target = stack.enter_context(
            upstream.started(
                shell, tools.jdk.java, jar, folder / "log", NOTHING, (f"--delay={delay_ms}",)
            )
        )
        server = ServerProcess(target.running, target.port, time.perf_counter())
        parts = testbed(folder, shell, wrk=tools.wrk.path)
        driver = Driver(parts, server, folder)
        sides.append(RunningSide(driver, name, pair.sides[name], pair))
        target.running.signal(signal.SIGSTOP)
    return sides


def interleaved_upstreams(
    stack: ExitStack, tmp_path: Path, tools: Tools, jars: Path, delay_ms: int = 0
) -> list[RunningSide]:
    """The same, where the system tells what a paused process did."""
    sides = upstreams(stack, tmp_path, tools, jars, delay_ms)
    if not can_interleave(sides[0].driver.server.running.pid):
        pytest.skip("this system keeps no I/O counters of processes")
    return sides


def quick_matrix(tmp_path: Path, before: str = "", after: str = "") -> list[object]:
    """Options for a run of the profile `smoke`, with the first compiler alone, which takes half as
    long to start; `after` stands where the matrix has `before`."""
    text, profile = MATRIX.read_text(encoding="utf-8"), 'id = "smoke"\n'
    assert before in text
    options = 'java_options = ["-XX:TieredStopAtLevel=1"]\n'
    text = text.replace(before, after, 1).replace(profile, profile + options, 1)
    file = tmp_path / "matrix.toml"
    file.write_text(text, encoding="utf-8")
    return ["--matrix", file, "--profile", "smoke"]


def stands_still(pid: int) -> bool:
    """Whether a process stops; a signal takes its time on a busy host."""
    return until(lambda: psutil.Process(pid).status() == psutil.STATUS_STOPPED)


@pytest.mark.timeout(300)  # the fixture may build first
def test_both_sides_of_a_pair_take_turns(
    tmp_path: Path, tools: Tools, jars: Path, matrix: Matrix
) -> None:
    case = next(c for c in make_plan(matrix, "pr").cases if c.workload.id == "hello")
    with ExitStack() as stack:
        sides = interleaved_upstreams(stack, tmp_path, tools, jars, delay_ms=5)
        measure_load(sides, Schedule(case, bursts=3, burst_s=0.5), turn=1)
        for side in sides:
            bursts = side.record.bursts[case.id]
            assert len(bursts) == 3
            assert {burst.error_ratio for burst in bursts} == {0.0}
            assert all(burst.throughput_rps > 0 for burst in bursts)
            assert all((burst.cpu_per_request_s or 0) > 0 for burst in bursts)
            answered = side.record.answered[case.id]
            assert answered.requests > 0
            assert answered.failed == 0
            assert stands_still(side.driver.server.running.pid)
    assert left_behind() == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize("interleaved", [True, False])
def test_both_sides_are_sampled_behind_their_bursts(
    tmp_path: Path,
    tools: Tools,
    jars: Path,
    matrix: Matrix,
    interleaved: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = next(c for c in make_plan(matrix, "pr").cases if c.workload.id == "hello")
    samplers, cautions = find_samplers([True], tools, RealShell())
    assert cautions == []
    with ExitStack() as stack:
        sides = interleaved_upstreams(stack, tmp_path, tools, jars)
        # under a quota, and on other systems
        monkeypatch.setattr("springbench.measure.pair.can_interleave", lambda _: interleaved)
        for side in sides:
            parts = replace(side.driver.testbed, java=tools.jdk.java)
            side.driver, side.sampler = replace(side.driver, testbed=parts), samplers[True]
        measure_load(sides, Schedule(case, bursts=1, burst_s=0.5), turn=0)
        assert sides[0].pair.not_sampled is None
        for side in sides:
            assert len(side.record.bursts[case.id]) == 1
            cpu = side.record.sampled(case.id, "cpu")
            # 100 to 250 in a second
            assert cpu and cpu.samples > SAMPLED_S * 20
            assert "dev/springbench/upstream/" in cpu.frames
            assert side.record.sampled(case.id, "alloc")
            assert stands_still(side.driver.server.running.pid)
    assert left_behind() == []


@pytest.mark.timeout(300)
def test_what_is_no_jvm_is_sampled_by_perf(
    tmp_path: Path, tools: Tools, jars: Path, matrix: Matrix
) -> None:
    """Here a JVM takes the place of such a program: its own functions are named."""
    if why_not := why_no_perf():
        pytest.skip(why_not)
    case = next(c for c in make_plan(matrix, "pr").cases if c.workload.id == "hello")
    samplers, cautions = find_samplers([False], tools, RealShell())
    assert cautions == []
    with ExitStack() as stack:
        sides = interleaved_upstreams(stack, tmp_path, tools, jars)
        for side in sides:
            side.sampler = samplers[False]
        measure_load(sides, Schedule(case, bursts=1, burst_s=0.5), turn=0)
        assert sides[0].pair.not_sampled is None
        for side in sides:
            cpu = side.record.sampled(case.id, "cpu")
            assert cpu and cpu.samples > SAMPLED_S * 20
            # each thread of a JVM is below this function, which no profiler of Java names
            assert "JavaThread::thread_main_inner" in cpu.frames
            assert side.record.sampled(case.id, "alloc") is None
            assert stands_still(side.driver.server.running.pid)
    assert left_behind() == []


class RefusingSampler:
    """A profiler that cannot be loaded."""

    def start(self, *_: object) -> Sampling:
        raise CaseError("the profiler could not be loaded")


@pytest.mark.timeout(300)
def test_a_profiler_that_cannot_be_loaded_costs_its_samples_alone(
    tmp_path: Path, tools: Tools, jars: Path, matrix: Matrix
) -> None:
    case = next(c for c in make_plan(matrix, "pr").cases if c.workload.id == "hello")
    with ExitStack() as stack:
        sides = interleaved_upstreams(stack, tmp_path, tools, jars)
        for side in sides:
            side.sampler = RefusingSampler()
        measure_load(sides, Schedule(case, bursts=1, burst_s=0.5), turn=0)
        assert sides[0].pair.not_sampled == "the profiler could not be loaded"
        assert sides[0].pair.failed_side is None
        for side in sides:
            assert len(side.record.bursts[case.id]) == 1
            assert side.record.stacks == {}
    assert left_behind() == []


@pytest.mark.timeout(300)
def test_a_side_that_dies_in_its_turn_ends_the_pair(
    tmp_path: Path, tools: Tools, jars: Path, matrix: Matrix
) -> None:
    case = next(c for c in make_plan(matrix, "pr").cases if c.workload.id == "hello")
    with ExitStack() as stack:
        sides = upstreams(stack, tmp_path, tools, jars, delay_ms=5)
        sides[1].driver.server.running.signal(signal.SIGKILL)
        sides[1].driver.server.running.wait(5)
        with pytest.raises(CaseError, match="the server exited with code -9 during a burst"):
            measure_load(sides, Schedule(case, bursts=3, burst_s=0.5), turn=0)
        assert sides[1].pair.failed_side == "head"
    assert left_behind() == []


@pytest.mark.exclusive
@pytest.mark.system
@pytest.mark.timeout(300)
def test_where_requests_wait_the_window_is_what_little_says(
    tmp_path: Path, tools: Tools, jars: Path, matrix: Matrix
) -> None:
    """Connecting and the end of the load are left out: never more than connections ÷ delay."""
    case = replace(case_of(matrix, "boot4-tomcat-virtual-jvm/pay/60"), window_s=3.0)
    with ExitStack() as stack:
        sides = upstreams(stack, tmp_path, tools, jars, delay_ms=1000)
        for side in sides:
            measure_window(side, case, 0)
            [window] = side.record.windows[case.id]
            assert window.from_timeline
            assert window.error_ratio == 0
            assert side.record.answered[case.id].requests == window.requests
            assert stands_still(side.driver.server.running.pid)
            # a busy host may make it less
            assert 0 < window.throughput_rps <= 60 * 1.02
            assert (window.latency_p99_s or 0) >= 1
    assert left_behind() == []


@pytest.mark.exclusive
@pytest.mark.timeout(300)  # the fixture may build first
def test_wrk_sees_what_the_upstream_delays(tmp_path: Path, tools: Tools, jars: Path) -> None:
    shell = RealShell()
    jar, log = jars / "slow-upstream.jar", tmp_path / "upstream.log"
    with upstream.started(shell, tools.jdk.java, jar, log, NOTHING, ("--delay=200",)) as slow:
        server = ServerProcess(slow.running, slow.port, time.perf_counter())
        driver = Driver(testbed(tmp_path, shell, wrk=tools.wrk.path), server, tmp_path)
        server.check_route(get("/anything"), 5)
        slow.reset()
        driven = driver.drive("load", [get("/anything")], 50, 3.0)
        stats = get_json(slow.port, "/stats")
        late_s = slow.lateness_max_s()

    assert driven.summary.errors.total == 0
    assert stats["served"] >= driven.summary.requests
    assert late_s is not None
    assert late_s >= 0
    assert sum(count for _, count in driven.summary.latencies_us) == driven.summary.requests
    p50_s = driven.summary.latency_s.p50
    assert p50_s > 0.19
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux counts what a process reads")
    asked_rps = mean_rate(driven.timeline.points("requests"), 1.0, 2.4, period_s=0.2)
    assert asked_rps is not None
    # what wrk has counted bounds it from below on any host, and what Little's law says from above
    overall_rps = driven.summary.requests / driven.summary.duration_s
    assert overall_rps / 2 < asked_rps < 1.05 * 50 / 0.2
    assert left_behind() == []


@pytest.mark.exclusive
@pytest.mark.system
@pytest.mark.timeout(300)
def test_answers_stay_apart_where_connections_begin_apart(
    tmp_path: Path, tools: Tools, jars: Path
) -> None:
    """The second answers of all come spread over the delay; begun at once they came at once."""
    shell = RealShell()
    jar, log = jars / "slow-upstream.jar", tmp_path / "upstream.log"
    with upstream.started(shell, tools.jdk.java, jar, log, NOTHING, ("--delay=1000",)) as slow:
        server = ServerProcess(slow.running, slow.port, time.perf_counter())
        driver = Driver(testbed(tmp_path, shell, wrk=tools.wrk.path), server, tmp_path)
        driven = driver.drive("load", [get("/")], 400, 5.0, begin_over_s=1.0)
    assert driven.summary.errors.total == 0
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux counts what a process reads")
    points = driven.timeline.points("requests")
    edges = [value_at(points, 2.5 + quarter / 4) for quarter in range(5)]
    quarters = [b - a for a, b in itertools.pairwise(e for e in edges if e is not None)]
    # a busy host may move some; none may have most
    assert len(quarters) == 4
    assert sum(quarters) == pytest.approx(400, rel=0.1)
    assert max(quarters) < 200
    assert left_behind() == []


@pytest.mark.timeout(300)
def test_a_load_ends_early_when_it_is_enough(tmp_path: Path, tools: Tools, jars: Path) -> None:
    shell = RealShell()
    jar, log = jars / "slow-upstream.jar", tmp_path / "upstream.log"
    with upstream.started(shell, tools.jdk.java, jar, log, NOTHING, ("--delay=1",)) as slow:
        server = ServerProcess(slow.running, slow.port, time.perf_counter())
        driver = Driver(testbed(tmp_path, shell, wrk=tools.wrk.path), server, tmp_path)
        driven = driver.drive("warm-up", [get("/")], 4, 60.0, enough=lambda _: True)
    assert driven.summary.duration_s < 30
    assert driven.summary.requests > 0


@pytest.mark.timeout(300)
def test_a_real_server_is_measured(tmp_path: Path, jars: Path) -> None:
    only = ("--only", "boot4-tomcat-virtual-jvm/hello/*")
    with running(tmp_path, *quick_matrix(tmp_path), *only, "--jars", jars) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, ""), out + err
    assert springbench.statuses == {TOMCAT: "ok"}
    text = (springbench.results / "latest" / "run.json").read_text(encoding="utf-8")
    jsonschema.validate(json.loads(text), json.loads(schemas()["run.schema.json"]))

    result = springbench.run.find(TOMCAT)
    assert result is not None
    [fork] = result.forks
    assert fork.load is not None
    assert fork.load.errors.total == 0
    assert result.summary["throughput_rps"].median > 0
    assert result.summary["memory_peak_bytes"].median > 50 << 20
    assert (fork.startup.first_200_s or 0) > 0.1
    for name in ("server.log", "warm-up.txt", "warm-up.json", "load.txt", "load.json"):
        assert springbench.raw(TOMCAT, name).stat().st_size > 0
    assert "boot4-tomcat-virtual-jvm" in out
    assert left_behind() == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("protocol", "streams"), [pytest.param("https1", 1, marks=pytest.mark.system), ("h2", 8)]
)
def test_a_real_server_is_asked_over_tls_and_http2(
    protocol: str, streams: int, tmp_path: Path, jars: Path
) -> None:
    load_rows = 'workload = "hello"\nconnections = [16]\n'
    headers = f'{load_rows.replace("hello", "headers")}protocols = ["{protocol}"]\n'
    options = quick_matrix(tmp_path, load_rows, headers)
    only = ("--only", "boot4-tomcat-*/headers-*")
    with running(tmp_path, *options, *only, "--jars", jars) as run:
        code, out, err = run.end()
    assert (code, err) == (0, ""), out + err
    assert set(run.statuses.values()) == {"ok"}
    [result] = run.run.results
    assert result.workload == f"headers-{protocol}"
    load = result.forks[0].load
    assert load is not None
    assert load.errors.total == 0
    assert load.wrong_answer is None
    # sixteen at once: on two connections with eight streams, or on as many connections, of
    # which Tomcat closes each after a hundred answers
    assert load.streams == streams
    assert 14 <= (load.connections or 0) * streams <= 16
    assert load.from_timeline
    assert load.throughput_rps > 0
    # by Little's law; a fresh process becomes faster under the load
    assert (load.in_flight or 0) == pytest.approx(16, rel=0.6)
    assert left_behind() == []


@pytest.mark.system
@pytest.mark.timeout(300)
def test_what_relays_the_upstream_gets_its_address(tmp_path: Path, jars: Path) -> None:
    matrix = SERVICES / "matrix.toml"
    with running(tmp_path, "--matrix", matrix, "--profile", "relay", "--jars", jars) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, ""), out + err
    [result] = springbench.run.results
    assert result.case == FINE.replace("hello", "upstream")
    load = result.forks[0].load
    assert load is not None
    assert load.upstream_lateness_max_s is not None
    assert (springbench.results / "latest" / "raw" / "upstream.log").is_file()
    assert left_behind() == []


@pytest.mark.timeout(300)
def test_a_profile_names_methods_and_leaves_a_flame_graph(
    tmp_path: Path, jars: Path, cli: Cli
) -> None:
    code, out, err = cli(
        *("profile", TOMCAT, *quick_matrix(tmp_path), "--duration", "5"),
        *("--jars", jars, "--results", tmp_path),
    )
    assert code == 0, err
    assert "most of the CPU time was spent in" in out
    [graph] = tmp_path.glob("*-profile/*.html")
    text = graph.read_text(encoding="utf-8")
    assert "<html" in text
    assert "boot4-tomcat-virtual-jvm/hello/16, CPU time" in text
    # it opens from disk: nothing is fetched
    assert "src=" not in text
    assert left_behind() == []


@pytest.mark.system
@pytest.mark.timeout(300)
def test_a_run_leaves_a_flame_graph_of_what_can_be_profiled(tmp_path: Path, jars: Path) -> None:
    patch = "import springbench.run.profiling as cases; cases.RECORDING_S = 3.0"
    options = ["--profile", "smoke", "--only", "boot4-tomcat-virtual-jvm/hello/*", "--jars", jars]
    with running(tmp_path, *options, "--profile-cpu", patch=patch) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, ""), out + err
    # the process with the profiler in it is no fork
    [result] = springbench.run.results
    assert len(result.forks) == 1
    [graph] = (springbench.results / "latest" / "raw" / "flame-graphs").iterdir()
    assert graph.name == f"{TOMCAT.replace('/', '_')}-cpu.html"
    assert f"{TOMCAT}: " in out and graph.name in out
    assert left_behind() == []


@pytest.mark.system
def test_a_command_without_perf_has_no_flame_graph_and_that_is_said(tmp_path: Path) -> None:
    patch = f"{QUICK}\nimport springbench.measure.profile as perf\n"
    patch += "perf.find_perf = lambda: None"
    with running(tmp_path, *on_fakes(FINE), "--profile-cpu", patch=patch) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, ""), out + err
    assert f"{FINE}: no flame graph: perf is not here; install perf" in out
    assert springbench.statuses == {FINE: "ok"}


def test_a_server_answers_each_workload_as_the_matrix_says(
    tmp_path: Path, tools: Tools, jars: Path, matrix: Matrix
) -> None:
    loads = "".join(
        f'\n[[profiles.loads]]\nworkload = "{row.id}"\nconnections = [1]\nservers = ["tomcat"]\n'
        'models = ["virtual"]\nboots = ["boot4"]\nruntimes = ["jvm"]\nwindow_s = 15\n'
        for row in matrix.workloads
        if not row.needs
    )
    text = MATRIX.read_text(encoding="utf-8") + (
        f'\n[[profiles]]\nid = "each"\ndescription = "each workload"\n'
        f'java_options = ["-XX:TieredStopAtLevel=1"]\n{loads}'
    )
    cases = make_plan(parse_matrix(text, "matrix.toml"), "each").cases
    parts = replace(testbed(tmp_path, RealShell(), wrk=tools.wrk.path), java=tools.jdk.java)
    parts = replace(parts, jars=jars, port=free_port())
    needs = list(dict.fromkeys(case.process_needs for case in cases))
    assert len(cases) > len(needs)
    for number, process_needs in enumerate(needs):
        same = [case for case in cases if case.process_needs == process_needs]
        folder = tmp_path / str(number)
        folder.mkdir()
        with started(parts, Start.of(same[0]), folder) as server:
            server.wait_ready("/hello")
            for case in same:
                server.check_routes(case.templates, 5.0 + case.workload.delay_s)
