"""A connection to an agent, which is a real process of this host."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from springbench.errors import HostError
from springbench.host.remote import connection as connections
from springbench.host.remote.connection import Connection, local_agent
from springbench.host.remote.found import measure_link
from springbench.host.remote.running import ProcessSample
from springbench.host.remote.shell import RemoteShell
from springbench.measure.readings.tree import cpu_time_s
from tests.processes import is_gone, until

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a load host runs Linux"),
]
READER = "import sys\nwhile True: sys.stdin.buffer.read(65536)"
SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
BUSY = [sys.executable, "-c", "while True: pass"]
# a process, and a child of its own that outlives it
FAMILY = ["sh", "-c", "sleep 601 & sleep 602"]


@pytest.fixture
def agent() -> Iterator[Connection]:
    """An agent of this host, without ssh."""
    with Connection("user@elsewhere", local_agent()) as connection:
        yield connection


def living(folder_or_command: str) -> list[int]:
    """Processes that have it in their command line."""
    return [
        process.pid
        for process in psutil.process_iter(["cmdline", "status"])
        if folder_or_command in " ".join(process.info["cmdline"] or [])
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


def test_what_a_process_prints_comes_with_its_end(agent: Connection) -> None:
    output = io.BytesIO()
    running = agent.start(["sh", "-c", "echo 1; echo 2 >&2; exit 7"], output)
    assert running.wait(20.0) == 7
    assert output.getvalue() == b"1\n2\n"
    assert running.stop() == 7
    assert output.getvalue() == b"1\n2\n"


def test_what_starts_there_gets_a_defined_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xint")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    output = io.BytesIO()
    with Connection("user@elsewhere", local_agent()) as connection:
        running = RemoteShell(connection).start(["env"], stdout=output, env={"OWN": "here"})
        assert running.wait(20.0) == 0
    lines = output.getvalue().decode().splitlines()
    assert {"LC_ALL=C.UTF-8", "TZ=UTC", "OWN=here"} <= set(lines)
    assert any(line.startswith("PATH=") for line in lines)
    assert not any(line.startswith("JAVA_TOOL_OPTIONS") for line in lines)


def test_its_readings_are_on_the_clock_of_this_host(agent: Connection) -> None:
    begin_s = time.perf_counter()
    command = ["sh", "-c", f"exec {sys.executable} -c '{READER}' </dev/zero"]
    running = agent.start(command, io.BytesIO())
    seen: list[ProcessSample] = []

    def enough() -> bool:
        seen.extend(running.samples())
        return len(seen) >= 10

    assert until(enough)
    running.stop(0.0)
    times = [sample.at_s for sample in seen]
    assert times == sorted(times)
    assert begin_s < times[0] <= times[-1] < time.perf_counter()
    assert (seen[-1].read_bytes or 0) > (seen[0].read_bytes or 0) > 0
    assert (seen[-1].cpu_s or 0) > (seen[0].cpu_s or 0)


@pytest.mark.exclusive
@pytest.mark.parametrize("is_own_load", [True, False])
def test_what_others_do_on_its_cpus_is_reported_and_what_was_started_there_is_not(
    agent: Connection, is_own_load: bool
) -> None:
    before_s = _worked_s()
    running = agent.start(SLEEPER, io.BytesIO())
    busy = agent.start(BUSY, io.BytesIO()) if is_own_load else None
    competitor = None if is_own_load else subprocess.Popen(BUSY)
    seen: list[ProcessSample] = []

    def second_of_work() -> bool:
        seen.extend(running.samples())
        pid = busy.pid if busy else competitor.pid if competitor else 0
        return (cpu_time_s(pid) or 0.0) > 1.5

    try:
        assert until(second_of_work)
    finally:
        if competitor:
            competitor.kill()
            competitor.wait()
    first, last = seen[0], seen[-1]
    assert None not in (
        first.background_cpu_s,
        last.background_cpu_s,
        first.stolen_s,
        last.stolen_s,
    )
    background_s = (last.background_cpu_s or 0.0) - (first.background_cpu_s or 0.0)
    # tests beside this one are others too
    assert background_s < _worked_s() - before_s - 1.0 if is_own_load else background_s > 0.5
    assert (last.stolen_s or 0.0) >= (first.stolen_s or 0.0)


def test_it_is_signalled_and_stopped_with_its_children(agent: Connection) -> None:
    output = io.BytesIO()
    text = "import signal,time\nsignal.signal(signal.SIGUSR2, lambda *_: exit(5))\ntime.sleep(600)"
    running = agent.start([sys.executable, "-c", text], output)
    assert until(lambda: running.catches(signal.SIGUSR2))
    assert not running.catches(signal.SIGUSR1)
    running.signal(signal.SIGUSR2)
    assert running.wait(20.0) == 5
    family = agent.start(FAMILY, output)
    assert until(lambda: len(living("sleep 60")) >= 2)
    with pytest.raises(subprocess.TimeoutExpired):
        family.wait(0.05)
    assert family.stop() < 0
    assert until(lambda: not living("sleep 601") and not living("sleep 602"))


def test_nothing_stays_when_it_is_closed() -> None:
    with Connection("user@elsewhere", local_agent()) as agent:
        folder = Path(agent.folder)
        assert folder.is_dir()
        agent.start(FAMILY, io.BytesIO())
        assert until(lambda: bool(living("sleep 601")))
    assert not folder.exists()
    assert until(lambda: not living("sleep 601") and not living("sleep 602"))


def test_an_agent_that_is_killed_takes_its_processes_with_it(agent: Connection) -> None:
    running = agent.start(SLEEPER, io.BytesIO())
    os.kill(agent.pid, signal.SIGKILL)
    assert until(lambda: is_gone(running.pid))
    assert until(lambda: _is_lost(agent))
    with pytest.raises(HostError, match="user@elsewhere: ssh ended"):
        running.poll()
    with pytest.raises(HostError):
        agent.ask("ping")
    # cleaning up is no second failure
    assert running.stop() < 0


def _worked_s() -> float:
    """What all programs of this host have had."""
    times = psutil.cpu_times()
    return float(times.user + times.nice + times.system + times.irq + times.softirq)


def _is_lost(agent: Connection) -> bool:
    try:
        agent.check()
    except HostError:
        return True
    return False


def test_an_agent_that_hears_nothing_any_more_ends_everything() -> None:
    text = connections._agent_text().partition(b"\n")[2]
    assert b"SILENCE_S = 10.0" in text
    text = text.replace(b"SILENCE_S = 10.0", b"SILENCE_S = 1.0")
    with subprocess.Popen(
        local_agent(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as agent:
        assert agent.stdin and agent.stdout
        agent.stdin.write(f"{len(text)}\n".encode() + text)
        agent.stdin.write(
            b'{"n":1,"do":"start","id":1,"cpus":[],"env":null,"grace_s":0,"command":["sleep","603"]}\n'
        )
        agent.stdin.flush()
        assert b'"agent"' in agent.stdout.readline()
        # its input stays open, as that of a host that has vanished
        assert until(lambda: bool(living("sleep 603")))
        assert agent.wait(20.0) == 1
    assert until(lambda: not living("sleep 603"))


@settings(max_examples=20, deadline=None)
@given(data=st.binary(max_size=100_000))
def test_files_come_and_go_as_they_are(data: bytes) -> None:
    # one agent for all of them
    agent = _shared()
    path = agent.put("../a name;$(x)", data)
    assert Path(path).parent == Path(agent.folder)
    assert agent.fetch(path) == data


_SHARED: list[Connection] = []


def _shared() -> Connection:
    if not _SHARED:
        _SHARED.append(Connection("user@elsewhere", local_agent()))
    return _SHARED[0]


@pytest.fixture(autouse=True, scope="module")
def _closed() -> Iterator[None]:
    yield
    for agent in _SHARED:
        agent.close()


def test_a_mistake_there_is_reported_here_and_does_not_affect_the_rest(agent: Connection) -> None:
    output = io.BytesIO()
    assert agent.start(["no-such-program"], output).wait(20.0) != 0
    assert b"no-such-program" in output.getvalue()
    with pytest.raises(HostError, match=r"user@elsewhere: FileNotFoundError.*/no/such/file"):
        agent.fetch("/no/such/file")
    assert RemoteShell(agent).run(["sh", "-c", "echo here; exit 3"]).code == 3


@pytest.mark.exclusive
def test_the_link_is_measured(agent: Connection) -> None:
    link = measure_link(agent, "127.0.0.1")
    assert 0 < link.round_trip_s < 1
    assert link.bytes_per_s > 1e6
    with pytest.raises(HostError, match="is no address of it"):
        measure_link(agent, "192.0.2.1")


def test_a_login_shell_that_greets_is_no_harm() -> None:
    greeting = ["sh", "-c", 'echo Welcome; echo "{1}"; echo "[2]"; exec "$@"', "sh", *local_agent()]
    with Connection("user@elsewhere", greeting) as agent:
        assert "now" in agent.ask("ping")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["sh", "-c", "echo python3: not found >&2; exit 127"], "has no python3; install it there"),
        (["sh", "-c", "exit 255"], r"user@elsewhere: ssh ended \(code 255\); try"),
        (["no-such-ssh"], "no no-such-ssh on this host, which --load-host needs"),
    ],
)
def test_what_never_begins_is_one_line(command: list[str], message: str) -> None:
    with pytest.raises(HostError, match=message) as error:
        Connection("user@elsewhere", command)
    assert "\n" not in str(error.value)
