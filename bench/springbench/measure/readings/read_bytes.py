"""Bytes that a process has read, sockets included: `/proc/<pid>/io`, which only Linux has."""

from __future__ import annotations

import sys

import psutil


def read_bytes(pid: int) -> int | None:
    """So many so far; None where nothing tells."""
    return read_bytes_of(process_of(pid))


def process_of(pid: int | None) -> psutil.Process | None:
    """The process, to be asked often; None when it is gone."""
    try:
        return psutil.Process(pid) if pid is not None else None
    except psutil.Error:
        return None


def read_bytes_of(process: psutil.Process | None) -> int | None:
    """As `read_bytes`."""
    if process is None or not sys.platform.startswith("linux"):
        return None
    try:
        return int(process.io_counters().read_chars)
    except (psutil.Error, OSError):
        return None
