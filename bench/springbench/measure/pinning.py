"""Moves a running process, with all its threads, to other CPUs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

CAN_PIN = sys.platform.startswith("linux")


def pin(pid: int, cpus: frozenset[int]) -> None:
    """Bind every thread of a process to `cpus`.

    Repeated until no new thread shows up: one that is made meanwhile inherits the binding of
    its maker, which may not have been moved yet. Does nothing without `cpus` or without Linux.
    """
    if not cpus or not CAN_PIN:
        return
    done: set[str] = set()
    while fresh := set(_threads(pid)) - done:
        for thread in fresh:
            try:
                os.sched_setaffinity(int(thread), cpus)
            except ProcessLookupError:
                continue
        done |= fresh


def _threads(pid: int) -> list[str]:
    try:
        return [entry.name for entry in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return []
