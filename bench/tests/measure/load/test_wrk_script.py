"""Requests of wrk that are more than a plain GET: a real wrk, and a server that keeps them."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from springbench.bench.tools import Tools
from springbench.host.shell import RealShell
from springbench.matrix.templates import RequestTemplate, get, parse
from springbench.measure.load.drawn_requests import mixed_order
from springbench.measure.load.generator import Place, Requests
from springbench.measure.load.load_host import SameHost
from springbench.measure.load.wrk import ONE_WRITE_BYTES, Wrk, mean_bytes, script

HEADERS = (("Content-Type", ("application/json",)), ("X-Key", ('a"b\\c',)))
ANSWER = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok"


class Keeper:
    """A server that keeps each request, byte for byte."""

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def close(self) -> None:
        """Nobody accepts any more: the next socket may get the same number."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self.listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        received = b""
        with connection, suppress(OSError):
            while piece := connection.recv(1 << 20):
                received += piece
                while b"\r\n\r\n" in received:
                    head, _, remainder = received.partition(b"\r\n\r\n")
                    found = re.search(rb"Content-Length: (\d+)", head)
                    length = int(found[1]) if found else 0
                    if len(remainder) < length:
                        break
                    self.requests.append(head + b"\r\n\r\n" + remainder[:length])
                    received = remainder[length:]
                    connection.sendall(ANSWER)


@contextmanager
def keeping() -> Iterator[Keeper]:
    keeper = Keeper()
    try:
        yield keeper
    finally:
        keeper.close()


def sent(
    templates: tuple[RequestTemplate, ...], tmp_path: Path, tools: Tools, **options: float
) -> tuple[list[bytes], int]:
    """What arrives of a load of a second, and how many requests wrk has reported."""
    shell = RealShell()
    with keeping() as keeper:
        host = SameHost(shell, str(tools.wrk.path), frozenset())
        place = Place(host, f"http://127.0.0.1:{keeper.port}", 2, tmp_path, "load")
        requests = Requests(templates, 4, 1.0, first_number=10_000_000, **options)  # type: ignore[arg-type]
        with Wrk().start(requests, place) as load:
            [file] = load.private
            assert file.stat().st_mode & 0o777 == 0o600
            # nothing that is asked stands where others read it
            command = Path(f"/proc/{load.running.pid}/cmdline").read_bytes()
            assert b"secret" not in command
            assert load.has_ended(20)
            summary = load.summary()
        assert not file.exists()
        assert "secret" not in place.output.read_text(encoding="utf-8")
        assert summary.errors.total == 0
        return keeper.requests, summary.requests


@pytest.mark.process
def test_a_constant_request_arrives_byte_for_byte(tmp_path: Path, tools: Tools) -> None:
    body = '{"secret": "\u00e9\udcff\x00"}'
    template = RequestTemplate("a", ("/a",), "POST", HEADERS, (body,))
    requests, reported = sent((template,), tmp_path, tools)
    assert len(set(requests)) == 1
    head, _, sent_body = requests[0].partition(b"\r\n\r\n")
    assert sent_body == body.encode("utf-8", "surrogateescape")
    first, *lines = head.decode().split("\r\n")
    assert first == "POST /a HTTP/1.1"
    assert lines[0].startswith("Host: 127.0.0.1:")
    assert lines[1:] == [
        "Content-Type: application/json",
        'X-Key: a"b\\c',
        f"Content-Length: {len(sent_body)}",
    ]
    assert len(requests[0]) == mean_bytes([template], lines[0].removeprefix("Host: "))
    assert reported <= len(requests) <= reported + 4


