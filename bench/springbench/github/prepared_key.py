"""The name under which a workflow keeps what is made where it is measured: AOT caches."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from springbench.github.build_jobs import artifact_names, jar_build
from springbench.host.facts.facts import HostFacts
from springbench.host.tools.find import Jdk
from springbench.matrix.rows import Matrix
from springbench.plan.cases import Variant
from springbench.plan.plan import Plan

_DIGEST_LENGTH = 16


def prepared_key(plan: Plan, matrix: Matrix, root: Path, jdk: Jdk, facts: HostFacts) -> str | None:
    """The same for the same jars, rows of the matrix, JDK and kind of host; None for a plan that
    trains nothing.

    What is restored by it is looked at once more before it is used: see `build.prepared`.
    """
    trained = {each.id: each for each in _trained(plan)}
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
