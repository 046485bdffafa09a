"""A server whose answers change while it is loaded, and which counts them itself.

    python3 changing_server.py MODE CHANGE_AFTER_S COUNTS

It prints its port. A second run of digits every 10 ms goes to the file COUNTS: the time on the
clock of `time.perf_counter`, answers with status 200, answers of any status. After CHANGE_AFTER_S
of load (from the 20th answer on) it changes as MODE says: `redirects` to a login page, answers
`empty` with 204, `fails` with a large page, `closes` after each answer, `drops` every tenth
connection without one; or it answers in another way that is as good: `chunked`, `compressed` by
gzip, `slow` with its first byte ten times later. `grows` has a byte more every 20 answers from the
start; `http10` answers and closes as HTTP/1.0 does; `steady` does not change.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import sys
import time

MODE, CHANGE_AFTER_S, COUNTS = sys.argv[1], float(sys.argv[2]), sys.argv[3]
LOAD_BEGINS_AFTER = 20
ANSWER_S = 0.003  # which leaves the CPUs to other processes
SLOW_RATIO = 10
SPOKEN = {
    "redirects": ("302 Found\r\nLocation: /login", b""),
    "empty": ("204 No Content", b""),
    "fails": ("500 Server Error", b"x" * 5000),
    "compressed": ("200 OK\r\nContent-Encoding: gzip", gzip.compress(b"hello " * 1000)),
}


class Counts:
    """What all connections have answered."""

    answers = good = 0
    load_began_s = 0.0

    @classmethod
    def changed(cls) -> bool:
        """Whether the change has come."""
        return bool(cls.load_began_s) and time.perf_counter() > cls.load_began_s + CHANGE_AFTER_S


class Http(asyncio.Protocol):
    """One connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.received = transport, b""

    def data_received(self, data: bytes) -> None:
        self.received += data
        while b"\r\n\r\n" in self.received:
            head, _, remainder = self.received.partition(b"\r\n\r\n")
            found = re.search(rb"Content-Length: (\d+)", head)
            length = int(found[1]) if found else 0
            if len(remainder) < length:
                return
            self.received = remainder[length:]
            is_slow = MODE == "slow" and Counts.changed()
            after_s = ANSWER_S * (SLOW_RATIO if is_slow else 1)
            asyncio.get_running_loop().call_later(after_s, self.answer)

    def answer(self) -> None:
        """Answer one request."""
        Counts.answers += 1
        if Counts.answers == LOAD_BEGINS_AFTER:
            Counts.load_began_s = time.perf_counter()
        changed = Counts.changed()
        if changed and MODE == "drops" and Counts.answers % 10 == 0:
            Counts.answers -= 1
            self.transport.close()
            return
        status, body = "200 OK", b"hello"
        if MODE == "grows":
            body = b"x" * (Counts.answers // 20)
        if changed and MODE in SPOKEN:
            status, body = SPOKEN[MODE]
        Counts.good += status.startswith("200")
        version = "HTTP/1.0" if MODE == "http10" else "HTTP/1.1"
        closes = MODE == "http10" or (MODE == "closes" and changed)
        close = "Connection: close\r\n" if closes else ""
        length = f"Content-Length: {len(body)}"
        if changed and MODE == "chunked":
            length = "Transfer-Encoding: chunked"
            body = b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"
        head = f"{version} {status}\r\n{close}{length}\r\n\r\n"
        self.transport.write(head.encode() + body)
        if closes:
            self.transport.close()


async def main() -> None:
    """Serve until the end of the process."""
    server = await asyncio.get_running_loop().create_server(Http, "127.0.0.1", 0, backlog=4096)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    with open(COUNTS, "w", buffering=1, encoding="ascii") as file:  # noqa: PTH123
        while True:
            file.write(f"{time.perf_counter()} {Counts.good} {Counts.answers}\n")
            await asyncio.sleep(0.01)


asyncio.run(main())
