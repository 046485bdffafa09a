"""A plan split over jobs: which builds it needs, and which runner measures what."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from springbench.errors import ConfigurationError
from springbench.github.build_jobs import UPSTREAM, builds, builds_of
from springbench.matrix.rows import Matrix
from springbench.plan.cases import Case
from springbench.plan.plan import Plan

# GitHub starts no more jobs from one matrix
MAX_JOBS = 256
HOSTED = "ubuntu-latest"
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,255}")
# beside measuring: checking out, fetching jars, warming up the canary, uploading
_OVERHEAD_MINUTES = 20
# how long a shard waits for another measurement on its host, as measure.yml says
_WAIT_MINUTES = 60


def matrices(
    plan: Plan, matrix: Matrix, root: Path, shards: int | None = None
) -> dict[str, object]:
    """The builds and the shards of a plan, each fit for `strategy.matrix` of a workflow.

    Raises ConfigurationError where GitHub could not start so many jobs.
    """
    found = builds(plan, matrix, root)
    parts = _split(plan, shards)
    for what, rows in (("builds", found), ("shards", parts)):
        if len(rows) > MAX_JOBS:
            raise ConfigurationError(
                f"the plan has {len(rows)} {what}, GitHub starts at most {MAX_JOBS} jobs of one "
                "matrix: narrow it with --only"
            )
    return {
        "profile": plan.profile,
        "digest": plan.digest,
        "estimate_s": plan.estimate_s,
        "builds": {"include": found},
        "shard_count": len(parts),
        "shards": {"include": [_shard(cases, found) for cases in parts]},
    }


def runner_labels(text: str | None) -> list[str]:
    """The labels in `text`, a JSON list or with commas between them; a hosted runner's without.

    Raises ConfigurationError where that is no list of labels.
    """
    if not text or not text.strip():
        return [HOSTED]
    try:
        labels: Any = json.loads(text) if text.lstrip().startswith("[") else text.split(",")
        found = [label.strip() for label in labels]
    except (ValueError, AttributeError):
        found = []
    if not found or not all(_LABEL.fullmatch(label) for label in found):
        raise ConfigurationError(
            f"--runner-labels {text!r}: no list of runner labels; allowed: labels with commas "
            'between them, like self-hosted,bench, or a JSON list, like ["self-hosted", "bench"]'
        )
    return found


def _split(plan: Plan, shards: int | None) -> list[list[Case]]:
    """All cases of one workload together; with fewer shards than workloads, evenly by time."""
    workloads: dict[str, list[Case]] = {}
    for case in plan.cases:
        workloads.setdefault(case.workload.id, []).append(case)
    parts: list[list[Case]] = [[] for _ in range(min(shards or len(workloads), len(workloads)))]
    # the longest first, each to the shard that has least to do (Graham, 1969)
    for cases in sorted(workloads.values(), key=_estimate_s, reverse=True):
        min(parts, key=_estimate_s).extend(cases)
    order = {case.id: number for number, case in enumerate(plan.cases)}
    for part in parts:
        part.sort(key=lambda case: order[case.id])
    return sorted(parts, key=lambda part: order[part[0].id])


def _shard(cases: Sequence[Case], found: Sequence[dict[str, str]]) -> dict[str, object]:
    needed = {name for case in cases for name in builds_of(case)} | {UPSTREAM}
    artifacts = [build["artifact"] for build in found if build["name"] in needed]
    estimate_s = _estimate_s(cases)
    return {
        "name": "-".join(dict.fromkeys(case.workload.id for case in cases)),
        "cases": [case.id for case in cases],
        # one pattern for all; braces around a single name would be part of it
        "artifacts": f"{{{','.join(artifacts)}}}" if len(artifacts) > 1 else artifacts[0],
        "estimate_s": estimate_s,
        # a job that takes longer is stuck: twice what is expected, or each compiler all its time
        "timeout_minutes": _OVERHEAD_MINUTES
        + _WAIT_MINUTES
        + math.ceil(max(2 * estimate_s, _ceiling_s(cases)) / 60),
    }


def _estimate_s(cases: Sequence[Case]) -> float:
    return sum(case.forks * case.fork_estimate_s for case in cases)


def _ceiling_s(cases: Sequence[Case]) -> float:
    return sum(case.forks * case.fork_ceiling_s for case in cases)
