"""Checks of what the CPUs do: clock rate, shared cores, the clock that is read, who owns them, what
else the host is busy with, and what its power comes from.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set

from springbench.host.checks.check import Check, Severity, unknown
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


def check_load(load_average: float, cpus: int) -> Check:
    """Whether the host had something else to do."""
    found, wanted = apart(
        lambda load, digits: f"{load:.{digits}f}", load_average, _LOAD_RATIO * cpus, 2
    )
    return Check(
        "load average",
        f"{found} over the last minute",
        f"below {wanted}: {share(_LOAD_RATIO, 0)} of {cpus} CPUs",
        load_average < _LOAD_RATIO * cpus,
        Severity.WARNING,
        "stop what else is running (top shows it), or wait a minute",
        group=QUIET,
        matters=_NEIGHBOUR,
    )


def check_busy(processes: Sequence[BusyProcess] | None) -> Check:
    """Whether some other process is at work at this moment; the busiest first."""
    name, wanted = "other processes", f"none above {share(BUSY_RATIO, 0)} of a CPU"
    if processes is None:
        return unknown(name, wanted, QUIET, _NEIGHBOUR)
    busy = [each for each in processes if each.cpu_ratio > BUSY_RATIO]
    shown = ", ".join(
        f"{each.name} (pid {each.pid}) {apart(share, each.cpu_ratio, BUSY_RATIO)[0]}"
        for each in busy[:_SHOWN]
    )
    more = f" and {len(busy) - _SHOWN} more" if len(busy) > _SHOWN else ""
    return Check(
        name,
        shown + more or "quiet",
        wanted,
        not busy,
        Severity.WARNING,
        "stop them, or hold them for the time of a run: kill -STOP <pid>, later kill -CONT <pid>",
        group=QUIET,
        matters=_NEIGHBOUR,
    )


def check_steal(while_looking: float | None, since_boot: float | None) -> Check:
    """Time that the hypervisor gave to somebody else, as a share of all CPU time."""
    name, wanted = "steal", f"at most {share(MAX_STEAL_RATIO, 0)}"
    matters = "stolen time is missing from whichever server was being measured"
    if while_looking is None or since_boot is None:
        return unknown(name, wanted, QUIET, matters)
    now, ever = (apart(share, each, MAX_STEAL_RATIO, 1)[0] for each in (while_looking, since_boot))
    return Check(
        name,
        f"{now} just now, {ever} since boot",
        wanted,
        max(while_looking, since_boot) <= MAX_STEAL_RATIO,
        Severity.WARNING,
        "measure on a host of its own, or compare base and head side by side",
        group=QUIET,
        matters=matters,
    )


def check_power(source: str | None) -> Check:
    """Source of the power: `mains`, `battery`, or `no battery`."""
    name, wanted = "power", "mains"
    matters = "on battery the clock rate is held down, and falls as the charge does"
    if source is None:
        return unknown(name, wanted, QUIET, matters)
    return Check(
        name,
        source,
        wanted,
        source != "battery",
        Severity.WARNING,
        "plug it in",
        group=QUIET,
        matters=matters,
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


def check_kinds(kinds: Sequence[Sequence[int]], roles: CpuPartition) -> Check:
    """Whether all cores are alike; `kinds` has the CPUs of each kind, the fastest first.

    Where they are not, who has which is worth knowing.
    """
    listing = "; ".join(f"CPU {listed(cpus)}" for cpus in kinds)
    server, load, upstream = map(listed, (roles.server, roles.load, roles.upstream))
    return Check(
        "core kinds",
        f"{len(kinds)}, the fastest first: {listing}. Server on {server}, wrk on {load}, "
        f"upstream on {upstream}"
        if kinds
        else "one",
        "one",
        not kinds,
        Severity.INFO,
        "measure on a host with one kind; or divide the CPUs yourself with --cpus",
        group=CPU,
        matters="a thread is as fast as the core that it runs on, so no role has two kinds; "
        "results are compared with those of as many CPUs of each kind",
    )


def check_governor(governors: Mapping[str, int]) -> Check:
    """How the clock rate is chosen; `governors` counts the groups of CPUs under each."""
    name, wanted = "governor", "performance"
    matters = "the clock rate follows the load with a delay: mostly idle cases read slower"
    if not governors:
        return unknown(name, wanted, CPU, matters)
    return Check(
        name,
        ", ".join(sorted(governors)),
        wanted,
        set(governors) == {wanted},
        Severity.WARNING,
        "echo performance | sudo tee /sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
        group=CPU,
        matters=matters,
    )


def check_turbo(turbo: bool | None, *, intel: bool) -> Check:
    """Whether the clock rate depends on temperature and on what the other cores do."""
    name, wanted = "turbo", "off"
    matters = "the clock rate sinks as the chip warms up: what is measured later reads slower"
    if turbo is None:
        return unknown(name, wanted, CPU, matters)
    command = (
        "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
        if intel
        else "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"
    )
    return Check(
        name,
        "on" if turbo else "off",
        wanted,
        not turbo,
        Severity.WARNING,
        command,
        group=CPU,
        matters=matters,
    )


def check_siblings(server: Set[int], others: Set[int], *, smt: bool | None) -> Check:
    """Whether another role may run on the other hardware thread of one of the server's cores."""
    name, wanted = "SMT siblings", "whole cores for the server"
    matters = "two threads of one core slow each other, so the server's speed depends on a stranger"
    if not server:
        return unknown(name, wanted, CPU, matters)
    if others:
        cpus = ", ".join(map(str, sorted(others)))
        found = f"CPU {cpus} shares a core with the server and is not its own"
    else:
        found = "SMT on, whole cores" if smt else "no shared cores"
    return Check(
        name,
        found,
        wanted,
        not others,
        Severity.WARNING,
        "echo off | sudo tee /sys/devices/system/cpu/smt/control, or let this process have "
        "both threads of each core",
        group=CPU,
        matters=matters,
    )


