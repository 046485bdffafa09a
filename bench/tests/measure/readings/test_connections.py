"""What each connection has received."""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.host.shell import RealShell
from springbench.measure.readings.connections import Received, received
from tests.fakes import FakeShell


@pytest.mark.process
def test_each_connection_is_seen_with_what_it_has_received() -> None:
    with ExitStack() as stack:
        server = stack.enter_context(closing(socket.create_server(("127.0.0.1", 0))))
        port = server.getsockname()[1]
        clients = [
            stack.enter_context(closing(socket.create_connection(("127.0.0.1", port))))
            for _ in range(4)
        ]
        accepted = [stack.enter_context(closing(server.accept()[0])) for _ in clients]
        for answered in accepted[:3]:
            answered.sendall(b"x" * 100)
        for client in clients[:3]:
            client.recv(100)
        seen = received(RealShell(), port)
    assert seen is not None
    assert sorted(seen.bytes) == [0, 100, 100, 100]
    assert seen.unanswered_ratio == 0.25
    assert seen.fairness == pytest.approx(0.75)


def test_of_a_load_only_wrks_own_count() -> None:
    shell = FakeShell()
    line = '0 0 127.0.0.1:1 127.0.0.1:2 users:(("{}",pid=1,fd=3)) cubic{} segs_in:3'
    counted = [line.format("wrk", " bytes_received:70"), line.format("wrk", "")]
    shell.answer("ss", stdout="\n".join([*counted, line.format("python3", " bytes_received:9")]))
    assert received(shell, 2) == Received((70, 0))


def test_a_connection_that_has_just_taken_the_place_of_another_is_not_left_out() -> None:
    shell = FakeShell()
    line = '0 0 127.0.0.1:1 127.0.0.1:2 users:(("wrk",pid=1,fd=3)) cubic{} segs_in:3'
    waits = [
        f"{line} bytes_received:70 lastsnd:4",
        line,
        f"{line} lastsnd:3",
        f"{line} lastsnd:9000",
    ]
    shell.answer("ss", stdout="\n".join(waits))
    assert received(shell, 2, lasted_s=12.0) == Received((70, 0, 0, 0), new=2)
    assert Received((70, 0, 0, 0), new=2).unanswered_ratio == pytest.approx(1 / 4)


def test_where_the_host_does_not_tell_nothing_is_known() -> None:
    shell = FakeShell()
    shell.answer("ss", error=FileNotFoundError("ss"))
    assert received(shell, 2) is None
    shell.answer("ss", stdout="0 0 127.0.0.1:1 127.0.0.1:2\n")
    assert received(shell, 2) is None


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=50))
def test_fairness_lies_between_zero_and_one(received_bytes: list[int]) -> None:
    seen = Received(tuple(received_bytes))
    assert 0 <= seen.fairness <= 1 + 1e-9
    assert (seen.fairness == 0) == (not any(received_bytes))
    # only those that were served count
    assert seen.fairness <= 1 - seen.unanswered_ratio + 1e-9
