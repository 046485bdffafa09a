"""Signals that a process takes, as the kernel tells them."""

from __future__ import annotations

import re
import signal
from pathlib import Path

_CAUGHT = re.compile(r"^SigCgt:\s*([0-9a-f]+)$", re.MULTILINE)


def catches(pid: int, number: signal.Signals) -> bool:
    """Whether the process has a handler for the signal by now; True where nothing tells.

    Without one the signal would end it. Source: `/proc/<pid>/status`, which only Linux has.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return True
    found = _CAUGHT.search(status)
    return found is None or bool(int(found[1], 16) >> (number - 1) & 1)
