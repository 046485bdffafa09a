"""Checks of memory: enough of it, none of it on disk, pages of one size, a limit that holds."""

from __future__ import annotations

from springbench.host.checks.check import Check, Severity, untold
from springbench.host.memory_limit.choose import MemoryLimit
from springbench.units import apart

MEMORY = "memory"
MIN_MEMORY_BYTES = 4 * 2**30

_GIB = 2**30
_MIB = 2**20
_SWAPPED_BYTES = 64 * _MIB


def check_memory(available_bytes: int) -> Check:
    """Memory for a server, the upstream, the load generator and the build."""
    found, _ = apart(_gib, available_bytes, MIN_MEMORY_BYTES, 1)
    return Check(
        "memory",
        f"{found} available",
        f"{MIN_MEMORY_BYTES / _GIB:.0f} GiB or more",
        available_bytes >= MIN_MEMORY_BYTES,
        Severity.WARNING,
        "stop what holds the memory",
        group=MEMORY,
        matters="a host that swaps measures its disk",
    )


def _gib(value_bytes: float, digits: int) -> str:
    return f"{value_bytes / _GIB:.{digits}f} GiB"


def check_swap(total_bytes: int | None, used_bytes: int) -> Check:
    """Whether part of what runs is on disk."""
    name, wanted = "swap", "unused"
    matters = "the first request that touches a swapped page waits for the disk"
    if total_bytes is None:
        return untold(name, wanted, MEMORY, matters)
    size = f"{total_bytes / _GIB:.1f} GiB"
    return Check(
        name,
        f"{used_bytes / _MIB:,.0f} MiB used of {size}" if total_bytes else "none",
        wanted,
        used_bytes < _SWAPPED_BYTES,
        Severity.WARNING,
        "sudo swapoff -a (needs that much free memory; `sudo swapon -a` brings it back)",
        group=MEMORY,
        matters=matters,
    )


def check_thp(mode: str | None) -> Check:
    """Whether the kernel merges pages of any process in the background."""
    name, wanted = "transparent huge pages", "madvise or never"
    matters = (
        "with `always`, memory and throughput depend on which pages the kernel has merged by then"
    )
    if mode is None:
        return untold(name, wanted, MEMORY, matters)
    return Check(
        name,
        mode,
        wanted,
        mode in {"madvise", "never"},
        Severity.WARNING,
        "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
        group=MEMORY,
        matters=matters,
    )


def check_memory_limit(memory_limit: MemoryLimit) -> Check:
    """By what means a server is held to its memory limit."""
    warning = memory_limit.warning
    return Check(
        "memory limit",
        memory_limit.how,
        "enforced by the kernel",
        warning is None,
        Severity.WARNING,
        warning.remedy if warning else "",
        group=MEMORY,
        matters=warning.message if warning else "a server that takes more is ended, and said so",
    )
