"""Whence the load comes: the host of the server, or another one."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from springbench.errors import CaseError, HostError
from springbench.host.environment import measured_environment
from springbench.host.remote.connection import Connection
from springbench.host.remote.running import ProcessSample, RemoteRunning
from springbench.host.remote.shell import RemoteShell
from springbench.host.shell import Running, Shell
from springbench.measure.readings.tree import catches, cpu_time_s, io_counters
from springbench.measure.services.http import HOST, in_url


class SampleSource(Protocol):
    """Readings of a process of another host."""

    def samples(self) -> list[ProcessSample]:
        """Those that are new."""


class LoadHost(Protocol):
    """Starts wrk and oha, and knows how they and the server reach each other."""

    @property
    def shell(self) -> Shell:
        """How something is started there."""

    @property
    def address(self) -> str:
        """Address by which the server reaches what runs there."""

    @property
    def server_address(self) -> str:
        """Address by which the load reaches the server."""

    @property
    def wrk(self) -> str:
        """wrk, as that host knows it."""

    @property
    def cpus(self) -> frozenset[int]:
        """The CPUs of wrk and oha there."""

    def start(self, command: Sequence[str], output: IO[bytes]) -> Running:
        """Start a load on its CPUs."""

    def catches(self, running: Running, number: signal.Signals) -> bool:
        """Whether it has a handler for the signal by now."""

    def away(self, running: Running) -> SampleSource | None:
        """Whoever has its readings; None where it is a process of this host."""

    def sample(self, running: Running) -> ProcessSample:
        """A reading of it at this moment."""

    def check_reaches(self, port: int) -> None:
        """Raises `CaseError` where it does not reach the server."""

    def bring(self, file: Path, *, runs: bool = False) -> str:
        """Path there of a file from here."""

    def forget(self, file: Path) -> None:
        """Delete a file from here, and there too where it was brought."""

    def place(self, file: Path) -> str:
        """Path where a program there should write what becomes this file."""

    def collect(self, file: Path) -> None:
        """Fetch what it has written; nothing happens where there is nothing."""


@dataclass(frozen=True)
class SameHost:
    """The server's own host, with CPUs of the load's own where there are any."""

    shell: Shell
    wrk: str
    cpus: frozenset[int]
    address: str = HOST
    server_address: str = HOST

    def start(self, command: Sequence[str], output: IO[bytes]) -> Running:
        return self.shell.start(command, stdout=output, cpus=self.cpus, env=measured_environment())

    def catches(self, running: Running, number: signal.Signals) -> bool:
        return catches(running.pid, number)

    def away(self, running: Running) -> SampleSource | None:  # noqa: ARG002
        return None

    def sample(self, running: Running) -> ProcessSample:
        found = io_counters(running.pid)
        read_bytes, requests, written_bytes = found[:3] if found else (None, None, None)
        cpu_s = cpu_time_s(running.pid)
        return ProcessSample(
            time.perf_counter(), read_bytes, requests, cpu_s, written_bytes=written_bytes
        )

    def check_reaches(self, port: int) -> None:
        """It has answered here."""

    def bring(self, file: Path, *, runs: bool = False) -> str:  # noqa: ARG002
        return str(file)

    def forget(self, file: Path) -> None:
        file.unlink(missing_ok=True)

    def place(self, file: Path) -> str:
        return str(file)

    def collect(self, file: Path) -> None:
        """It lies there."""


@dataclass(frozen=True)
class OtherHost:
    """A host that ssh reaches."""

    connection: Connection
    wrk: str
    cpus: frozenset[int]
    address: str
    server_address: str
    _copies: dict[Path, str] = field(default_factory=dict)

    @property
    def shell(self) -> RemoteShell:
        return RemoteShell(self.connection)

    def start(self, command: Sequence[str], output: IO[bytes]) -> RemoteRunning:
        return self.shell.start(command, stdout=output, cpus=self.cpus)

    def catches(self, running: Running, number: signal.Signals) -> bool:
        return not isinstance(running, RemoteRunning) or running.catches(number)

    def away(self, running: Running) -> SampleSource | None:
        return running if isinstance(running, RemoteRunning) else None

    def sample(self, running: Running) -> ProcessSample:
        if not isinstance(running, RemoteRunning):
            raise TypeError(running)
        return running.sample()

    def check_reaches(self, port: int) -> None:
        address = self.server_address
        try:
            self.connection.ask("connect", address=address, port=port)
        except HostError as error:
            self.connection.check()
            raise CaseError(
                f"the load host does not reach the server at {in_url(address)}:{port}, where it "
                f"listens; no firewall may stand between them ({error})"
            ) from error

    def bring(self, file: Path, *, runs: bool = False) -> str:
        if file not in self._copies:
            self._copies[file] = self.connection.put(file.name, file.read_bytes(), runs=runs)
        return self._copies[file]

    def forget(self, file: Path) -> None:
        file.unlink(missing_ok=True)
        if copy := self._copies.pop(file, None):
            self.shell.run(["rm", "-f", copy])

    def place(self, file: Path) -> str:
        return str(PurePosixPath(self.connection.folder) / file.name)

    def collect(self, file: Path) -> None:
        try:
            file.write_bytes(self.connection.fetch(self.place(file)))
        except HostError:
            # gone with the host, or never written
            self.connection.check()
