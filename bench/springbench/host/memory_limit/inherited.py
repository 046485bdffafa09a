"""Limits that the control groups of this process set, in either version of the hierarchy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from springbench.host.memory_limit.mounts import hierarchies

# version 1 writes "no limit" as the largest multiple of a page
_UNLIMITED_BYTES = 2**62


def memory_limit(filesystem: Path = Path("/")) -> int | None:
    """The tightest memory limit in bytes; None without one."""
    limits = [
        int(text)
        for folder in _folders(filesystem, "memory")
        for name in ("memory.max", "memory.limit_in_bytes")
        if (text := _read(folder / name)).isdigit()
    ]
    tightest = min(limits, default=_UNLIMITED_BYTES)
    return tightest if tightest < _UNLIMITED_BYTES else None


def cpu_quota(filesystem: Path = Path("/")) -> float | None:
    """The tightest quota, in CPUs; None without one."""
    quotas = [
        int(quota) / int(period)
        for folder in _folders(filesystem, "cpu")
        for quota, period in (_quota_and_period(folder),)
        if quota.isdigit() and period.isdigit() and int(period)
    ]
    return min(quotas, default=None)


def _quota_and_period(folder: Path) -> tuple[str, str]:
    words = _read(folder / "cpu.max").split()
    if len(words) == 2:  # quota and period
        return words[0], words[1]
    return _read(folder / "cpu.cfs_quota_us"), _read(folder / "cpu.cfs_period_us")


def _folders(filesystem: Path, controller: str) -> Iterator[Path]:
    """The groups that this process is in, innermost first, and every group around them."""
    for tree in hierarchies(filesystem):
        if tree.version == 2 or controller in tree.controllers:
            for folder in (tree.own, *tree.own.parents):
                yield folder
                if folder == tree.mount:
                    break


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return ""
