"""Limits of the kernel: raised where possible, explained where not."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from springbench.host.facts.kernel_limits import (
    AcceptQueue,
    FileLimit,
    PortRange,
    accept_queue,
    file_limit,
    files_needed,
    port_range,
    raise_file_limit,
)


@pytest.fixture
def soft_limit() -> Iterator[int]:
    """A soft limit well below the hard one, put back afterwards."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    low = 256
    resource.setrlimit(resource.RLIMIT_NOFILE, (low, hard))
    yield low
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_soft_limit_is_raised_for_this_process_and_its_children(soft_limit: int) -> None:
    raised = raise_file_limit(1_000)
    assert (raised.soft, raised.ok, raised.remedy) == (1_000, True, "")
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 1_000


def test_a_limit_that_is_high_enough_stays_as_it_is(soft_limit: int) -> None:
    assert raise_file_limit(100).soft == soft_limit


def test_looking_changes_nothing(soft_limit: int) -> None:
    assert file_limit(1_000).ok
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == soft_limit


def test_a_hard_limit_that_is_too_low_is_reached_and_explained(
    soft_limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = {"soft": 256, "hard": 4_096}

    def set_limit(_: int, new_limits: tuple[int, int]) -> None:
        if new_limits[1] > limits["hard"]:
            raise ValueError("not allowed to raise maximum limit")
        limits.update(soft=new_limits[0], hard=new_limits[1])

    monkeypatch.setattr(resource, "setrlimit", set_limit)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limits["soft"], limits["hard"]))

    found = raise_file_limit(10_512)

    assert (found.soft, found.hard, found.ok) == (4_096, 4_096, False)
    assert "10512" in found.remedy
    assert "limits.conf" in found.remedy
    monkeypatch.undo()


def test_a_server_needs_two_descriptors_a_connection() -> None:
    assert files_needed(5_000) > 10_000
    assert not FileLimit(1_024, 4_096, files_needed(5_000)).ok


def make_proc(proc: Path, ports: str, waiting: int, somaxconn: str = "4096") -> Path:
    (proc / "sys/net/ipv4").mkdir(parents=True)
    (proc / "sys/net/core").mkdir(parents=True)
    (proc / "net").mkdir()
    (proc / "sys/net/ipv4/ip_local_port_range").write_text(ports)
    (proc / "sys/net/core/somaxconn").write_text(somaxconn)
    (proc / "net/sockstat").write_text(
        f"sockets: used 11\nTCP: inuse 1 orphan 0 tw {waiting} alloc 1 mem 162\n"
    )
    return proc


def test_ports_are_counted_less_those_that_wait(tmp_path: Path) -> None:
    found = port_range(5_000, make_proc(tmp_path, "32768\t60999\n", 20))
    assert (found.low, found.high, found.time_wait, found.free) == (32_768, 60_999, 20, 28_212)
    assert found.ok
    assert found.remedy == ""


def test_waiting_connections_pass_and_a_small_range_does_not(tmp_path: Path) -> None:
    waiting = port_range(5_000, make_proc(tmp_path, "32768\t60999\n", 26_000))
    assert not waiting.ok
    assert waiting.remedy.startswith("wait a minute")
    small = PortRange(60_000, 61_000, 0, 5_000)
    assert not small.ok
    assert "ip_local_port_range" in small.remedy


def test_ports_that_the_kernel_takes_again_do_not_count_as_waiting(tmp_path: Path) -> None:
    proc = make_proc(tmp_path, "32768\t60999\n", 26_000)
    (proc / "sys/net/ipv4/tcp_tw_reuse").write_text("2\n")
    assert port_range(5_000, proc).ok


def test_without_proc_the_usual_range_is_assumed(tmp_path: Path) -> None:
    assert port_range(5_000, tmp_path).ok
    assert accept_queue(1_024, tmp_path) is None


def test_a_short_accept_queue_has_its_command(tmp_path: Path) -> None:
    found = accept_queue(1_024, make_proc(tmp_path, "1 2", 0, somaxconn="128\n"))
    assert found == AcceptQueue(128, 1_024)
    assert "somaxconn=1024" in found.remedy
