"""A server made slower from outside, as it would be on a worse host."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from springbench.host.memory_limit.cgroup_files import clear, hierarchies, joining, write
from springbench.host.memory_limit.choose import MemoryLimit
from springbench.host.memory_limit.control_group import ControlGroup
from springbench.measure.testbed import Testbed

# as control groups have it
PERIOD_US = 100_000
# Who runs for a tenth of a second at a time needs a shorter one. A period of 7 ms is taken for a
# quarter of a CPU that background load took, since the kernel counts by ticks of 4 ms.
SHORT_PERIOD_US = 33_331
_SPIN = "while True: pass"


@dataclass(frozen=True)
class Quota:
    """A share of one CPU's time, in each of consecutive periods."""

    ratio: float
    period_us: int = PERIOD_US


def with_quota(memory_limit: MemoryLimit, quota: Quota) -> MemoryLimit:
    """The same limits, and a quota on all that runs inside.

    Only where version 1 of control groups has the CPU; raises `SystemExit` elsewhere.
    """
    trees = [tree for tree in hierarchies() if "cpu" in tree.controllers]
    if not trees:
        raise SystemExit("--quota needs control groups of version 1; use --competitors")
    return replace(memory_limit, open=partial(_open, memory_limit.open, trees[0].own_group, quota))


def slowed(testbed: Testbed, quota: Quota) -> Testbed:
    """The testbed with a quota on each server, where that is less than the whole CPU."""
    if quota.ratio >= 1:
        return testbed
    return replace(testbed, memory_limit=with_quota(testbed.memory_limit, quota))


@contextmanager
def _open(
    outer: Callable[[str], AbstractContextManager[ControlGroup]],
    parent: Path,
    quota: Quota,
    name: str,
) -> Iterator[ControlGroup]:
    folder = parent / f"quota-{os.getpid()}-{name}"
    folder.mkdir()
    try:
        write(folder / "cpu.cfs_period_us", str(quota.period_us))
        write(folder / "cpu.cfs_quota_us", str(round(quota.period_us * quota.ratio)))
        with outer(name) as cell:
            yield _Joined(cell, folder)
    finally:
        clear([folder])


class _Joined(ControlGroup):
    """A cell whose processes are in one more group."""

    def __init__(self, inner: ControlGroup, folder: Path) -> None:
        self._inner, self._folder = inner, folder

    def wrap(self, command: Sequence[str]) -> list[str]:
        return self._inner.wrap(joining((self._folder,), command))

    def memory_peak_bytes(self) -> int | None:
        return self._inner.memory_peak_bytes()

    def oom_killed(self) -> bool:
        return self._inner.oom_killed()

    def cpu_time_s(self) -> float | None:
        return self._inner.cpu_time_s()

    def close(self) -> None:
        self._inner.close()


@dataclass(frozen=True)
class Competitors:
    """Busy loops beside a server, or beside what loads it."""

    count: int
    cpus: frozenset[int]

    @contextmanager
    def running(self) -> Iterator[None]:
        """They are there inside this block."""
        with ExitStack() as stack:
            for _ in range(self.count):
                cpus = ",".join(map(str, sorted(self.cpus)))
                loop = ["taskset", "--cpu-list", cpus, sys.executable, "-c", _SPIN]
                process = stack.enter_context(subprocess.Popen(loop))
                stack.callback(process.kill)
            yield
