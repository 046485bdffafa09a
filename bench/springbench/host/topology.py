"""The cores of a host: which CPUs are threads of one, and which cores are of one kind.

For any Python from 3.8 on, with nothing but its standard library: a load host reads it, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Dict, FrozenSet, Iterable, List, Set  # noqa: UP035 - read by Python 3.8

TOPOLOGY = Path("/sys/devices/system/cpu")
# cores of one kind differ by less: the favoured ones of a chip are clocked up to a tenth higher
KIND_RATIO = 1.15
# what the kernel calls the kinds of Intel's hybrid CPUs, the slowest first
_TYPES = ("cpu_lowpower", "cpu_atom", "cpu_core")

Core = FrozenSet[int]  # noqa: UP006
Kinds = List[List[Core]]  # noqa: UP006
_Values = Dict[int, float]  # noqa: UP006


def core_kinds(usable: Set[int], topology: Path = TOPOLOGY) -> Kinds:  # noqa: UP006
    """The cores of these CPUs by kind: the fastest kind first, in each the lowest CPU first.

    A kind of the host of which nothing is usable stands there, empty. Where nothing tells of kinds
    there is one. Cores are compared with all that are online: those that are left to a container
    may lie far apart, and be of one kind.
    """
    groups = [set(usable) | _online(topology)]
    for values in (_types(topology), _numbers(topology, "cpu_capacity"), _frequencies(topology)):
        groups = [part for group in groups for part in _split(group, values, usable)]
    cores = group_by_core(usable, topology)
    return [[core for core in cores if min(core) in group] for group in groups]


def group_by_core(cpus: Set[int], topology: Path = TOPOLOGY) -> List[Core]:  # noqa: UP006
    """Sort CPUs into cores; a CPU whose siblings are unknown is a core of its own."""
    groups = {frozenset(siblings(cpu, topology) & cpus) for cpu in cpus}
    return sorted(groups, key=min)


def siblings(cpu: int, topology: Path = TOPOLOGY) -> Set[int]:  # noqa: UP006
    """The hardware threads of the core that has this one, whoever may use them."""
    return _listed(topology / f"cpu{cpu}" / "topology" / "thread_siblings_list") | {cpu}


def parse_cpu_list(text: str) -> Set[int]:  # noqa: UP006
    """`0-2,8` as {0, 1, 2, 8}, the way the kernel writes lists of CPUs."""
    cpus: Set[int] = set()  # noqa: UP006
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.partition("-")
        cpus.update(range(int(first), int(last or first) + 1))
    return cpus


def _split(group: Set[int], values: _Values, usable: Set[int]) -> Iterable[Set[int]]:  # noqa: UP006
    """The group in parts, where a value is far from the next; whole where one has none."""
    known = group & values.keys()
    if not known or not usable & group <= known:
        return [group]
    ordered = sorted(known, key=lambda cpu: -values[cpu])
    parts: List[Set[int]] = []  # noqa: UP006
    for index, cpu in enumerate(ordered):
        if not index or values[ordered[index - 1]] > KIND_RATIO * values[cpu]:
            parts.append(set())
        parts[-1].add(cpu)
    return parts


def _online(topology: Path) -> Set[int]:  # noqa: UP006
    return _listed(topology / "online")


def _types(topology: Path) -> _Values:
    devices = topology.parent.parent
    ranks = {name: 2.0**index for index, name in enumerate(_TYPES)}
    return {cpu: rank for name, rank in ranks.items() for cpu in _listed(devices / name / "cpus")}


def _frequencies(topology: Path) -> _Values:
    """The highest clock rate of each CPU; where none is reported, the rank that firmware gives
    it.
    """
    rates = _numbers(topology, "cpufreq/cpuinfo_max_freq")
    return rates or _numbers(topology, "acpi_cppc/highest_perf")


def _numbers(topology: Path, name: str) -> _Values:
    """A number of each CPU that has one above 0."""
    values = {}
    for cpu in _online(topology) or {int(folder.name[3:]) for folder in topology.glob("cpu[0-9]*")}:
        try:
            text = (topology / f"cpu{cpu}" / name).read_text(encoding="ascii")
            values[cpu] = float(int(text))
        except (OSError, ValueError):
            continue
    return {cpu: value for cpu, value in values.items() if value > 0}


def _listed(file: Path) -> Set[int]:  # noqa: UP006
    try:
        return parse_cpu_list(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return set()
