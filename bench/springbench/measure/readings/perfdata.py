"""The counters that HotSpot keeps in a file which it maps: what `jstat -snap` prints.

Reading them costs the JVM nothing and starts no other one. The layout is that of HotSpot's
perfMemory.hpp and perfData.hpp: a header, then entries, each with its name and its value.
"""

from __future__ import annotations

import struct
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

_MAGIC = 0xCAFEC0C0
_HEADER = "IBBBBIIqII"
_ENTRY = "IIIBBBBI"
_LONG, _BYTE = ord("J"), ord("B")


def read(pid: int) -> dict[str, int]:
    """Every whole number by its name; nothing of a process that is no HotSpot JVM, or is gone."""
    return parse(_file_of(pid))


def collector(pid: int) -> str | None:
    """The name of a JVM's garbage collector, like Serial or G1; None where it does not tell."""
    # "G1 young collection pauses", "ZGC minor cycle pauses"
    words = parse_texts(_file_of(pid)).get("sun.gc.collector.0.name", "").split()
    return words[0] if words else None


def is_there(pid: int) -> bool:
    """Whether a process keeps such counters."""
    return any(_files_of(pid))


def _files_of(pid: int) -> Iterator[Path]:
    # HotSpot puts them into /tmp on Linux whatever TMPDIR says
    folder = Path("/tmp" if sys.platform.startswith("linux") else tempfile.gettempdir())  # noqa: S108
    return folder.glob(f"hsperfdata_*/{pid}")


def _file_of(pid: int) -> bytes:
    for file in _files_of(pid):
        try:
            return file.read_bytes()
        except OSError:
            continue
    return b""


def parse(data: bytes) -> dict[str, int]:
    """The counters in such a file; nothing where it is not one, or not whole."""
    return {name: value for name, value in _values(data).items() if isinstance(value, int)}


def parse_texts(data: bytes) -> dict[str, str]:
    """The texts in such a file; nothing where it is not one, or not whole."""
    return {name: value for name, value in _values(data).items() if isinstance(value, str)}


def _values(data: bytes) -> dict[str, int | str]:
    try:
        return dict(_entries(data))
    except (struct.error, ValueError, IndexError):
        return {}


def _entries(data: bytes) -> Iterator[tuple[str, int | str]]:
    order = "<" if data[4] else ">"
    # the magic number is big-endian whatever the rest is
    if int.from_bytes(data[:4], "big") != _MAGIC:
        return
    *_, offset, count = struct.unpack_from(order + _HEADER, data)
    for _ in range(count):
        length, name_at, dimension, kind, _, _, _, value_at = struct.unpack_from(
            order + _ENTRY, data, offset
        )
        name_begin = offset + name_at
        name = data[name_begin : data.index(b"\0", name_begin)].decode("utf-8")
        if kind == _LONG and dimension == 0:
            yield name, struct.unpack_from(order + "q", data, offset + value_at)[0]
        if kind == _BYTE and dimension:
            text = data[offset + value_at : offset + value_at + dimension].partition(b"\0")[0]
            # a command line is in whatever its host writes; it must not cost the numbers
            yield name, text.decode("utf-8", errors="replace")
        if length <= 0:
            return
        offset += length


_GENERATION = "sun.gc.generation."


def heap(counters: Mapping[str, int]) -> dict[str, int]:
    """Heap in bytes, committed and max, over all generations. In use: see `heapinfo`."""
    spaces = {name: value for name, value in counters.items() if name.startswith(_GENERATION)}

    def generations(ending: str) -> list[int]:
        # sun.gc.generation.0.capacity, and not that of one of its spaces
        return [v for n, v in spaces.items() if n.endswith(ending) and n.count(".") == 4]

    committed, limits = generations(".capacity"), generations(".maxCapacity")
    if not committed or not limits:
        return {}
    # G1 and ZGC give each generation the whole heap as its limit: those share one
    shared = len(limits) > 1 and len(set(limits)) == 1
    limit = max(limits[0], sum(committed)) if shared else sum(limits)
    return {"heap_committed_bytes": sum(committed), "heap_max_bytes": limit}


def classes_loaded(counters: Mapping[str, int]) -> int | None:
    """How many classes have been loaded so far, those of a shared archive among them."""
    names = ("java.cls.loadedClasses", "java.cls.sharedLoadedClasses")
    counts = [counters[name] for name in names if name in counters]
    return sum(counts) if counts else None


def collections(counters: Mapping[str, int]) -> tuple[int, float] | None:
    """How many collections there were, and for how many seconds they lasted in all."""
    counts = [v for n, v in counters.items() if _is_collector(n, "invocations")]
    ticks = [v for n, v in counters.items() if _is_collector(n, "time")]
    frequency = counters.get("sun.os.hrt.frequency")
    if not counts or not frequency:
        return None
    return sum(counts), sum(ticks) / frequency


def _is_collector(name: str, last: str) -> bool:
    return name.startswith("sun.gc.collector.") and name.endswith(f".{last}")
