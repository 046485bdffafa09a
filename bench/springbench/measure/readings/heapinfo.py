"""Heap in use at this moment, by `jcmd <pid> GC.heap_info`: some tenths of a second of another JVM.

HotSpot's counters know it only as of the last collection, which at idle there has not been.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from springbench.host.environment import measured_environment
from springbench.host.shell import Shell

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
