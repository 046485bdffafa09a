"""The slow upstream: one process for a run, its counters reset before each load."""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from springbench.errors import CaseError, HostError
from springbench.host.environment import measured_environment
from springbench.host.ports import free_port
from springbench.host.shell import Running, Shell
from springbench.measure.services.http import HOST, get_json, in_url, request

MODULE = "servers/slow-upstream"
ARTIFACT = "target/slow-upstream.jar"
READY_CEILING_S = 30.0


@dataclass(frozen=True)
class Upstream:
    """A running slow upstream."""

    running: Running
    port: int
    address: str = HOST

    @property
    def url(self) -> str:
        return f"http://{in_url(self.address)}:{self.port}"

    def check_alive(self, phase: str) -> None:
        """Raises `CaseError` when the process has ended."""
        if (code := self.running.poll()) is not None:
            raise CaseError(f"the slow upstream exited with code {code} during {phase}")

    def reset(self) -> None:
        """Start the delay sequence and the counters anew, so that every load sees the same.

        Raises `CaseError` when it does not answer.
        """
        try:
            request(self.port, "/stats/reset", timeout_s=5.0, method="POST", host=self.address)
        except (OSError, http.client.HTTPException) as error:
            raise CaseError(f"the slow upstream gave no answer: {error!r}") from error

    def stats(self) -> dict[str, Any]:
        """Counts since the last reset. Raises `OSError` or `HTTPException`."""
        return get_json(self.port, "/stats", host=self.address)

    def lateness_max_s(self) -> float | None:
        """How late its own timer was at worst since the last reset; None when it cannot say."""
        try:
            return float(self.stats()["lateness_max_ms"]) / 1000
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
            return None


@contextmanager
def started(
    shell: Shell,
    java: Path,
    jar: Path,
    log: Path,
    cpus: frozenset[int],
    options: tuple[str, ...] = (),
    address: str = HOST,
    port: int | None = None,
) -> Iterator[Upstream]:
    """A slow upstream that answers. Raises `HostError` with its last lines when it does not.

    On another host `shell` starts it there, on the `address` and a `port` of that host, in the
    environment that this host defines.
    """
    env = measured_environment() if address == HOST else None
    port = port or free_port(None)
    if address != HOST:
        options = (*options, f"--host={address}")
    command = [str(java), "-Xmx256m", "-XX:+UseSerialGC", "-jar", str(jar)]
    with log.open("wb") as output:
        running = shell.start(
            [*command, f"--port={port}", *options], stdout=output, cpus=cpus, env=env
        )
        try:
            upstream = Upstream(running, port, address)
            _wait_ready(upstream, log)
            yield upstream
        finally:
            running.stop(1.0)


def _wait_ready(upstream: Upstream, log: Path) -> None:
    end_s = time.monotonic() + READY_CEILING_S
    while time.monotonic() < end_s and upstream.running.poll() is None:
        try:
            get_json(upstream.port, "/stats", timeout_s=1.0, host=upstream.address)
        except (OSError, http.client.HTTPException, ValueError):
            time.sleep(0.02)
        else:
            return
    tail = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-3:]
    raise HostError(f"the slow upstream did not start; it printed: {' | '.join(tail)}")
