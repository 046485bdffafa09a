"""Single requests: is it ready, what does it answer, what does the upstream count."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

HOST = "127.0.0.1"
# of the time that a single piece of it may take
WHOLE_ANSWER = 5
_PIECE_BYTES = 1 << 16
# of an answer that is no HTTP/2
SHOWN_BYTES = 40
# the client's preface with empty SETTINGS; the server's come first (RFC 9113, 3.4 and 4.1)
_HTTP2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0\0\0\0\0"
_FRAME_HEAD_BYTES, _FRAME_TYPE, _SETTINGS = 9, 3, 4


@dataclass(frozen=True)
class Answer:
    """A response."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    closing: bool = False
    """Whether the server closes the connection after it."""
    cookies: Sequence[str] = ()
    """The values of Set-Cookie, of which an answer may have several."""

    @property
    def description(self) -> str:
        """In a word: `200`, `302 to /login`."""
        target = next((v for n, v in self.headers.items() if n.lower() == "location"), "")
        return f"{self.status} to {target[:100]}" if target else str(self.status)


def in_url(address: str) -> str:
    """An address as a URL has it: one of IPv6 in brackets."""
    return f"[{address}]" if ":" in address else address


def request(
    port: int,
    route: str,
    *,
    timeout_s: float,
    method: str = "GET",
    host: str = HOST,
    headers: Mapping[str, str | bytes] | None = None,
    body: bytes | None = None,
    tls: ssl.SSLContext | None = None,
) -> Answer:
    """One request on a connection of its own. Raises `OSError` or `http.client.HTTPException`.

    No redirection is followed. Nothing may take longer than `timeout_s`, and the whole answer no
    longer than five times that.
    """
    if tls is None:
        connection = http.client.HTTPConnection(host, port, timeout=timeout_s)
    else:
        connection = http.client.HTTPSConnection(host, port, timeout=timeout_s, context=tls)
    try:
        connection.request(method, route, body, headers or {})
        response = connection.getresponse()
        closing = response.will_close
        content = _read_body(response, WHOLE_ANSWER * timeout_s)
        cookies = response.headers.get_all("Set-Cookie") or ()
        return Answer(response.status, content, dict(response.getheaders()), closing, cookies)
    finally:
        connection.close()


def http2_refusal(
    port: int, *, timeout_s: float, host: str = HOST, tls: ssl.SSLContext | None = None
) -> str:
    """Why a server speaks no HTTP/2, in a few words; empty where it does.

    Without `tls` it is spoken to as one that is known to have it (RFC 9113, 3.3); with `tls`, which
    offers `h2`, it has to choose that.
    """
    try:
        with ExitStack() as stack:
            connection = stack.enter_context(socket.create_connection((host, port), timeout_s))
            if tls is not None:
                connection = secured = stack.enter_context(tls.wrap_socket(connection))
                if (chosen := secured.selected_alpn_protocol()) != "h2":
                    return f"over TLS it chose {chosen or 'no protocol'}"
            connection.sendall(_HTTP2_PREFACE)
            head = b""
            while len(head) < _FRAME_HEAD_BYTES and (piece := connection.recv(64)):
                head += piece
    except OSError as error:
        return f"it gave no answer ({type(error).__name__})"
    if len(head) >= _FRAME_HEAD_BYTES and head[_FRAME_TYPE] == _SETTINGS:
        return ""
    return f"it answered with {head[:SHOWN_BYTES]!r}" if head else "it closed the connection"


def _read_body(response: http.client.HTTPResponse, patience_s: float) -> bytes:
    """The body. Raises `TimeoutError` for one that does not end."""
    ends_at_s = time.monotonic() + patience_s
    pieces: list[bytes] = []
    # counted here: older Pythons do not count what read1 takes
    left = response.length
    while left is None or left > 0:
        piece = response.read1(_PIECE_BYTES if left is None else min(left, _PIECE_BYTES))
        if not piece:
            break
        pieces.append(piece)
        left = None if left is None else left - len(piece)
        if time.monotonic() > ends_at_s:
            raise TimeoutError(f"the answer did not end within {patience_s:.0f} s")
    if left:
        raise http.client.IncompleteRead(b"".join(pieces), left)
    return b"".join(pieces)


def get_json(port: int, route: str, *, timeout_s: float = 5.0, host: str = HOST) -> dict[str, Any]:
    """The JSON object that a route answers."""
    document = json.loads(request(port, route, timeout_s=timeout_s, host=host).body)
    if not isinstance(document, dict):
        raise http.client.HTTPException(f"{route} did not answer with an object")
    return document
