"""Activity of the host: two snapshots a short time apart, and what lies between."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from springbench.host.facts.cpu_times import FIELDS, STEAL
from springbench.paths import text_of

SAMPLE_INTERVAL_S = 1.0

Processes = Mapping[int, tuple[str, float]]


@dataclass(frozen=True)
class BusyProcess:
    """A process that worked while we looked."""

    pid: int
    name: str
    cpu_ratio: float
    """Of one CPU."""


@dataclass(frozen=True)
class Snapshot:
    """Counters at one moment, all of them growing since boot."""

    at_s: float
    ticks: tuple[int, ...]
    """CPU time of the host by kind, in clock ticks; empty where it does not tell."""
    throttled: int | None
    processes: Processes
    """Name and CPU time in seconds of each process but this one."""

    @classmethod
    def take(cls, filesystem: Path, processes: Callable[[], Processes]) -> Snapshot:
        """Look now."""
        return cls(time.monotonic(), cpu_ticks(filesystem), _throttled(filesystem), processes())


@dataclass(frozen=True)
class Activity:
    """Activity between two snapshots."""

    before: Snapshot
    after: Snapshot

    @classmethod
    def watch(
        cls,
        filesystem: Path = Path("/"),
        *,
        processes: Callable[[], Processes] | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> Activity:
        """Look twice, `SAMPLE_INTERVAL_S` apart."""
        processes = processes or running_processes
        before = Snapshot.take(filesystem, processes)
        pause(SAMPLE_INTERVAL_S)
        return cls(before, Snapshot.take(filesystem, processes))

    @property
    def steal_ratio(self) -> float | None:
        """Stolen share of the time between the looks; None where the host does not tell."""
        return stolen_ratio(self.before.ticks, self.after.ticks)

    @property
    def steal_ratio_since_boot(self) -> float | None:
        """Stolen share of all time."""
        return _stolen(self.after.ticks) if self.after.ticks else None

    @property
    def throttled(self) -> int:
        """How often the CPU slowed itself down between the looks."""
        return (self.after.throttled or 0) - (self.before.throttled or 0)

    @property
    def busy(self) -> list[BusyProcess]:
        """Processes that were there all the time and worked, the busiest first."""
        span_s = max(self.after.at_s - self.before.at_s, 1e-9)
        found = [
            BusyProcess(pid, name, (cpu_s - self.before.processes[pid][1]) / span_s)
            for pid, (name, cpu_s) in self.after.processes.items()
            if pid in self.before.processes
        ]
        return sorted(
            (process for process in found if process.cpu_ratio > 0), key=lambda e: -e.cpu_ratio
        )


def governors(filesystem: Path = Path("/")) -> Counter[str]:
    """The governors in force, each with the number of CPU groups that it rules."""
    cpu = filesystem / "sys/devices/system/cpu"
    paths = list(cpu.glob("cpufreq/policy*/scaling_governor"))
    paths = paths or list(cpu.glob("cpu[0-9]*/cpufreq/scaling_governor"))
    return Counter(text for path in paths if (text := text_of(path).strip()))


def power_source(filesystem: Path = Path("/")) -> str | None:
    """`mains`, `battery` or `no battery`; None where the host does not tell."""
    folder = filesystem / "sys/class/power_supply"
    if not folder.is_dir():
        return None
    batteries, mains = [], False
    for supply in folder.iterdir():
        kind = text_of(supply / "type").strip()
        if kind == "Battery" and text_of(supply / "scope").strip() != "Device":  # that of a mouse
            batteries.append(text_of(supply / "status").strip())
        mains = mains or (kind in {"Mains", "USB"} and text_of(supply / "online").strip() == "1")
    if not batteries:
        return "no battery"
    return "battery" if "Discharging" in batteries and not mains else "mains"


def running_processes() -> Processes:
    """Every process but this one."""
    import psutil  # noqa: PLC0415  # set-up looks at tools alone, and should not wait for it

    found: dict[int, tuple[str, float]] = {}
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            times = process.cpu_times()
            if process.pid != os.getpid():
                found[process.pid] = process.name(), times.user + times.system
    return found


def cpu_ticks(filesystem: Path = Path("/")) -> tuple[int, ...]:
    """CPU time of the host by kind since boot, in clock ticks; empty where it does not tell."""
    words = (text_of(filesystem / "proc/stat").splitlines() or [""])[0].split()
    if words[:1] != ["cpu"] or len(words) <= FIELDS:
        return ()
    return tuple(int(word) for word in words[1 : FIELDS + 1])


def stolen_ratio(before: tuple[int, ...], after: tuple[int, ...]) -> float | None:
    """Share of all CPU time between two looks that the hypervisor gave to others."""
    if not before or not after:
        return None
    return _stolen(tuple(now - then for then, now in zip(before, after, strict=True)))


def _stolen(ticks: tuple[int, ...]) -> float:
    return max(0, ticks[STEAL]) / max(1, sum(ticks))


def _throttled(filesystem: Path) -> int | None:
    counters = filesystem.glob("sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count")
    counts = [int(text) for path in counters if (text := text_of(path).strip()).isdigit()]
    return sum(counts) if counts else None
