"""Which port a server gets."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import psutil
import pytest

from springbench.errors import ExitCode, HostError
from springbench.host import ports
from springbench.host.ports import free_port, is_free


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that this very process listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_another_port_is_used_when_the_first_is_taken(taken: int) -> None:
    found = free_port(first=taken)
    assert found != taken
    assert is_free(found)


def test_the_first_port_may_be_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ports.FIRST_PORT_VARIABLE, "23456")
    assert 23456 <= free_port() < 23656
    for wrong in ("", "many", "0", "65536", "-1"):
        monkeypatch.setenv(ports.FIRST_PORT_VARIABLE, wrong)
        with pytest.raises(HostError, match="is no port; allowed: 1 to 65535"):
            free_port()


def test_a_port_asked_for_and_taken_names_its_holder(taken: int) -> None:
    with pytest.raises(HostError) as caught:
        free_port(taken)
    assert caught.value.exit_code is ExitCode.HOST
    assert f"port {taken} is taken" in str(caught.value)
    assert f"pid {os.getpid()}" in str(caught.value)
    assert psutil.Process().name() in str(caught.value)


def test_a_holder_that_may_not_be_seen_is_looked_up_by_hand(
    taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "_listeners", lambda _: iter(()))
    with pytest.raises(HostError, match=f"lsof -i :{taken}"):
        free_port(taken)


def test_macos_shows_the_user_s_own_processes(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(kind: str) -> None:
        raise psutil.AccessDenied

    monkeypatch.setattr(psutil, "net_connections", denied)
    assert f"pid {os.getpid()}" in ports.holder(taken)


def test_a_port_where_closed_connections_wait_is_free_and_taken_last() -> None:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as asks:
            answers, _ = listener.accept()
            # who closes first waits
            answers.close()
            assert asks.recv(1) == b""
    assert is_free(port)
    assert not is_free(port, reused=False)
    assert free_port(first=port) != port
    assert free_port(port) == port


def test_a_port_asked_for_and_free_is_given() -> None:
    port = free_port()
    assert free_port(port) == port


def test_connections_that_still_wait_do_not_take_a_port() -> None:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Java does
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = int(listener.getsockname()[1])
        client = socket.create_connection(("127.0.0.1", port))
        accepted, _ = listener.accept()
        accepted.close()  # the server closes first, so its side waits
        client.close()
    assert is_free(port)


def test_any_free_port_when_all_the_usual_ones_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "is_free", lambda port, reused: False)
    assert free_port() > 0
