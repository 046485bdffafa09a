"""A plan split over jobs: which builds it needs, and which runner measures what."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence, Set
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, Field, StringConstraints, TypeAdapter

from springbench import units
from springbench.analysis.confirming import Confirmation, Measurements, PlannedBisection
from springbench.build.maven import DATABASE_JAR, UPSTREAM_JAR, file_digest, source_digest
from springbench.build.sources import leaf_modules
from springbench.errors import ConfigurationError
from springbench.host.facts.facts import HostFacts
from springbench.host.tools.find import Jdk
from springbench.matrix.rows import Matrix
from springbench.measure.services import database, upstream
from springbench.plan.cases import Case, Variant
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
    return MAX_JOBS if spread or any(label.startswith(_HOSTED_PREFIX) for label in labels) else 1


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
    required_builds = {name for case in cases for name in builds_of(case)} | {UPSTREAM}
    artifacts = [build["artifact"] for build in found if build["name"] in required_builds]
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
            "events": " ".join(comparison.events),
            "base": comparison.base,
            "head": comparison.head,
            "cases": " ".join(comparison.cases),
            **_measured_as(comparison),
        }
        for number, comparison in enumerate(plan.comparisons[:MAX_JOBS], start=1)
    ]


def bisection_jobs(plan: Measurements) -> list[dict[str, str]]:
    """A row for each bisection."""
    return [
        {
            "name": str(number),
            "event": bisection.event,
            "good": bisection.good,
            "bad": bisection.bad,
            "case": bisection.case,
            "metric": bisection.metric,
            **_measured_as(bisection),
        }
        for number, bisection in enumerate(plan.bisections[:MAX_JOBS], start=1)
    ]


def _measured_as(measurement: Confirmation | PlannedBisection) -> dict[str, str]:
    # words: what a called workflow takes
    return {"profile": measurement.profile, "budget": f"{measurement.budget_s:g}"}


# --- Builds that a plan needs, each with a name that changes with what the build reads ------------


# builds in a workflow; another script may build something else from the same sources
BUILD_SCRIPT = ".github/actions/build-server/build.sh"
UPSTREAM = "slow-upstream"
DATABASE = "database"
_DIGEST_LENGTH = 16


def builds(plan: Plan, matrix: Matrix, root: Path) -> list[dict[str, str]]:
    """A row for each jar and each native image, and one for each service that is started."""
    leaves = leaf_modules(matrix)
    return [build.row(root, leaves) for build in _of_plan(plan)]


def build_count(plan: Plan) -> int:
    """How many builds that is, without reading any source."""
    return len(_of_plan(plan))


def artifact_names(plan: Plan, matrix: Matrix, root: Path) -> dict[str, str]:
    """By the name of a build: the artifact that it leaves, which changes with what it reads."""
    return {row["name"]: row["artifact"] for row in builds(plan, matrix, root)}


def jar_build(variant: Variant) -> str:
    """The name of the build that leaves a variant's jar."""
    return f"{variant.boot}-{variant.server.id}-jvm"


def builds_of(case: Case) -> set[str]:
    """The names of all that a case is started with, but for the slow upstream of every run."""
    database = {DATABASE} if "database" in case.workload.needs else set()
    return {build.name for build in _of_variant(case.variant)} | database


@dataclass(frozen=True)
class _Build:
    name: str
    module: str
    # what it leaves: relative to the top, an image relative to the folder of jars
    output: str
    runtime: str = "jvm"
    image: str = ""

    def row(self, root: Path, leaves: Set[str]) -> dict[str, str]:
        sources = source_digest(root, without=leaves - {self.module})
        parts = f"{self.runtime} {self.image} {sources} {_script_digest(root)}"
        digest = hashlib.sha256(parts.encode()).hexdigest()
        return {
            "name": self.name,
            "module": self.module,
            "made": self.output,
            "runtime": self.runtime,
            "image": self.image,
            "artifact": f"server-{self.name}-{digest[:_DIGEST_LENGTH]}",
        }


def _of_plan(plan: Plan) -> list[_Build]:
    servers = {row.name: row for case in plan.cases for row in _of_variant(case.variant)}
    services = [_Build(UPSTREAM, upstream.MODULE, UPSTREAM_JAR)]
    if plan.needs("database"):
        services.append(_Build(DATABASE, database.MODULE, DATABASE_JAR))
    return [*servers.values(), *services]


def _script_digest(root: Path) -> str:
    script = root / BUILD_SCRIPT
    return file_digest(script) if script.is_file() else ""


def _of_variant(variant: Variant) -> Iterator[_Build]:
    """A jar, and the image where one is started. An AOT cache is made where it is measured."""
    if variant.server.built_by != "maven":
        return
    jar = f"{variant.module}/{variant.artifact}"
    yield _Build(jar_build(variant), variant.module, jar)
    if variant.runtime.is_native:
        prepared_variant = variant.prepared_as
        output = f"{prepared_variant.id}/{variant.runtime.makes}"
        yield _Build(
            prepared_variant.id,
            variant.module,
            output,
            variant.runtime.id,
            prepared_variant.model.id,
        )


# --- Which cases of a plan are measured by one job: a shard, on one host, in one go ---------------


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


# --- How large a plan is: its cases, builds and shards, and how long so many hosts measure it -----


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
        text = f"{units.counted(self.builds, 'build')}, {units.counted(self.shards, 'shard')}: "
        text += f"about {units.duration(self.one_host_s)} on one host"
        if self.hosts > 1:
            text += f", {units.duration(self.hosts_s)} on {self.hosts}"
        return text


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


# --- The name under which a workflow keeps what is made where it is measured: AOT caches ----------


def prepared_key(plan: Plan, matrix: Matrix, root: Path, jdk: Jdk, facts: HostFacts) -> str | None:
    """The same for the same jars, rows of the matrix, JDK and kind of host; None for a plan that
    trains nothing.

    What is restored by it is looked at once more before it is used: see `build.prepared`.
    """
    trained = {variant.id: variant for variant in _trained(plan)}
    if not trained:
        return None
    artifacts = artifact_names(plan, matrix, root)
    parts = [
        f"{name} {artifacts.get(jar_build(variant))} {variant.runtime.model_dump_json()}"
        f" {variant.model.model_dump_json()}"
        for name, variant in sorted(trained.items())
    ]
    parts.append(f"{jdk.version} {jdk.vendor} {jdk.home}")
    parts.append(
        f"{facts.os} {facts.cpu_model} {facts.cores} {facts.cpu_quota} {facts.memory_bytes}"
    )
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return f"prepared-{digest[:_DIGEST_LENGTH]}"


def _trained(plan: Plan) -> Iterator[Variant]:
    for case in plan.cases:
        if case.variant.runtime.train:
            yield case.variant.prepared_as
