"""Which cases of a plan are measured by one job: a shard, on one host, in one go."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from operator import itemgetter

from springbench.plan.cases import Case
from springbench.plan.plan import Plan

Cases = list[Case]
# a job of a runner of GitHub's own lasts no longer
JOB_MAX_MINUTES = 360
# a pull request waits for the shard that is being measured on its host, and not for the next one
SHARD_MAX_S = 3600.0
# beside measuring: checking out, fetching jars, warming up the canary, uploading
_OVERHEAD_MINUTES = 20
# how long a shard waits for another measurement on its host, as measure.yml says
_WAIT_MINUTES = 60
# what a workload is parted by where it does not fit a job; what is compared stays together longest
_PARTED_BY: tuple[Callable[[Case], Hashable], ...] = (
    lambda case: case.connections,
    lambda case: case.variant.runtime.id,
    lambda case: case.variant.boot,
    lambda case: case.variant.model.id,
    lambda case: case.variant.server.id,
)


def split(plan: Plan, shards: int | None) -> list[Cases]:
    """Shards of a plan: a workload each, in parts only where it would not fit a job.

    With `shards` there are no more than that, evenly by time, unless one would not fit a job.
    """
    workloads: dict[str, Cases] = {}
    for case in plan.cases:
        workloads.setdefault(case.workload.id, []).append(case)
    parted = [piece for cases in workloads.values() for piece in _pieces(cases, _PARTED_BY)]
    longest_first = itemgetter(0)
    pieces = sorted(
        ((estimate_s(piece), piece) for piece in parted), key=longest_first, reverse=True
    )
    count = min(shards or len(pieces), len(pieces))
    while not all(map(_fits, parts := _shared_out(pieces, count))) and count < len(pieces):
        count += 1
    order = {case.id: number for number, case in enumerate(plan.cases)}
    for part in parts:
        part.sort(key=lambda case: order[case.id])
    return sorted(parts, key=lambda part: order[part[0].id])


def names(parts: Sequence[Cases]) -> list[str]:
    """A name for each shard, from its workloads; numbered where several have the same ones."""
    plain = ["-".join(dict.fromkeys(case.workload.id for case in part)) for part in parts]
    how_many, seen = Counter(plain), Counter[str]()
    found = []
    for name in plain:
        seen[name] += 1
        found.append(f"{name}-{seen[name]}" if how_many[name] > 1 else name)
    return found


def estimate_s(cases: Sequence[Case]) -> float:
    """Expected time of all their forks."""
    return Plan("", tuple(cases)).estimate_s


def spread_s(parts: Sequence[Cases], hosts: int) -> float:
    """Expected time until the last shard has ended, each handed in order to the host free first."""
    free_at_s = [0.0] * hosts
    for part in parts:
        first = free_at_s.index(min(free_at_s))
        free_at_s[first] += estimate_s(part)
    return max(free_at_s)


def timeout_minutes(cases: Sequence[Case]) -> int:
    """A job that takes longer is stuck: twice what is expected, or each compiler all its time."""
    ceiling_s = Plan("", tuple(cases)).ceiling_s
    measuring_minutes = math.ceil(max(2 * estimate_s(cases), ceiling_s) / 60)
    return _OVERHEAD_MINUTES + _WAIT_MINUTES + measuring_minutes


def _fits(cases: Sequence[Case]) -> bool:
    return estimate_s(cases) <= SHARD_MAX_S and timeout_minutes(cases) <= JOB_MAX_MINUTES


def _pieces(cases: Cases, keys: Sequence[Callable[[Case], Hashable]]) -> list[Cases]:
    """Parts that fit a job each, as few as there can be without parting what need not be."""
    if _fits(cases) or not keys:
        return [cases]
    groups: dict[Hashable, Cases] = {}
    for case in cases:
        groups.setdefault(keys[0](case), []).append(case)
    found: list[Cases] = []
    for piece in (piece for group in groups.values() for piece in _pieces(group, keys[1:])):
        if found and _fits([*found[-1], *piece]):
            found[-1] = [*found[-1], *piece]
        else:
            found.append(piece)
    return found


def _shared_out(pieces: Sequence[tuple[float, Cases]], count: int) -> list[Cases]:
    """The longest first, each to the shard that has least to do (Graham, 1969)."""
    parts: list[Cases] = [[] for _ in range(count)]
    lasts_s = [0.0] * count
    for piece_s, piece in pieces:
        least = lasts_s.index(min(lasts_s))
        parts[least].extend(piece)
        lasts_s[least] += piece_s
    return parts
