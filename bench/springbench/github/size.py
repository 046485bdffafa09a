"""How large a plan is: its cases, builds and shards, and how long so many hosts measure it."""

from __future__ import annotations

from dataclasses import dataclass

from springbench import units
from springbench.github.build_jobs import build_count
from springbench.github.shards import split, spread_s
from springbench.plan.plan import Plan


@dataclass(frozen=True)
class PlanSize:
    """Counts, and expected times of measuring alone: no job is set up or waited for in them."""

    cases: int
    builds: int
    shards: int
    one_host_s: float
    hosts: int
    hosts_s: float

    def __str__(self) -> str:
        text = f"{_counted(self.builds, 'build')}, {_counted(self.shards, 'shard')}: "
        text += f"about {units.duration(self.one_host_s)} on one host"
        if self.hosts > 1:
            text += f", {units.duration(self.hosts_s)} on {self.hosts}"
        return text


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def size_of(plan: Plan, shards: int | None = None, hosts: int | None = None) -> PlanSize:
    """The size of a plan, in at most so many shards; a host for each of them if unset."""
    parts = split(plan, shards)
    hosts = hosts or len(parts)
    return PlanSize(
        cases=len(plan.cases),
        builds=build_count(plan),
        shards=len(parts),
        one_host_s=spread_s(parts, 1),
        hosts=hosts,
        hosts_s=spread_s(parts, hosts),
    )
