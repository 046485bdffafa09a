"""What is seen of a service before anything is asked: its settings, its routes, its build."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from springbench.errors import ConfigurationError
from springbench.matrix.service_name import MAX_LENGTH
from springbench.project import gradle, maven
from springbench.project.facts import Application, Settings

_WEB = frozenset(("web", "webmvc", "webflux", "jersey", "web-services", "graphql", "data-rest"))
_SOURCES = ("src/main/java/**/*.java", "src/main/kotlin/**/*.kt")
_MOST_FILES = 2000
_STRING = r'\(\s*(?:(?:value|path)\s*=\s*)?[\[{(]?\s*"(?P<path>[^"$]*)"'
_CLASS = re.compile(rf"@RequestMapping{_STRING}[^)]*\)(?=(?:(?!@\w+Mapping)[^;}}])*?\bclass\b)")
_METHOD = re.compile(rf"@GetMapping(?:{_STRING}|\b)")
_CONTROLLER = re.compile(r"@(?:Rest)?Controller\b")
_RESOURCES = Path("src", "main", "resources")
_YAML = ("application.yml", "application.yaml")
# a number may be put behind it
LONGEST_FOUND = MAX_LENGTH - 4


def find_application(folder: Path, module: str | None) -> Application | None:
    """The Spring Boot application of the folder, or of its module; None where Java builds nothing.

    Raises `ConfigurationError` where there are several, or none that answers requests.
    """
    found = _applications(folder)
    if found is None:
        if module:
            raise ConfigurationError(
                f"--module {module}: {folder} has no pom.xml and no Gradle build"
            )
        return None
    names = {_module_name(each, folder): each for each in found}
    if not names:
        raise ConfigurationError(
            f"{folder}: its build has no Spring Boot application (no module with the plugin that "
            "makes a jar to run); for another one give --jar or --command"
        )
    if module is not None and module not in names:
        raise ConfigurationError(
            f"--module {module}: no Spring Boot application; allowed: {', '.join(sorted(names))}"
        )
    if module is None and len(names) > 1:
        raise ConfigurationError(
            f"{folder}: several applications: {', '.join(sorted(names))}; name one with --module"
        )
    chosen = names[module] if module else next(iter(names.values()))
    if _is_without_web(chosen, folder):
        raise ConfigurationError(
            f"{_module_name(chosen, folder)}: no web server: the build names no "
            "spring-boot-starter-web, -webmvc or -webflux, so nothing answers requests"
        )
    return chosen


def _applications(folder: Path) -> list[Application] | None:
    """None where neither Maven nor Gradle builds here."""
    if (folder / maven.POM).is_file():
        return list(maven.applications(folder))
    return list(gradle.applications(folder)) if gradle.is_gradle(folder) else None


def _is_without_web(application: Application, folder: Path) -> bool:
    """A starter may come by a module beside it, or a catalogue: only what stands alone is
    reported.
    """
    alone = application.folder == folder
    return alone and bool(application.starters) and not application.starters & _WEB


def _module_name(application: Application, folder: Path) -> str:
    relative = application.folder.relative_to(folder).as_posix()
    return folder.resolve().name if relative == "." else relative


def routes_of(folder: Path) -> list[str]:
    """Those without variables first, short ones before long ones. None of them is tried."""
    files = [file for pattern in _SOURCES for file in sorted(folder.glob(pattern))]
    found = {route for file in files[:_MOST_FILES] for route in _routes_in(file)}
    return sorted(found, key=lambda route: ("{" in route, len(route), route))


def _routes_in(file: Path) -> Iterator[str]:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    if not _CONTROLLER.search(text):
        return
    of_class = _CLASS.search(text)
    base = of_class["path"] if of_class else ""
    for method in _METHOD.finditer(text):
        path = "/".join(part.strip("/") for part in (base, method["path"] or "") if part.strip("/"))
        yield f"/{path}"


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


@dataclass(frozen=True)
class DetectedService:
    """What was seen of a service before anything was asked."""

    name: str
    jar: str | None = None
    command: tuple[str, ...] | None = None
    health: str | None = None
    routes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    build: str | None = None
    """The command that builds it, from the project's own folder."""


def detect_service(folder: Path, module: str | None) -> DetectedService:
    """Facts of the project's own files. Raises `ConfigurationError` where they tell of none."""
    application = find_application(folder, module)
    if application is None:
        raise ConfigurationError(
            f"{folder.resolve()}: no pom.xml and no Gradle build: go to the project's folder, or "
            "say what starts it with --jar or --command"
        )
    settings = read_settings(application.folder)
    relative = application.folder.relative_to(folder).as_posix()
    below = "" if relative == "." else f"{relative}/"
    routes = tuple(f"{settings.base_path}{each}" for each in routes_of(application.folder))
    tells_health = application.has_health and not settings.health_elsewhere
    return DetectedService(
        name=_name(application.folder.resolve().name),
        jar=f"{below}{application.jar}",
        health=settings.health_path if tells_health else None,
        routes=routes,
        notes=(_described(application, settings),),
        build=replace(application, folder=folder).build_command,
    )


def build_command_of(folder: Path, module: str | None) -> str | None:
    """What builds a project that has a file already; None where its own files do not tell."""
    application = find_application(folder, module)
    return replace(application, folder=folder).build_command if application else None


def service_of_options(
    folder: Path, jar: str | None, command: tuple[str, ...] | None
) -> DetectedService:
    """A service that is no Spring Boot project, or that a person says all of."""
    return DetectedService(_name(folder.resolve().name), jar=jar, command=command)


def _described(application: Application, settings: Settings) -> str:
    boot = f"Spring Boot {application.boot_version}" if application.boot_version else "Spring Boot"
    parts = [
        f"found {boot}",
        f"server: {application.server or 'as the build brings it'}",
        "virtual threads" if settings.virtual_threads else "platform threads or reactive",
        f"built by `{application.build_command}` as {application.jar}",
    ]
    return "; ".join(parts)


def _name(text: str) -> str:
    """A folder's name as a part of case ids."""
    words = re.sub(r"[^a-z0-9]", "", text.lower())
    named = words if words[:1].isalpha() else f"service{words}"
    return named[:LONGEST_FOUND]
