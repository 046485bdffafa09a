#!/usr/bin/env python3
"""A launcher of a database that starts at once: stands where `java -jar database.jar` would.

`FAKE_DATABASE` says how it behaves: ready (the default), refused, silent or broken. Its
connections spend two seconds in statements with each look at its counters.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROWS = 6_000_000


class Stats(BaseHTTPRequestHandler):
    """The one route that the harness knows."""

    active_ms = 0.0

    def do_GET(self) -> None:
        Stats.active_ms += 2000.0
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"active_ms": Stats.active_ms, "connections": 1}).encode())

    def log_message(self, *_: object) -> None:
        """Nothing."""


def print_event(**event: object) -> None:
    sys.stdout.write(json.dumps(event, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def main() -> int:
    behaviour = os.environ.get("FAKE_DATABASE", "ready")
    if behaviour == "refused":
        print_event(event="failed", message="the database at me@host:5432/x lacks the table")
        return 2
    if behaviour == "broken":
        sys.stdout.write("Error: Unable to access jarfile database.jar\n")
        return 1
    for rows in range(100_000, ROWS + 1, 100_000):
        print_event(event="seeding", rows=rows, of=ROWS)
    if behaviour == "silent":
        threading.Event().wait()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stats)
    print_event(
        event="ready",
        address="127.0.0.1:15432/postgres",
        user="springbench_reader",
        version=" ".join(sys.argv[1:]),
        rows=ROWS,
        seeded=True,
        max_connections=100,
        stats_port=server.server_port,
        took_ms=5,
    )
    server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
