"""A plan split over jobs: which builds it needs, and which runner measures what."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from springbench.errors import ConfigurationError
from springbench.github.build_jobs import UPSTREAM, builds, builds_of
from springbench.github.shards import estimate_s, names, split, timeout_minutes
from springbench.matrix.rows import Matrix
from springbench.plan.cases import Case
from springbench.plan.plan import Plan

# GitHub starts no more jobs from one matrix
MAX_JOBS = 256
HOSTED = "ubuntu-latest"
_HOSTED_PREFIX = "ubuntu-"
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,255}")


def matrices(
    plan: Plan, matrix: Matrix, root: Path, shards: int | None = None
) -> dict[str, object]:
    """The builds and the shards of a plan, each fit for `strategy.matrix` of a workflow.

    Raises ConfigurationError where GitHub could not start so many jobs.
    """
    found = builds(plan, matrix, root)
    parts = split(plan, shards)
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
        "shards": {
            "include": [
                _shard(name, cases, found) for name, cases in zip(names(parts), parts, strict=True)
            ]
        },
    }


def parallel(labels: Sequence[str], *, spread: bool) -> int:
    """How many shards may be under way at once.

    On one host of your own a shard is handed in only when the one before it has ended: what a pull
    request asks for meanwhile goes before the next. `spread`: several hosts have these labels.
    """
    return MAX_JOBS if spread or any(each.startswith(_HOSTED_PREFIX) for each in labels) else 1


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


def _shard(name: str, cases: Sequence[Case], found: Sequence[dict[str, str]]) -> dict[str, object]:
    needed = {name for case in cases for name in builds_of(case)} | {UPSTREAM}
    artifacts = [build["artifact"] for build in found if build["name"] in needed]
    return {
        "name": name,
        "cases": [case.id for case in cases],
        # one pattern for all; braces around a single name would be part of it
        "artifacts": f"{{{','.join(artifacts)}}}" if len(artifacts) > 1 else artifacts[0],
        "estimate_s": estimate_s(cases),
        "timeout_minutes": timeout_minutes(cases),
    }
