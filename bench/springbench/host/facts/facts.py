"""Facts about this host that are part of every result, and names for hosts.

One name is for exactly this set-up, one for all hosts whose results may be compared.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from springbench.host.memory_limit.cgroup_files import cpu_quota, memory_limit
from springbench.host.shell import RealShell, Shell
from springbench.host.topology import core_kinds

CLOCK = Path("sys/devices/system/clocksource/clocksource0")

_COMMAND_TIMEOUT_S = 10.0
_GIB = 2**30
_SLUG_WORDS = 4
# it becomes the name of a folder; with the digest no more than a history allows
_READABLE_LENGTH = 111
# words that every model name of a vendor has, and clock rates, which the model implies
_NOISE = re.compile(r"\((?:r|tm)\)|\bcpu\b|\bprocessor\b|@.*$|\d+-core\b", re.IGNORECASE)


@dataclass(frozen=True)
class HostFacts:
    """The machine as this process sees it; None where the host does not tell."""

    os: str
    cpu_model: str
    cores: int
    """Logical CPUs that this process may use."""
    physical_cores: int
    memory_bytes: int
    """Memory that this process may use: the machine's, or its container's limit."""
    kernel: str
    cpu_quota: float | None
    """CPUs' worth of time that a container may use; None without a quota."""
    governor: str | None
    smt: bool | None
    turbo: bool | None
    virtualisation: str | None
    """`none` on bare metal, else the hypervisor or container."""
    clock_source: str | None = None
    """Clock that the kernel reads: `tsc`, `kvm-clock`, `hpet`."""
    thp: str | None = None
    """Transparent huge pages: `always`, `madvise` or `never`."""
    swap_bytes: int | None = None
    """Swap space of the machine, used or not."""
    core_kinds: tuple[tuple[int, ...], ...] = ()
    """Of a machine with several kinds of cores the usable CPUs of each, the fastest kind first."""


def host_facts(shell: Shell | None = None, filesystem: Path = Path("/")) -> HostFacts:
    """Read the facts of this host."""
    shell = shell or RealShell()
    if platform.system() == "Darwin":
        return _macos_facts(shell)
    cpu = filesystem / "sys/devices/system/cpu"
    usable = os.sched_getaffinity(0)
    kinds = core_kinds(usable, cpu)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return HostFacts(
        os=_linux_name(filesystem),
        cpu_model=_cpu_model(_read(filesystem / "proc/cpuinfo") or ""),
        cores=len(usable),
        physical_cores=sum(map(len, kinds)),
        memory_bytes=min(memory, memory_limit(filesystem) or memory),
        kernel=platform.release(),
        cpu_quota=cpu_quota(filesystem),
        governor=_read(cpu / "cpufreq/policy0/scaling_governor")
        or _read(cpu / "cpu0/cpufreq/scaling_governor"),
        smt=_flag(cpu / "smt/active"),
        turbo=_turbo(cpu),
        virtualisation=_virtualisation(shell, filesystem),
        clock_source=_read(filesystem / CLOCK / "current_clocksource"),
        thp=_chosen(_read(filesystem / "sys/kernel/mm/transparent_hugepage/enabled") or ""),
        swap_bytes=meminfo(filesystem).get("SwapTotal"),
        core_kinds=tuple(map(_cpus_of, kinds)) if len(kinds) > 1 else (),
    )


def meminfo(filesystem: Path = Path("/")) -> dict[str, int]:
    """The kernel's figures about memory, in bytes; empty where it does not tell."""
    lines = (_read(filesystem / "proc/meminfo") or "").splitlines()
    found = (re.fullmatch(r"(\w+):\s+(\d+) kB", line.strip()) for line in lines)
    return {match[1]: int(match[2]) * 1024 for match in found if match}


def _macos_facts(shell: Shell) -> HostFacts:
    logical = int(_sysctl(shell, "hw.logicalcpu") or os.cpu_count() or 1)
    return HostFacts(
        os=f"macOS {platform.mac_ver()[0]}",
        cpu_model=_sysctl(shell, "machdep.cpu.brand_string") or platform.machine(),
        cores=logical,
        physical_cores=int(_sysctl(shell, "hw.physicalcpu") or logical),
        memory_bytes=int(_sysctl(shell, "hw.memsize") or 0),
        kernel=platform.release(),
        cpu_quota=None,
        governor=None,
        smt=None,
        turbo=None,
        virtualisation=None,
    )


def _sysctl(shell: Shell, name: str) -> str:
    try:
        return shell.run(["sysctl", "-n", name], timeout_s=_COMMAND_TIMEOUT_S).stdout.strip()
    except OSError:
        return ""


def _cpus_of(cores: Iterable[frozenset[int]]) -> tuple[int, ...]:
    return tuple(sorted(frozenset().union(*cores)))


def _linux_name(filesystem: Path) -> str:
    match = re.search(r'^PRETTY_NAME="?([^"\n]*)', _read(filesystem / "etc/os-release") or "", re.M)
    return match[1] if match else "Linux"


