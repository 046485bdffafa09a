"""What a server says of itself: its output, and its collector's log."""

from __future__ import annotations

import re
from pathlib import Path

from springbench import units
from springbench.measure.readings import gclog
from springbench.plan.cases import Variant

LOG = "server.log"
LOG_TAIL_LINES = 20
_WORDS_MAX = 200
# Spring Boot: Started Application in 1.234 seconds (process running for 1.6)
_STARTED_IN = re.compile(r"\bStarted \S+ in (\d+(?:\.\d+)?) seconds")
# what shells, and programs that start others, end with
_NEVER_BEGAN = {
    126: "its program may not be run (`chmod +x` lets it)",
    127: "there is no such program (it is looked for on the PATH, or in the artifact's folder)",
}


def started_in_s(folder: Path) -> float | None:
    """Start time that the server itself tells in its log; None where it says nothing."""
    match = _STARTED_IN.search(_text(folder))
    return float(match[1]) if match else None


def log_tail(folder: Path) -> list[str]:
    """The last lines that the server of a fork printed."""
    return _text(folder).splitlines()[-LOG_TAIL_LINES:]


def why_it_ended(code: int, folder: Path | None) -> str:
    """What an exit code means, and the last words of a server that ended in its start.

    A trace's lines are indented: the last line that is not says what happened. Empty where nothing
    tells.
    """
    tail = log_tail(folder) if folder else []
    words = next((line for line in reversed(tail) if line.strip() and not line[0].isspace()), "")
    told = [_NEVER_BEGAN.get(code, ""), words.strip()[:_WORDS_MAX]]
    return "".join(f": {each}" for each in told if each)


def gc_log(variant: Variant, folder: Path) -> Path:
    """Where a server tells its collections: a log of its own, or among its other output."""
    return folder / (LOG if variant.runtime.prints_collections else gclog.GC_LOG)


def heap_words(variant: Variant, folder: Path) -> str:
    """How much of its memory was heap, as far as its collections tell. Empty where none does."""
    most_bytes = gclog.most_bytes(gclog.read(gc_log(variant, folder)) or [])
    if not most_bytes:
        return ""
    return f": its heap held {units.megabytes(most_bytes)} at most, the rest was beside it"


def _text(folder: Path) -> str:
    try:
        return (folder / LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
