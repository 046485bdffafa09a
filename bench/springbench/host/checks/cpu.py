"""Checks of what the CPUs do: clock rate, shared cores, the clock that is read, who owns them, what
else the host is busy with, and what its power comes from.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from functools import partial

from springbench.host.checks.check import Check, Severity, check
from springbench.host.cpus import CpuPartition, listed
from springbench.host.facts.activity import BusyProcess
from springbench.limits import BUSY_RATIO, MAX_STEAL_RATIO
from springbench.units import apart, share

QUIET = "quiet"
_LOAD_RATIO = 0.25
_SHOWN = 3
_NEIGHBOUR = "measured: one busy neighbour core slows a pinned loop by up to 20 %"
CPU = "CPU"
MIN_CORES = 2
# read without a system call
FAST_CLOCKS = frozenset(
    {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "hvclock"}
)
_CLOCK = "/sys/devices/system/clocksource/clocksource0/current_clocksource"

_quiet = partial(check, group=QUIET)
_of_cpu = partial(check, group=CPU)


def check_load(load_average: float, cpus: int) -> Check:
    """Whether the host had something else to do."""
    found, limit = apart(
        lambda load, digits: f"{load:.{digits}f}", load_average, _LOAD_RATIO * cpus, 2
    )
    return _quiet(
        "load average",
        f"{found} over the last minute",
        f"below {limit}: {share(_LOAD_RATIO, 0)} of {cpus} CPUs",
        load_average < _LOAD_RATIO * cpus,
        "stop what else is running (top shows it), or wait a minute",
        matters=_NEIGHBOUR,
    )


def check_busy(processes: Sequence[BusyProcess] | None) -> Check:
    """Whether some other process is at work at this moment; the busiest first."""
    busy = [process for process in processes or () if process.cpu_ratio > BUSY_RATIO]
    shown = ", ".join(
        f"{process.name} (pid {process.pid}) {apart(share, process.cpu_ratio, BUSY_RATIO)[0]}"
        for process in busy[:_SHOWN]
    )
    more = f" and {len(busy) - _SHOWN} more" if len(busy) > _SHOWN else ""
    return _quiet(
        "other processes",
        None if processes is None else shown + more or "quiet",
        f"none above {share(BUSY_RATIO, 0)} of a CPU",
        not busy,
        "stop them, or hold them for the time of a run: kill -STOP <pid>, later kill -CONT <pid>",
        matters=_NEIGHBOUR,
    )


def check_steal(while_looking: float | None, since_boot: float | None) -> Check:
    """Time that the hypervisor gave to somebody else, as a share of all CPU time."""
    found: str | None = None
    most = 0.0
    if while_looking is not None and since_boot is not None:
        shares = (while_looking, since_boot)
        now, ever = (apart(share, ratio, MAX_STEAL_RATIO, 1)[0] for ratio in shares)
        found, most = f"{now} just now, {ever} since boot", max(shares)
    return _quiet(
        "steal",
        found,
        f"at most {share(MAX_STEAL_RATIO, 0)}",
        most <= MAX_STEAL_RATIO,
        "measure on a host of its own, or compare base and head side by side",
        matters="stolen time is missing from whichever server was being measured",
    )


def check_power(source: str | None) -> Check:
    """Source of the power: `mains`, `battery`, or `no battery`."""
    return _quiet(
        "power",
        source,
        "mains",
        source != "battery",
        "plug it in",
        matters="on battery the clock rate is held down, and falls as the charge does",
    )


def check_cores(count: int) -> Check:
    """Cores, so that the server does not share its own with the load generator."""
    return _of_cpu(
        "cores",
        str(count),
        f"{MIN_CORES} or more",
        count >= MIN_CORES,
        "measure on a larger host",
        matters="on one core the load generator takes its time from the server",
    )


def check_kinds(kinds: Sequence[Sequence[int]], roles: CpuPartition) -> Check:
    """Whether all cores are alike; `kinds` has the CPUs of each kind, the fastest first.

    Where they are not, who has which is worth knowing.
    """
    listing = "; ".join(f"CPU {listed(cpus)}" for cpus in kinds)
    server, load, upstream = map(listed, (roles.server, roles.load, roles.upstream))
    return _of_cpu(
        "core kinds",
        f"{len(kinds)}, the fastest first: {listing}. Server on {server}, wrk on {load}, "
        f"upstream on {upstream}"
        if kinds
        else "one",
        "one",
        not kinds,
        "measure on a host with one kind; or divide the CPUs yourself with --cpus",
        severity=Severity.INFO,
        matters="a thread is as fast as the core that it runs on, so no role has two kinds; "
        "results are compared with those of as many CPUs of each kind",
    )


def check_governor(governors: Mapping[str, int]) -> Check:
    """How the clock rate is chosen; `governors` counts the groups of CPUs under each."""
    return _of_cpu(
        "governor",
        ", ".join(sorted(governors)) or None,
        "performance",
        set(governors) == {"performance"},
        "echo performance | sudo tee /sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
        matters="the clock rate follows the load with a delay: mostly idle cases read slower",
    )


def check_turbo(turbo: bool | None, *, intel: bool) -> Check:
    """Whether the clock rate depends on temperature and on what the other cores do."""
    command = (
        "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
        if intel
        else "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"
    )
    return _of_cpu(
        "turbo",
        None if turbo is None else "on" if turbo else "off",
        "off",
        not turbo,
        command,
        matters="the clock rate sinks as the chip warms up: what is measured later reads slower",
    )


def check_siblings(server: Set[int], siblings: Set[int], *, smt: bool | None) -> Check:
    """Whether another role may run on the other hardware thread of one of the server's cores."""
    found: str | None = None
    if server and siblings:
        cpus = ", ".join(map(str, sorted(siblings)))
        found = f"CPU {cpus} shares a core with the server and is not its own"
    elif server:
        found = "SMT on, whole cores" if smt else "no shared cores"
    return _of_cpu(
        "SMT siblings",
        found,
        "whole cores for the server",
        not siblings,
        "echo off | sudo tee /sys/devices/system/cpu/smt/control, or let this process have "
        "both threads of each core",
        matters="two threads of one core slow each other, so the server's speed depends on a "
        "stranger",
    )