def check_clock(current: str | None, available: Collection[str]) -> Check:
    """Whether reading the time costs a few nanoseconds or a system call."""
    name, wanted = "clock source", "one that is read without a system call"
    matters = "a server reads the time several times per request"
    if current is None:
        return unknown(name, wanted, CPU, matters)
    better = next((each for each in available if each in FAST_CLOCKS), None)
    return Check(
        name,
        current,
        wanted,
        current in FAST_CLOCKS,
        Severity.WARNING,
        f"echo {better} | sudo tee {_CLOCK}"
        if better
        else "boot with `clocksource=tsc tsc=reliable`",
        group=CPU,
        matters=matters,
    )


def check_virtualisation(kind: str | None) -> Check:
    """Whether the host is a guest of another."""
    name, wanted = "virtualisation", "none"
    matters = "neighbours on the same machine slow this one, and only steal tells"
    if kind is None:
        return unknown(name, wanted, CPU, matters)
    return Check(
        name,
        kind,
        wanted,
        kind == "none",
        Severity.INFO,
        "measure on bare metal, or compare base and head side by side",
        group=CPU,
        matters=matters,
    )


def check_quota(cpus: float | None) -> Check:
    """Whether a container's share of CPU time runs out."""
    return Check(
        "CPU quota",
        "none" if cpus is None else f"{cpus:g} CPUs' worth of time",
        "none",
        cpus is None,
        Severity.WARNING,
        "docker update --cpus 0 <container>, or pin it with --cpuset-cpus instead",
        group=CPU,
        matters="with its share used up a process is stopped, mostly for the rest of 100 ms",
    )


def check_throttling(since_boot: int | None, while_looking: int) -> Check:
    """Whether the CPU slowed itself down because it was too hot; both are counts of events."""
    name, wanted = "thermal throttling", "never"
    matters = "a chip that is too hot runs slower until it has cooled"
    if since_boot is None:
        return unknown(name, wanted, CPU, matters)
    # how often is not said: cores of one package report the same event
    earlier = "since boot, not just now" if since_boot else wanted
    return Check(
        name,
        "just now" if while_looking else earlier,
        wanted,
        since_boot == 0,
        Severity.WARNING if while_looking else Severity.INFO,
        "let it cool, clear its vents, or switch turbo off",
        group=CPU,
        matters=matters,
    )
