"""Ports for the server and the upstream to listen on."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Protocol

from springbench.errors import HostError

# below the range from which Linux takes ports for outgoing connections, so that no connection
# of a load can sit on the port of the next server
FIRST_PORT = 18080
# another one, for tests that run side by side
FIRST_PORT_VARIABLE = "SPRINGBENCH_FIRST_PORT"
_NEIGHBOURS = 200
_LAST_PORT = 65535


class _Connection(Protocol):
    """Socket, as psutil tells it."""

    @property
    def status(self) -> str: ...
    @property
    def laddr(self) -> tuple[object, ...]: ...


def first_port() -> int:
    """The first port that is tried. Raises `HostError` where `SPRINGBENCH_FIRST_PORT` is none."""
    text = os.environ.get(FIRST_PORT_VARIABLE, str(FIRST_PORT))
    if not text.isdecimal() or not 1 <= int(text) <= _LAST_PORT:
        raise HostError(
            f"{FIRST_PORT_VARIABLE}={text!r} is no port; allowed: 1 to {_LAST_PORT}, or unset"
        )
    return int(text)


def free_port(requested_port: int | None = None, *, first: int | None = None) -> int:
    """A port to listen on: `requested_port` and no other when given, else the first free from
    `first` on.

    One on which closed connections still wait is taken last: not every server listens there.
    Raises HostError, naming the holder, when `requested_port` is taken.
    """
    if requested_port is not None:
        if not is_free(requested_port):
            raise HostError(
                f"port {requested_port} is taken by {holder(requested_port)}; "
                "stop that process, or leave the port out to get a free one"
            )
        return requested_port
    first = first or first_port()
    near = range(first, min(first + _NEIGHBOURS, _LAST_PORT + 1))
    for reused in (False, True):
        for port in near:
            if is_free(port, reused=reused):
                return port
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


def is_free(port: int, *, reused: bool = True) -> bool:
    """Whether a server could listen on it, on every address.

    With `reused`, one that takes a port on which closed connections still wait, as most do.
    """
    return all(_can_bind(*address, port, reused=reused) for address in _addresses())


def holder(port: int) -> str:
    """Listener on a port, for a person: `java (pid 4711)`."""
    for pid in _listeners(port):
        import psutil  # noqa: PLC0415  # needed only when something is wrong

        with suppress(psutil.Error):
            process = psutil.Process(pid)
            return f"{process.name()} (pid {pid}: {' '.join(process.cmdline())[:120]})"
        return f"pid {pid}"
    return f"a process of another user (as root: lsof -i :{port})"


def _addresses() -> Iterator[tuple[socket.AddressFamily, str]]:
    # macOS lets a wildcard and a loopback address share a port: try each
    yield socket.AF_INET, "0.0.0.0"  # noqa: S104  # tried, never listened on
    yield socket.AF_INET, "127.0.0.1"
    if socket.has_ipv6:
        yield socket.AF_INET6, "::1"


def _can_bind(family: socket.AddressFamily, address: str, port: int, *, reused: bool) -> bool:
    try:
        probe = socket.socket(family, socket.SOCK_STREAM)
    except OSError:
        return True  # no IPv6 in this kernel
    with probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(reused))
        try:
            probe.bind((address, port))
        except OSError as error:
            # a container without IPv6 has no such address, which hinders nobody
            return family == socket.AF_INET6 and "assign" in str(error)
    return True


def _listeners(port: int) -> Iterator[int]:
    import psutil  # noqa: PLC0415  # needed only when something is wrong

    try:
        connections = psutil.net_connections(kind="tcp")
    except psutil.AccessDenied:
        yield from _own_listeners(port)
        return
    for connection in connections:
        if connection.pid and _listens(connection, port):
            yield connection.pid


def _own_listeners(port: int) -> Iterator[int]:
    """As `_listeners`, among the processes that macOS shows to a user who is not root."""
    import psutil  # noqa: PLC0415  # needed only when something is wrong

    for process in psutil.process_iter():
        with suppress(psutil.Error):
            for connection in process.net_connections(kind="tcp"):
                if _listens(connection, port):
                    yield process.pid


def _listens(connection: _Connection, port: int) -> bool:
    return connection.status == "LISTEN" and connection.laddr[1:] == (port,)
