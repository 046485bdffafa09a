"""The database: one process for a run, its table made once and kept between runs.

A launcher starts a PostgreSQL of its own, or watches the one that `SPRINGBENCH_DB_URL` points to.
It speaks in lines of JSON; what servers need of it reaches them through their environment.
"""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from springbench.errors import CaseError, ConfigurationError, HostError
from springbench.host.ports import free_port
from springbench.host.shell import Running, Shell
from springbench.matrix import rows
from springbench.measure.services.http import get_json

MODULE = "servers/database"
ARTIFACT = "target/database.jar"
URL_VARIABLE = "SPRINGBENCH_DB_URL"
# longest silence while the table is made: its index takes a while on a slow disk
SILENCE_CEILING_S = 240.0
# PostgreSQL writes what it has in memory and closes its files
STOP_GRACE_S = 20.0
POLL_S = 0.05
_REFUSED = 2


@dataclass(frozen=True)
class Database:
    """A database that is ready to be read."""

    running: Running
    address: str
    user: str
    stats_port: int
    pool_size: int
    password: str = field(default="", repr=False)

    def check_alive(self, phase: str) -> None:
        """Raises `CaseError` when the launcher, and with it the database, has ended."""
        if (code := self.running.poll()) is not None:
            raise CaseError(f"the database exited with code {code} during {phase}")

    def env(self, base: Mapping[str, str]) -> dict[str, str]:
        """The environment of a server that reads from it, on top of `base`."""
        return {
            **{name: value for name, value in base.items() if name != URL_VARIABLE},
            "SPRINGBENCH_DATABASE_ADDRESS": self.address,
            "SPRINGBENCH_DATABASE_USER": self.user,
            "SPRINGBENCH_DATABASE_PASSWORD": self.password,
            "SPRINGBENCH_DATABASE_POOL_SIZE": str(self.pool_size),
        }

    def active_s(self) -> float | None:
        """Time that all connections together spent in statements so far; None when not told."""
        try:
            return float(get_json(self.stats_port, "/stats")["active_ms"]) / 1000
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
        """How many connections were in a statement on average (Little, 1961); None if not told."""
        now_s, active_s = time.monotonic(), self.database.active_s()
        if self.active_s is None or active_s is None or now_s <= self.began_s:
            return None
        return (active_s - self.active_s) / (now_s - self.began_s)


@dataclass(frozen=True)
class Wanted:
    """Request to the launcher. `data` is kept between runs."""

    java: Path
    jar: Path
    data: Path
    table: rows.DatabaseTable
    seed_existing: bool = False


@contextmanager
def started(
    shell: Shell,
    wanted: Wanted,
    log: Path,
    cpus: frozenset[int],
    notify: Callable[[str], None],
) -> Iterator[Database]:
    """A database with its table. `notify` is told how far the making of the table is.

    Raises `ConfigurationError` where a given server must not or cannot be used, `HostError` where
    this host cannot run one.
    """
    with log.open("wb") as output:
        running = shell.start(_command(wanted), stdout=output, cpus=cpus)
        try:
            ready = _wait_ready(running, log, notify)
            database = _database(running, ready, wanted)
            _check_connections(int(ready["max_connections"]), wanted.table)
            yield database
        finally:
            running.stop(STOP_GRACE_S)


def is_given() -> bool:
    """Whether a person points to a server of their own."""
    return bool(os.environ.get(URL_VARIABLE, "").strip())


def _command(wanted: Wanted) -> list[str]:
    command = [str(wanted.java), "-Xmx256m", "-XX:+UseSerialGC", "-jar", str(wanted.jar)]
    command += [f"--rows={wanted.table.rows}"]
    if is_given():
        return [*command, "--existing", *(["--seed"] if wanted.seed_existing else [])]
    return [
        *command,
        f"--data={wanted.data}",
        f"--port={free_port()}",
        f"--max-connections={wanted.table.max_connections}",
    ]


def _database(running: Running, ready: Mapping[str, Any], wanted: Wanted) -> Database:
    return Database(
        running,
        address=str(ready["address"]),
        user=str(ready["user"]),
        stats_port=int(ready["stats_port"]),
        pool_size=wanted.table.pool_size,
        # the launcher never says it
        password=unquote(urlsplit(os.environ[URL_VARIABLE].strip()).password or "")
        if is_given()
        else "",
    )


def _check_connections(allowed: int, table: rows.DatabaseTable) -> None:
    if table.pool_size >= allowed:
        raise ConfigurationError(
            f"the database lets in {allowed} connections, the pool of matrix.toml has "
            f"{table.pool_size}; make [database] pool_size smaller"
        )


def _wait_ready(running: Running, log: Path, notify: Callable[[str], None]) -> dict[str, Any]:
    """The launcher's `ready`. Progress is told on the way."""
    heard, heard_at_s = 0, time.monotonic()
    while True:
        # asked before its last words are read, so that none are missed
        code = running.poll()
        events = list(_events(log))
        for event in events[heard:]:
            heard_at_s = time.monotonic()
            if event["event"] == "ready":
                return event
            _tell(event, notify)
        heard = len(events)
        if code is not None or time.monotonic() - heard_at_s > SILENCE_CEILING_S:
            raise _failure(events, code, log)
        time.sleep(POLL_S)


def _events(log: Path) -> Iterator[dict[str, Any]]:
    """Words of the launcher, without the line that it has not finished."""
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
        if not (line.startswith('{"event"') and line.endswith("\n")):
            continue
        try:
            yield json.loads(line)
        except ValueError:
            continue


def _tell(event: Mapping[str, Any], notify: Callable[[str], None]) -> None:
    if event["event"] != "seeding":
        return
    rows_made, rows_wanted = int(event["rows"]), int(event["of"])
    # ten lines in all, however many the launcher has
    if rows_made * 10 // rows_wanted > max(0, rows_made - 100_000) * 10 // rows_wanted:
        notify(f"making the table of users, once: {rows_made:,} of {rows_wanted:,} rows")


def _failure(
    events: list[dict[str, Any]], code: int | None, log: Path
) -> HostError | ConfigurationError:
    said = next((event["message"] for event in events if event["event"] == "failed"), None)
    if said is None:
        tail = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-3:]
        said = f"the database did not start; it printed: {' | '.join(tail)}"
    return ConfigurationError(said) if code == _REFUSED else HostError(said)
