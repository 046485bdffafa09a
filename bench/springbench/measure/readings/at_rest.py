"""Memory, heap, threads and collections of a process at rest, in a way that it does not notice."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from springbench.host.environment import measured_environment
from springbench.host.process_tree import ProcessTree
from springbench.host.shell import Shell
from springbench.measure.readings import perfdata
from springbench.measure.readings.tree import TreeReadings
from springbench.results.records import IdleRecord

NO_COUNTERS = (
    "the process keeps no HotSpot counters: it is no JVM, as a native image is none, or several of "
    "its processes are"
)
NO_SHARE = "this system does not tell proportional memory (/proc/<pid>/smaps_rollup)"
NOT_ASKED = (
    "asking for the heap in use costs a few tenths of a second, and this profile does not ask"
)
NOT_TOLD = "jcmd GC.heap_info did not tell it"
NOT_SEEN = "the process could not be looked at"
_OF_THE_KERNEL = {"rss_bytes", "threads"}


def at_rest(process: int | TreeReadings) -> IdleRecord:
    """Reading of the kernel and, of a JVM, of its counters at this moment.

    Of a process with all that it has started: its memory and its threads together, and the counters
    of the JVM among them.
    """
    if isinstance(process, int):
        process = TreeReadings(ProcessTree(process))
    memory = process.memory()
    if memory is None:
        return IdleRecord()
    record = IdleRecord(
        rss_bytes=memory.resident_bytes,
        pss_bytes=memory.proportional_bytes,
        threads=memory.threads,
    )
    jvm = process.jvm()
    counters = perfdata.read(jvm) if jvm is not None else {}
    for name, value in perfdata.heap(counters).items():
        setattr(record, name, value)
    record.threads_live = counters.get("java.threads.live")
    record.threads_started = counters.get("java.threads.started")
    if (collections := perfdata.collections(counters)) is not None:
        record.gc_count, record.gc_pause_s = collections
    return record


def reasons(
    part: str, record: IdleRecord, *, heap_requested: bool = False
) -> Iterator[tuple[str, str]]:
    """Why each figure of `record` that is null could not be taken, by `<part>.<name>`.

    `heap_requested`: whether jcmd was asked for the heap in use.
    """
    for name in IdleRecord.model_fields:
        if getattr(record, name) is not None:
            continue
        if record.rss_bytes is None or name in _OF_THE_KERNEL:
            yield f"{part}.{name}", NOT_SEEN
        elif name == "pss_bytes":
            yield f"{part}.{name}", NO_SHARE
        elif name == "heap_used_bytes" and record.heap_max_bytes is not None:
            yield f"{part}.{name}", NOT_TOLD if heap_requested else NOT_ASKED
        else:
            yield f"{part}.{name}", NO_COUNTERS


_CEILING_S = 20.0
# `tenured generation   total 440512K, used 10K [...`, and one line for a heap without generations
_USED = re.compile(r"^(?!\s*(?:Metaspace|class space)).*\btotal\b.*\bused (\d+)K", re.MULTILINE)


def used_bytes(shell: Shell, java: Path, pid: int) -> int | None:
    """All generations together; None where the process, or its JDK, does not tell."""
    try:
        answer = shell.run(
            [str(java.with_name("jcmd")), str(pid), "GC.heap_info"],
            env=measured_environment(),
            timeout_s=_CEILING_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return parse(answer.stdout)


def parse(text: str) -> int | None:
    """The sum of what its lines say; None where none says it."""
    found = [int(kib) * 1024 for kib in _USED.findall(text)]
    return sum(found) if found else None
