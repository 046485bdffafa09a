"""Checks of the kernel: its limits for the largest load, and which one it is."""

from __future__ import annotations

from springbench.host.checks.check import Check, Severity
from springbench.host.facts.kernel_limits import AcceptQueue, FileLimit, PortRange
from springbench.host.tools.platforms import Platform

KERNEL = "kernel"


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
