"""Programs that a server needs beside it: a database, a stub; one of each for a run."""

from __future__ import annotations

import http.client
import logging
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from springbench.errors import CaseError, HostError
from springbench.host.environment import OF_CONTAINERS, measured_environment, passed
from springbench.host.ports import holder
from springbench.host.shell import Running, Shell
from springbench.matrix.servers import Need
from springbench.measure.services.http import HOST, request

logger = logging.getLogger(__name__)

_TICK_S = 0.05
_STOP_TIMEOUT_S = 60.0
_LAST_LINES = 3


@dataclass(frozen=True)
class Wanted:
    """A program, and the folder that it starts in."""

    need: Need
    folder: Path


@dataclass(frozen=True)
class Needed:
    """A program that is ready."""

    need: Need
    running: Running
    log: Path

    def check_alive(self, phase: str) -> None:
        """Raises `CaseError` when it has failed; one that ended well may have left another."""
        if code := self.running.poll():
            raise CaseError(
                f"{self.need.name}, which the service needs, exited with code {code} during "
                f"{phase}{_last_words(self.log)}"
            )


@contextmanager
def all_started(
    wanted: Iterable[Wanted], shell: Shell, cpus: frozenset[int]
) -> Iterator[tuple[Needed, ...]]:
    """Each of them ready, one after the other; ended in the other order.

    Raises `HostError` for one that does not become ready, with its last lines.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        found = []
        for at, each in enumerate(wanted):
            logger.info(f"{each.need.name}: starting, for the service needs it")
            log = folder / f"{at}.log"
            found.append(stack.enter_context(_started(each, shell, cpus, log)))
        yield tuple(found)


@contextmanager
def _started(wanted: Wanted, shell: Shell, cpus: frozenset[int], log: Path) -> Iterator[Needed]:
    need = wanted.need
    own = passed(("JAVA_HOME", *OF_CONTAINERS, *need.pass_env)) | need.environment
    env = measured_environment(own)
    if _is_ready(need):
        raise HostError(
            f"{need.name}: port {need.port} is taken by {holder(need.port)}; stop that process: "
            "the service would be measured beside it"
        )
    with log.open("wb") as output:
        try:
            running = shell.start(
                need.command, stdout=output, env=env, cpus=cpus, cwd=wanted.folder
            )
        except OSError as error:
            raise HostError(f"{need.name}: {need.command[0]}: {error.strerror}") from error
        try:
            _wait_ready(need, running, log)
            yield Needed(need, running, log)
        finally:
            running.stop()
            if need.stop:
                # what was measured is not lost over it
                with suppress(OSError, subprocess.TimeoutExpired):
                    shell.run(need.stop, cwd=wanted.folder, env=env, timeout_s=_STOP_TIMEOUT_S)


def _wait_ready(need: Need, running: Running, log: Path) -> None:
    end_s = time.monotonic() + need.ready_s
    while not _is_ready(need):
        if code := running.poll():
            raise HostError(f"{need.name}: exited with code {code}{_last_words(log)}")
        if time.monotonic() > end_s:
            asked = f"GET {need.health}" if need.health else "a connection"
            raise HostError(
                f"{need.name}: not ready after {need.ready_s:.0f} s: {asked} on port {need.port} "
                f"got no answer{_last_words(log)}"
            )
        time.sleep(_TICK_S)


def _is_ready(need: Need) -> bool:
    try:
        if need.health:
            return request(need.port, need.health, timeout_s=1.0).status == http.client.OK
        socket.create_connection((HOST, need.port), timeout=1.0).close()
    except (OSError, http.client.HTTPException):
        return False
    return True


def _last_words(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return f"; it printed: {' | '.join(lines[-_LAST_LINES:])}" if lines else ""
