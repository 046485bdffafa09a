"""CPUs of each process: server, load generator and upstream do not share a core if they need not.

CPUs that are hardware threads of one core slow each other down, so whole cores are given away.
Cores of several kinds have several speeds, so no role has cores of two kinds: the server has the
fastest.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.host.topology import TOPOLOGY, Core, Kinds, core_kinds, parse_cpu_list, siblings

_MAX_LOAD_CORES = 8


@dataclass(frozen=True)
class CpuCounts:
    """How many CPUs the server has, the load generator, and all roles together."""

    server: float | None
    """Of several CPUs, or of a part of one under a quota; None where the host cannot pin."""
    load: int = 1
    used: int = 1
    pinned: int | None = None
    """The server's without its quota, where that is known."""
    quota: float | None = None
    """In CPUs, where a control group holds the server to one."""


@dataclass(frozen=True)
class CpuPartition:
    """The CPUs of each role; empty sets mean that the host cannot pin."""

    server: frozenset[int]
    load: frozenset[int]
    upstream: frozenset[int]
    separate: bool
    """Whether the server has its CPUs to itself."""
    load_there: int = 0
    """How many CPUs of another host the load has; 0 where it comes from this one."""
    quota: float | None = None
    """Of the server's CPUs, in CPUs, where a control group holds it to one."""

    def held(self, whole_cpus: int | None, quota: float | None) -> CpuPartition:
        """The same for a server that has only the first of its CPUs, or a quota of them."""
        return replace(self, server=frozenset(sorted(self.server)[:whole_cpus]), quota=quota)

    @property
    def used(self) -> frozenset[int]:
        """Those of all roles."""
        return self.server | self.load | self.upstream

    @property
    def outside_server(self) -> frozenset[int]:
        """Those that are not the server's; all where it shares them."""
        return (self.used - self.server) or self.used

    def roles_with_mixed_cores(self, kinds: Sequence[Sequence[int]]) -> list[str]:
        """The roles that have CPUs of more than one of these kinds."""
        roles = {"the server": self.server, "the load generator": self.load}
        return [
            name
            for name, cpus in roles.items()
            if sum(not cpus.isdisjoint(kind) for kind in kinds) > 1
        ]

    @property
    def counts(self) -> CpuCounts:
        """How many of each: what ratios are of. wrk has one thread where nothing is pinned."""
        load = self.load_there or len(self.load) or 1
        pinned = len(self.server) or None
        server = min(pinned, self.quota) if pinned and self.quota else pinned
        return CpuCounts(server, load, len(self.used) or 1, pinned, self.quota)


def partition(kinds: Sequence[Sequence[Core]]) -> CpuPartition:
    """Divide whole cores, each given as the set of its CPUs, by kind, the fastest kind first.

    One core: all share it. Two: the server has the last, the others share the first. From three
    on everyone has cores of their own. The upstream needs one however large the host: it is one
    event loop. The load generator gets a quarter, since wrk spends a fraction of what a server
    spends on a request, and never more than eight: those drive a million requests a second.

    Of several kinds the server has the fastest, if the next kind has a quarter of all cores for the
    load generator beside one for the upstream; else the fastest are divided.
    """
    fastest, *slower = [kind for kind in kinds if kind] or [[]]
    if slower:
        return _divide_kinds(fastest, slower)
    if not fastest:
        nothing: frozenset[int] = frozenset()
        return CpuPartition(nothing, nothing, nothing, separate=False)
    first = fastest[0]
    if len(fastest) == 1:
        return CpuPartition(first, first, first, separate=False)
    if len(fastest) == 2:  # the case that the text above describes
        return CpuPartition(fastest[1], first, first, separate=True)
    # the first core answers most interrupts: it goes to the role that needs the least
    load_end = 1 + _load_cores(len(fastest))
    return CpuPartition(
        server=_union(fastest[load_end:]),
        load=_union(fastest[1:load_end]),
        upstream=first,
        separate=True,
    )


def _divide_kinds(fastest: Sequence[Core], slower: Sequence[Sequence[Core]]) -> CpuPartition:
    next_kind, slowest = slower[0], slower[-1]
    if len(next_kind) > _load_cores(len(fastest) + sum(map(len, slower))):
        # all that are left: each does less than a fast one, and the server has none of them
        load = next_kind[1 : 1 + _MAX_LOAD_CORES]
        return CpuPartition(_union(fastest), _union(load), next_kind[0], separate=True)
    if len(fastest) == 1:
        return CpuPartition(fastest[0], _union(next_kind), slowest[0], separate=True)
    load_end = _load_cores(len(fastest))
    server, load = fastest[load_end:], fastest[:load_end]
    return CpuPartition(_union(server), _union(load), slowest[0], separate=True)


def _load_cores(cores: int) -> int:
    return min(max(1, cores // 4), _MAX_LOAD_CORES)


def _union(cores: Iterable[Core]) -> frozenset[int]:
    return frozenset().union(*cores)


def partition_with_load_host(kinds: Sequence[Sequence[Core]], load_there: int) -> CpuPartition:
    """The CPUs of this host where the load, with so many CPUs, comes from another one.

    The first core is the harness's, and the compilers' while they warm; the server has the others.
    Of several kinds the server has the fastest, and the harness the first core of the next.
    """
    fastest, *slower = [kind for kind in kinds if kind] or [[]]
    if not slower and len(fastest) < 2:
        return replace(partition(kinds), load_there=load_there)
    first, server = (slower[0][0], fastest) if slower else (fastest[0], fastest[1:])
    return CpuPartition(_union(server), first, first, separate=True, load_there=load_there)


def partition_from_option(text: str, usable: frozenset[int]) -> CpuPartition:
    """The partition that a person asks for: `server:load:upstream`, as in `2-3:1:0`.

    Without the third the upstream runs where the load generator does. Raises ConfigurationError.
    """
    parts = text.split(":")
    try:
        roles = [frozenset(parse_cpu_list(part)) for part in parts]
    except ValueError:
        roles = []
    if len(roles) not in {2, 3} or not all(roles):
        raise ConfigurationError(
            f"CPUs {text!r}: give server:load or server:load:upstream, each a list of CPUs "
            "such as 2-3 or 1,5; for example 2-3:1:0"
        )
    server, load, upstream = roles[0], roles[1], roles[-1]
    if missing := (server | load | upstream) - usable:
        raise ConfigurationError(
            f"CPUs {text!r}: this process may not use {listed(missing)}, only {listed(usable)}"
        )
    return CpuPartition(server, load, upstream, separate=not server & (load | upstream))


def usable_kinds(topology: Path = TOPOLOGY) -> Kinds:
    """The cores that this process may use, by kind; none where a process cannot pin."""
    if not hasattr(os, "sched_getaffinity"):
        return []
    return core_kinds(os.sched_getaffinity(0), topology)


@contextmanager
def affinity_restored() -> Iterator[None]:
    """A measurement keeps the harness off the server's CPUs; the next one divides all of them."""
    if not hasattr(os, "sched_getaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def smt_siblings(role: frozenset[int], topology: Path = TOPOLOGY) -> frozenset[int]:
    """CPUs that share a core with one of `role` and do not belong to it."""
    return frozenset().union(*(siblings(cpu, topology) for cpu in role)) - role


def listed(cpus: Iterable[int]) -> str:
    """CPUs in words: `0, 1, 5`."""
    return ", ".join(map(str, sorted(cpus))) or "none"
