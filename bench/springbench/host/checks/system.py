"""Checks of memory and its limit, of the kernel and its limits, and of the programs that run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from springbench.host.checks.check import Check, Severity, check
from springbench.host.facts.kernel_limits import AcceptQueue, FileLimit, PortRange
from springbench.host.memory_limit.choose import MemoryLimit
from springbench.host.tools.find import (
    GRAALVM_MAJOR,
    GRAALVM_REMEDY,
    MIN_JDK_MAJOR,
    MIN_MAVEN,
    Jdk,
    Tool,
    at_least,
)
from springbench.host.tools.packages import Platform, remedy
from springbench.units import apart

MEMORY = "memory"
MIN_MEMORY_BYTES = 4 * 2**30

_GIB = 2**30
_MIB = 2**20
_SWAPPED_BYTES = 64 * _MIB
KERNEL = "kernel"
MIN_PYTHON = (3, 11)

_of_memory = partial(check, group=MEMORY)
_of_kernel = partial(check, group=KERNEL)


def check_memory(available_bytes: int) -> Check:
    """Memory for a server, the upstream, the load generator and the build."""
    found, _ = apart(_gib, available_bytes, MIN_MEMORY_BYTES, 1)
    return _of_memory(
        "memory",
        f"{found} available",
        f"{MIN_MEMORY_BYTES / _GIB:.0f} GiB or more",
        available_bytes >= MIN_MEMORY_BYTES,
        "stop what holds the memory",
        matters="a host that swaps measures its disk",
    )


def _gib(value_bytes: float, digits: int) -> str:
    return f"{value_bytes / _GIB:.{digits}f} GiB"


def check_swap(total_bytes: int | None, used_bytes: int) -> Check:
    """Whether part of what runs is on disk."""
    found: str | None = None
    if total_bytes is not None:
        used = f"{used_bytes / _MIB:,.0f} MiB used of {total_bytes / _GIB:.1f} GiB"
        found = used if total_bytes else "none"
    return _of_memory(
        "swap",
        found,
        "unused",
        used_bytes < _SWAPPED_BYTES,
        "sudo swapoff -a (needs that much free memory; `sudo swapon -a` brings it back)",
        matters="the first request that touches a swapped page waits for the disk",
    )


def check_thp(mode: str | None) -> Check:
    """Whether the kernel merges pages of any process in the background."""
    return _of_memory(
        "transparent huge pages",
        mode,
        "madvise or never",
        mode in {"madvise", "never"},
        "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
        matters="with `always`, memory and throughput depend on which pages the kernel has merged "
        "by then",
    )


def check_memory_limit(memory_limit: MemoryLimit) -> Check:
    """By what means a server is held to its memory limit."""
    warning = memory_limit.warning
    return _of_memory(
        "memory limit",
        memory_limit.how,
        "enforced by the kernel",
        warning is None,
        warning.remedy if warning else "",
        matters=warning.message if warning else "a server that takes more is ended, and said so",
    )


def check_files(limit: FileLimit, connections: int) -> Check:
    """File descriptors for the largest load."""
    return _of_kernel(
        "file descriptors",
        f"{limit.soft} (hard limit {limit.hard})",
        f"{limit.required_files} for {connections} connections",
        limit.ok,
        limit.remedy,
        matters="a load with more connections than that fails half-way",
    )


def check_ports(ports: PortRange) -> Check:
    """Local ports for the largest load."""
    waiting = f", {ports.time_wait} waiting" if ports.time_wait else ""
    return _of_kernel(
        "local ports",
        f"{ports.low}-{ports.high}{waiting}",
        f"{ports.required_ports} free",
        ports.ok,
        ports.remedy,
        matters="connections beyond the last port are refused, and the server is blamed",
    )


def check_accept_queue(queue: AcceptQueue) -> Check:
    """Room for connections that arrive at once."""
    return _of_kernel(
        "accept queue",
        f"somaxconn {queue.somaxconn}",
        f"{queue.required_backlog} or more",
        queue.ok,
        queue.remedy,
        matters="the kernel cuts every server's backlog to this: what arrives beyond it tries "
        "again after a second, which looks like a slow server",
    )


def check_platform(platform: Platform) -> Check:
    """Linux is the platform of record."""
    costs = (
        "processes are not pinned to CPUs and there is no throughput timeline from /proc: servers "
        "and load generator disturb each other, and a window cannot be cut out"
    )
    return _of_kernel(
        "platform",
        f"{platform.name}, {platform.machine}",
        "Linux",
        platform.system == "linux",
        "good for trying things; take numbers to publish on Linux",
        matters=costs,
    )


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


def check_h2load(found: Tool | None, platform: Platform) -> Check:
    """The load generator over HTTP/2, without which its cases are skipped."""
    return Check(
        "h2load",
        found.version if found else "none",
        "any version, for HTTP/2",
        ok=found is not None,
        severity=Severity.INFO,
        remedy="" if found else remedy("h2load", platform),
        tool="" if found else "h2load",
        matters="without it HTTP/2 is skipped, and all else is measured",
    )


def check_native_image(found: Tool | None) -> Check:
    """GraalVM's compiler of images, without which their cases are skipped."""
    shown = f"{found.version} in {found.path}" if found else "none"
    return Check(
        "native-image",
        shown,
        f"of GraalVM {GRAALVM_MAJOR}, for the runtime native",
        ok=found is not None,
        severity=Severity.INFO,
        remedy="" if found else GRAALVM_REMEDY,
        matters="without it native images are skipped, and all else is measured",
    )


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
