"""A control group with its limits, and those that a killed harness left."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from springbench.host.environment import passed
from springbench.host.memory_limit.cgroup_files import clear, keyed, members, number, numbers

PREFIX = "springbench"
_NAME = re.compile(rf"{PREFIX}-(\d+)-(\d+)-(\d+)-\d+-.*")
_SLUG_LENGTH = 80
_PROC = Path("/proc")
_numbers = itertools.count(1)

Wrap = Callable[[Sequence[str]], list[str]]


class Throttling(NamedTuple):
    """What a quota has done so far."""

    periods: int
    """In which a process of the group ran."""
    throttled: int
    """Those of them in which it had used up its quota before the end."""
    throttled_s: float
    """How long its CPUs waited for the next period then, together."""


# a group of one controller; None as long as it is not there
Folder = Callable[[], Path | None]


def _nowhere() -> None:
    """Nothing is known."""


@dataclass(frozen=True)
class CgroupStats:
    """Reads the figures of a group; None where the group does not keep one.

    In version 1 memory, CPU time and the quota have trees of their own; in version 2 they are one.
    """

    memory: Folder = _nowhere
    cpuacct: Folder = _nowhere
    cpu: Folder = _nowhere
    is_v1: bool = False

    def memory_peak_bytes(self) -> int | None:
        """The most that was held at once, with page cache and kernel memory."""
        folder, name = self.memory(), "memory.max_usage_in_bytes" if self.is_v1 else "memory.peak"
        return number(folder / name) if folder else None

    def oom_kills(self) -> int | None:
        """Processes that the kernel killed at the limit."""
        folder, name = self.memory(), "memory.oom_control" if self.is_v1 else "memory.events"
        return keyed(folder / name, "oom_kill") if folder else None

    def cpu_time_s(self) -> float | None:
        """CPU time of all processes so far."""
        folder = self.cpuacct()
        if folder is None:
            return None
        usage = keyed(folder / "cpu.stat", "usage_usec"), 1e6
        if self.is_v1:
            usage = number(folder / "cpuacct.usage"), 1e9
        return None if usage[0] is None else usage[0] / usage[1]

    def throttling(self) -> Throttling | None:
        """What its quota has done; None before the first period, and without a quota for ever."""
        waited, per_s = ("throttled_time", 1e9) if self.is_v1 else ("throttled_usec", 1e6)
        folder = self.cpu()
        found = numbers(folder / "cpu.stat") if folder else {}
        if not found.get("nr_periods") or not {"nr_throttled", waited} <= found.keys():
            return None
        return Throttling(found["nr_periods"], found["nr_throttled"], found[waited] / per_s)

    def members(self) -> list[int]:
        """Processes that are in it now; none where nothing tells."""
        folder = self.memory()
        return members(folder) if folder else []


@dataclass(frozen=True)
class _Figures:
    memory_peak_bytes: int | None
    oom_kills: int | None
    cpu_time_s: float | None


class ControlGroup:
    """Holds the processes of one fork. Its figures outlive it: the last ones are kept."""

    def __init__(
        self, wrap: Wrap, meter: CgroupStats, needs: Sequence[str] = (), helper: str = ""
    ) -> None:
        self._wrap, self._needs = wrap, needs
        self.helper = helper
        """An argument of a process that `wrap` puts in beside the command; empty for none."""
        self._meter = meter
        self._last: _Figures | None = None

    def wrap(self, command: Sequence[str]) -> list[str]:
        """The command that runs `command` inside, under the process id that it is started with."""
        return self._wrap(command)

    def members(self) -> list[int]:
        """Processes that are in it now; none where nobody tells."""
        return [] if self._last else self._meter.members()

    def variables(self) -> dict[str, str]:
        """Variables of this process's environment that `wrap` needs, and the command does not."""
        return passed(self._needs)

    def memory_peak_bytes(self) -> int | None:
        """The most that was held at once, in bytes; None where nobody counts.

        The kernel counts page cache and its own buffers too, so the first fork that reads a jar
        shows more than the next: compare servers by resident memory, limits by this.
        """
        return self._last.memory_peak_bytes if self._last else self._meter.memory_peak_bytes()

    def oom_killed(self) -> bool:
        """Whether the kernel killed a process in here for reaching the limit."""
        kills = self._last.oom_kills if self._last else self._meter.oom_kills()
        return bool(kills)

    def cpu_time_s(self) -> float | None:
        """CPU time of all that ran inside, children included; None where nobody counts."""
        return self._last.cpu_time_s if self._last else self._meter.cpu_time_s()

    def throttling(self) -> Throttling | None:
        """What its quota has done so far; None without one, afterwards, or where nobody counts."""
        return None if self._last else self._meter.throttling()

    def close(self) -> None:
        """Keep the figures as they are now, before the group goes."""
        meter = self._meter
        self._last = _Figures(meter.memory_peak_bytes(), meter.oom_kills(), meter.cpu_time_s())


def group_name(purpose: str) -> str:
    """A name that no other group has: `springbench-<pid>-<start>-<namespace>-<n>-<purpose>`."""
    slug = re.sub(r"[^A-Za-z0-9_]+", "-", purpose).strip("-")[:_SLUG_LENGTH]
    pid = os.getpid()
    return f"{PREFIX}-{pid}-{_started(pid) or 0}-{_namespace()}-{next(_numbers)}-{slug or 'group'}"


def sweep(mounts: Iterable[Path]) -> list[str]:
    """Remove the groups of dead harnesses, with what still runs in them; returns their names."""
    swept = []
    for mount in mounts:
        for folder in _groups(mount):
            if is_orphan(folder.name) and clear([folder], patience_s=1.0):
                swept.append(folder.name)
    return swept


def is_orphan(name: str) -> bool:
    """Whether the name was given by a harness of this namespace that runs no more."""
    match = _NAME.fullmatch(name)
    if match is None:
        return False
    pid, started, namespace = map(int, match.groups())
    if namespace != _namespace():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return _started(pid) not in {started, None}


def _groups(mount: Path) -> list[Path]:
    return [
        Path(parent) / name
        for parent, folders, _ in os.walk(mount)
        for name in folders
        if name.startswith(f"{PREFIX}-")
    ]


def _started(pid: int) -> int | None:
    """When a process started, in clock ticks since boot."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # the name in the second field may hold spaces and brackets
    fields = stat.rpartition(")")[2].split()
    return int(fields[19]) if len(fields) > 19 else None


def _namespace() -> int:
    try:
        return (_PROC / "self/ns/pid").stat().st_ino
    except OSError:
        return 0
