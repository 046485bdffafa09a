"""A server under test: started fresh, polled until it answers, stopped for good."""

from __future__ import annotations

import http.client
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from springbench import units
from springbench.errors import CaseError
from springbench.host.cells import Cell, NoMeter
from springbench.host.ports import free_port
from springbench.host.shell import Running
from springbench.measure.at_rest import at_rest
from springbench.measure.bench import Bench
from springbench.measure.gclog import GC_LOG
from springbench.measure.http import Answer, request
from springbench.measure.records import IdleRecord
from springbench.plan import Variant

READY_CEILING_S = 90.0
READY_POLL_S = 0.005
# a server is given no time to stop gracefully: nothing is learnt from it, and the next one waits
STOP_GRACE_S = 0.0
LOG = "server.log"
LOG_TAIL_LINES = 20
# of the memory limit; what a JVM and an image need beside the heap must fit into the rest
HEAP_PERCENT = 60
# Spring Boot: Started Application in 1.234 seconds (process running for 1.6)
_STARTED_IN = re.compile(r"\bStarted \S+ in (\d+(?:\.\d+)?) seconds")
NO_CELL = Cell(list, NoMeter())


@dataclass(frozen=True)
class ServerProcess:
    """A running server."""

    running: Running
    port: int
    started_at_s: float
    cell: Cell = NO_CELL

    def check_alive(self, phase: str) -> None:
        """Raises `CaseError` when the process has ended."""
        if (code := self.running.poll()) is not None:
            raise CaseError(f"the server exited with code {code} during {phase}")

    def wait_ready(self, health: str, ceiling_s: float | None = None) -> float:
        """Seconds from process start to the first answer with status 200."""
        ceiling_s = READY_CEILING_S if ceiling_s is None else ceiling_s
        last = "refused connections"
        while (elapsed_s := time.perf_counter() - self.started_at_s) < ceiling_s:
            self.check_alive("startup")
            try:
                status = request(self.port, health, timeout_s=2.0).status
            except (OSError, http.client.HTTPException) as error:
                last = f"gave no answer ({type(error).__name__})"
            else:
                if status == http.client.OK:
                    ready_s = time.perf_counter() - self.started_at_s
                    self._check_answer_is_its_own()
                    return ready_s
                last = f"answered {status}"
            time.sleep(READY_POLL_S)
        raise CaseError(f"the server never got ready: after {elapsed_s:.0f} s {health} {last}")

    def _check_answer_is_its_own(self) -> None:
        """Raises `CaseError` when an older process listens on the port: another run's server.

        Between the choice of a port and the server's listening on it lie seconds.
        """
        try:
            began_s = psutil.Process(self.running.pid).create_time()
            for connection in psutil.net_connections(kind="tcp"):
                listens = connection.status == psutil.CONN_LISTEN
                if not (listens and connection.laddr[1:] == (self.port,) and connection.pid):
                    continue
                other = psutil.Process(connection.pid)
                if other.create_time() < began_s:
                    raise CaseError(
                        f"port {self.port} is answered by {other.name()} (pid {other.pid}), which "
                        "is older than the server: does another run go on on this host?"
                    )
        except psutil.Error:
            return  # a host that does not tell

    def check_route(self, route: str, timeout_s: float) -> Answer:
        """One answer of the route to be measured. Raises `CaseError` unless its status is 200."""
        try:
            answer = request(self.port, route, timeout_s=timeout_s)
        except (OSError, http.client.HTTPException) as error:
            raise CaseError(f"GET {route} gave no answer: {error!r}") from error
        if answer.status != http.client.OK:
            text = answer.body[:200].decode("utf-8", "replace")
            raise CaseError(f"GET {route} answered {answer.status}: {text}")
        return answer

    def idle(self) -> IdleRecord:
        """Memory, heap, threads and collections at this moment, without disturbing the server."""
        return at_rest(self.running.pid)


@contextmanager
def started(
    bench: Bench, variant: Variant, folder: Path, java_options: Sequence[str] = ()
) -> Iterator[ServerProcess]:
    """A fresh process on a free port, held to its memory; gone, with all its children, at the end.

    Whatever goes wrong with a server that the kernel killed for its memory is told as that.
    """
    port = free_port(bench.port)
    command = start_command(bench, variant, port, folder, java_options)
    environment = {
        name: text.replace("{port}", str(port)) for name, text in variant.server.environment.items()
    }
    enclosure = bench.enclosure
    with enclosure.enter(variant.id) as cell, (folder / LOG).open("wb") as output:
        begin_s = time.perf_counter() + enclosure.start_cost_s
        try:
            running = bench.shell.start(
                cell.wrap(command),
                stdout=output,
                env={**os.environ, **environment} if environment else None,
                cpus=bench.cpus.server,
            )
        except OSError as error:
            raise CaseError(f"{command[0]} cannot be started: {error.strerror}") from error
        try:
            yield ServerProcess(running, port, begin_s, cell)
        except CaseError as error:
            if cell.oom_killed():
                limit = units.memory_limit(enclosure.limit_bytes)
                raise CaseError(f"out of memory at {limit}") from error
            raise
        finally:
            running.stop(STOP_GRACE_S)


def started_in_s(folder: Path) -> float | None:
    """What the server itself says of its start in its log; None where it says nothing."""
    try:
        text = (folder / LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    match = _STARTED_IN.search(text)
    return float(match[1]) if match else None


def log_tail(folder: Path) -> list[str]:
    """The last lines that the server of a fork printed."""
    try:
        text = (folder / LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.splitlines()[-LOG_TAIL_LINES:]


def start_command(
    bench: Bench, variant: Variant, port: int, folder: Path, java_options: Sequence[str] = ()
) -> list[str]:
    """The runtime's command with its places filled in."""
    return fill(
        variant.runtime.start,
        start_places(bench, variant, port, folder, bench.prepared.get(variant.id)),
        start_properties(bench, variant, port),
        java_options,
    )


def start_properties(bench: Bench, variant: Variant, port: int) -> dict[str, str]:
    """The properties that the server is given: its port, its model's, the upstream's address."""
    properties = {"server.port": str(port), **variant.model.properties_for(variant.server.id)}
    if bench.upstream:
        properties["springbench.upstream.url"] = bench.upstream.url
    return properties


def start_places(
    bench: Bench, variant: Variant, port: int, folder: Path, prepared: Path | None
) -> dict[str, str]:
    """What stands for the places of a command; `folder` takes the collector's log."""
    artifact = bench.artifact(variant)
    limit_bytes = bench.enclosure.limit_bytes
    return {
        "java": str(bench.java),
        "artifact": str(artifact),
        "jar_name": artifact.name,
        "prepared": str(prepared or ""),
        "memory_limit_bytes": str(limit_bytes),
        "heap_bytes": str(limit_bytes * HEAP_PERCENT // 100),
        "server_cpus": str(len(bench.cpus.server) or os.cpu_count()),
        "port": str(port),
        "gc_log": str(folder / GC_LOG),
    }


def fill(
    template: Sequence[str],
    places: Mapping[str, str],
    properties: Mapping[str, str],
    java_options: Sequence[str] = (),
) -> list[str]:
    """A command of `matrix.toml`, with one word for each property where it asks for them."""
    command: list[str] = []
    for part in template:
        if part == "{properties}":
            command += [f"--{key}={value}" for key, value in properties.items()]
        else:
            command.append(part.format_map(places))
        if part == "{java}":
            command += java_options
    return command
