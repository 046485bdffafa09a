"""What the kernel tells of one process: its CPU time, what it has read and asked, its signals."""

from __future__ import annotations

import re
import signal
import sys
import time
from pathlib import Path
from typing import NamedTuple

import psutil

# clock ids of the kernel: the complement of the process id, with the scheduler's clock in the
# low bits (MAKE_PROCESS_CPUCLOCK in linux/posix-timers.h, what clock_getcpuclockid gives)
_SCHEDULER_CLOCK = 2


def cpu_time_s(pid: int | None) -> float | None:
    """User and system time of a process, ended threads included; None when it is gone.

    /proc/<pid>/stat counts in ticks of 10 ms, which is a tenth of what a short burst costs.
    """
    if pid is None:
        return None
    if sys.platform.startswith("linux"):
        try:
            return time.clock_gettime((~pid << 3) | _SCHEDULER_CLOCK)
        except OSError:
            return None
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return None
    return float(times.user + times.system)


class IoCounters(NamedTuple):
    """Counters of a process so far, sockets included.

    wrk writes each request with one system call, so `writes` counts its requests exactly, whatever
    is answered; `read_bytes` are those of the answers. A request that is larger than the buffer of
    a socket takes several: then `written_bytes` count.
    """

    read_bytes: int
    writes: int
    written_bytes: int
    reads: int


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
    return IoCounters(
        int(counters.read_chars),
        int(counters.write_count),
        int(counters.write_chars),
        int(counters.read_count),
    )


_CAUGHT = re.compile(r"^SigCgt:\s*([0-9a-f]+)$", re.MULTILINE)


def catches(pid: int, number: signal.Signals) -> bool:
    """Whether the process has a handler for the signal by now; True where nothing tells.

    Without one the signal would end it. Source: `/proc/<pid>/status`, which only Linux has.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return True
    found = _CAUGHT.search(status)
    return found is None or bool(int(found[1], 16) >> (number - 1) & 1)
