"""Ctrl-C, and a supervisor's SIGTERM: each ends a command wherever it is, but for what is held."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_held = 0
_waiting = False


def ended_by_signals() -> None:
    """Make a supervisor's SIGTERM as good as Ctrl-C: children gone, what was measured kept."""
    signal.signal(signal.SIGTERM, _interrupt)
    # who was started to ignore Ctrl-C, as by nohup, goes on ignoring it
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


@contextmanager
def held() -> Iterator[None]:
    """What is done inside is done whole; `KeyboardInterrupt` is raised at the end of the block.

    For a few instructions that leave something broken when they are cut in two. A signal that
    nobody took over with `ended_by_signals` does not wait.
    """
    global _held, _waiting  # noqa: PLW0603 - a process has one set of signal handlers
    if threading.current_thread() is not threading.main_thread():
        # Python handles signals in the main thread alone
        yield
        return
    _held += 1
    try:
        yield
    finally:
        _held -= 1
        if _waiting and not _held:
            _waiting = False
            raise KeyboardInterrupt


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    global _waiting  # noqa: PLW0603
    if _held:
        _waiting = True
    else:
        raise KeyboardInterrupt


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """A second Ctrl-C does not end the saving that the first one began."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
