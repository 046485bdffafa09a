"""A server that starts at once, for tests of the harness: stands where a jar would.

    python3 fake_server.py --server.port=8080 --fake.mode=fine

`/hello` answers at once, `/pay` after 200 ms. Modes: `fine`; `dies` at start; `crashes` after some
answers; `deaf` never listens, and does not mind SIGTERM.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time

DELAY_S = 0.2
CRASH_AFTER = 50
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"


class Http(asyncio.Protocol):
    """One connection that is kept alive; requests have no body."""

    crashes = False
    answered = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.received = b""

    def data_received(self, data: bytes) -> None:
        self.received += data
        while b"\r\n\r\n" in self.received:
            head, self.received = self.received.split(b"\r\n\r\n", 1)
            if head.startswith(b"GET /pay"):
                asyncio.get_running_loop().call_later(DELAY_S, self.answer)
            else:
                self.answer()

    def answer(self) -> None:
        Http.answered += 1
        if Http.crashes and Http.answered > CRASH_AFTER:
            print("fake: out of memory", flush=True)  # noqa: T201
            os._exit(7)
        if not self.transport.is_closing():
            self.transport.write(ANSWER)


async def serve(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Http, "127.0.0.1", port, backlog=1024)
    print(f"fake: listening on {port}", flush=True)  # noqa: T201
    await server.serve_forever()


def main() -> None:
    options = dict(word.removeprefix("--").split("=", 1) for word in sys.argv[1:])
    mode = options.get("fake.mode", "fine")
    print(f"fake: mode {mode}", flush=True)  # noqa: T201
    if mode == "dies":
        sys.exit("fake: cannot find its configuration")
    if mode == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    Http.crashes = mode == "crashes"
    asyncio.run(serve(int(options["server.port"])))


if __name__ == "__main__":
    main()
