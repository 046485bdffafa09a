"""Builds that a plan needs, each with a name that changes with what the build reads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from springbench.build.maven import DATABASE_JAR, UPSTREAM_JAR, file_digest, source_digest
from springbench.build.sources import leaf_modules
from springbench.matrix.rows import Matrix
from springbench.measure.services import database, upstream
from springbench.plan.cases import Case, Variant
from springbench.plan.plan import Plan

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
    made: str
    runtime: str = "jvm"
    image: str = ""

    def row(self, root: Path, leaves: Set[str]) -> dict[str, str]:
        sources = source_digest(root, without=leaves - {self.module})
        parts = f"{self.runtime} {self.image} {sources} {_script_digest(root)}"
        digest = hashlib.sha256(parts.encode()).hexdigest()
        return {
            "name": self.name,
            "module": self.module,
            "made": self.made,
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
        own = variant.prepared_as
        made = f"{own.id}/{variant.runtime.makes}"
        yield _Build(own.id, variant.module, made, variant.runtime.id, own.model.id)
