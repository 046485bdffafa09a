"""Settings of a Spring Boot application that say where it answers, from its resources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from springbench.project.facts import Settings

_RESOURCES = Path("src", "main", "resources")
_YAML = ("application.yml", "application.yaml")


def read_settings(folder: Path) -> Settings:
    """As the default profile has them; what cannot be read tells nothing."""
    values = dict(_all(folder / _RESOURCES))
    base = values.get("server.servlet.context-path") or values.get("spring.webflux.base-path", "")
    management = values.get("management.endpoints.web.base-path", "/actuator")
    return Settings(
        base_path=_path(base),
        health_path=f"{_path(base)}{_path(management)}/health",
        health_elsewhere="management.server.port" in values,
        virtual_threads=values.get("spring.threads.virtual.enabled") == "true",
    )


def _all(resources: Path) -> Iterator[tuple[str, str]]:
    """Later ones win: properties over YAML, as in Spring Boot."""
    for name in _YAML:
        try:
            documents = list(yaml.safe_load_all((resources / name).read_text(encoding="utf-8")))
        except (OSError, ValueError, yaml.YAMLError):
            continue
        for document in documents:
            if isinstance(document, dict) and not _is_of_a_profile(document):
                yield from _flat(document)
    try:
        text = (resources / "application.properties").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return
    # documents of one profile stand behind a line #---
    for line in text.split("\n#---")[0].splitlines():
        key, sign, value = line.partition("=")
        if sign and not line.lstrip().startswith(("#", "!")):
            yield key.strip(), value.strip()


def _is_of_a_profile(document: Mapping[Any, Any]) -> bool:
    return any(key.startswith("spring.config.activate") for key, _ in _flat(document))


def _flat(values: Mapping[Any, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        name = f"{above}{key}"
        if isinstance(value, dict):
            yield from _flat(value, f"{name}.")
        elif isinstance(value, bool):
            yield name, str(value).lower()
        elif value is not None:
            yield name, str(value)


def _path(text: str) -> str:
    """With a slash before it and none behind it; empty for the root and what is filled in later."""
    path = text.strip().strip("/")
    return f"/{path}" if path and "$" not in path else ""
