"""What each connection of a load has received: TCP_INFO of the kernel, by `ss`.

Whoever generates the load: a request that is never answered is in none of its percentiles.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

from springbench.errors import HostError
from springbench.host.shell import Shell

_RECEIVED = re.compile(r"\bbytes_received:(\d+)")
# `ss` leaves out what it does not know, as on a kernel that counts nothing
_COUNTS = re.compile(r"\bsegs_in:\d+")
_OWNER = re.compile(r'users:\(\("([^"]+)"')
_PATIENCE_S = 10.0


@dataclass(frozen=True)
class Received:
    """Bytes that each connection has received since it was opened."""

    bytes: tuple[int, ...]

    @property
    def unanswered_ratio(self) -> float:
        """Connections that have not received a byte, over all."""
        return sum(not each for each in self.bytes) / len(self.bytes)

    @property
    def fairness(self) -> float:
        """Jain's index (Jain, Chiu and Hawe, 1984): (sum of x)² ÷ (n × sum of x²).

        1 where all connections received as much, k ÷ n where k of them received all; 0 where
        nobody received anything.
        """
        squares = sum(each**2 for each in self.bytes)
        return sum(self.bytes) ** 2 / (len(self.bytes) * squares) if squares else 0.0


def received(shell: Shell, port: int, program: str = "wrk") -> Received | None:
    """Of a program's open connections to a port; None where the host does not tell."""
    command = ["ss", "-tinHOp", "state", "established", "dport", "=", f":{port}"]
    try:
        done = shell.run(command, timeout_s=_PATIENCE_S)
    except (OSError, HostError, subprocess.TimeoutExpired):
        return None
    lines = [line for line in done.stdout.splitlines() if _COUNTS.search(line)]
    # probes go to the same port
    own = [line for line in lines if (owner := _OWNER.search(line)) and owner[1] == program]
    found = [int(match[1]) if (match := _RECEIVED.search(line)) else 0 for line in own or lines]
    return Received(tuple(found)) if found else None
