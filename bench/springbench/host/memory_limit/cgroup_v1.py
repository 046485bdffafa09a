"""A memory limit through control groups of version 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from springbench.host.memory_limit.cgroup_files import clear, joining, write
from springbench.host.memory_limit.control_group import ControlGroup, StatsV1
from springbench.host.memory_limit.mounts import Hierarchy

HOW = "cgroup v1"


@dataclass(frozen=True)
class CgroupV1:
    """Makes groups below this process's own, so that limits around it go on to hold."""

    limit_bytes: int
    memory: Path
    cpuacct: Path | None

    @contextmanager
    def open(self, name: str) -> Iterator[ControlGroup]:
        """A group with the limit; OSError where it cannot be made."""
        memory = self.memory / name
        folders = [memory]
        try:
            memory.mkdir()
            write(memory / "memory.limit_in_bytes", str(self.limit_bytes))
            self._without_swap(memory)
            cpuacct = self._cpuacct(name)
            if cpuacct:
                folders.append(cpuacct)
            yield ControlGroup(partial(joining, tuple(folders)), StatsV1(memory, cpuacct))
        finally:
            clear(folders)

    def _without_swap(self, memory: Path) -> None:
        if (memory / "memory.memsw.limit_in_bytes").exists():
            write(memory / "memory.memsw.limit_in_bytes", str(self.limit_bytes))
        with suppress(OSError):
            write(memory / "memory.swappiness", "0")

    def _cpuacct(self, name: str) -> Path | None:
        """CPU time is worth having, and no reason to give up the limit."""
        if self.cpuacct is None:
            return None
        try:
            (self.cpuacct / name).mkdir()
        except OSError:
            return None
        return self.cpuacct / name


def candidates(limit_bytes: int, trees: Sequence[Hierarchy]) -> Iterator[CgroupV1]:
    """The group of this process, where version 1 controls memory."""
    own = {
        controller: tree.own
        for tree in trees
        if tree.version == 1
        for controller in tree.controllers
    }
    if memory := own.get("memory"):
        yield CgroupV1(limit_bytes, memory, own.get("cpuacct"))
