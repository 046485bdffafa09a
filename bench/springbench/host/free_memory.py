"""Free memory in small pieces, kept from the servers that are compared.

Processes that end leave their memory in pieces, and the kernel hands out the smallest first. The
first of several servers then has its pages all over the memory, and the next one has fewer such
pages: of two identical processes on a virtual machine, which translates each address twice, the
first took 3 % more CPU time for a request for as long as it lived, and 5 % longer to start
(evaluation.md). What is held here takes the pieces, so that every server gets whole blocks. Linux.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from springbench.host.facts.facts import meminfo
from springbench.host.memory_limit.cgroup_files import memory_left
from springbench.paths import text_of

# what one entry of the upper level of a page table maps
WHOLE_BYTES = 2 << 20
# of the memory that is available: the rest is for the servers
MOST_RATIO = 1 / 8


@contextmanager
def small_pieces_held(filesystem: Path = Path("/")) -> Iterator[None]:
    """Hold as much memory as is free in small pieces, and no more than can be spared."""
    with ExitStack() as stack:
        if held_bytes := small_pieces_bytes(filesystem):
            # a kernel that promises no more than it has may refuse
            with suppress(OSError):
                memory = stack.enter_context(
                    mmap.mmap(-1, held_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
                )
                # servers are forked from this process, and the time that they take is measured
                memory.madvise(mmap.MADV_DONTFORK)
                # only what was written to is taken from the kernel
                memory[:: mmap.PAGESIZE] = bytes(held_bytes // mmap.PAGESIZE)
        yield


def small_pieces_bytes(filesystem: Path = Path("/")) -> int:
    """How much memory is free in blocks of less than 2 MiB, at most an eighth of what is available
    to this process. 0 where the kernel does not tell."""
    page_bytes = os.sysconf("SC_PAGE_SIZE")
    free_bytes = 0
    # Node 0, zone   Normal   3543   1268 …: free blocks of 1, 2, 4, … pages
    for line in text_of(filesystem / "proc/buddyinfo").splitlines():
        for order, count in enumerate(line.split()[4:]):
            block_bytes = page_bytes << order
            free_bytes += int(count) * block_bytes if block_bytes < WHOLE_BYTES else 0
    available_bytes = meminfo(filesystem).get("MemAvailable", 0)
    left_bytes = memory_left(filesystem)
    if left_bytes is not None:
        available_bytes = min(available_bytes, left_bytes)
    most_bytes = min(free_bytes, int(available_bytes * MOST_RATIO))
    return most_bytes // page_bytes * page_bytes
