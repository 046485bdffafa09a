"""The launcher of the database: what it is asked for, and what it says.

It starts a PostgreSQL of its own, here or on another host, or watches the one that
`SPRINGBENCH_DB_URL` points to. It speaks in lines of JSON.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from springbench.errors import ConfigurationError, HostError
from springbench.host.ports import free_port
from springbench.host.remote.running import RemoteRunning
from springbench.host.shell import Running
from springbench.matrix.workloads import DatabaseTable

logger = logging.getLogger(__name__)

URL_VARIABLE = "SPRINGBENCH_DB_URL"
# longest silence while the table is made: its index takes a while on a slow disk
SILENCE_CEILING_S = 240.0
POLL_S = 0.05
_REFUSED = 2


@dataclass(frozen=True)
class ReaderLogin:
    """Of the servers that read: a password for a run, and where the launcher finds it."""

    password: str = field(repr=False)
    password_file: str
    """Path of a file, on the launcher's host: a command line is read by anybody."""

    @classmethod
    def new(cls, put: Callable[[bytes], str]) -> ReaderLogin:
        """A password that nobody knows; `put` writes it to a file and returns its path."""
        password = secrets.token_hex(16)
        return cls(password, put(password.encode("ascii")))


@dataclass(frozen=True)
class DatabaseHost:
    """Of a database on another host: how it is reached, and who may read it from here."""

    address: str
    port: int
    reader: str
    """Address that this host has there."""

    @property
    def options(self) -> list[str]:
        return [f"--listen={self.address}", f"--reader-from={self.reader}"]


@dataclass(frozen=True)
class DatabaseSpec:
    """Request to the launcher, with paths of the host that it runs on. `data` is kept."""

    java: Path
    jar: Path
    data: Path
    table: DatabaseTable
    reader: ReaderLogin | None = None
    """None where a person points to a server of their own."""
    seed_existing: bool = False
    host: DatabaseHost | None = None


def is_given() -> bool:
    """Whether a person points to a server of their own."""
    return bool(os.environ.get(URL_VARIABLE, "").strip())


def command_of(spec: DatabaseSpec) -> list[str]:
    command = [str(spec.java), "-Xmx256m", "-XX:+UseSerialGC", "-jar", str(spec.jar)]
    command += [f"--rows={spec.table.rows}"]
    if spec.reader is None:
        return [*command, "--existing", *(["--seed"] if spec.seed_existing else [])]
    return [
        *command,
        f"--data={spec.data}",
        f"--reader-password-file={spec.reader.password_file}",
        f"--port={spec.host.port if spec.host else free_port()}",
        f"--max-connections={spec.table.max_connections}",
        *(spec.host.options if spec.host else []),
    ]


def password_of(spec: DatabaseSpec) -> str:
    """Of the servers that read; the launcher never says it."""
    if spec.reader:
        return spec.reader.password
    return unquote(urlsplit(os.environ[URL_VARIABLE].strip()).password or "")


def wait_ready(running: Running, log: Path) -> dict[str, Any]:
    """The launcher's `ready`. Progress is reported on the way."""
    heard, heard_at_s = 0, time.monotonic()
    while True:
        # asked before its last words are read, so that none are missed
        code = running.poll()
        output = _printed(running, log)
        events = list(_events(output))
        for event in events[heard:]:
            heard_at_s = time.monotonic()
            if event["event"] == "ready":
                return event
            _log_progress(event)
        heard = len(events)
        if code is not None or time.monotonic() - heard_at_s > SILENCE_CEILING_S:
            raise _failure(events, code, output)
        time.sleep(POLL_S)


def _printed(running: Running, log: Path) -> str:
    """What it has said so far: on another host the log is written at its end."""
    if isinstance(running, RemoteRunning):
        return running.printed()
    return log.read_text(encoding="utf-8", errors="replace")


def _events(output: str) -> Iterator[dict[str, Any]]:
    """Words of the launcher, without the line that it has not finished."""
    for line in output.splitlines(keepends=True):
        if not (line.startswith('{"event"') and line.endswith("\n")):
            continue
        try:
            yield json.loads(line)
        except ValueError:
            continue


def _log_progress(event: Mapping[str, Any]) -> None:
    if event["event"] != "seeding":
        return
    rows_made, rows_wanted = int(event["rows"]), int(event["of"])
    # ten lines in all, however many the launcher has
    if rows_made * 10 // rows_wanted > max(0, rows_made - 100_000) * 10 // rows_wanted:
        logger.info(f"making the table of users, once: {rows_made:,} of {rows_wanted:,} rows")


def _failure(
    events: list[dict[str, Any]], code: int | None, printed: str
) -> HostError | ConfigurationError:
    message = next((event["message"] for event in events if event["event"] == "failed"), None)
    if message is None:
        tail = printed.strip().splitlines()[-3:]
        message = f"the database did not start; it printed: {' | '.join(tail)}"
    return ConfigurationError(message) if code == _REFUSED else HostError(message)
