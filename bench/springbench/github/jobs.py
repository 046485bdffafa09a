"""A plan split over jobs: which builds it needs, and which runner measures what."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, Field, StringConstraints, TypeAdapter

from springbench.analysis.confirming import Confirmation, Measurements, PlannedBisection
from springbench.errors import ConfigurationError
from springbench.github.build_jobs import UPSTREAM, builds, builds_of
from springbench.github.shards import estimate_s, names, split, timeout_minutes
from springbench.matrix.rows import Matrix
from springbench.plan.cases import Case
from springbench.plan.plan import Plan
from springbench.untrusted import parse_json

# GitHub starts no more jobs from one matrix
MAX_JOBS = 256
HOSTED = "ubuntu-latest"
_HOSTED_PREFIX = "ubuntu-"
_SHOWN = 200
_Label = Annotated[
    str, StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$")
]
_Labels = Annotated[list[_Label], Field(min_length=1)]
Runner: TypeAlias = list[str] | dict[str, Any]
"""A runner's labels; or a `group` of runners, and `labels` where it has several kinds."""


class _Group(BaseModel, extra="forbid"):
    # a person has named it
    group: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_ ./-]{0,255}$")]
    labels: _Labels | None = None


_RUNNER: TypeAdapter[list[str] | _Group] = TypeAdapter(_Labels | _Group)


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


def parallel(runner: Runner, *, spread: bool) -> int:
    """How many shards may be under way at once.

    On one host of your own a shard is handed in only when the one before it has ended: what a pull
    request asks for meanwhile goes before the next. `spread`: several hosts are such runners.
    """
    labels: list[str] = runner if isinstance(runner, list) else runner.get("labels", [])
    return MAX_JOBS if spread or any(each.startswith(_HOSTED_PREFIX) for each in labels) else 1


def parse_runner(text: str | None, source: str = "--runner-labels") -> Runner:
    """The runner in `text`, as `runs-on` of a workflow takes it; a hosted one without.

    Labels are a JSON list or have commas between them; a group of runners is named in a JSON
    object. Raises ConfigurationError, which names the `source`, for anything else.
    """
    if not text or not text.strip():
        return [HOSTED]
    try:
        is_json = text.lstrip()[0] in "[{"
        found = _RUNNER.validate_python(parse_json(text) if is_json else text.split(","))
    except ValueError as error:
        raise ConfigurationError(
            f"{source} {text.strip()[:_SHOWN]!r}: names no runner; allowed: labels with commas "
            'between them, like self-hosted,bench, or a JSON list, like ["self-hosted", "bench"]; '
            'or a group of runners, like {"group": "bench", "labels": ["self-hosted"]}'
        ) from error
    return found if isinstance(found, list) else found.model_dump(exclude_none=True)


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


def comparison_jobs(plan: Measurements) -> list[dict[str, str]]:
    """A row for each comparison, fit for `strategy.matrix` of a workflow."""
    return [
        {
            "name": str(number),
            "events": " ".join(each.events),
            "base": each.base,
            "head": each.head,
            "cases": " ".join(each.cases),
            **_measured_as(each),
        }
        for number, each in enumerate(plan.comparisons[:MAX_JOBS], start=1)
    ]


def bisection_jobs(plan: Measurements) -> list[dict[str, str]]:
    """A row for each bisection."""
    return [
        {
            "name": str(number),
            "event": each.event,
            "good": each.good,
            "bad": each.bad,
            "case": each.case,
            "metric": each.metric,
            **_measured_as(each),
        }
        for number, each in enumerate(plan.bisections[:MAX_JOBS], start=1)
    ]


def _measured_as(each: Confirmation | PlannedBisection) -> dict[str, str]:
    # words: what a called workflow takes
    return {"profile": each.profile, "budget": f"{each.budget_s:g}"}
