"""Names of groups that say whose they are, so that those of a harness that was killed can go.

A name carries the id of the harness's process, when that process started (ids are given again),
and the namespace in which the id counts: a container's groups show on its host, where the same
number is somebody else.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable
from pathlib import Path

from springbench.host.memory_limit.cgroup_files import clear

PREFIX = "springbench"
_NAME = re.compile(rf"{PREFIX}-(\d+)-(\d+)-(\d+)-\d+-.*")
_SLUG_LENGTH = 80
_PROC = Path("/proc")
_numbers = itertools.count(1)


def group_name(purpose: str) -> str:
    """A name that no other group has: `springbench-<pid>-<start>-<namespace>-<n>-<purpose>`."""
    slug = re.sub(r"[^A-Za-z0-9_]+", "-", purpose).strip("-")[:_SLUG_LENGTH]
    pid = os.getpid()
    return f"{PREFIX}-{pid}-{_started(pid) or 0}-{_namespace()}-{next(_numbers)}-{slug or 'group'}"


def sweep(mounts: Iterable[Path]) -> list[str]:
    """Remove the groups of dead harnesses, with what still runs in them; returns their names."""
    swept = []
    for mount in mounts:
        for folder in _groups(mount):
            if is_orphan(folder.name) and clear([folder], patience_s=1.0):
                swept.append(folder.name)
    return swept


def is_orphan(name: str) -> bool:
    """Whether the name was given by a harness of this namespace that runs no more."""
    match = _NAME.fullmatch(name)
    if match is None:
        return False
    pid, started, namespace = map(int, match.groups())
    if namespace != _namespace():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return _started(pid) not in {started, None}


def _groups(mount: Path) -> list[Path]:
    return [
        Path(parent) / name
        for parent, folders, _ in os.walk(mount)
        for name in folders
        if name.startswith(f"{PREFIX}-")
    ]


def _started(pid: int) -> int | None:
    """When a process started, in clock ticks since boot."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # the name in the second field may hold spaces and brackets
    fields = stat.rpartition(")")[2].split()
    return int(fields[19]) if len(fields) > 19 else None


def _namespace() -> int:
    try:
        return (_PROC / "self/ns/pid").stat().st_ino
    except OSError:
        return 0
