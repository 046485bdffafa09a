"""What a load generator has read and asked: `/proc/<pid>/io`, which only Linux has."""

from __future__ import annotations

import sys
from typing import NamedTuple

import psutil


class IoCounters(NamedTuple):
    """Counters of a process so far, sockets included.

    wrk writes each request with one system call, so `writes` counts its requests exactly, whatever
    is answered; `read_bytes` are those of the answers.
    """

    read_bytes: int
    writes: int


def io_counters(pid: int | None) -> IoCounters | None:
    """So many so far; None where nothing tells."""
    return io_counters_of(process_of(pid))


def process_of(pid: int | None) -> psutil.Process | None:
    """The process, to be asked often; None when it is gone."""
    try:
        return psutil.Process(pid) if pid is not None else None
    except psutil.Error:
        return None


def io_counters_of(process: psutil.Process | None) -> IoCounters | None:
    """As `io_counters`."""
    if process is None or not sys.platform.startswith("linux"):
        return None
    try:
        counters = process.io_counters()
    except (psutil.Error, OSError):
        return None
    return IoCounters(int(counters.read_chars), int(counters.write_count))
