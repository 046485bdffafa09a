"""Messages about what goes on: Python's `logging` with one handler, one line for each.

Modules log to `logging.getLogger(__name__)`. A command that prints them elsewhere than to standard
error, or through a live display, says so by `show_messages`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from springbench.untrusted import one_line

LOGGER = logging.getLogger(__package__)


def to_stderr(line: str) -> None:
    """Print a line to standard error. Files and git of others may have a part in it."""
    print(one_line(line), file=sys.stderr, flush=True)  # noqa: T201


class _Handler(logging.Handler):
    indent = ""

    def __init__(self, write: Callable[[str], None]) -> None:
        super().__init__()
        self.write = write

    def emit(self, record: logging.LogRecord) -> None:
        # a closed pipe ends the command as it does for other output, so nothing is caught
        self.write(self.indent + record.getMessage())


def show_messages(write: Callable[[str], None] = to_stderr) -> None:
    """Give each message to `write` from now on, and to nothing that was named before."""
    LOGGER.setLevel(logging.INFO)
    LOGGER.handlers = [_Handler(write)]


@contextmanager
def indented() -> Iterator[None]:
    """Indent messages for as long as the block lasts: those of a part of something larger."""
    handlers = [handler for handler in LOGGER.handlers if isinstance(handler, _Handler)]
    for handler in handlers:
        handler.indent += "  "
    try:
        yield
    finally:
        for handler in handlers:
            handler.indent = handler.indent[:-2]
