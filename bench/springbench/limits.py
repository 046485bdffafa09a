"""What a window bears, measured by these limits, checked and reported by the same; and the memory
that a server has."""

from __future__ import annotations

# of every server, unless a case or a person asks for another
MEMORY_LIMIT_BYTES = 1 << 30

# of the CPUs in use, what the hypervisor gives to others
MAX_STEAL_RATIO = 0.02
# of one CPU, what other programs have
BUSY_RATIO = 0.1
# of the server's CPUs, or of what it had of them, what its compilers have
SETTLED_RATIO = 0.02
# what grows at the end of a window goes on behind it; there a method more is twice that
END_RATIO = 2 * SETTLED_RATIO
# just before it the last methods may have been compiled, and no queue of them
BEFORE_RATIO = 5 * SETTLED_RATIO
# of a server that is hardly asked, one compiled method would be much
LEAST_USED_RATIO = 0.25


def had_ratio(server_cpu_ratio: float) -> float:
    """What limits are of, where nothing makes a server wait: what it had of its CPUs."""
    return min(1.0, max(LEAST_USED_RATIO, server_cpu_ratio))
