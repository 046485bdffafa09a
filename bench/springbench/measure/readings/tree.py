"""CPU time, memory and threads of a process with all that it has started, read as of one."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import psutil

from springbench.host.process_tree import ProcessTree
from springbench.measure.readings import perfdata

# to add up shared pages by halves and thirds the kernel walks through all of them
MEMORY_INTERVAL_S = 1.0
_TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Memory(NamedTuple):
    """Of all processes together.

    Of a single one `resident_bytes` is its resident memory; of several, where a page that they
    share would be counted for each, the sum of their proportional memory, as far as that is
    reported.
    """

    resident_bytes: int
    proportional_bytes: int | None
    threads: int


class Calls(NamedTuple):
    """Calls of the kernel so far, of files and sockets alike."""

    reads: int
    writes: int


class _CpuTime(NamedTuple):
    """Of a process by its own clock, and of the children that it has seen end."""

    own_s: float
    children_s: float

    @property
    def total_s(self) -> float:
        return self.own_s + self.children_s


class TreeReadings:
    """Readings of a tree. They are cumulative over processes that come and go. Safe for threads."""

    def __init__(self, tree: ProcessTree) -> None:
        self.tree = tree
        self._lock = threading.Lock()
        self._seen: Mapping[int, _CpuTime] = {}
        self._total_s = self._lost_s = self._unmatched_s = 0.0
        self._memory: Memory | None = None
        self._memory_at_s = 0.0
        self._peak_bytes: int | None = None

    def cpu_time_s(self) -> float | None:
        """User and system time, to the nanosecond where the kernel tells it; None when it is gone.

        What has ended counts on: a parent that has waited for it has its time, to a tick of the
        kernel. Of one that nobody waited for, what was seen last.
        """
        with self._lock:
            now = {
                pid: _CpuTime(own_s, stat.children_ticks / _TICKS_PER_S if stat else 0.0)
                for pid in self.tree.members()
                if (own_s := cpu_time_s(pid)) is not None
                for stat in (self.tree.stat(pid),)
            }
            if not now:
                return None
            self._keep_ended(now)
            self._seen = now
            self._total_s = max(
                self._total_s, sum(process.total_s for process in now.values()) + self._lost_s
            )
            return self._total_s

    def _keep_ended(self, now: Mapping[int, _CpuTime]) -> None:
        """Keep what was seen of processes that are gone, unless a parent has it.

        A child is not always seen to go in the same look as its parent is seen to have its time:
        what has no counterpart in one look may find it in the next.
        """
        gone_s = sum(process.total_s for pid, process in self._seen.items() if pid not in now)
        risen_s = sum(
            process.children_s - self._seen[pid].children_s
            for pid, process in now.items()
            if pid in self._seen
        )
        unmatched_s = gone_s - risen_s
        if unmatched_s > 0:
            unmatched_s = max(0.0, unmatched_s + min(0.0, self._unmatched_s))
            self._lost_s += unmatched_s
        else:
            found_s = min(max(0.0, self._unmatched_s), -unmatched_s)
            self._lost_s -= found_s
            unmatched_s += found_s
        self._unmatched_s = unmatched_s

    def calls(self) -> Calls | None:
        """Calls of the kernel that read or write, of all that live; None where nothing tells."""
        found = [io_counters(pid) for pid in self.tree.living()]
        if not found or None in found:
            return None
        return Calls(
            *(sum(getattr(counters, name) for counters in found) for name in Calls._fields)
        )

    def memory(self) -> Memory | None:
        """Memory and threads at this moment; None where nothing tells."""
        return self._keep_memory(_memory(self.tree.living(), with_shares=True))

    def memory_often(self) -> Memory | None:
        """The same for one that asks often: of several processes, not older than a second.

        Of a single one, its proportional memory is left out.
        """
        with self._lock:
            is_fresh = time.monotonic() - self._memory_at_s < MEMORY_INTERVAL_S
            if is_fresh and self._memory and len(self.tree.members()) > 1:
                return self._memory
        return self._keep_memory(_memory(self.tree.living(), with_shares=False))

    def _keep_memory(self, found: Memory | None) -> Memory | None:
        with self._lock:
            self._memory, self._memory_at_s = found, time.monotonic()
            if found:
                self._peak_bytes = max(self._peak_bytes or 0, found.resident_bytes)
        return found

    def peak_bytes(self) -> int | None:
        """The most resident memory so far: of a single process as Linux keeps it, else as seen."""
        living = self.tree.living()
        if len(living) == 1 and (peak_bytes := _high_water_bytes(living[0])):
            return max(peak_bytes, self._peak_bytes or 0)
        self.memory()
        return self._peak_bytes

    def jvm(self) -> int | None:
        """The one process that keeps HotSpot's counters; None where none does, or several do."""
        living = self.tree.living()
        if len(living) == 1:
            return living[0]
        found = [pid for pid in living if perfdata.is_there(pid)]
        return found[0] if len(found) == 1 else None


def _memory(pids: list[int], *, with_shares: bool) -> Memory | None:
    with_shares = with_shares or len(pids) > 1
    found = [memory for pid in pids if (memory := _memory_of(pid, with_share=with_shares))]
    if len(found) < 2:
        return found[0] if found else None
    shares = [process.proportional_bytes for process in found]
    resident = [
        process.resident_bytes if share is None else share
        for process, share in zip(found, shares, strict=True)
    ]
    return Memory(
        sum(resident),
        None if None in shares else sum(resident),
        sum(process.threads for process in found),
    )


def _memory_of(pid: int, *, with_share: bool) -> Memory | None:
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            rss_bytes, threads = int(process.memory_info().rss), int(process.num_threads())
    except psutil.Error:
        return None
    return Memory(rss_bytes, _proportional_bytes(pid) if with_share else None, threads)


def _proportional_bytes(pid: int) -> int | None:
    """The pages of a process, those that it shares counted in part."""
    return _kibibytes(Path(f"/proc/{pid}/smaps_rollup"), "Pss:")


def _high_water_bytes(pid: int) -> int | None:
    return _kibibytes(Path(f"/proc/{pid}/status"), "VmHWM:")


def _kibibytes(file: Path, name: str) -> int | None:
    """The value of a line like `VmHWM:  1234 kB`, in bytes."""
    try:
        lines = file.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(name)), None)


# --- What the kernel tells of one process ---------------------------------------------------------


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
