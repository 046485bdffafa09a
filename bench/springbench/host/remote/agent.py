"""The other end of a connection: starts what it is asked to there, and reports on it.

For any Python from 3.8 on, with nothing but its standard library: ssh hands it over, and nothing of
it stays. Lines of JSON come in and go out (`connection.py`):

- in: `{"n": 7, "do": "start", ...}`; out: `{"n": 7, "ok": {...}}` or `{"n": 7, "error": "..."}`
- `put` is followed by as many bytes as its `bytes` says; so is an answer with `bytes`
- out, unasked: `{"id": 3, "at": 12.3, "read": 4711, "requests": 60, "written": 4080, "cpu": 0.5,
  "stolen": 0.0, "others": 1.5}`, `{"id": 3, "code": 0}`

It ends all that it started when its input ends, or when nothing was heard for a while: a host that
vanished sends no end.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Dict, NamedTuple  # noqa: UP035 - read by Python 3.8

# by its whole name: the package itself is not there
from springbench.host.ends_with import ends_with_this
from springbench.host.environment import measured_environment
from springbench.host.facts.cpu_times import cpu_times
from springbench.host.topology import core_kinds

_SCHEDULER_CLOCK = 2
_PIECE_BYTES = 1 << 16
SAMPLE_INTERVAL_S = 0.05
# the other end says something every second
SILENCE_S = 10.0
Message = Dict[str, Any]  # noqa: UP006


def sample(pid: int) -> dict[str, Any]:
    """Bytes that a process has read, its writes and its CPU time, with the time of the sample."""
    lines = read(f"/proc/{pid}/io").splitlines()
    at_s = time.perf_counter()
    counters = {name: int(value) for name, value in (line.split(": ") for line in lines)}
    counts = {"read": "rchar", "requests": "syscw", "written": "wchar"}
    found = {name: counters.get(field) for name, field in counts.items()}
    return {"at": at_s, **found, "cpu": cpu_time_s(pid)}


def cpu_time_s(pid: int) -> float | None:
    """CPU time of a process, as measure/readings/tree.py has it; None once it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | _SCHEDULER_CLOCK)
    except OSError:
        return None


def host_times(cpus: frozenset[int], own_pids: list[int]) -> dict[str, Any]:
    """What the hypervisor took of these CPUs, and what programs had there that are none of ours.

    In seconds since some moment; none where nothing tells.
    """
    times = cpu_times(cpus)
    if times is None:
        return {"stolen": None, "others": None}
    own_s = time.process_time() + sum(cpu_time_s(pid) or 0.0 for pid in own_pids)
    return {"stolen": times.stolen_s, "others": times.worked_s - own_s}


def catches(pid: int, number: int) -> bool:
    """Whether a process has a handler for a signal by now; True where nothing tells."""
    lines = read(f"/proc/{pid}/status").splitlines()
    caught = next((line.split()[1] for line in lines if line.startswith("SigCgt:")), None)
    return caught is None or bool(int(caught, 16) >> (number - 1) & 1)


