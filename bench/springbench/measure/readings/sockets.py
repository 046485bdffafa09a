"""Connections that a server has accepted, as the kernel lists them."""

from __future__ import annotations

from pathlib import Path

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
            here = int(fields[_LOCAL].rpartition(":")[2], 16) == port
            found += here and fields[_STATE] == _ESTABLISHED and fields[_INODE] != "0"
    return found or None
