"""How a command ends that somebody else ends."""

from __future__ import annotations

import signal
from types import FrameType


def ended_by_sigterm() -> None:
    """Make a supervisor's SIGTERM as good as Ctrl-C: children gone, what was measured kept."""
    signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
