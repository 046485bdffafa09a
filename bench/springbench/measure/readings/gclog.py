"""Garbage collections of a JVM (-Xlog:gc) or a native image (-XX:+PrintGC), from its own words.

Writing them costs the server a line each. An image prints them among its other lines.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

GC_LOG = "gc.log"
# [12.345s] GC(7) Pause Young (Allocation Failure) 190M->46M(693M) 5.123ms
# [12.345s] GC(7) y: Pause Mark End 0.018ms
# [12.345s] GC(7) Minor Collection (Allocation Rate) 548M(89%)->396M(64%) 0.153s
# [12.345s] Allocation Stall (ForkJoinPool-1-worker-1) 9.276ms
# [12.345s] GC(7) Pause Incremental GC (Collect on allocation) 190.12M->46.62M 5.123ms, of an image
_LINE = re.compile(
    r"^\[(?P<end>\d+[.,]\d+)s\] "
    r"(?:GC\(\d+\) (?:\w: )?(?P<kind>Pause \w+|\w+ Collection)|(?P<stall>Allocation Stall)).*?"
    r"(?:(?P<before>\d+(?:[.,]\d+)?)M(?:\(\d+%\))?->(?P<after>\d+(?:[.,]\d+)?)M(?:\(\d+[M%]\))? )?"
    r"(?P<took>\d+[.,]\d+)(?P<unit>m?s)$"
)
# what tells of a collection that has ended: with what it left, or how long it took
_OF_ONE = re.compile(
    r"\bGC\(\d+\).*\b(?:Pause|Collection)\b.*(?:->|\d\s*m?s$)|Allocation Stall.*\d"
)


class Collection(NamedTuple):
    """One line of the log: a collection, a pause of one, or a thread that waited for one.

    Times in seconds since the JVM started. The heap, in bytes, only where the line is a collection
    as a whole.
    """

    end_s: float
    took_s: float
    kind: str
    stops: bool
    """Whether requests were stopped meanwhile."""
    heap_before_bytes: int | None
    heap_after_bytes: int | None

    @property
    def begin_s(self) -> float:
        return self.end_s - self.took_s


def parse(text: str) -> Iterator[Collection]:
    """Every collection of a log, in the order of time; lines of another form are passed over."""
    for line in text.splitlines():
        if match := _LINE.match(line):
            kind = (match["kind"] or match["stall"]).lower()
            yield Collection(
                end_s=_decimal(match["end"]),
                took_s=_decimal(match["took"]) * (0.001 if match["unit"] == "ms" else 1),
                kind=kind,
                stops=not kind.endswith("collection"),
                heap_before_bytes=_mebibytes(match["before"]),
                heap_after_bytes=_mebibytes(match["after"]),
            )


def not_understood(text: str) -> str | None:
    """The first line that tells of a collection in words that `parse` does not know."""
    # one without its end is still being written
    lines = (line for line in text.splitlines(keepends=True) if line.endswith("\n"))
    return next(
        (line.strip() for line in lines if _OF_ONE.search(line.strip()) and not _is_known(line)),
        None,
    )


def _is_known(line: str) -> bool:
    match = _LINE.match(line.rstrip("\r\n"))
    # what is left out where the heap is in another unit is the heap
    return match is not None and (match["before"] is not None or "->" not in line)


def _decimal(digits: str) -> float:
    """A number as a locale writes it."""
    return float(digits.replace(",", "."))


def _mebibytes(digits: str | None) -> int | None:
    return round(_decimal(digits) * (1 << 20)) if digits else None


def read(log: Path) -> list[Collection] | None:
    """The collections in a log; None where there is no such file, or not all is understood."""
    text = _text(log)
    return None if text is None or not_understood(text) else list(parse(text))


def odd_line(log: Path) -> str | None:
    """The line of a log for which `read` gives None; None where it is not for one."""
    return not_understood(_text(log) or "")


def _text(log: Path) -> str | None:
    try:
        return log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def most_bytes(lines: Sequence[Collection]) -> int | None:
    """The most that the heap held when a collection began; None where there was none."""
    return max((line.heap_before_bytes or 0 for line in complete_collections(lines)), default=None)


def within(lines: Sequence[Collection], begin_s: float, end_s: float) -> list[Collection]:
    """Collections that ended in that span of the JVM's life."""
    return [line for line in lines if begin_s <= line.end_s <= end_s]


def complete_collections(lines: Sequence[Collection]) -> list[Collection]:
    """The collections as such, without pauses that are a part of one."""
    return [line for line in lines if line.heap_after_bytes is not None]


def stopped_s(lines: Sequence[Collection], begin_s: float, end_s: float) -> float:
    """For how long of a span requests were stopped. Threads that waited at once count once."""
    total_s, until_s = 0.0, begin_s
    for line in sorted((line for line in lines if line.stops), key=lambda line: line.begin_s):
        total_s += max(0.0, min(line.end_s, end_s) - max(line.begin_s, until_s))
        until_s = max(until_s, line.end_s)
    return total_s


class Growth(NamedTuple):
    """What the heap filled by from one collection to the next, in seconds and bytes."""

    from_s: float
    until_s: float
    grown_bytes: int


def growths(lines: Sequence[Collection]) -> list[Growth]:
    """What was allocated between each two collections.

    While a collector works beside the requests its log tells only what was left in the end: that
    time is left out, and what was allocated in it.
    """
    found = []
    for one, next_one in itertools.pairwise(complete_collections(lines)):
        before, after = next_one.heap_before_bytes, one.heap_after_bytes
        until_s = next_one.end_s if next_one.stops else next_one.begin_s
        # of ZGC a collection of young objects may lie within one of all
        if before is not None and after is not None and until_s > one.end_s:
            found.append(Growth(one.end_s, until_s, before - after))
    return found
