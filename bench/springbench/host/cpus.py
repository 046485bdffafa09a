"""CPUs of each process: server, load generator and upstream do not share a core if they need not.

CPUs that are hardware threads of one core slow each other down, so whole cores are given away.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.errors import ConfigurationError

_TOPOLOGY = Path("/sys/devices/system/cpu")
_MAX_LOAD_CORES = 8


@dataclass(frozen=True)
class CpuCounts:
    """How many CPUs the server has, the load generator, and all parties together."""

    server: int | None
    """None where the host cannot pin."""
    load: int = 1
    used: int = 1


@dataclass(frozen=True)
class CpuPartition:
    """The CPUs of each party; empty sets mean that the host cannot pin."""

    server: frozenset[int]
    load: frozenset[int]
    upstream: frozenset[int]
    separate: bool
    """Whether the server has its CPUs to itself."""
    load_there: int = 0
    """How many CPUs of another host the load has; 0 where it comes from this one."""

    @property
    def used(self) -> frozenset[int]:
        """Those of all parties."""
        return self.server | self.load | self.upstream

    @property
    def beside_server(self) -> frozenset[int]:
        """Those that are not the server's; all where it shares them."""
        return (self.used - self.server) or self.used

    @property
    def counts(self) -> CpuCounts:
        """How many of each: what ratios are of. wrk has one thread where nothing is pinned."""
        load = self.load_there or len(self.load) or 1
        return CpuCounts(len(self.server) or None, load, len(self.used) or 1)


def partition(cores: Sequence[frozenset[int]]) -> CpuPartition:
    """Divide whole cores, each given as the set of its CPUs.

    One core: all share it. Two: the server has the last, the others share the first. From three
    on everyone has cores of their own. The upstream needs one however large the host: it is one
    event loop. The load generator gets a quarter, since wrk spends a fraction of what a server
    spends on a request, and never more than eight: those drive a million requests a second.
    """
    if not cores:
        nothing: frozenset[int] = frozenset()
        return CpuPartition(nothing, nothing, nothing, separate=False)
    if len(cores) == 1:
        return CpuPartition(cores[0], cores[0], cores[0], separate=False)
    if len(cores) == 2:  # the case that the text above describes
        return CpuPartition(cores[1], cores[0], cores[0], separate=True)
    # the first core answers most interrupts: it goes to the party that needs the least
    load_end = 1 + min(max(1, len(cores) // 4), _MAX_LOAD_CORES)
    return CpuPartition(
        server=frozenset().union(*cores[load_end:]),
        load=frozenset().union(*cores[1:load_end]),
        upstream=cores[0],
        separate=True,
    )


def beside_another_host(cores: Sequence[frozenset[int]], load_there: int) -> CpuPartition:
    """The CPUs of this host where the load, with so many CPUs, comes from another one.

    The first core is the harness's, and the compilers' while they warm; the server has the others.
    """
    if len(cores) < 2:
        return replace(partition(cores), load_there=load_there)
    first = cores[0]
    server = frozenset().union(*cores[1:])
    return CpuPartition(server, first, first, separate=True, load_there=load_there)


def given_partition(text: str, usable: frozenset[int]) -> CpuPartition:
    """The partition that a person asks for: `server:load:upstream`, as in `2-3:1:0`.

    Without the third the upstream runs where the load generator does. Raises ConfigurationError.
    """
    parts = text.split(":")
    try:
        parties = [frozenset(parse_cpu_list(part)) for part in parts]
    except ValueError:
        parties = []
    if len(parties) not in {2, 3} or not all(parties):
        raise ConfigurationError(
            f"CPUs {text!r}: give server:load or server:load:upstream, each a list of CPUs "
            "such as 2-3 or 1,5; for example 2-3:1:0"
        )
    server, load, upstream = parties[0], parties[1], parties[-1]
    if missing := (server | load | upstream) - usable:
        raise ConfigurationError(
            f"CPUs {text!r}: this process may not use {_listed(missing)}, only {_listed(usable)}"
        )
    return CpuPartition(server, load, upstream, separate=not server & (load | upstream))


def cores(topology: Path = _TOPOLOGY) -> list[frozenset[int]]:
    """The cores that this process may use, lowest CPU first; none where a process cannot pin."""
    if not hasattr(os, "sched_getaffinity"):
        return []
    return group_by_core(os.sched_getaffinity(0), topology)


@contextmanager
def affinity_kept() -> Iterator[None]:
    """A measurement keeps the harness off the server's CPUs; the next one divides all of them."""
    if not hasattr(os, "sched_getaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def group_by_core(cpus: set[int], topology: Path) -> list[frozenset[int]]:
    """Sort CPUs into cores; a CPU whose siblings are unknown is a core of its own."""
    groups = {frozenset(_siblings(cpu, topology) & cpus) for cpu in cpus}
    return sorted(groups, key=min)


def smt_siblings(party: frozenset[int], topology: Path = _TOPOLOGY) -> frozenset[int]:
    """CPUs that share a core with one of `party` and do not belong to it."""
    return frozenset().union(*(_siblings(cpu, topology) for cpu in party)) - party


def parse_cpu_list(text: str) -> set[int]:
    """`0-2,8` as {0, 1, 2, 8}, the way the kernel writes lists of CPUs."""
    cpus: set[int] = set()
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.partition("-")
        cpus.update(range(int(first), int(last or first) + 1))
    return cpus


def _listed(cpus: frozenset[int]) -> str:
    return ", ".join(map(str, sorted(cpus))) or "none"


def _siblings(cpu: int, topology: Path) -> set[int]:
    path = topology / f"cpu{cpu}" / "topology" / "thread_siblings_list"
    try:
        return parse_cpu_list(path.read_text(encoding="ascii")) | {cpu}
    except (OSError, ValueError):
        return {cpu}
