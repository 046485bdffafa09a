"""A server under test: started fresh, polled until it answers, stopped for good."""

from __future__ import annotations

import http.client
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from springbench import units
from springbench.errors import CaseError
from springbench.host.cells import Cell, NoMeter
from springbench.host.ports import free_port
from springbench.host.shell import Running
from springbench.matrix import PROPERTIES_PLACE, SYSTEM_PROPERTIES_PLACE
from springbench.measure.bench import Bench
from springbench.measure.gclog import GC_LOG
from springbench.measure.http import Answer, request
from springbench.measure.records import IdleRecord
from springbench.plan import Variant
from springbench.rows import Workload

READY_CEILING_S = 90.0
READY_POLL_S = 0.005
# a server is given no time to stop gracefully: nothing is learnt from it, and the next one waits
STOP_GRACE_S = 0.0
LOG = "server.log"
LOG_TAIL_LINES = 20
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
        """Memory and threads at this moment."""
        try:
            process = psutil.Process(self.running.pid)
            return IdleRecord(rss_bytes=process.memory_info().rss, threads=process.num_threads())
        except psutil.Error:
            return IdleRecord()


@contextmanager
def started(
    bench: Bench,
    variant: Variant,
    folder: Path,
    connections: int,
    java_options: Sequence[str] = (),
    workload: Workload | None = None,
) -> Iterator[ServerProcess]:
    """A fresh process on a free port, held to its memory; gone, with all its children, at the end.

    Whatever goes wrong with a server that the kernel killed for its memory is told as that.
    """
    port = free_port(bench.port)
    command = start_command(bench, variant, port, folder, connections, java_options, workload)
    with_database = workload is not None and "database" in workload.needs
    # a password on a command line is everybody's
    env = bench.database.env(os.environ) if bench.database and with_database else None
    enclosure = bench.enclosure
    with enclosure.enter(variant.id) as cell, (folder / LOG).open("wb") as output:
        begin_s = time.perf_counter() + enclosure.start_cost_s
        try:
            running = bench.shell.start(
                cell.wrap(command), stdout=output, env=env, cpus=bench.cpus.server
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


def log_tail(folder: Path) -> list[str]:
    """The last lines that the server of a fork printed."""
    try:
        text = (folder / LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.splitlines()[-LOG_TAIL_LINES:]


def start_command(
    bench: Bench,
    variant: Variant,
    port: int,
    folder: Path,
    connections: int,
    java_options: Sequence[str] = (),
    workload: Workload | None = None,
) -> list[str]:
    """The runtime's command with its places filled in, for a load of so many connections."""
    own = variant.model.properties_for(variant.server.id, connections)
    properties = {"server.port": str(port), **own}
    if bench.upstream:
        properties["springbench.upstream.url"] = bench.upstream.url
    properties |= workload.properties if workload else {}
    places = {
        "java": str(bench.java),
        "artifact": str(bench.artifact(variant)),
        "memory_limit_bytes": str(bench.enclosure.limit_bytes),
        "server_cpus": str(len(bench.cpus.server) or os.cpu_count()),
        "port": str(port),
        "gc_log": str(folder / GC_LOG),
    }
    command: list[str] = []
    for part in variant.runtime.start:
        if part == PROPERTIES_PLACE:
            command += [f"--{key}={value}" for key, value in properties.items()]
        elif part == SYSTEM_PROPERTIES_PLACE:
            system = variant.model.system_properties
            command += [f"-D{key}={value}" for key, value in system.items()]
        else:
            command.append(part.format_map(places))
        if part == "{java}":
            command += java_options
    return command
