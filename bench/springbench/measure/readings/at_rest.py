"""Memory, heap, threads and collections of a process at rest, in a way that it does not notice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil

from springbench.measure.readings import perfdata
from springbench.results.records import IdleRecord

NO_COUNTERS = "the process keeps no HotSpot counters: it is no JVM, as a native image is none"
NO_SHARE = "this system does not tell proportional memory (/proc/<pid>/smaps_rollup)"
NOT_ASKED = (
    "asking for the heap in use costs a few tenths of a second, and this profile does not ask"
)
NOT_TOLD = "jcmd GC.heap_info did not tell it"
NOT_SEEN = "the process could not be looked at"
_OF_THE_KERNEL = {"rss_bytes", "threads"}


def at_rest(pid: int) -> IdleRecord:
    """Reading of the kernel and, of a JVM, of its counters at this moment."""
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            record = IdleRecord(rss_bytes=process.memory_info().rss, threads=process.num_threads())
    except psutil.Error:
        return IdleRecord()
    record.pss_bytes = _proportional(pid)
    counters = perfdata.read(pid)
    for name, value in perfdata.heap(counters).items():
        setattr(record, name, value)
    record.threads_live = counters.get("java.threads.live")
    record.threads_started = counters.get("java.threads.started")
    if (collections := perfdata.collections(counters)) is not None:
        record.gc_count, record.gc_pause_s = collections
    return record


def reasons(part: str, record: IdleRecord, *, asked: bool = False) -> Iterator[tuple[str, str]]:
    """Why each figure of `record` that is null could not be taken, by `<part>.<name>`.

    `asked`: whether jcmd was asked for the heap in use.
    """
    for name in IdleRecord.model_fields:
        if getattr(record, name) is not None:
            continue
        if record.rss_bytes is None or name in _OF_THE_KERNEL:
            yield f"{part}.{name}", NOT_SEEN
        elif name == "pss_bytes":
            yield f"{part}.{name}", NO_SHARE
        elif name == "heap_used_bytes" and record.heap_max_bytes is not None:
            yield f"{part}.{name}", NOT_TOLD if asked else NOT_ASKED
        else:
            yield f"{part}.{name}", NO_COUNTERS


def _proportional(pid: int) -> int | None:
    """The pages of a process, those that it shares counted in part."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return None
    for line in text.splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return None
