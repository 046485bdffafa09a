"""What is at the other end of a connection: its facts, its programs, its addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from springbench.host.remote.connection import Connection
from springbench.host.remote.shell import RemoteShell
from springbench.host.tools.find import wrk_version

_PROGRAMS = ("wrk", "java", "taskset")
_VERSION_TIMEOUT_S = 10.0
# where no ssh lies between, as in tests
_LOOPBACK = "127.0.0.1"


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


def look_at(connection: Connection) -> FoundHost:
    """Ask the other end."""
    facts: dict[str, Any] = connection.ask("facts")
    programs = connection.ask("which", names=list(_PROGRAMS))
    version = ""
    if programs["wrk"]:
        said = RemoteShell(connection).run([programs["wrk"], "-v"], timeout_s=_VERSION_TIMEOUT_S)
        version = wrk_version(said.stdout + said.stderr)
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
