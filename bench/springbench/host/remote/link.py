"""The link to another host: how long a byte takes there and back, and how many fit through it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from springbench.errors import HostError
from springbench.host.remote.connection import Connection

ROUND_TRIPS = 200
BANDWIDTH_FOR_S = 1.0
_PIECE = bytes(1 << 16)


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
            said = connection.ask(
                "link", address=address, port=port, round_trips=ROUND_TRIPS, for_s=BANDWIDTH_FOR_S
            )
        except HostError as error:
            connection.check()
            raise HostError(
                f"{connection.destination} reaches no port of this host at {address}, as port "
                f"{port}; a firewall between them? It must let through what servers listen on "
                f"({error})"
            ) from error
    return Link(float(said["round_trip_s"]), float(said["bytes_per_s"]))


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
            while (asked := link.recv(1)) == b"e":
                link.sendall(asked)
            while asked == b"d":
                link.sendall(_PIECE)