def _cpu_model(cpuinfo: str) -> str:
    """The model as x86 tells it; ARM kernels give only numbers of implementer and part."""
    if match := re.search(r"^model name\s*:\s*(.+)$", cpuinfo, re.MULTILINE):
        return " ".join(match[1].split())
    implementer = re.search(r"^CPU implementer\s*:\s*(\S+)$", cpuinfo, re.MULTILINE)
    part = re.search(r"^CPU part\s*:\s*(\S+)$", cpuinfo, re.MULTILINE)
    if implementer and part:
        return f"{platform.machine()} {implementer[1]}/{part[1]}"
    return platform.machine()


def _turbo(cpu: Path) -> bool | None:
    boost = _flag(cpu / "cpufreq/boost")
    if boost is not None:
        return boost
    no_turbo = _flag(cpu / "intel_pstate/no_turbo")
    return None if no_turbo is None else not no_turbo


def _virtualisation(shell: Shell, filesystem: Path) -> str | None:
    try:
        # ends with 1 and prints "none" on bare metal
        answer = shell.run(["systemd-detect-virt"], timeout_s=_COMMAND_TIMEOUT_S).stdout.strip()
    except OSError:
        answer = ""
    if answer:
        return answer
    cpuinfo = _read(filesystem / "proc/cpuinfo")
    if cpuinfo is None:
        return None
    return "hypervisor" if re.search(r"^flags\s*:.*\bhypervisor\b", cpuinfo, re.M) else "none"


def _chosen(choices: str) -> str | None:
    """`madvise` out of `always [madvise] never`."""
    match = re.search(r"\[(\w+)\]", choices)
    return match[1] if match else None


def _flag(path: Path) -> bool | None:
    return {"0": False, "1": True}.get(_read(path) or "")


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


@dataclass(frozen=True)
class Limits:
    """Limits that the measured server is held to; None where nothing holds it."""

    cpus: int | None
    memory_bytes: int | None


@dataclass(frozen=True)
class LoadFrom:
    """Another host that the load comes from: results with it are no others' equals."""

    cpu_model: str
    cpus: int


def fingerprint(
    facts: HostFacts,
    *,
    jdk_version: str | None = None,
    limits: Limits | None = None,
    load_from: LoadFrom | None = None,
) -> str:
    """Short digest of every stable fact: differs as soon as anything about the host does."""
    held = asdict(limits) if limits else None
    digested = {**asdict(facts), "jdk": jdk_version, "limits": held}
    del digested["core_kinds"]
    return _digest(digested | _described_kinds(facts) | _described(load_from))


def host_class(
    facts: HostFacts,
    *,
    jdk_major: int | None = None,
    limits: Limits | None = None,
    load_from: LoadFrom | None = None,
) -> str:
    """Readable name of the class: results are compared within one, never across.

    For example `amd-epyc-7763-2c-8g-linux6-jdk25-1c1g-0a1b2c3d`: CPU model, cores and memory of
    the host, kernel, JDK, CPUs and memory of the server, and a digest of all these. Where the load
    comes from another host, its CPUs: `…-1c1g-load-intel-xeon-8c-…`. Where a machine has several
    kinds of cores, how many CPUs of each may be used: `…-12c-kinds-4-8-16g-…`. Where another
    harness measures, neither JDK nor limits are known: `amd-epyc-7763-2c-8g-linux6-0a1b2c3d`.
    """
    memory_gib = round(facts.memory_bytes / _GIB)
    system = "macos" if facts.os.startswith("macOS") else "linux"
    kernel = facts.kernel.split(".")[0]
    kinds = "".join(f"-{len(cpus)}" for cpus in facts.core_kinds)
    readable = (
        f"{_slug(facts.cpu_model)}-{facts.cores}c{kinds and f'-kinds{kinds}'}-{memory_gib}g"
        f"-{system}{kernel}"
    )
    if jdk_major is not None:
        readable += f"-jdk{jdk_major}"
    if limits:
        readable += f"-{limits.cpus or 'all'}c{_gib(limits.memory_bytes)}"
    if load_from:
        readable += f"-load-{_slug(load_from.cpu_model)}-{load_from.cpus}c"
    exact = {
        "cpu_model": facts.cpu_model,
        "cores": facts.cores,
        "cpu_quota": facts.cpu_quota,
        "memory_gib": memory_gib,
        "system": system,
        "kernel": kernel,
        "jdk": jdk_major,
        "limits": asdict(limits) if limits else None,
    }
    digest = _digest(exact | _described_kinds(facts) | _described(load_from))
    return f"{readable[:_READABLE_LENGTH]}-{digest[:8]}"


def _described_kinds(facts: HostFacts) -> dict[str, object]:
    """Nothing of a machine with one kind of core, so that its digest stays what it was."""
    return {"core_kinds": [len(cpus) for cpus in facts.core_kinds]} if facts.core_kinds else {}


def _described(load_from: LoadFrom | None) -> dict[str, object]:
    """Nothing where the load comes from the same host, so that its digest stays what it was."""
    return {"load_from": asdict(load_from)} if load_from else {}


def _gib(size_bytes: int | None) -> str:
    return "all" if size_bytes is None else f"{size_bytes / _GIB:g}g"


def _slug(cpu_model: str) -> str:
    words = re.findall(r"[a-z0-9]+", _NOISE.sub(" ", cpu_model).lower())
    return "-".join(words[:_SLUG_WORDS]) or "unknown"


def _digest(facts: dict[str, object]) -> str:
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
