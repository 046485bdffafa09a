"""A server that does not serve its connections alike, and counts for each what it answered.

    python3 starving_server.py MODE COUNTS

It prints its port, and answers 4,000 requests per second in all. `first` answers only the first 100
connections; `uneven` all by turns, but every fortieth ten times as often; `even` all by turns, and
`renews` too, but closes each after ten answers.
COUNTS holds, always whole, a JSON list: how many answers each connection of wrk got; what others
send has an Accept-Encoding.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from pathlib import Path

MODE, COUNTS = sys.argv[1], Path(sys.argv[2])
TICK_S, PER_TICK, RENEWED_AFTER = 0.005, 20, 10
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
connections: list[Http] = []


class Http(asyncio.Protocol):
    """One connection, which waits or does not."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.waits, self.answers = transport, 0, 0
        self.is_open, self.is_of_wrk = True, False
        index = len(connections)
        self.turns = 0 if MODE == "first" and index >= 100 else 1
        if MODE == "uneven" and index % 40 == 0:
            self.turns = 10
        connections.append(self)

    def data_received(self, data: bytes) -> None:
        self.waits += data.count(b"\r\n\r\n")
        self.is_of_wrk = b"Accept-Encoding" not in data

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open = False

    def answer(self) -> bool:
        """Answer if it waits; whether it did."""
        if not (self.waits and self.is_open):
            return False
        self.waits -= 1
        self.answers += 1
        if MODE == "renews" and self.answers == RENEWED_AFTER:
            self.transport.write(ANSWER.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            self.transport.close()
            self.is_open = False
        else:
            self.transport.write(ANSWER)
        return True


async def main() -> None:
    """Serve until the end of the process."""
    server = await asyncio.get_running_loop().create_server(Http, "127.0.0.1", 0, backlog=4096)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    order: list[Http] = []
    drawn = random.Random(1)
    ticks = 0
    while True:
        await asyncio.sleep(TICK_S)
        left = PER_TICK
        for _ in range(2 * PER_TICK):
            if not order:
                # those that have many turns do not have them one after the other
                order = [
                    connection
                    for connection in connections
                    if connection.is_open
                    for _ in range(connection.turns)
                ]
                drawn.shuffle(order)
            if order and left and order.pop().answer():
                left -= 1
        ticks += 1
        if ticks % 20 == 0:
            new = COUNTS.with_suffix(".new")
            counts = [connection.answers for connection in connections if connection.is_of_wrk]
            new.write_text(json.dumps(counts), encoding="ascii")
            new.replace(COUNTS)


asyncio.run(main())
