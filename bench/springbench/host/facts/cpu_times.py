"""What CPUs have done since boot, as the kernel counts it.

For any Python from 3.8 on, with nothing but its standard library: a load host reads it too.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

# of a line of /proc/stat: user, nice, system, irq, softirq; and what was stolen
WORK = (0, 1, 2, 5, 6)
STEAL = 7
FIELDS = 8  # the two after them, of guests, are counted in the first two already


class CpuTimes(NamedTuple):
    """CPU time in seconds."""

    worked_s: float
    """Of programs, of the kernel, and of interrupts in between."""
    stolen_s: float
    """Time that the hypervisor gave to others."""


def cpu_times(cpus: frozenset[int], filesystem: Path = Path("/")) -> CpuTimes | None:
    """Work of some CPUs since boot, together.

    None where the host does not tell, or has none of them.
    """
    names = {f"cpu{cpu}" for cpu in cpus}
    try:
        text = (filesystem / "proc/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    lines = map(str.split, text.splitlines())
    ticks = [[*map(int, words[1:])] for words in lines if len(words) > FIELDS and words[0] in names]
    if not ticks:
        return None
    per_s = os.sysconf("SC_CLK_TCK")
    return CpuTimes(
        worked_s=sum(cpu_ticks[kind] for cpu_ticks in ticks for kind in WORK) / per_s,
        stolen_s=sum(cpu_ticks[STEAL] for cpu_ticks in ticks) / per_s,
    )
