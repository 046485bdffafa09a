"""How fast the server's CPUs are at a moment, whatever the server does with them.

A neighbour on the same core, heat or a hypervisor changes a CPU's speed by a third within minutes
and shows nowhere. A fixed piece of work, done now and then on the server's own CPUs, shows it: its
CPU time, in which waiting for the CPU does not count. It takes 0.3 % of one of them.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time

# about a millisecond
HASHES = 1_000
EVERY_S = 0.25


class HostSpeed:
    """Does the piece of work again and again, in a thread of its own. Use as a context manager."""

    def __init__(self, cpus: frozenset[int]) -> None:
        self._cpus = cpus
        self._latest_s: float | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="host speed", daemon=True)

    def __enter__(self) -> HostSpeed:
        if self._cpus:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._cpus:
            self._thread.join()

    @property
    def work_s(self) -> float | None:
        """CPU time that the work took last; None where the server's CPUs are not known."""
        return self._latest_s

    def _loop(self) -> None:
        try:
            os.sched_setaffinity(0, self._cpus)  # of this thread alone
        except OSError:
            return  # a CPU that is not there, or not ours: its speed stays unknown
        while not self._stop.wait(EVERY_S):
            self._latest_s = work_s()


def work_s() -> float:
    """CPU time of the piece of work, done once by this thread."""
    begin_s = time.thread_time()
    hashlib.pbkdf2_hmac("sha256", b"springbench", b"speed", HASHES)
    return time.thread_time() - begin_s
