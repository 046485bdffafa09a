"""Garbage collections of a JVM, from its own log (-Xlog:gc): writing it costs a line a pause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

GC_LOG = "gc.log"
# [12.345s] GC(7) Pause Young (Allocation Failure) 190M->46M(693M) 5.123ms
_PAUSE = re.compile(
    r"^\[(?P<end>\d+\.\d+)s\].* GC\(\d+\) Pause (?P<kind>\w+).*?(?:(?P<after>\d+)M\(\d+M\) )?"
    r"(?P<ms>\d+\.\d+)ms$"
)


class Pause(NamedTuple):
    """One pause. Times in seconds since the JVM started; `heap_after_bytes` None if not told."""

    end_s: float
    pause_s: float
    kind: str
    heap_after_bytes: int | None


def parse(text: str) -> Iterator[Pause]:
    """Every pause of a log, in the order of time; lines of another form are passed over."""
    for line in text.splitlines():
        if match := _PAUSE.match(line):
            after = match["after"]
            yield Pause(
                end_s=float(match["end"]),
                pause_s=float(match["ms"]) / 1000,
                kind=match["kind"].lower(),
                heap_after_bytes=int(after) << 20 if after else None,
            )


def read(folder: Path) -> list[Pause] | None:
    """The pauses of a fork; None where its runtime keeps no log."""
    try:
        return list(parse((folder / GC_LOG).read_text(encoding="utf-8", errors="replace")))
    except OSError:
        return None


def within(pauses: Sequence[Pause], begin_s: float, end_s: float) -> list[Pause]:
    """The pauses that ended in that span of the JVM's life."""
    return [pause for pause in pauses if begin_s <= pause.end_s <= end_s]
