"""A server of one's own, in another language than the rest: Python's standard library alone.

    PORT=8080 python3 own_server.py

It answers `/` at once and `/slow` after a second.
"""

from __future__ import annotations

import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROUTES = {"/": (b"hello", 0.0), "/slow": (b"paid", 1.0)}


class Handler(BaseHTTPRequestHandler):
    """A connection that is kept alive."""

    protocol_version = "HTTP/1.1"
    # head and body are written one after the other: the second would wait 40 ms for the first's ACK
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Answer the route, or 404."""
        body, delay_s = ROUTES.get(self.path.split("?")[0], (b"", -1.0))
        time.sleep(max(0.0, delay_s))
        self.send_response(200 if delay_s >= 0 else 404)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Nothing: a line for each request costs more than the request."""


class Server(ThreadingHTTPServer):
    """A thread for each connection; more of them may wait than the library's five."""

    daemon_threads = True
    request_queue_size = 1024


if __name__ == "__main__":
    Server(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
