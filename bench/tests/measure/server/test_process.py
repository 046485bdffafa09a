"""Starting a server, waiting for it, and what it said when it did not come."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.errors import CaseError
from springbench.host.memory_limit.choose import MemoryLimit
from springbench.host.memory_limit.control_group import CgroupStats, ControlGroup
from springbench.host.ports import free_port
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.matrix.templates import get
from springbench.measure.server import process
from springbench.measure.server.command import Start
from springbench.measure.server.process import ServerProcess, started
from tests.answers import answering
from tests.fakes import FakeRunning, FakeShell
from tests.measure.testbeds import testbed
from tests.processes import SERVICES
from tests.samples import case

pytestmark = pytest.mark.process


def server(port: int, code: int | None = None) -> ServerProcess:
    return ServerProcess(FakeRunning(2**22, code), port, time.perf_counter())


def test_a_server_is_stopped_whatever_happens(tmp_path: Path, matrix: Matrix) -> None:
    shell = FakeShell()
    shell.answer("java", running=True)
    variant = case(matrix, "boot4-tomcat-virtual-jvm/hello/64").variant
    with (
        pytest.raises(KeyboardInterrupt),
        started(testbed(tmp_path, shell), Start(variant), tmp_path) as running,
    ):
        assert running.running.poll() is None
        raise KeyboardInterrupt
    assert [child.poll() for child in shell.children] == [-15]


def test_a_program_that_is_not_there_fails_the_case(tmp_path: Path, matrix: Matrix) -> None:
    shell = FakeShell(strict=True)
    shell.answer("java", error=FileNotFoundError(2, "No such file or directory"))
    variant = case(matrix, "boot4-tomcat-virtual-jvm/hello/64").variant
    with (
        pytest.raises(CaseError, match="bin/java cannot be started: No such file"),
        started(testbed(tmp_path, shell), Start(variant), tmp_path),
    ):
        pass


def test_it_starts_in_the_folder_of_its_artifact(tmp_path: Path, matrix: Matrix) -> None:
    shell = FakeShell()
    shell.answer("java", running=True)
    variant = case(matrix, "boot4-tomcat-virtual-jvm/hello/64").variant
    jars = tmp_path / "jars"
    jars.mkdir()
    with started(testbed(tmp_path, shell, jars=jars), Start(variant), tmp_path):
        pass
    assert shell.calls[0].cwd == jars


def test_its_temporary_files_are_removed_with_it(tmp_path: Path, matrix: Matrix) -> None:
    shell = FakeShell()
    shell.answer("java", running=True)
    variant = case(matrix, "boot4-tomcat-virtual-jvm/hello/64").variant
    with started(testbed(tmp_path, shell), Start(variant), tmp_path):
        [call] = shell.calls
        assert call.env is not None
        folder = Path(call.env["TMPDIR"])
        assert f"-Djava.io.tmpdir={folder}" in call.command
        # Tomcat's folder is not empty when it ends
        (folder / "tomcat.8080.1" / "work").mkdir(parents=True)
    assert not folder.exists()


@pytest.mark.parametrize("passed", [False, True])
def test_what_only_the_way_into_a_group_needs_the_server_does_not_get(
    tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch, passed: bool
) -> None:
    @contextmanager
    def opened(_name: str) -> Iterator[ControlGroup]:
        yield ControlGroup(lambda command: ["enter", *command], CgroupStats(), ["XDG_RUNTIME_DIR"])

    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1000")
    variant = case(matrix, "boot4-tomcat-virtual-jvm/hello/64").variant
    names = ("XDG_RUNTIME_DIR",) if passed else ()
    variant = replace(variant, server=variant.server.model_copy(update={"pass_env": names}))
    shell = FakeShell()
    bed = replace(testbed(tmp_path, shell), memory_limit=MemoryLimit("scope", 1 << 30, opened))
    with started(bed, Start(variant), tmp_path):
        pass
    [call] = shell.calls
    assert call.env is not None
    assert call.env["XDG_RUNTIME_DIR"] == "/run/user/1000"
    way = ["enter"] if passed else ["enter", "env", "-u", "XDG_RUNTIME_DIR"]
    assert list(call.command[: len(way) + 1]) == [*way, "/jdk-25/bin/java"]


def test_ready_is_the_first_answer_with_200() -> None:
    with answering({"/hello": (200, b"hello")}) as port:
        assert 0 < server(port).wait_ready("/hello", 10) < 10


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the loopback has one address")
def test_it_is_asked_where_its_load_comes_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "REFUSED_CEILING_S", 0.5)
    address, command = "127.0.0.2", [sys.executable, str(SERVICES / "fake_server.py")]
    for host, answers in ((address, True), ("0.0.0.0", True), ("127.0.0.1", False)):
        port = free_port()
        with (tmp_path / "log").open("wb") as log:
            options = [f"--server.port={port}", f"--fake.host={host}"]
            running = RealShell().start([*command, *options], stdout=log)
        fake_server = ServerProcess(running, port, time.perf_counter(), address=address)
        try:
            if answers:
                assert fake_server.wait_ready("/hello", 20) < 20
                assert fake_server.check_route(get("/hello"), 5).status == 200
            else:
                message = f"127.0.0.1:{port} does answer, and the load comes to {address}:{port}"
                with pytest.raises(CaseError, match=message):
                    fake_server.wait_ready("/hello", 3)
        finally:
            running.stop(0.0)


def test_an_answer_of_another_runs_server_is_not_taken_for_ones_own(tmp_path: Path) -> None:
    with answering({"/hello": (200, b"hello")}) as port, (tmp_path / "log").open("wb") as log:
        running = RealShell().start(
            [sys.executable, "-c", "import time; time.sleep(60)"], stdout=log
        )
        try:
            impostor = ServerProcess(running, port, time.perf_counter())
            with pytest.raises(CaseError) as caught:
                impostor.wait_ready("/hello", 10)
        finally:
            running.stop()
    assert f"port {port} is answered by " in str(caught.value)
    assert f"(pid {os.getpid()}), which is older than the server" in str(caught.value)


@pytest.mark.parametrize(
    ("route", "message"), [("/broken", "/broken answered 503"), ("/none", "/none answered 404")]
)
def test_a_server_that_answers_something_else_never_gets_ready(route: str, message: str) -> None:
    with (
        answering({"/broken": (503, b"")}) as port,
        pytest.raises(CaseError, match=f"never got ready: after 0 s {message}"),
    ):
        server(port).wait_ready(route, 0.1)


def test_a_server_behind_a_login_is_ready_once_it_asks_for_one() -> None:
    with answering({"/hello": (401, b"")}) as port:
        assert server(port).wait_ready("/hello", 10, status=401) > 0
        with pytest.raises(CaseError, match="/hello answered 401, not 200"):
            server(port).wait_ready("/hello", 0.1)


def test_a_server_that_does_not_listen_never_gets_ready() -> None:
    with pytest.raises(CaseError, match=r"never got ready: .* gave no answer.*Refused"):
        server(free_port()).wait_ready("/hello", 0.1)


def test_a_server_that_has_ended_is_not_waited_for() -> None:
    with pytest.raises(CaseError, match="exited with code 7 during startup"):
        server(1, code=7).wait_ready("/hello", 60)


def test_a_route_must_answer_200_before_it_is_measured() -> None:
    with answering({"/pay": (200, b"paid"), "/task": (500, b"out of \xff tasks")}) as port:
        assert server(port).check_route(get("/pay"), 5).body == b"paid"
        with pytest.raises(CaseError, match=r"GET /task answered 500, not 200: out of . tasks"):
            server(port).check_route(get("/task"), 0.3)
    with pytest.raises(CaseError, match="GET /pay gave no answer: ConnectionRefusedError"):
        server(port).check_route(get("/pay"), 0.3)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_hiccup_is_asked_again(status: int) -> None:
    routes = {"/pay": (status, b"busy")}
    with answering(routes) as port, ThreadPoolExecutor(1) as aside:
        checked = aside.submit(server(port).check_route, get("/pay"), 20)
        time.sleep(0.5)
        assert not checked.done()
        routes["/pay"] = (200, b"paid")
        assert checked.result(20).body == b"paid"


def test_a_refused_connection_is_tried_again() -> None:
    port = free_port()
    with ThreadPoolExecutor(1) as aside:
        checked = aside.submit(server(port).check_route, get("/pay"), 20)
        time.sleep(0.3)
        with answering({"/pay": (200, b"paid")}, port):
            assert checked.result(20).body == b"paid"


def test_a_wrong_request_is_soon_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("springbench.measure.server.process.WRONG_REQUEST_CEILING_S", 0.3)
    with answering({}) as port, pytest.raises(CaseError, match="GET /none answered 404"):
        server(port).check_route(get("/none"), 60)


def test_a_server_that_ends_meanwhile_is_not_asked_again() -> None:
    with pytest.raises(CaseError, match="exited with code 7 during GET /pay"):
        server(1, code=7).check_route(get("/pay"), 60)


def test_a_process_that_is_gone_has_no_memory() -> None:
    ended_server = ServerProcess(FakeRunning(2**22, None), 1, 0.0)
    assert ended_server.idle().rss_bytes is None


CHOOSES_CPUS = """
import http.server, os, sys
os.sched_setaffinity(0, {int(sys.argv[2])})
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux pins")
def test_a_server_that_chooses_cpus_of_its_own_is_moved_back(tmp_path: Path) -> None:
    first_cpu, *other_cpus = sorted(os.sched_getaffinity(0))
    if not other_cpus:
        pytest.skip("this host has one CPU")
    port = free_port()
    command = [sys.executable, "-c", CHOOSES_CPUS, str(port), str(other_cpus[0])]
    cpus = frozenset({first_cpu})
    with (tmp_path / "log").open("wb") as log:
        running = RealShell().start(command, stdout=log, cpus=cpus)
        try:
            one = ServerProcess(running, port, time.perf_counter(), cpus=cpus)
            one.wait_ready("/", 60)
            assert os.sched_getaffinity(running.pid) == cpus
        finally:
            running.stop()
