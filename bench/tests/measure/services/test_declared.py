"""What a service needs beside it: real programs, ready, late, taken, gone."""

from __future__ import annotations

import socket
import sys
import time
from pathlib import Path

import psutil
import pytest

from springbench.errors import CaseError, ExitCode, HostError
from springbench.host.ports import free_port
from springbench.host.shell import RealShell
from springbench.matrix.servers import ServiceSpec
from springbench.measure.services.declared import (
    REST_CEILING_S,
    DeclaredService,
    all_started,
    rested_services_cpu_s,
    services_cpu_s,
)
from springbench.messages import show_messages
from tests.processes import SERVICES

pytestmark = pytest.mark.process
SHELL = RealShell()
SERVER = str(SERVICES / "fake_server.py")


def spec(port: int, *command: str, **more: object) -> ServiceSpec:
    fields = {"name": "stub", "command": command, "port": port, **more}
    return ServiceSpec.model_validate(fields)


def serving(port: int, **more: object) -> ServiceSpec:
    return spec(port, sys.executable, SERVER, f"--server.port={port}", **more)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("health", [None, "/hello"])
def test_it_is_ready_while_it_is_needed_and_gone_afterwards(
    tmp_path: Path, health: str | None
) -> None:
    port, messages = free_port(), list[str]()
    show_messages(messages.append)
    services = [DeclaredService(serving(port, health=health), tmp_path)]
    with all_started(services, SHELL, frozenset()) as [stub]:
        assert listens(port)
        stub.check_alive("load")
        psutil.Process(stub.running.pid).kill()
        stub.running.wait(5)
        with pytest.raises(CaseError, match="stub, which the service needs, exited with code -9"):
            stub.check_alive("load")
    assert not listens(port)
    assert messages == ["stub: starting, for the service needs it"]


def test_it_starts_in_the_folder_of_the_file_with_its_environment(tmp_path: Path) -> None:
    (tmp_path / "serve.py").write_text(
        "import os, socket, time\n"
        "listener = socket.create_server(('127.0.0.1', int(os.environ['STUB_PORT'])))\n"
        "time.sleep(60)\n"
    )
    port = free_port()
    environment = {"STUB_PORT": str(port)}
    one = spec(port, sys.executable, "serve.py", environment=environment)
    with all_started([DeclaredService(one, tmp_path)], SHELL, frozenset()):
        assert listens(port)


def busy(folder: Path, port: int, *, wait: str, busy_s: float) -> DeclaredService:
    """A program that waits, uses the CPU for a time, and begins again."""
    (folder / "serve.py").write_text(
        "import socket, sys, time\n"
        "listener = socket.create_server(('127.0.0.1', int(sys.argv[1])))\n"
        "while True:\n"
        f"    {wait}\n"
        f"    end_s = time.process_time() + {busy_s}\n"
        "    while time.process_time() < end_s: pass\n"
    )
    return DeclaredService(spec(port, sys.executable, "serve.py", str(port)), folder)


@pytest.mark.exclusive
def test_what_it_still_does_for_a_server_that_is_paused_is_waited_for(tmp_path: Path) -> None:
    port = free_port()
    one = busy(tmp_path, port, wait="listener.accept()", busy_s=0.2)
    with all_started([one], SHELL, frozenset()) as services:
        before_s = rested_services_cpu_s(services)
        assert listens(port)
        time.sleep(0.05)
        rested_s = rested_services_cpu_s(services)
        assert before_s and rested_s and 0.19 < rested_s - before_s < 0.3
        assert services_cpu_s(services) == pytest.approx(rested_s, abs=0.01)
    assert services_cpu_s([]) is None


@pytest.mark.exclusive
def test_one_that_is_never_idle_is_not_waited_for_each_time(tmp_path: Path) -> None:
    """It uses a fifth of a CPU by itself: to wait for that would take most of the time."""
    one = busy(tmp_path, free_port(), wait="time.sleep(0.008)", busy_s=0.002)
    with all_started([one], SHELL, frozenset()) as services:
        assert 0.1 < services[0].idle_cpus < 0.33
        begin_s = time.monotonic()
        for _ in range(20):
            assert rested_services_cpu_s(services)
        assert time.monotonic() - begin_s < 20 * REST_CEILING_S / 4


def test_one_that_leaves_something_in_the_background_is_ended_by_its_own_command(
    tmp_path: Path,
) -> None:
    port = free_port()
    start = f"{sys.executable} {SERVER} --server.port={port} >/dev/null 2>&1 & echo $! >pid"
    detached = f"setsid sh -c '{start}'"
    one = spec(port, "sh", "-c", detached, stop=("sh", "-c", "kill $(cat pid); echo gone >stopped"))
    with all_started([DeclaredService(one, tmp_path)], SHELL, frozenset()) as [stub]:
        assert listens(port)
        stub.check_alive("load")
    assert (tmp_path / "stopped").read_text() == "gone\n"


@pytest.mark.parametrize(
    ("command", "more", "message"),
    [
        ((sys.executable, "-c", "print('no licence'); exit(3)"), {}, "exited with code 3; it prin"),
        (
            (sys.executable, "-c", "import time; time.sleep(60)"),
            {"ready_s": 0.3},
            "not ready after",
        ),
        (("./nowhere",), {}, "./nowhere: No such file"),
    ],
)
def test_one_that_is_never_ready_is_one_line_and_leaves_nothing(
    tmp_path: Path, command: tuple[str, ...], more: dict[str, object], message: str
) -> None:
    before = psutil.Process().children(recursive=True)
    services = [DeclaredService(spec(free_port(), *command, **more), tmp_path)]
    with pytest.raises(HostError) as caught, all_started(services, SHELL, frozenset()):
        pytest.fail("it is not ready")
    [line] = str(caught.value).splitlines()
    assert message in line
    assert caught.value.exit_code is ExitCode.HOST
    assert psutil.Process().children(recursive=True) == before


def test_a_port_that_another_program_has_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        services = [DeclaredService(serving(port), tmp_path)]
        with (
            pytest.raises(HostError, match=f"stub: port {port} is taken by"),
            all_started(services, SHELL, frozenset()),
        ):
            pytest.fail("it is another program")


def test_the_first_is_ended_where_the_second_does_not_start(tmp_path: Path) -> None:
    port = free_port()
    services = [
        DeclaredService(serving(port), tmp_path),
        DeclaredService(spec(free_port(), "false"), tmp_path),
    ]
    with pytest.raises(HostError), all_started(services, SHELL, frozenset()):
        pytest.fail("the second has failed")
    assert not listens(port)
