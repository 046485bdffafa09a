"""What a host must have, and should have, for a run: one pure function per check.

Each takes what was found and says whether it is enough and, if not, the command that changes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from springbench.host.facts.kernel_limits import AcceptQueue, FileLimit, PortRange
from springbench.host.tools.find import MIN_JDK_MAJOR, MIN_MAVEN, Jdk, Tool, at_least
from springbench.host.tools.packages import remedy
from springbench.host.tools.platforms import Platform

MIN_PYTHON = (3, 11)
MIN_CORES = 2
UNTOLD = "not told by this host"

KERNEL = "kernel"
CPU = "CPU"


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
    """The command that changes it, or what to do where no command does."""
    tool: str = ""
    """Name under which `--install` brings what is missing; empty when it cannot."""
    group: str = "tools"
    matters: str = ""
    """How much it moves a number: a figure where one was measured, else in which direction."""

    @property
    def told(self) -> bool:
        """Whether the host gave an answer at all."""
        return self.found != UNTOLD


def untold(name: str, wanted: str, group: str, matters: str = "") -> Check:
    """What a host that keeps silent gets: no guess, and no blame."""
    return Check(name, UNTOLD, wanted, False, Severity.INFO, group=group, matters=matters)


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
        group=KERNEL,
        matters="a load with more connections than that fails half-way",
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
        group=KERNEL,
        matters="connections beyond the last port are refused, and the server is blamed",
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
        group=KERNEL,
        matters="the kernel cuts every server's backlog to this: what arrives beyond it tries "
        "again after a second, which looks like a slow server",
    )


def check_cores(count: int) -> Check:
    """Cores, so that the server does not share its own with the load generator."""
    return Check(
        "cores",
        str(count),
        f"{MIN_CORES} or more",
        count >= MIN_CORES,
        Severity.WARNING,
        "measure on a larger host",
        group=CPU,
        matters="on one core the load generator takes its time from the server",
    )


def check_platform(platform: Platform) -> Check:
    """Linux is the platform of record."""
    costs = (
        "processes are not pinned to CPUs and there is no throughput timeline from /proc: servers "
        "and load generator disturb each other, and a window cannot be cut out"
    )
    return Check(
        "platform",
        f"{platform.name}, {platform.machine}",
        "Linux",
        platform.system == "linux",
        Severity.WARNING,
        "good for trying things; take numbers to publish on Linux",
        group=KERNEL,
        matters=costs,
    )
