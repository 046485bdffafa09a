"""Free memory in small pieces is held while servers are measured."""

from __future__ import annotations

import errno
import os
import platform
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.host.free_memory import small_pieces_bytes, small_pieces_held

MIB = 1 << 20
PAGE_BYTES = 4096
pytestmark = pytest.mark.skipif(platform.system() != "Linux", reason="reads /proc")


def make_host(
    root: Path,
    *,
    pieces: tuple[int, ...] = (),
    available_mib: int = 8192,
    limit_mib: int | None = None,
    used_mib: int = 0,
) -> Path:
    """A host with so many free blocks of 1, 2, 4, … pages."""
    counts = " ".join(f"{count:6}" for count in pieces)
    files = {
        "proc/buddyinfo": f"Node 0, zone   Normal {counts}\n" if pieces else "",
        "proc/meminfo": f"MemTotal: 1 kB\nMemAvailable: {available_mib * 1024} kB\n",
        "proc/self/cgroup": "0::/job\n",
        "proc/self/mountinfo": "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
    }
    if limit_mib:
        files["sys/fs/cgroup/job/memory.max"] = f"{limit_mib * MIB}\n"
        files["sys/fs/cgroup/job/memory.current"] = f"{used_mib * MIB}\n"
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES


def test_blocks_of_two_mebibytes_are_whole(tmp_path: Path) -> None:
    # 256 pages alone, 256 blocks of 1 MiB, and as many of 2 and 4
    host = make_host(tmp_path, pieces=(256, *[0] * 7, 256, 256, 256))
    assert small_pieces_bytes(host) == 257 * MIB


def test_an_eighth_of_what_is_available_is_the_most(tmp_path: Path) -> None:
    host = make_host(tmp_path, pieces=(1_000_000,), available_mib=800)
    assert small_pieces_bytes(host) == 100 * MIB


def test_what_is_left_of_a_memory_limit_counts_as_available(tmp_path: Path) -> None:
    host = make_host(tmp_path, pieces=(1_000_000,), limit_mib=1000, used_mib=200)
    assert small_pieces_bytes(host) == 100 * MIB


def test_under_a_limit_that_is_used_up_nothing_is_held(tmp_path: Path) -> None:
    assert small_pieces_bytes(make_host(tmp_path, pieces=(99,), limit_mib=10, used_mib=11)) == 0


def test_nothing_is_held_where_the_kernel_does_not_tell(tmp_path: Path) -> None:
    assert small_pieces_bytes(tmp_path) == 0
    with small_pieces_held(tmp_path):
        pass


@given(
    pieces=st.lists(st.integers(0, 1 << 20), min_size=11, max_size=11),
    available_mib=st.integers(0, 1 << 16),
)
def test_it_is_whole_pages_and_never_more_than_can_be_spared(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[int], available_mib: int
) -> None:
    root = tmp_path_factory.mktemp("host")
    held = small_pieces_bytes(make_host(root, pieces=tuple(pieces), available_mib=available_mib))
    assert held % PAGE_BYTES == 0
    assert 0 <= held <= available_mib * MIB / 8


def test_memory_is_taken_from_the_kernel_and_given_back(tmp_path: Path) -> None:
    host = make_host(tmp_path, pieces=(16 * MIB // PAGE_BYTES,))
    before = resident_bytes()
    with small_pieces_held(host):
        assert resident_bytes() - before > 15 * MIB
    assert resident_bytes() - before < 4 * MIB


def test_a_kernel_that_refuses_ends_no_measurement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr("springbench.host.free_memory.mmap.mmap", refuse)
    measured = False
    with small_pieces_held(make_host(tmp_path, pieces=(99,))):
        measured = True
    assert measured


def test_what_is_forked_meanwhile_has_none_of_it(tmp_path: Path) -> None:
    host = make_host(tmp_path, pieces=(64 * MIB // PAGE_BYTES,))
    read, write = os.pipe()
    with small_pieces_held(host):
        if (child := os.fork()) == 0:
            os.write(write, b"%d" % resident_bytes())
            os._exit(0)
        os.waitpid(child, 0)
        assert resident_bytes() - int(os.read(read, 64)) > 60 * MIB
    os.close(read)
    os.close(write)
