"""A real HTTP server in a thread of the test, for what asks single questions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answers = dict[str, tuple[int, bytes]]


@contextmanager
def answering(answers: Answers, port: int = 0) -> Iterator[int]:
    """The port of a server that gives these answers by route, and 404 for the rest.

    What `answers` holds at the moment of a request counts.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the library's name
            status, body = answers.get(self.path, (404, b"no such route"))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
