"""Single requests."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from springbench.measure.services.http import get_json, http2_refusal, request
from tests.answers import answering

pytestmark = pytest.mark.process


def test_an_answer_whatever_its_status() -> None:
    with answering({"/hello": (200, b"hello"), "/broken": (500, b"boom")}) as port:
        answer = request(port, "/hello", timeout_s=5)
        assert (answer.status, answer.body) == (200, b"hello")
        assert request(port, "/broken", timeout_s=5).status == 500
        assert request(port, "/hello", timeout_s=5, method="POST").status == 200


def test_json_must_be_an_object() -> None:
    with answering({"/a": (200, b'{"served": 3}'), "/b": (200, b"[1]")}) as port:
        assert get_json(port, "/a") == {"served": 3}
        with pytest.raises(http.client.HTTPException, match="/b did not answer with an object"):
            get_json(port, "/b")


def test_an_answer_without_an_end_is_given_up() -> None:
    """Each piece comes in time, and the whole never does."""
    with streaming(b"HTTP/1.1 200 OK\r\n\r\n") as port:
        began_s = time.monotonic()
        with pytest.raises(TimeoutError, match="did not end within 3 s"):
            request(port, "/", timeout_s=0.6)
        assert time.monotonic() - began_s < 10


def test_a_server_speaks_http2_if_its_settings_come_first() -> None:
    with streaming(b"\0\0\0\x04\0\0\0\0\0", pieces=0) as port:
        assert http2_refusal(port, timeout_s=5) == ""
    with streaming(b"HTTP/1.1 400 Bad Request\r\n\r\n", pieces=0) as port:
        assert "it answered with b'HTTP/1.1 400" in http2_refusal(port, timeout_s=5)
    with streaming(b"", pieces=0) as port:
        assert http2_refusal(port, timeout_s=5) == "it closed the connection"


def test_half_an_answer_is_none() -> None:
    half = streaming(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", pieces=2)
    with half as port, pytest.raises(http.client.IncompleteRead):
        request(port, "/", timeout_s=5)


@contextmanager
def streaming(head: bytes, pieces: int = 1_000) -> Iterator[int]:
    """The port of a server that answers one connection with a letter every 50 ms."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.recv(1 << 16)
                connection.sendall(head)
                for _ in range(pieces):
                    connection.sendall(b"x")
                    time.sleep(0.05)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield int(server.getsockname()[1])
        thread.join(10)