def check_clock(current: str | None, available: Collection[str]) -> Check:
    """Whether reading the time costs a few nanoseconds or a system call."""
    better = next((clock for clock in available if clock in FAST_CLOCKS), None)
    return _of_cpu(
        "clock source",
        current,
        "one that is read without a system call",
        current in FAST_CLOCKS,
        f"echo {better} | sudo tee {_CLOCK}"
        if better
        else "boot with `clocksource=tsc tsc=reliable`",
        matters="a server reads the time several times per request",
    )


def check_virtualisation(kind: str | None) -> Check:
    """Whether the host is a guest of another."""
    return _of_cpu(
        "virtualisation",
        kind,
        "none",
        kind == "none",
        "measure on bare metal, or compare base and head side by side",
        severity=Severity.INFO,
        matters="neighbours on the same machine slow this one, and only steal tells",
    )


def check_quota(cpus: float | None) -> Check:
    """Whether a container's share of CPU time runs out."""
    return _of_cpu(
        "CPU quota",
        "none" if cpus is None else f"{cpus:g} CPUs' worth of time",
        "none",
        cpus is None,
        "docker update --cpus 0 <container>, or pin it with --cpuset-cpus instead",
        matters="with its share used up a process is stopped, mostly for the rest of 100 ms",
    )


def check_throttling(since_boot: int | None, while_looking: int) -> Check:
    """Whether the CPU slowed itself down because it was too hot; both are counts of events."""
    # how often is not said: cores of one package report the same event
    earlier = "since boot, not just now" if since_boot else "never"
    return _of_cpu(
        "thermal throttling",
        None if since_boot is None else "just now" if while_looking else earlier,
        "never",
        since_boot == 0,
        "let it cool, clear its vents, or switch turbo off",
        severity=Severity.WARNING if while_looking else Severity.INFO,
        matters="a chip that is too hot runs slower until it has cooled",
    )
