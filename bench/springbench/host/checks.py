"""What a host must have, and should have, for a run: one pure function per check.

Each takes what was found and says whether it is enough and, if not, the command that changes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from springbench.host.limits import AcceptQueue, FileLimit, PortRange
from springbench.host.packages import remedy
from springbench.host.platforms import Platform
from springbench.host.tools import MIN_JDK_MAJOR, MIN_MAVEN, Jdk, Tool, at_least

MIN_PYTHON = (3, 11)
MIN_CORES = 2
MIN_MEMORY_BYTES = 4 * 2**30
_GIB = 2**30
_BUSY_SHARE = 0.25


class Severity(StrEnum):
    """What a failed check means for a run."""

    ERROR = "error"
    """Nothing can be measured."""
    WARNING = "warning"
    """It can, but some cases may fail or the numbers are worth less."""
    INFO = "info"
    """Worth knowing."""


@dataclass(frozen=True)
class Check:
    """One finding about the host."""

    name: str
    found: str
    wanted: str
    ok: bool
    severity: Severity
    remedy: str = ""
    tool: str = ""
    """Name under which `--install` brings what is missing; empty when it cannot."""


def check_jdk(found: Sequence[Jdk], platform: Platform) -> Check:
    """A JDK that is new enough, anywhere; older ones beside it do not matter."""
    chosen = next((jdk for jdk in found if jdk.major >= MIN_JDK_MAJOR), None)
    if chosen:
        shown = f"{chosen.version} ({chosen.vendor}) in {chosen.home}"
    else:
        shown = "only " + ", ".join(jdk.version for jdk in found) if found else "none"
    return _tool_check("JDK", shown, f"{MIN_JDK_MAJOR} or newer", chosen, platform)


def check_maven(found: Tool | None, platform: Platform) -> Check:
    """Maven, which builds the servers."""
    enough = found if found and at_least(found.version, MIN_MAVEN) else None
    shown = found.version or "of unknown version" if found else "none"
    wanted = ".".join(map(str, MIN_MAVEN)) + " or newer"
    return _tool_check("Maven", shown, wanted, enough, platform)


def check_wrk(found: Tool | None, platform: Platform) -> Check:
    """The load generator."""
    shown = found.version if found else "none"
    return _tool_check("wrk", shown, "any version", found, platform)


def check_taskset(present: bool, platform: Platform) -> Check:
    """The program that pins a process to CPUs; Linux alone has one."""
    shown = "present" if present else "none"
    return _tool_check("taskset", shown, "present", present or None, platform)


def _tool_check(name: str, found: str, wanted: str, usable: object, platform: Platform) -> Check:
    tool = name.lower()
    if usable:
        return Check(name, found, wanted, ok=True, severity=Severity.ERROR)
    return Check(name, found, wanted, False, Severity.ERROR, remedy(tool, platform), tool)


def check_python(version: tuple[int, ...]) -> Check:
    """The Python that runs this; set-up picked it."""
    return Check(
        "Python",
        ".".join(map(str, version[:3])),
        ".".join(map(str, MIN_PYTHON)) + " or newer",
        version[:2] >= MIN_PYTHON,
        Severity.ERROR,
        "make setup, with a newer python3 on the PATH",
    )


def check_files(limit: FileLimit, connections: int) -> Check:
    """File descriptors for the largest load."""
    return Check(
        "file descriptors",
        f"{limit.soft} (hard limit {limit.hard})",
        f"{limit.needed} for {connections} connections",
        limit.ok,
        Severity.WARNING,
        limit.remedy,
    )


def check_ports(ports: PortRange) -> Check:
    """Local ports for the largest load."""
    waiting = f", {ports.time_wait} waiting" if ports.time_wait else ""
    return Check(
        "local ports",
        f"{ports.low}-{ports.high}{waiting}",
        f"{ports.needed} free",
        ports.ok,
        Severity.WARNING,
        ports.remedy,
    )


def check_accept_queue(queue: AcceptQueue) -> Check:
    """Room for connections that arrive at once."""
    return Check(
        "accept queue",
        f"somaxconn {queue.somaxconn}",
        f"{queue.needed} or more",
        queue.ok,
        Severity.WARNING,
        queue.remedy,
    )


def check_cores(count: int) -> Check:
    """Cores, so that the server does not share its own with the load generator."""
    return Check(
        "cores",
        str(count),
        f"{MIN_CORES} or more",
        count >= MIN_CORES,
        Severity.WARNING,
        "measure on a larger host: on one core the load generator takes its time from the server",
    )


def check_load(load_average: float, cpus: int) -> Check:
    """Whether the host has something else to do."""
    return Check(
        "load average",
        f"{load_average:.2f} over the last minute",
        f"below {_BUSY_SHARE:.0%} of {cpus} CPUs",
        load_average < _BUSY_SHARE * cpus,
        Severity.WARNING,
        "stop what else is running (top shows it), or wait a minute",
    )


def check_memory(available_bytes: int) -> Check:
    """Memory for a server, the upstream, the load generator and the build."""
    return Check(
        "memory",
        f"{available_bytes / _GIB:.1f} GiB available",
        f"{MIN_MEMORY_BYTES / _GIB:.0f} GiB or more",
        available_bytes >= MIN_MEMORY_BYTES,
        Severity.WARNING,
        "stop what holds the memory: a host that swaps measures its disk",
    )


def check_platform(platform: Platform) -> Check:
    """Linux is the platform of record."""
    costs = (
        "everything runs, but processes are not pinned to CPUs and there is no throughput timeline "
        "from /proc: servers and load generator disturb each other, and a window cannot be cut "
        "out. Good for trying things; take numbers to publish on Linux"
    )
    return Check(
        "platform",
        f"{platform.name}, {platform.machine}",
        "Linux",
        platform.system == "linux",
        Severity.WARNING,
        costs,
    )
