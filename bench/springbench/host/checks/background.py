"""Checks of what else the host is busy with, and of what its power comes from."""

from __future__ import annotations

from collections.abc import Sequence

from springbench.host.checks.check import Check, Severity, untold
from springbench.host.facts.activity import BusyProcess
from springbench.limits import BUSY_RATIO, MAX_STEAL_RATIO
from springbench.units import apart, share

QUIET = "quiet"
_LOAD_RATIO = 0.25
_SHOWN = 3
_NEIGHBOUR = "measured: one busy neighbour core slows a pinned loop by up to 20 %"


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
        return untold(name, wanted, QUIET, _NEIGHBOUR)
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
        return untold(name, wanted, QUIET, matters)
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
        return untold(name, wanted, QUIET, matters)
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
