"""A memory limit through control groups of version 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from springbench.host.memory_limit.cgroup_files import clear, joining, words, write
from springbench.host.memory_limit.control_group import ControlGroup, StatsV2
from springbench.host.memory_limit.mounts import Hierarchy

HOW = "cgroup v2"


@dataclass(frozen=True)
class CgroupV2:
    """Makes groups below `parent`, for which the memory controller is switched on if need be."""

    limit_bytes: int
    parent: Path

    @contextmanager
    def open(self, name: str) -> Iterator[ControlGroup]:
        """A group with the limit; OSError where it cannot be made."""
        switch = self.parent / "cgroup.subtree_control"
        if "memory" not in words(switch):
            # refused where the parent holds processes, unless it is the root of all groups
            write(switch, "+memory")
        group = self.parent / name
        try:
            group.mkdir()
            write(group / "memory.max", str(self.limit_bytes))
            if (group / "memory.swap.max").exists():
                write(group / "memory.swap.max", "0")
            yield ControlGroup(partial(joining, (group,)), StatsV2(lambda: group))
        finally:
            clear([group])


def candidates(limit_bytes: int, trees: Sequence[Hierarchy]) -> Iterator[CgroupV2]:
    """The group of this process and those around it, innermost first, that may limit memory.

    Its own can have limited groups below it only when it holds no process, so that mostly the
    one around it is where the new group goes: beside this process's, under the same limits.
    """
    for tree in trees:
        if tree.version == 2:
            for parent in (tree.own, *tree.own.parents):
                if "memory" in words(parent / "cgroup.controllers"):
                    yield CgroupV2(limit_bytes, parent)
                if parent == tree.mount:
                    return
