"""Names for hosts: one for exactly this set-up, one for all hosts whose results may be compared."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass

from springbench.host.facts.facts import HostFacts

_GIB = 2**30
_SLUG_WORDS = 4
# it becomes the name of a folder; with the digest no more than a history allows
_READABLE_LENGTH = 111
# words that every model name of a vendor has, and clock rates, which the model implies
_NOISE = re.compile(r"\((?:r|tm)\)|\bcpu\b|\bprocessor\b|@.*$|\d+-core\b", re.IGNORECASE)


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
    facts: HostFacts, *, jdk_version: str, limits: Limits, load_from: LoadFrom | None = None
) -> str:
    """Short digest of every stable fact: differs as soon as anything about the host does."""
    told = {**asdict(facts), "jdk": jdk_version, "limits": asdict(limits)}
    del told["core_kinds"]
    return _digest(told | _told_kinds(facts) | _told(load_from))


def host_class(
    facts: HostFacts, *, jdk_major: int, limits: Limits, load_from: LoadFrom | None = None
) -> str:
    """Readable name of the class: results are compared within one, never across.

    For example `amd-epyc-7763-2c-8g-linux6-jdk25-1c1g-0a1b2c3d`: CPU model, cores and memory of
    the host, kernel, JDK, CPUs and memory of the server, and a digest of all these. Where the load
    comes from another host, its CPUs: `…-1c1g-load-intel-xeon-8c-…`. Where a machine has several
    kinds of cores, how many CPUs of each may be used: `…-12c-kinds-4-8-16g-…`.
    """
    memory_gib = round(facts.memory_bytes / _GIB)
    system = "macos" if facts.os.startswith("macOS") else "linux"
    kernel = facts.kernel.split(".")[0]
    held = f"{limits.cpus or 'all'}c{_gib(limits.memory_bytes)}"
    kinds = "".join(f"-{len(cpus)}" for cpus in facts.core_kinds)
    readable = (
        f"{_slug(facts.cpu_model)}-{facts.cores}c{kinds and f'-kinds{kinds}'}-{memory_gib}g"
        f"-{system}{kernel}"
        f"-jdk{jdk_major}-{held}"
    )
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
        "limits": asdict(limits),
    }
    digest = _digest(exact | _told_kinds(facts) | _told(load_from))
    return f"{readable[:_READABLE_LENGTH]}-{digest[:8]}"


def _told_kinds(facts: HostFacts) -> dict[str, object]:
    """Nothing of a machine with one kind of core, so that its digest stays what it was."""
    return {"core_kinds": [len(cpus) for cpus in facts.core_kinds]} if facts.core_kinds else {}


def _told(load_from: LoadFrom | None) -> dict[str, object]:
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
