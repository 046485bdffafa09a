"""Connections are counted once they are accepted, and only those of the port."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from springbench.measure.readings.connections import accepted

pytestmark = pytest.mark.skipif(
    not Path("/proc/net/tcp").exists(), reason="needs Linux's list of connections"
)


@pytest.mark.parametrize(
    ("family", "address"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::ffff:127.0.0.1")]
)
def test_what_waits_in_the_accept_queue_does_not_count(
    family: socket.AddressFamily, address: str
) -> None:
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket(family))
        listener.bind((address, 0))
        listener.listen(8)
        port = listener.getsockname()[1]
        for _ in range(3):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), 5))
        assert accepted(port) is None
        stack.enter_context(listener.accept()[0])
        stack.enter_context(listener.accept()[0])
        assert accepted(port) == 2
        listener.accept()[0].close()
        time.sleep(0.05)
        assert accepted(port) == 2


def test_no_list_is_not_no_connection(tmp_path: Path) -> None:
    assert accepted(80, proc=tmp_path) is None
