"""A small service with a login: orders are created, read and listed by whoever has a token.

    python3 order_service.py PORT [MODE]

`POST /login` takes `{"user": ..., "password": ...}` and gives a token as JSON, as a header and as a
cookie; it is another one for each process. `POST /orders` answers 201, `GET /orders/ID` and
`GET /orders?size=N` 200; without the token 401, without JSON 415. `GET /health` asks for nothing,
nor does `GET /openapi.json`, which lists some of it. `GET /seen` tells what was asked, and how
often. MODE: `silent` gives no token, `sloppy` creates with 200, `forgets` answers 302 to /login
after 300 orders, `empty` lists nothing, `tls` answers over TLS alone. The password is in
ORDERS_PASSWORD.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import ssl
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

FOLDER = Path(__file__).parent
PORT, MODE = int(sys.argv[1]), (sys.argv[2:] or ["fine"])[0]
TOKEN = f"token-{secrets.token_hex(12)}"
FORGETS_AFTER = 300
ANSWER_S = 0.003
JSON = "application/json"
REASONS = {200: "OK", 201: "Created", 302: "Found", 401: "No", 404: "None", 415: "Not JSON"}


class Seen:
    """What all connections have asked."""

    counts: Counter[str] = Counter()
    customers: set[int] = set()
    skus: set[str] = set()
    orders: dict[int, object] = {1: {"id": 1, "customer": 7}}


Answer = tuple[int, object, dict[str, str]]


def answer(method: str, target: str, headers: dict[str, str], body: bytes) -> Answer:
    path = urlsplit(target).path
    Seen.counts[f"{method} {path.split('/')[1]}"] += 1
    if path == "/health":
        return 200, {"status": "UP"}, {}
    if path == "/openapi.json":
        operations = {"get": {"summary": "an order"}, "post": {"requestBody": {}}}
        return 200, {"paths": {"/health": {"get": {}}, "/orders": operations}}, {}
    if path == "/seen":
        lists = {"customers": sorted(Seen.customers), "skus": len(Seen.skus)}
        return 200, {**Seen.counts, **lists}, {}
    if path == "/login":
        return log_in(body)
    if headers.get("authorization") != f"Bearer {TOKEN}":
        return 401, {"error": "log in first"}, {}
    return create(headers, body) if method == "POST" else read(path)


def read(path: str) -> Answer:
    if path != "/orders":
        return 200, Seen.orders[1], {}
    return 200, {"orders": [] if MODE == "empty" else list(Seen.orders.values())}, {}


def log_in(body: bytes) -> Answer:
    if json.loads(body).get("password") != os.environ.get("ORDERS_PASSWORD", ""):
        return 401, {"error": "wrong password", "got": json.loads(body).get("password")}, {}
    if MODE == "silent":
        return 200, {"user": "bench"}, {}
    token = {"data": {"access_token": TOKEN}}
    return 200, token, {"X-Token": TOKEN, "Set-Cookie": f"SESSION={TOKEN}; HttpOnly"}


def create(headers: dict[str, str], body: bytes) -> Answer:
    if headers.get("content-type") != JSON:
        return 415, {}, {}
    order = json.loads(body)
    Seen.customers.add(order["customer"])
    Seen.skus.add(order["items"][0]["sku"])
    if MODE == "forgets" and Seen.counts["POST orders"] > FORGETS_AFTER:
        return 302, {}, {"Location": "/login"}
    return 200 if MODE == "sloppy" else 201, {"id": Seen.counts["POST orders"]}, {}


class Http(asyncio.Protocol):
    """One connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.received = transport, b""

    def data_received(self, data: bytes) -> None:
        self.received += data
        while b"\r\n\r\n" in self.received:
            head, _, remainder = self.received.partition(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")
            headers = {n.lower(): v for n, _, v in (line.partition(": ") for line in lines)}
            length = int(headers.get("content-length", "0"))
            if len(remainder) < length:
                return
            self.received = remainder[length:]
            method, target, _ = first.split(" ")
            status, document, more = answer(method, target, headers, remainder[:length])
            text = json.dumps(document).encode()
            named = {"Content-Type": JSON, "Content-Length": str(len(text)), **more}
            written = "".join(f"{name}: {value}\r\n" for name, value in named.items())
            line = f"HTTP/1.1 {status} {REASONS[status]}\r\n{written}\r\n"
            # what answers a load at once takes the CPU from all other processes
            later = asyncio.get_running_loop().call_later
            later(ANSWER_S, self.transport.write, line.encode() + text)


async def main() -> None:
    """Serve until the end of the process."""
    tls = None
    if MODE == "tls":
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        # of tests alone: it opens nothing else
        tls.load_cert_chain(FOLDER / "certificate.pem", FOLDER / "key.pem")
    server = await asyncio.get_running_loop().create_server(
        Http, "127.0.0.1", PORT, backlog=1024, ssl=tls
    )
    await server.serve_forever()


asyncio.run(main())
