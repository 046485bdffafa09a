"""Connections of a server and of its load, as the kernel lists them.

Whoever generates the load: a request that is never answered is in none of its percentiles.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from springbench.errors import HostError
from springbench.host.shell import Shell

_SENT_AGO = re.compile(r"\blastsnd:(\d+)")
_RECEIVED = re.compile(r"\bbytes_received:(\d+)")
# `ss` leaves out what it does not know, as on a kernel that counts nothing
_COUNTS = re.compile(r"\bsegs_in:\d+")
_OWNER = re.compile(r'users:\(\("([^"]+)"')
_PATIENCE_S = 10.0
# who has waited for less than half of a load has not been left out of it
_NEW_RATIO = 2.0


@dataclass(frozen=True)
class Received:
    """Bytes that each connection has received since it was opened."""

    bytes: tuple[int, ...]
    new: int = 0
    """Of those without a byte, the ones that asked a moment ago: some servers close a connection
    after so many answers, and another one takes its place."""

    @property
    def unanswered_ratio(self) -> float:
        """Connections that have not received a byte, and have waited for one, over all."""
        return (sum(not count for count in self.bytes) - self.new) / len(self.bytes)

    @property
    def fairness(self) -> float:
        """Jain's index (Jain, Chiu and Hawe, 1984): (sum of x)² ÷ (n × sum of x²).

        1 where all connections received as much, k ÷ n where k of them received all; 0 where
        nobody received anything.
        """
        squares = sum(count**2 for count in self.bytes)
        return sum(self.bytes) ** 2 / (len(self.bytes) * squares) if squares else 0.0


def received(
    shell: Shell, port: int, program: str = "wrk", lasted_s: float = 0.0
) -> Received | None:
    """Of a program's open connections to a port, `lasted_s` after its first; None where the host
    does not tell."""
    command = ["ss", "-tinHOp", "state", "established", "dport", "=", f":{port}"]
    try:
        done = shell.run(command, timeout_s=_PATIENCE_S)
    except (OSError, HostError, subprocess.TimeoutExpired):
        return None
    lines = [line for line in done.stdout.splitlines() if _COUNTS.search(line)]
    # probes go to the same port
    program_lines = [
        line for line in lines if (owner := _OWNER.search(line)) and owner[1] == program
    ]
    found = [
        int(match[1]) if (match := _RECEIVED.search(line)) else 0 for line in program_lines or lines
    ]
    new = [
        # `ss` leaves out a zero: that connection sent its last request within this millisecond
        _NEW_RATIO * int(sent[1] if (sent := _SENT_AGO.search(line)) else 0) < 1000 * lasted_s
        for line, got in zip(program_lines or lines, found, strict=True)
        if not got
    ]
    return Received(tuple(found), sum(new)) if found else None


_LISTS = ("net/tcp", "net/tcp6")
_LOCAL, _STATE, _INODE = 1, 3, 9
_ESTABLISHED = "01"


def accepted(port: int, proc: Path = Path("/proc")) -> int | None:
    """How many TCP connections to a local port its process has accepted.

    One that still waits in the accept queue belongs to no process, and has no inode yet. None where
    the system keeps no such list, or has none of this port in it (as for a server in a network
    namespace of its own).
    """
    found = 0
    for name in _LISTS:
        try:
            lines = (proc / name).read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            matches = int(fields[_LOCAL].rpartition(":")[2], 16) == port
            found += matches and fields[_STATE] == _ESTABLISHED and fields[_INODE] != "0"
    return found or None
