"""CPU time, memory and threads of a process with all that it has started, read as of one."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import psutil

from springbench.host.process_tree import ProcessTree
from springbench.measure.readings import perfdata
from springbench.measure.readings.counters import cpu_time_s, io_counters

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
                self._total_s, sum(each.total_s for each in now.values()) + self._lost_s
            )
            return self._total_s

    def _keep_ended(self, now: Mapping[int, _CpuTime]) -> None:
        """Keep what was seen of processes that are gone, unless a parent has it.

        A child is not always seen to go in the same look as its parent is seen to have its time:
        what has no counterpart in one look may find it in the next.
        """
        gone_s = sum(each.total_s for pid, each in self._seen.items() if pid not in now)
        risen_s = sum(
            each.children_s - self._seen[pid].children_s
            for pid, each in now.items()
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
        return Calls(*(sum(getattr(each, name) for each in found) for name in Calls._fields))

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
    shares = [each.proportional_bytes for each in found]
    resident = [
        each.resident_bytes if share is None else share
        for each, share in zip(found, shares, strict=True)
    ]
    return Memory(
        sum(resident),
        None if None in shares else sum(resident),
        sum(each.threads for each in found),
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
