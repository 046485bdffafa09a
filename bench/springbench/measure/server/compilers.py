"""The just-in-time compilers of a server: the CPU time that their threads have had, and their CPUs.

They share the server's CPUs with its requests, and a server speeds up for as long as they work.
Their threads have names of their own, and Linux tells the CPU time of each.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from springbench.measure.readings import perfdata
from springbench.paths import text_of

# HotSpot's C1 and C2, Graal in HotSpot, OpenJ9. The kernel keeps 15 letters of a thread's name: the
# first ones, or, since JDK 27, seven, two dots and the last six ("C2 Comp..hread0")
NAMES = ("C1 Comp", "C2 Comp", "JVMCI C", "JIT Compilation")
# ahead of the requests and of wrk, behind what the kernel itself must do
FIRST_NICE = -15
# HotSpot starts and ends compiler threads as their queue grows and shrinks
SEARCH_EVERY_S = 1.0
_TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Compilers:
    """Those of a server. A native image or a script has none: then nothing is known or moved.

    `pids` are its processes, as they are now: one, or all that give them each time. `held`: the
    server is measured on just the CPUs that it has, and its compilers stay there.
    """

    def __init__(
        self,
        pids: int | Callable[[], Iterable[int]],
        proc: Path = Path("/proc"),
        *,
        held: bool = False,
    ) -> None:
        self._pids = (lambda: [pids]) if isinstance(pids, int) else pids
        self._proc = proc
        self._held = held
        # a sampler asks in a thread of its own
        self._lock = threading.Lock()
        self._others: set[Path] = set()
        # what a thread had is kept when it ends
        self._cpu_s: dict[Path, float] = {}
        self._searched_at_s = -SEARCH_EVERY_S

    def cpu_time_s(self) -> float | None:
        """CPU time of all of them since the process began; None where it has none."""
        with self._lock:
            self._search()
            for thread in self._cpu_s:
                if (used_s := _cpu_time_s(thread)) is not None:
                    self._cpu_s[thread] = used_s
            return sum(self._cpu_s.values()) if self._cpu_s else None

    def are_unknown(self) -> bool:
        """Whether a process is a HotSpot JVM of whose threads none is known as a compiler: a
        release names them otherwise, or it only interprets (-Xint)."""
        return self.cpu_time_s() is None and any(perfdata.is_there(pid) for pid in self._pids())

    def runnable(self) -> int:
        """How many of them have work at this moment, whether or not they get a CPU for it."""
        with self._lock:
            states = [_state(thread) for thread in self._cpu_s]
        return states.count("R")

    def widen_affinity(self, cpus: frozenset[int]) -> None:
        """Let them run on `cpus`, ahead of everything else where this process has the right."""
        self._move(cpus, FIRST_NICE)

    def restore_affinity(self, cpus: frozenset[int]) -> None:
        """Bind them to `cpus` again, with the priority of the server's other threads."""
        self._move(cpus, 0)

    def _move(self, cpus: Iterable[int], nice: int) -> None:
        """A thread that is started meanwhile inherits both from the one that starts it."""
        if self._held or not sys.platform.startswith("linux"):
            return
        with self._lock:
            self._search(now=True)
            threads = [int(thread.name) for thread in self._cpu_s]
        for thread in threads:
            with suppress(ProcessLookupError):
                if cpus:
                    os.sched_setaffinity(thread, cpus)
                with suppress(PermissionError):
                    os.setpriority(os.PRIO_PROCESS, thread, nice)

    def _search(self, *, now: bool = False) -> None:
        """Find the threads that have come since. Thousands of others are asked for a name once."""
        at_s = time.monotonic()
        if now:
            # one that was asked in its first moments had the name of its maker
            self._others.clear()
        elif at_s - self._searched_at_s < SEARCH_EVERY_S:
            return
        self._searched_at_s = at_s
        threads = {thread for pid in self._pids() for thread in self._threads_of(pid)}
        self._others &= threads
        for thread in threads - self._others - self._cpu_s.keys():
            name = text_of(thread / "comm").strip()
            if name.startswith(NAMES):
                self._cpu_s[thread] = 0.0
            elif name:
                self._others.add(thread)

    def _threads_of(self, pid: int) -> list[Path]:
        try:
            return list((self._proc / str(pid) / "task").iterdir())
        except OSError:
            return []


def _cpu_time_s(task: Path) -> float | None:
    """User and system time of a thread; None when it has ended."""
    # to the nanosecond, where the kernel keeps statistics of its scheduler
    if words := text_of(task / "schedstat").split():
        return int(words[0]) / 1e9
    # 14th and 15th
    fields = _behind_name(task)
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S if len(fields) > 12 else None


def _state(task: Path) -> str:
    """R: running, or it would be if it had a CPU; none when it has ended."""
    return "".join(_behind_name(task)[:1])


def _behind_name(task: Path) -> list[str]:
    """The fields of a thread's statistics from the third on; the second may hold anything."""
    return text_of(task / "stat").rpartition(")")[2].split()
