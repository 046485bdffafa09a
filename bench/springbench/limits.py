"""What a window bears, measured by these limits, checked and reported by the same; and what a
server is held to."""

from __future__ import annotations

from typing import NamedTuple

# of every server, unless a case or a person asks for another
MEMORY_LIMIT_BYTES = 1 << 30


class Resources(NamedTuple):
    """What the control group of a server holds it to, where that is not what all have."""

    memory_bytes: int | None = None
    cpu_quota: float | None = None
    """In CPUs: 0.5 is half of the time of one."""


# of the CPUs in use, what the hypervisor gives to others
MAX_STEAL_RATIO = 0.02
# of one CPU, what other programs have
BUSY_RATIO = 0.1
# by how much the same work may take longer on a host whose speed is called one
SPEED_RATIO = 1.05
# of the server's CPUs, or of what it had of them, what its compilers have
SETTLED_RATIO = 0.02
# what grows at the end of a window goes on behind it; there a method more is twice that
END_RATIO = 2 * SETTLED_RATIO
# just before it the last methods may have been compiled, and no queue of them
BEFORE_RATIO = 5 * SETTLED_RATIO
# of a server that is hardly asked, one compiled method would be much
LEAST_USED_RATIO = 0.25


def is_one_speed(probe_s: float, other_probe_s: float) -> bool:
    """Whether the host was as fast at one time as at another, by how long the same work took."""
    slow_s, fast_s = max(probe_s, other_probe_s), min(probe_s, other_probe_s)
    return slow_s <= SPEED_RATIO * fast_s


def had_ratio(server_cpu_ratio: float) -> float:
    """What limits are of, where nothing makes a server wait: what it had of its CPUs."""
    return min(1.0, max(LEAST_USED_RATIO, server_cpu_ratio))
