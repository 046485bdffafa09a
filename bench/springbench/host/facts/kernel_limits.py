"""Limits of the kernel that a load runs into: file descriptors, local ports, accept queues.

A limit that is too low shows up as refused connections half-way through a load. So it is read
before the first connection, raised where the process may, and explained where it may not.
"""

from __future__ import annotations

import resource
from dataclasses import dataclass
from pathlib import Path

from springbench.paths import text_of

_SPARE_FILES = 512
_DEFAULT_PORTS = (49152, 65535)  # IANA's range, which macOS uses
_PROC = Path("/proc")


@dataclass(frozen=True)
class FileLimit:
    """How many files and sockets this process and its children may hold open."""

    soft: int
    hard: int
    required_files: int

    @property
    def ok(self) -> bool:
        """Whether the limit now in force is enough."""
        return self.soft >= self.required_files

    @property
    def remedy(self) -> str:
        """Remedy for a person; empty when nothing is to be done."""
        if self.ok:
            return ""
        return (
            f"ulimit -Hn {self.required_files} as root before starting, or raise `nofile` for your "
            f"user in /etc/security/limits.conf and log in again (systemd: "
            f"LimitNOFILE={self.required_files}; Docker: --ulimit nofile={self.required_files})"
        )


@dataclass(frozen=True)
class PortRange:
    """Local ports for outgoing connections: every connection to one destination takes one."""

    low: int
    high: int
    time_wait: int
    """Sockets that have closed and hold their port for another minute."""
    required_ports: int
    reused: bool = False
    """Whether the kernel takes a waiting port again (Linux does for loopback, by default)."""

    @property
    def free(self) -> int:
        """Ports left for one destination, if every waiting one was used for it."""
        return max(0, self.high - self.low + 1 - (0 if self.reused else self.time_wait))

    @property
    def ok(self) -> bool:
        """Whether all connections of the largest load find a port."""
        return self.free >= self.required_ports

    @property
    def remedy(self) -> str:
        """Remedy for a person; empty when nothing is to be done."""
        if self.ok:
            return ""
        if self.high - self.low + 1 >= self.required_ports:
            return f"wait a minute: {self.time_wait} closed connections still hold their ports"
        return "sysctl -w net.ipv4.ip_local_port_range='15000 65000' (as root)"


@dataclass(frozen=True)
class AcceptQueue:
    """How many connections may wait to be accepted; the kernel cuts every backlog to this."""

    somaxconn: int
    required_backlog: int

    @property
    def ok(self) -> bool:
        """Whether a server that asks for a backlog of `required_backlog` gets it."""
        return self.somaxconn >= self.required_backlog

    @property
    def remedy(self) -> str:
        """Remedy for a person; empty when nothing is to be done."""
        return "" if self.ok else f"sysctl -w net.core.somaxconn={self.required_backlog} (as root)"


def files_needed(connections: int) -> int:
    """Descriptors for one process of a load.

    The server holds the most: one for each connection, another for each call to the upstream.
    """
    return 2 * connections + _SPARE_FILES


def raise_file_limit(required_files: int) -> FileLimit:
    """Raise this process's limit, which its children inherit, to `required_files`, or as near as it
    may."""
    before, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if _number(before) < required_files and not _set(
        required_files, max(required_files, hard, key=_number)
    ):
        _set(min(required_files, hard, key=_number), hard)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return FileLimit(_number(soft), _number(hard), required_files)


def file_limit(required_files: int) -> FileLimit:
    """Limit that raising would give, without changing anything."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    reachable = max(_number(soft), min(required_files, _number(hard)))
    return FileLimit(reachable, _number(hard), required_files)


def port_range(required_ports: int, proc: Path = _PROC) -> PortRange:
    """The range of local ports, and how many of them wait."""
    low, high = _DEFAULT_PORTS
    text = text_of(proc / "sys/net/ipv4/ip_local_port_range").split()
    if len(text) == 2:  # low and high
        low, high = int(text[0]), int(text[1])
    reused = text_of(proc / "sys/net/ipv4/tcp_tw_reuse").strip() in {"1", "2"}
    return PortRange(low, high, _time_wait(text_of(proc / "net/sockstat")), required_ports, reused)


def accept_queue(required_backlog: int, proc: Path = _PROC) -> AcceptQueue | None:
    """The kernel's cap on accept queues; None where it does not tell."""
    text = text_of(proc / "sys/net/core/somaxconn")
    return AcceptQueue(int(text), required_backlog) if text.strip().isdigit() else None


def _time_wait(sockstat: str) -> int:
    for line in sockstat.splitlines():
        words = line.split()
        if words[:1] == ["TCP:"] and "tw" in words:
            return int(words[words.index("tw") + 1])
    return 0


def _set(soft: int, hard: int) -> bool:
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    except (ValueError, OSError):
        return False
    return True


def _number(limit: int) -> int:
    """A limit that can be compared: the kernel writes "none" as -1."""
    return 2**62 if limit == resource.RLIM_INFINITY else limit