@pytest.mark.process
def test_bodies_differ_and_numbers_never_meet(tmp_path: Path, tools: Tools) -> None:
    text = '{"secret": {random:1:50}, "sku": "A-{n}", "name": "{row:name}"}'
    rows = tuple({"name": name} for name in ("x", 'y"', "z"))
    template = RequestTemplate("a", parse("/a"), "POST", HEADERS, parse(text), "json", rows)
    requests, _ = sent((template,), tmp_path, tools)
    bodies = [json.loads(request.partition(b"\r\n\r\n")[2]) for request in requests]
    assert {body["secret"] for body in bodies} == set(range(1, 51))
    assert len({body["sku"] for body in bodies}) == len(bodies)
    assert {body["name"] for body in bodies} == {"x", 'y"', "z"}
    assert all(int(body["sku"].removeprefix("A-")) >= 10_000_000 for body in bodies)
    mean = sum(map(len, requests)) / len(requests)
    assert mean_bytes([template], "127.0.0.1:12345") == pytest.approx(mean, rel=0.01)


@pytest.mark.process
def test_rows_alone_are_written_out_beforehand(tmp_path: Path, tools: Tools) -> None:
    rows = tuple({"q": f"secret {number}"} for number in range(5))
    template = RequestTemplate("a", parse("/a?q={row:q}"), rows=rows)
    requests, _ = sent((template,), tmp_path, tools, begin_over_s=0.2)
    counts = Counter(request.split(b" ")[1] for request in requests)
    assert set(counts) == {f"/a?q=secret%20{number}".encode() for number in range(5)}
    assert max(counts.values()) - min(counts.values()) <= 8


@pytest.mark.process
def test_a_mix_has_the_shares_of_its_weights(tmp_path: Path, tools: Tools) -> None:
    create = RequestTemplate("a", ("/a",), "POST", (), parse('{"secret": {n}}'), "json", weight=1)
    templates = (replace(get("/b"), weight=7), replace(get("/c"), weight=2), create)
    requests, reported = sent(templates, tmp_path, tools)
    counts = Counter(request.split(b" ")[1].decode() for request in requests)
    total = sum(counts.values())
    assert total >= reported
    # each thread goes through the whole order again and again
    for path, weight in (("/a", 1), ("/b", 7), ("/c", 2)):
        assert counts[path] == pytest.approx(total * weight / 10, abs=20)


@pytest.mark.process
def test_a_large_body_is_counted_by_its_bytes(tmp_path: Path, tools: Tools) -> None:
    body = "secret" * (1 << 17)
    template = RequestTemplate("a", ("/a",), "POST", (), (body,))
    shell = RealShell()
    with keeping() as keeper:
        host = SameHost(shell, str(tools.wrk.path), frozenset())
        place = Place(host, f"http://127.0.0.1:{keeper.port}", 1, tmp_path, "load")
        with Wrk().start(Requests((template,), 2, 1.0), place) as load:
            assert len(body) > ONE_WRITE_BYTES
            counted = 0
            while not load.has_ended(0.05):
                counted = load.sample().requests or counted
        # as many as have arrived, to those of the last moments
        assert counted == pytest.approx(len(keeper.requests), rel=0.15)


def test_what_is_always_the_same_asks_no_script() -> None:
    template = RequestTemplate("a", ("/a",), "POST", (), ("x",))
    text = script(Requests((template,), 4, 1.0), "h:1", 2, "/report.lua")
    assert "function request" not in text
    assert "wrk.format" in text
    varying = replace(template, body=parse("{n}"))
    text = script(Requests((varying,), 4, 1.0), "h:1", 2, "/report.lua")
    assert "request = made[1]" in text


def test_the_order_of_a_mix_is_drawn_once() -> None:
    templates = [replace(get("/a"), weight=70), replace(get("/b"), weight=30)]
    order = mixed_order(templates)
    assert Counter(order) == {0: 7, 1: 3}
    assert mixed_order(templates) == order
    assert mean_bytes(templates, "h:1") == len(b"GET /a HTTP/1.1\r\nHost: h:1\r\n\r\n")


def test_many_places_are_no_trouble_for_lua() -> None:
    template = RequestTemplate("a", ("/a",), "POST", (), parse("{n}," * 300))
    text = script(Requests((template,), 4, 1.0), "h:1", 2, "/report.lua")
    assert max(len(group.split(" .. ")) for group in text.split(") .. (")) < 50
