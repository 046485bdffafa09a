"""The database: one process for a run, its table made once and kept between runs.

What servers need of it reaches them through their environment.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from springbench.errors import CaseError, ConfigurationError
from springbench.host.shell import Running, Shell
from springbench.matrix.workloads import DatabaseTable
from springbench.measure.services.database_launcher import (
    DatabaseSpec,
    command_of,
    password_of,
    wait_ready,
)
from springbench.measure.services.http import HOST, get_json

MODULE = "servers/database"
ARTIFACT = "target/database.jar"
# PostgreSQL writes what it has in memory and closes its files
STOP_GRACE_S = 20.0


@dataclass(frozen=True)
class Database:
    """A database that is ready to be read."""

    running: Running
    address: str
    user: str
    stats_port: int
    pool_size: int
    password: str = field(default="", repr=False)
    stats_host: str = HOST

    def check_alive(self, phase: str) -> None:
        """Raises `CaseError` when the launcher, and with it the database, has ended."""
        if (code := self.running.poll()) is not None:
            raise CaseError(f"the database exited with code {code} during {phase}")

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of a server that reads from it."""
        return {
            "SPRINGBENCH_DATABASE_ADDRESS": self.address,
            "SPRINGBENCH_DATABASE_USER": self.user,
            "SPRINGBENCH_DATABASE_PASSWORD": self.password,
            "SPRINGBENCH_DATABASE_POOL_SIZE": str(self.pool_size),
        }

    def active_s(self) -> float | None:
        """Time that all connections together spent in statements so far; None when unknown."""
        active_ms = self._stat("active_ms")
        return None if active_ms is None else active_ms / 1000

    def statements(self) -> float | None:
        """How many it has executed so far, without those that control transactions; None when
        unknown."""
        return self._stat("statements")

    def _stat(self, name: str) -> float | None:
        try:
            return float(get_json(self.stats_port, "/stats", host=self.stats_host)[name])
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
            return None


@dataclass(frozen=True)
class BusyConnections:
    """A look at the database when a load begins, and at its end how busy it was meanwhile."""

    database: Database
    began_s: float
    active_s: float | None

    @classmethod
    def begin(cls, database: Database) -> BusyConnections:
        """The first look."""
        return cls(database, time.monotonic(), database.active_s())

    def end(self) -> float | None:
        """How many connections were in a statement on average (Little, 1961); None if not known."""
        now_s, active_s = time.monotonic(), self.database.active_s()
        if self.active_s is None or active_s is None or now_s <= self.began_s:
            return None
        return (active_s - self.active_s) / (now_s - self.began_s)


@contextmanager
def started(
    shell: Shell,
    spec: DatabaseSpec,
    log: Path,
    cpus: frozenset[int],
    env: Mapping[str, str] | None = None,
) -> Iterator[Database]:
    """A database with its table; how far the making of the table is, is logged.

    `env` is the launcher's environment; on another host it is what that host defines.

    Raises `ConfigurationError` where a given server must not or cannot be used, `HostError` where
    this host cannot run one.
    """
    with log.open("wb") as output:
        running = shell.start(command_of(spec), stdout=output, cpus=cpus, env=env)
        try:
            ready = wait_ready(running, log)
            database = _database(running, ready, spec)
            _check_connections(int(ready["max_connections"]), spec.table)
            yield database
        finally:
            running.stop(STOP_GRACE_S)


def _database(running: Running, ready: Mapping[str, Any], spec: DatabaseSpec) -> Database:
    return Database(
        running,
        address=str(ready["address"]),
        user=str(ready["user"]),
        stats_port=int(ready["stats_port"]),
        pool_size=spec.table.pool_size,
        password=password_of(spec),
        stats_host=spec.host.address if spec.host else HOST,
    )


def _check_connections(allowed: int, table: DatabaseTable) -> None:
    if table.pool_size >= allowed:
        raise ConfigurationError(
            f"the database lets in {allowed} connections, the pool of matrix.toml has "
            f"{table.pool_size}; make [database] pool_size smaller"
        )
