"""What is at the other end of a connection: its facts, its programs, its addresses, its link."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from springbench.errors import HostError
from springbench.host.remote.connection import Connection
from springbench.host.remote.shell import RemoteShell
from springbench.host.tools.find import wrk_version

ROUND_TRIPS = 200
BANDWIDTH_FOR_S = 1.0
_PIECE = bytes(1 << 16)
_PROGRAMS = ("wrk", "java", "taskset")
_VERSION_TIMEOUT_S = 10.0
# where no ssh lies between, as in tests
_LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Link:
    """What was measured between the two hosts, on a connection like those of a load."""

    round_trip_s: float
    """The median."""
    bytes_per_s: float
    """From this host to the other one, the way that answers take."""


def measure_link(connection: Connection, address: str) -> Link:
    """Measure it. `address` is how the other host reaches this one.

    Raises `HostError` where it does not: so a load would not either.
    """
    with _listener(address) as port:
        try:
            figures = connection.ask(
                "link", address=address, port=port, round_trips=ROUND_TRIPS, for_s=BANDWIDTH_FOR_S
            )
        except HostError as error:
            connection.check()
            raise HostError(
                f"{connection.destination} reaches no port of this host at {address}, as port "
                f"{port}; a firewall between them? It must let through what servers listen on "
                f"({error})"
            ) from error
    return Link(float(figures["round_trip_s"]), float(figures["bytes_per_s"]))


@contextmanager
def _listener(address: str) -> Iterator[int]:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listening:
        try:
            listening.bind((address, 0))
        except OSError as error:
            raise HostError(
                f"the load host sees this one as {address}, which is no address of it: is there a "
                "router between them that changes addresses?"
            ) from error
        listening.listen(1)
        thread = threading.Thread(target=_answer, args=(listening,), daemon=True)
        thread.start()
        yield int(listening.getsockname()[1])


def _answer(listening: socket.socket) -> None:
    """One guest: an echo of each `e`; from the first `d` on as many bytes as it takes."""
    with suppress(OSError):
        link, _ = listening.accept()
        with link:
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while (request := link.recv(1)) == b"e":
                link.sendall(request)
            while request == b"d":
                link.sendall(_PIECE)


@dataclass(frozen=True)
class FoundHost:
    """Another host."""

    destination: str
    system: str
    kernel: str
    python: str
    cpu_model: str
    kinds: tuple[tuple[frozenset[int], ...], ...]
    """Its cores by kind, the fastest kind first."""
    memory_bytes: int
    files: int
    """Open files that a process may have there."""
    ports: tuple[int, int] | None
    """The first and the last local port of outgoing connections."""
    address: str
    """By which ssh reached it."""
    server_address: str
    """Address of this host, as that one sees it."""
    cache: str
    """A folder for what is kept there between runs."""
    programs: dict[str, str | None]
    """Paths there, of those that a load takes."""
    wrk_version: str

    @property
    def cores(self) -> tuple[frozenset[int], ...]:
        """All cores, lowest CPU first."""
        return tuple(sorted((core for kind in self.kinds for core in kind), key=min))

    @property
    def load_cpus(self) -> frozenset[int]:
        """All but the upstream's core, where there are two; nothing where it cannot pin.

        Of several kinds the fastest that has more than one core.
        """
        if not self.programs["taskset"]:
            return frozenset()
        kinds = [kind for kind in self.kinds if kind]
        if len(kinds) < 2:
            return frozenset().union(*(self.cores[1:] or self.cores))
        return frozenset().union(*next((kind for kind in kinds if len(kind) > 1), kinds[0]))

    @property
    def upstream_cpus(self) -> frozenset[int]:
        """The first core that the load has not; the first of all where it has every one."""
        if not self.programs["taskset"] or not self.cores:
            return frozenset()
        return next((core for core in self.cores if not core & self.load_cpus), self.cores[0])


def inspect_host(connection: Connection) -> FoundHost:
    """Ask the other end."""
    facts: dict[str, Any] = connection.ask("facts")
    programs = connection.ask("which", names=list(_PROGRAMS))
    version = ""
    if programs["wrk"]:
        result = RemoteShell(connection).run([programs["wrk"], "-v"], timeout_s=_VERSION_TIMEOUT_S)
        version = wrk_version(result.stdout + result.stderr)
    ends = facts["ssh_connection"]
    ports = facts["ports"]
    return FoundHost(
        destination=connection.destination,
        system=facts["system"],
        kernel=facts["kernel"],
        python=facts["python"],
        cpu_model=facts["cpu_model"],
        kinds=tuple(tuple(frozenset(core) for core in kind) for kind in facts["kinds"]),
        memory_bytes=facts["memory_bytes"],
        files=facts["files"],
        ports=(ports[0], ports[1]) if ports else None,
        address=ends[2] if ends else _LOOPBACK,
        server_address=ends[0] if ends else _LOOPBACK,
        cache=facts["cache"],
        programs={name: programs[name] for name in _PROGRAMS},
        wrk_version=version,
    )
