"""Variables that servers get from the caller: few, and those that a file declares."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

from springbench.host import environment
from springbench.matrix.servers import Server, ServiceSpec
from springbench.plan.cases import Variant
from springbench.plan.plan import Plan
from springbench.results.run import Caution

_OF_A_JVM = ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS")


def passed_variables(variant: Variant) -> dict[str, object]:
    """The variables that a server and the services it needs get from the caller, for its result."""
    found = environment.passed(_passed_names(variant))
    if not found:
        return {}
    return {
        "passed_variables": sorted(found),
        "passed_digest": _digest(tuple(sorted(found.items()))),
    }


def cautions(plan: Plan, caller: Mapping[str, str] | None = None) -> Iterator[Caution]:
    """Variables that are set and reach no server, and variables of `pass_env` that are not set."""
    variants = [case.variant for case in plan.cases]
    declared = {name for variant in variants for name in _declared_names(variant)}
    if names := environment.withheld(declared, caller):
        is_service = any(variant.server.built_by != "maven" for variant in variants)
        file = "springbench.toml" if is_service else "the server's row of matrix.toml"
        options = " (for options of a JVM, java_options)" if _is_of_a_jvm(names) else ""
        yield Caution(
            code="environment",
            message=f"set here and not passed to the servers: {', '.join(names)}",
            remedy=f"to measure with it, write into {file}: "
            f'pass_env = ["{names[0]}"], or its value into environment{options}',
        )
    named = {name for variant in variants for name in _passed_names(variant)}
    if unset := sorted(named - environment.passed(named, caller).keys()):
        yield Caution(
            code="environment",
            message=f"pass_env names {', '.join(unset)}, not set here: the servers did not get it",
            remedy="set it where springbench is started, or take it out of pass_env",
        )


def _passed_names(variant: Variant) -> list[str]:
    return [name for row in _rows(variant) for name in row.pass_env]


def _declared_names(variant: Variant) -> list[str]:
    return [name for row in _rows(variant) for name in (*row.pass_env, *row.environment)]


def _rows(variant: Variant) -> list[Server | ServiceSpec]:
    return [variant.server, *variant.server.services]


def _is_of_a_jvm(names: list[str]) -> bool:
    return any(name in _OF_A_JVM for name in names)


@functools.cache
def _digest(found: tuple[tuple[str, str], ...]) -> str:
    """It takes a moment, and is needed for each case."""
    return environment.digest(dict(found))