def link_figures(link: socket.socket, round_trips: int, for_s: float) -> dict[str, Any]:
    """Seconds of the median round trip of a byte, and bytes a second that come this way."""
    times_s = []
    for _ in range(round_trips):
        begin_s = time.perf_counter()
        link.sendall(b"e")
        if not link.recv(1):
            raise OSError("the other end has closed the link")
        times_s.append(time.perf_counter() - begin_s)
    link.sendall(b"d")
    begin_s, received_bytes = time.perf_counter(), 0
    while time.perf_counter() - begin_s < for_s:
        piece = link.recv(_PIECE_BYTES)
        if not piece:
            break
        received_bytes += len(piece)
    took_s = time.perf_counter() - begin_s
    return {
        "round_trip_s": sorted(times_s)[len(times_s) // 2],
        "bytes_per_s": received_bytes / took_s,
    }


def facts() -> dict[str, Any]:
    """This host, as far as a load asks. The limit of open files is raised as far as it may be."""
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    # each connection is a file
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    return {
        "system": platform.system(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "cpu_model": _cpu_model(),
        "kinds": [[sorted(core) for core in kind] for kind in core_kinds(usable)],
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "files": files,
        "ports": [int(port) for port in read("/proc/sys/net/ipv4/ip_local_port_range").split()],
        "cache": str(
            Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "springbench")
        ),
        "ssh_connection": os.environ.get("SSH_CONNECTION", "").split(),
    }


def _cpu_model() -> str:
    for line in read("/proc/cpuinfo").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Model"):
            return value.strip()
    return platform.processor()


def read(path: str) -> str:
    """A file's text; empty where there is none."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


class Started(NamedTuple):
    """A process, the file that has what it prints, and how long it may take to end in order."""

    process: subprocess.Popen[bytes]
    log: Path
    grace_s: float


class Agent:
    """What goes on for one connection."""

    def __init__(self, heard: IO[bytes], out: IO[bytes], silence_s: float = SILENCE_S) -> None:
        self._in, self._out, self._silence_s = heard, out, silence_s
        self._writing, self._lock, self._ending = (threading.Lock() for _ in range(3))
        self._started: dict[int, Started] = {}
        self._cpus: set[int] = set()
        self._doing, self._heard_s = False, time.monotonic()
        self.folder = Path(tempfile.mkdtemp(prefix="springbench-"))

    def serve(self) -> None:
        """Do what comes in until nothing comes any more."""
        threading.Thread(target=self._sample, daemon=True).start()
        self._send({"agent": 1, "folder": str(self.folder)})
        for line in iter(self._in.readline, b""):
            self._doing = True
            message = json.loads(line)
            try:
                done = getattr(self, "do_" + message["do"])(message)
            except Exception as error:
                self._send({"n": message["n"], "error": f"{type(error).__name__}: {error}"})
            else:
                data = done.pop("data", None)
                self._send({"n": message["n"], "ok": done}, data)
            self._doing, self._heard_s = False, time.monotonic()

    def end(self) -> None:
        """End all that was started."""
        # a second thread that finds the other end gone waits for the first
        with self._ending:
            with self._lock:
                started = list(self._started.values())
            end_s = time.monotonic() + max((child.grace_s for child in started), default=0.0)
            for child in started:
                _terminate(child) if child.grace_s else _signal_group(child.process, signal.SIGKILL)
            for child in started:
                with suppress(subprocess.TimeoutExpired):
                    child.process.wait(max(0.0, end_s - time.monotonic()))
                _signal_group(child.process, signal.SIGKILL)
            shutil.rmtree(str(self.folder), ignore_errors=True)

    def do_ping(self, _: Message) -> Message:
        return {"now": time.perf_counter()}

    def do_facts(self, _: Message) -> Message:
        return facts()

    def do_which(self, message: Message) -> Message:
        return {name: shutil.which(name) for name in message["names"]}

    def do_put(self, message: Message) -> Message:
        # first of all: what follows is the next line
        data = self._in.read(message["bytes"])
        path = self.folder / Path(message["name"]).name
        path.write_bytes(data)
        path.chmod(0o700 if message["runs"] else 0o600)
        return {"path": str(path)}

    def do_get(self, message: Message) -> Message:
        return {"data": Path(message["path"]).read_bytes()}

    def do_run(self, message: Message) -> Message:
        done = subprocess.run(
            message["command"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=message["timeout_s"],
            check=False,
        )
        out, err = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
        return {"code": done.returncode, "stdout": out, "stderr": err}

    def do_start(self, message: Message) -> Message:
        log = self.folder / f"{message['id']}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                _held(message["command"], message["cpus"], in_order=message["grace_s"] > 0),
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=measured_environment(message["env"]),
                cwd=str(self.folder),
                start_new_session=True,
            )
        with self._lock:
            self._started[message["id"]] = Started(process, log, message["grace_s"])
            self._cpus |= set(message["cpus"] or os.sched_getaffinity(0))
        return {"pid": process.pid, "log": str(log)}

    def do_signal(self, message: Message) -> Message:
        process = self._started[message["id"]].process
        if process.poll() is None:
            process.send_signal(message["number"])
        return {}

    def do_catches(self, message: Message) -> Message:
        pid = self._started[message["id"]].process.pid
        return {"catches": catches(pid, message["number"])}

    def do_sample(self, message: Message) -> Message:
        return {**sample(self._started[message["id"]].process.pid), **self._host()}

    def do_stop(self, message: Message) -> Message:
        started = self._started[message["id"]]
        process = started.process
        _signal_group(process, signal.SIGCONT)
        _terminate(started)
        with suppress(subprocess.TimeoutExpired):
            process.wait(message["grace_s"])
        _signal_group(process, signal.SIGKILL)
        return {"code": process.wait()}

    def do_connect(self, message: Message) -> Message:
        socket.create_connection((message["address"], message["port"]), 5.0).close()
        return {}

    def do_free_port(self, message: Message) -> Message:
        with socket.socket() as probe:
            probe.bind((message["address"], 0))
            return {"port": probe.getsockname()[1]}

    def do_link(self, message: Message) -> Message:
        with socket.create_connection((message["address"], message["port"]), 5.0) as link:
            link.settimeout(5.0)
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return link_figures(link, message["round_trips"], message["for_s"])

    def _send(self, message: Message, data: bytes | None = None) -> None:
        if data is not None:
            message["bytes"] = len(data)
        try:
            with self._writing:
                self._out.write(json.dumps(message).encode() + b"\n" + (data or b""))
                self._out.flush()
        except OSError:
            self._leave()

    def _sample(self) -> None:
        ended: set[int] = set()
        while True:
            begin_s = time.monotonic()
            if not self._doing and begin_s - self._heard_s > self._silence_s:
                self._leave()
            with self._lock:
                living = [item for item in self._started.items() if item[0] not in ended]
            host = self._host() if living else {}
            for key, started in living:
                # asked first: what is read afterwards may be the last
                code = started.process.poll()
                self._send({"id": key, **sample(started.process.pid), **host})
                if code is not None:
                    ended.add(key)
                    self._send({"id": key, "code": code})
            time.sleep(max(0.0, SAMPLE_INTERVAL_S - (time.monotonic() - begin_s)))

    def _host(self) -> Message:
        with self._lock:
            cpus = frozenset(self._cpus)
            own_pids = [child.process.pid for child in self._started.values()]
        return host_times(cpus, own_pids)

    def _leave(self) -> None:
        self.end()
        os._exit(1)


def _held(command: list[str], cpus: list[int], *, in_order: bool) -> list[str]:
    """The command behind helpers that exec it: it ends with this script, and stays on its CPUs."""
    prefix = ends_with_this("TERM" if in_order else "KILL")
    if cpus:
        prefix += ["taskset", "--cpu-list", ",".join(map(str, cpus))]
    return prefix + command


def _terminate(started: Started) -> None:
    """What ends in order does so with children of its own, which must not be ended under it."""
    if not started.grace_s:
        _signal_group(started.process, signal.SIGTERM)
    elif started.process.poll() is None:
        started.process.send_signal(signal.SIGTERM)


def _signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def main() -> None:
    """Serve standard input and output until the other end is done, or gone."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    agent = Agent(sys.stdin.buffer, sys.stdout.buffer)
    try:
        agent.serve()
    finally:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        agent.end()
