"""Single requests: is it ready, what does it answer, what does the upstream count."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Answer:
    """A response, with its approximate size on the wire."""

    status: int
    body: bytes
    wire_bytes: int
    headers: Mapping[str, str] = field(default_factory=dict)


def request(port: int, route: str, *, timeout_s: float, method: str = "GET") -> Answer:
    """One request on a connection of its own. Raises `OSError` or `http.client.HTTPException`."""
    connection = http.client.HTTPConnection(HOST, port, timeout=timeout_s)
    try:
        connection.request(method, route)
        response = connection.getresponse()
        body = response.read()
        # "HTTP/1.1 200 " + CRLF, "name: value" + CRLF for each header, CRLF, body
        headers = sum(len(name) + len(value) + 4 for name, value in response.getheaders())
        wire_bytes = 15 + headers + 2 + len(body)
        return Answer(response.status, body, wire_bytes, dict(response.getheaders()))
    finally:
        connection.close()


def get_json(port: int, route: str, *, timeout_s: float = 5.0) -> dict[str, Any]:
    """The JSON object that a route answers."""
    document = json.loads(request(port, route, timeout_s=timeout_s).body)
    if not isinstance(document, dict):
        raise http.client.HTTPException(f"{route} did not answer with an object")
    return document
