"""Services that `[[services]]` declares: a database, a stub; one of each for a run."""

from __future__ import annotations

import http.client
import logging
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.errors import CaseError, HostError
from springbench.host.environment import OF_CONTAINERS, measured_environment, passed
from springbench.host.ports import holder
from springbench.host.shell import Running, Shell
from springbench.matrix.servers import ServiceSpec
from springbench.measure.readings.tree import TreeReadings
from springbench.measure.services.http import HOST, request

logger = logging.getLogger(__name__)

_TICK_S = 0.05
_REST_TICK_S = 0.005
# so many ticks one after the other: in a single one another process may have had the CPU
_REST_TICKS = 2
REST_CEILING_S = 0.5
# how long services are observed without a request
_IDLE_LOOK_S = 0.5
# of a CPU: less is always idle; more never is, since a service that works has more
IDLE_RATIO, MOST_IDLE_RATIO = 0.1, 0.3
# idle is up to so many times what was seen
_IDLE_MARGIN = 1.5
_STOP_TIMEOUT_S = 60.0
_LAST_LINES = 3


@dataclass(frozen=True)
class DeclaredService:
    """A program, and the folder that it starts in."""

    spec: ServiceSpec
    folder: Path


@dataclass(frozen=True)
class RunningService:
    """A program that is ready."""

    spec: ServiceSpec
    running: Running
    log: Path
    readings: TreeReadings
    idle_cpus: float = 0.0
    """How many CPUs it used without a request."""

    def check_alive(self, phase: str) -> None:
        """Raises `CaseError` when it has failed; one that ended well may have left another."""
        if code := self.running.poll():
            raise CaseError(
                f"{self.spec.name}, which the service needs, exited with code {code} during "
                f"{phase}{_last_words(self.log)}"
            )


def services_cpu_s(services: Sequence[RunningService]) -> float | None:
    """CPU time that all of them have used so far; None where nothing tells. What containers use is
    not theirs."""
    found = [service.readings.cpu_time_s() for service in services]
    known = [used_s for used_s in found if used_s is not None]
    return sum(known) if known and len(known) == len(found) else None


def rested_services_cpu_s(services: Sequence[RunningService]) -> float | None:
    """The same once they are idle, or `REST_CEILING_S` are over: they finish what they were asked
    by a server that is paused."""
    seen = _IDLE_MARGIN * sum(service.idle_cpus for service in services)
    idle_ratio = min(MOST_IDLE_RATIO, max(IDLE_RATIO, seen))
    used_s, end_s, idle = services_cpu_s(services), time.monotonic() + REST_CEILING_S, 0
    while used_s is not None and idle < _REST_TICKS and time.monotonic() < end_s:
        time.sleep(_REST_TICK_S)
        before_s, used_s = used_s, services_cpu_s(services)
        more_s = (used_s or 0.0) - before_s
        idle = idle + 1 if more_s < idle_ratio * _REST_TICK_S else 0
    return used_s


@contextmanager
def all_started(
    services: Iterable[DeclaredService], shell: Shell, cpus: frozenset[int]
) -> Iterator[tuple[RunningService, ...]]:
    """Each service ready, one after the other; ended in the other order.

    Raises `HostError` for one that does not become ready, with its last lines.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        running = []
        for number, service in enumerate(services):
            logger.info(f"{service.spec.name}: starting, for the service needs it")
            log = folder / f"{number}.log"
            running.append(stack.enter_context(_started(service, shell, cpus, log)))
        yield tuple(_with_idle_cpus(running))


def _with_idle_cpus(services: Sequence[RunningService]) -> list[RunningService]:
    """The same with the CPUs that each uses without a request."""
    before_s = [service.readings.cpu_time_s() for service in services]
    if not any(used_s is not None for used_s in before_s):
        return list(services)
    time.sleep(_IDLE_LOOK_S)
    return [
        replace(
            service, idle_cpus=((service.readings.cpu_time_s() or 0) - (used_s or 0)) / _IDLE_LOOK_S
        )
        for service, used_s in zip(services, before_s, strict=True)
    ]


@contextmanager
def _started(
    service: DeclaredService, shell: Shell, cpus: frozenset[int], log: Path
) -> Iterator[RunningService]:
    spec = service.spec
    variables = passed(("JAVA_HOME", *OF_CONTAINERS, *spec.pass_env)) | spec.environment
    env = measured_environment(variables)
    if _is_ready(spec):
        raise HostError(
            f"{spec.name}: port {spec.port} is taken by {holder(spec.port)}; stop that process: "
            "the service would be measured beside it"
        )
    with log.open("wb") as output:
        try:
            running = shell.start(
                spec.command, stdout=output, env=env, cpus=cpus, cwd=service.folder
            )
        except OSError as error:
            raise HostError(f"{spec.name}: {spec.command[0]}: {error.strerror}") from error
        try:
            _wait_ready(spec, running, log)
            yield RunningService(spec, running, log, TreeReadings(running.tree))
        finally:
            running.stop()
            if spec.stop:
                # what was measured is not lost over it
                with suppress(OSError, subprocess.TimeoutExpired):
                    shell.run(spec.stop, cwd=service.folder, env=env, timeout_s=_STOP_TIMEOUT_S)


def _wait_ready(spec: ServiceSpec, running: Running, log: Path) -> None:
    end_s = time.monotonic() + spec.ready_s
    while not _is_ready(spec):
        if code := running.poll():
            raise HostError(f"{spec.name}: exited with code {code}{_last_words(log)}")
        if time.monotonic() > end_s:
            expected = f"GET {spec.health}" if spec.health else "a connection"
            raise HostError(
                f"{spec.name}: not ready after {spec.ready_s:.0f} s: {expected} on port "
                f"{spec.port} got no answer{_last_words(log)}"
            )
        time.sleep(_TICK_S)


def _is_ready(spec: ServiceSpec) -> bool:
    try:
        if spec.health:
            return request(spec.port, spec.health, timeout_s=1.0).status == http.client.OK
        socket.create_connection((HOST, spec.port), timeout=1.0).close()
    except (OSError, http.client.HTTPException):
        return False
    return True


def _last_words(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return f"; it printed: {' | '.join(lines[-_LAST_LINES:])}" if lines else ""
