"""CPU time of another process, to the nanosecond where the kernel tells it."""

from __future__ import annotations

import sys
import time

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
