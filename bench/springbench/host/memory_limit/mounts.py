"""Mounts of control groups, and the group of each hierarchy this process is in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath


@dataclass(frozen=True)
class Hierarchy:
    """One mounted tree of groups: the only one of version 2, or one of several of version 1."""

    version: int
    controllers: frozenset[str]
    """Controllers of a tree of version 1; empty for version 2, where each group tells."""
    mount: Path
    own: Path
    """The group of this process, or the mount where a container does not see it."""


@dataclass(frozen=True)
class _Mount:
    kind: str
    root: PurePosixPath
    """The group that shows as the top of the mount: a container's own, or `/`."""
    point: str
    options: frozenset[str]


def hierarchies(filesystem: Path = Path("/")) -> list[Hierarchy]:
    """Every tree of groups that this process belongs to and can see; none without them."""
    mounts = list(_mounts(_lines(filesystem / "proc/self/mountinfo")))
    found = []
    for line in _lines(filesystem / "proc/self/cgroup"):
        _, controllers, path = line.split(":", 2)
        names = frozenset(filter(None, controllers.split(",")))
        kind = "cgroup" if names else "cgroup2"
        for mount in mounts:
            if mount.kind == kind and names <= mount.options:
                top = filesystem / mount.point.lstrip("/")
                version = 1 if names else 2
                found.append(Hierarchy(version, names, top, _own(top, mount.root, path)))
                break
    return found


def _own(top: Path, root: PurePosixPath, path: str) -> Path:
    try:
        inside = PurePosixPath(path).relative_to(root)
    except ValueError:
        return top
    folder = top / inside
    return folder if ".." not in inside.parts and folder.is_dir() else top


def _mounts(lines: list[str]) -> Iterator[_Mount]:
    """Lines like `35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory`."""
    for line in lines:
        before, _, after = line.partition(" - ")
        left, right = before.split(), after.split()
        if len(left) > 4 and len(right) > 2 and right[0] in {"cgroup", "cgroup2"}:
            options = frozenset(right[2].split(","))
            yield _Mount(right[0], PurePosixPath(left[3]), left[4], options)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
