"""A server that starts at once, for tests of the harness: stands where a jar would.

    python3 fake_server.py --server.port=8080 --fake.mode=fine

`/work` answers at once, `/hello` after 4 ms, so that a load on it leaves the CPUs to others, `/pay`
after 200 ms, `/relay` when the upstream has. Modes: `fine`; `dies` at start; `late` to listen;
`crashes` after some answers; `deaf` never listens, and does not mind SIGTERM; `busy` answers
`/work` with 504 in its first moments; `shy` has no more than five connections, the others wait for
one. A little after the load on `/work` has begun, `exits` ends, `hangs` stops for good, `fails`
answers with 500 half as often as it has answered before, and `greedy` takes all memory.
`--fake.host` is the address that it listens on.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

DELAYS_S = {b"hello": 0.004, b"pay": 0.2}
LATE_S = 0.6
SHY_CONNECTIONS = 5
CHUNK_BYTES = 65536
CRASH_AFTER = 50
# the harness asks once for the route before it loads it
LOAD_BEGINS_AFTER = 5
FAULT_AFTER_S = 0.6
BUSY_S = 1.5
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
BUSY = b"HTTP/1.1 504 LATER\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nbusy"
FAILED = b"HTTP/1.1 500 NO\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nsorry"


class Http(asyncio.Protocol):
    """One connection that is kept alive; requests have no body."""

    crashes = False
    answered = 0
    worked = 0
    fault: Callable[[], None] | None = None
    failing_left = 0
    failed = 0
    busy_until_s = 0.0
    upstream_port = 0
    relays: set[asyncio.Task[None]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.received = b""

    def data_received(self, data: bytes) -> None:
        self.received += data
        while b"\r\n\r\n" in self.received:
            head, self.received = self.received.split(b"\r\n\r\n", 1)
            route = head.removeprefix(b"GET /").partition(b" ")[0]
            if route in DELAYS_S:
                asyncio.get_running_loop().call_later(DELAYS_S[route], self.answer)
            elif head.startswith(b"GET /relay"):
                task = asyncio.create_task(self.relay())
                Http.relays.add(task)
                task.add_done_callback(Http.relays.discard)
            else:
                if head.startswith(b"GET /work"):
                    if time.monotonic() < Http.busy_until_s:
                        self.answer(BUSY)
                        continue
                    self.work()
                self.answer()

    def work(self) -> None:
        Http.worked += 1
        if Http.worked == LOAD_BEGINS_AFTER and Http.fault:
            asyncio.get_running_loop().call_later(FAULT_AFTER_S, Http.fault)

    async def relay(self) -> None:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", Http.upstream_port)
            writer.write(b"GET / HTTP/1.0\r\n\r\n")
            relayed = await reader.read()
            writer.close()
        except OSError:
            relayed = b""
        self.answer(OK if relayed else FAILED)

    def answer(self, text: bytes = OK) -> None:
        Http.answered += 1
        if Http.crashes and Http.answered > CRASH_AFTER:
            print_line("out of memory")
            os._exit(7)
        if Http.failing_left:
            Http.failed += 1
            Http.failing_left -= 1
            text = FAILED
            if not Http.failing_left:
                print_line(f"failed {Http.failed} times")
        if not self.transport.is_closing():
            self.transport.write(text)


def print_line(text: str) -> None:
    print(f"fake: {text}", flush=True)  # noqa: T201


def exits() -> None:
    print_line("the last straw")
    os._exit(3)


def hangs() -> None:
    print_line("hanging")
    os.kill(os.getpid(), signal.SIGSTOP)


def fails() -> None:
    # by count, not by time: the share of failures is then the same on a slow host; and over well
    # before the load is, after which each server is asked once more
    Http.failing_left = Http.worked // 2


def hoards() -> None:
    print_line("hoarding")
    hoard = []
    while True:
        hoard.append(b"x" * (16 << 20))


FAULTS = {"exits": exits, "hangs": hangs, "fails": fails, "greedy": hoards}


async def serve_shyly(host: str, port: int) -> None:
    """As `serve`, but nobody is accepted while there are enough."""
    loop, free = asyncio.get_running_loop(), asyncio.Semaphore(SHY_CONNECTIONS)
    listener = socket.create_server((host, port), backlog=1024)
    listener.setblocking(False)
    print_line(f"listening on {port}")

    async def answer_all(connection: socket.socket) -> None:
        with connection, suppress(ConnectionError):
            while received := await loop.sock_recv(connection, CHUNK_BYTES):
                await loop.sock_sendall(connection, OK * received.count(b"\r\n\r\n"))
        free.release()

    async with asyncio.TaskGroup() as group:
        while await free.acquire():
            group.create_task(answer_all((await loop.sock_accept(listener))[0]))


async def serve(host: str, port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Http, host, port, backlog=1024)
    print_line(f"listening on {port}")
    await server.serve_forever()


def main() -> None:
    options = dict(word.removeprefix("--").split("=", 1) for word in sys.argv[1:])
    mode = options.get("fake.mode", "fine")
    print_line(f"mode {mode}")
    if mode == "dies":
        sys.exit("fake: cannot find its configuration")
    if mode == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    if mode == "late":
        time.sleep(LATE_S)
    if mode == "busy":
        Http.busy_until_s = time.monotonic() + BUSY_S
    Http.crashes = mode == "crashes"
    Http.fault = FAULTS.get(mode)
    upstream = options.get("springbench.upstream.url", os.environ.get("PRICES_URL", ""))
    Http.upstream_port = urlsplit(upstream).port or 0
    host, port = options.get("fake.host", "127.0.0.1"), int(options["server.port"])
    asyncio.run((serve_shyly if mode == "shy" else serve)(host, port))


if __name__ == "__main__":
    main()
