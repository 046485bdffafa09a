"""Variables that servers get from the caller: few, and those that a file declares."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence

from springbench.errors import ConfigurationError
from springbench.host import environment
from springbench.matrix.requests import login_template
from springbench.matrix.servers import Server, ServiceSpec
from springbench.matrix.templates import RequestTemplate, Secret, written
from springbench.measure.load import h2load, oha
from springbench.measure.load.probe import INTERVAL_S
from springbench.measure.session import LINE_BREAK, expected
from springbench.plan.cases import Case, Variant
from springbench.plan.plan import Plan
from springbench.results.run import Caution

CHECKED = (
    "a status above 399 of every request, by the load generator; all else by a probe request "
    f"each {INTERVAL_S:g} s"
)
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


def request_info(case: Case) -> dict[str, object]:
    """What a case asks for its result, where that is more than a plain GET."""
    templates = case.templates
    looks = any(template.contains or template.json_path for template in templates)
    if not case.identity and not looks:
        return {}
    return {
        "requests": [
            {
                "name": template.name,
                "method": template.method,
                "path": written(template.path),
                "success": expected(template),
                "weight": template.weight,
            }
            for template in templates
        ],
        "requests_digest": _digest((("requests", case.identity),)) if case.identity else None,
        "checked": CHECKED,
    }


def check_requests(plan: Plan) -> None:
    """Raises `ConfigurationError` where a request cannot be filled in, or not be sent at a rate."""
    lines = []
    for case in plan.cases:
        login = case.variant.server.login
        templates = [*case.templates, *([login_template(login)] if login else [])]
        names = {secret.variable for template in templates for secret in template.secrets}
        for name in sorted(filter(None, names - environment.passed(filter(None, names)).keys())):
            lines.append(f"{{env:{name}}} is not set here; set it where springbench is started")
        for name in sorted(_break_a_header(templates)):
            lines.append(f"{{env:{name}}} has a line break, and stands in a header")
        if case.rates and (why := oha.refusal(case.templates)):
            lines.append(f"{case.workload.id} at a constant rate: {why}")
        if case.protocol.generator == "h2load" and (why := h2load.refusal(case.templates)):
            lines.append(f"{case.workload.id} over {case.protocol.id}: {why}")
    if lines:
        raise ConfigurationError("\n".join(dict.fromkeys(lines)))


def _break_a_header(templates: Sequence[RequestTemplate]) -> set[str]:
    named = {
        part.variable
        for template in templates
        for _, value in template.headers
        for part in value
        if isinstance(part, Secret) and part.variable
    }
    found = environment.passed(named)
    return {name for name, value in found.items() if LINE_BREAK.search(value)}


def cautions(plan: Plan, caller: Mapping[str, str] | None = None) -> Iterator[Caution]:
    """Variables that are set and reach no server, and variables of `pass_env` that are not set."""
    variants = [case.variant for case in plan.cases]
    declared = {name for variant in variants for name in _declared_names(variant)}
    if names := environment.withheld(declared, caller):
        is_service = any(variant.server.built_by != "maven" for variant in variants)
        file = "springbench.toml" if is_service else "the server's row of matrix.toml"
        options = " (for options of a JVM, java_options)" if _configures_a_jvm(names) else ""
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


def _configures_a_jvm(names: list[str]) -> bool:
    return any(name in _OF_A_JVM for name in names)


@functools.cache
def _digest(found: tuple[tuple[str, str], ...]) -> str:
    """It takes a moment, and is needed for each case."""
    return environment.digest(dict(found))
