"""A master with two workers that accept on one socket, as nginx and gunicorn have them.

    python3 workers.py PORT [SECONDS]

With SECONDS a worker ends after so many, and the master starts another in its place.
"""

from __future__ import annotations

import os
import selectors
import socket
import sys
import time
from contextlib import suppress

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
WORKERS = 2


def work(listener: socket.socket, until_s: float) -> None:
    """Answer whatever comes, on connections that are kept."""
    waiting = selectors.DefaultSelector()
    waiting.register(listener, selectors.EVENT_READ)
    while time.monotonic() < until_s:
        for key, _ in waiting.select(0.1):
            if key.fileobj is listener:
                # another worker may have been faster
                with suppress(BlockingIOError):
                    waiting.register(listener.accept()[0], selectors.EVENT_READ)
                continue
            connection = key.fileobj
            assert isinstance(connection, socket.socket)
            try:
                data = connection.recv(65536)
                connection.sendall(ANSWER * data.count(b"\r\n\r\n"))
            except ConnectionError:
                data = b""
            if not data:
                waiting.unregister(connection)
                connection.close()


def main() -> None:
    """Listen, and keep so many workers at it."""
    lasts_s = float(sys.argv[2]) if len(sys.argv) > 2 else float("inf")
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=512)
    listener.setblocking(False)
    running = 0
    while True:
        while running < WORKERS:
            if os.fork() == 0:
                work(listener, time.monotonic() + lasts_s * (1 + running))
                os._exit(0)
            running += 1
        os.wait()
        running -= 1


if __name__ == "__main__":
    main()
