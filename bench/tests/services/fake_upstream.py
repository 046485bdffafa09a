#!/usr/bin/env python3
"""A slow upstream that starts at once: stands where `java -jar slow-upstream.jar` would.

Answers after 20 ms, and says that it was hardly late.
"""

from __future__ import annotations

import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DELAY_S = 0.02


class Upstream(BaseHTTPRequestHandler):
    """The routes that the harness and the servers know."""

    def do_GET(self) -> None:
        if self.path != "/stats":
            time.sleep(DELAY_S)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"lateness_max_ms": 0.5}')

    def do_POST(self) -> None:
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


def main() -> None:
    port = next(word.removeprefix("--port=") for word in sys.argv if word.startswith("--port="))
    ThreadingHTTPServer(("127.0.0.1", int(port)), Upstream).serve_forever()


if __name__ == "__main__":
    main()
