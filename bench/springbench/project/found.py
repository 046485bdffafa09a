"""What is seen of a service before anything is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.matrix.service_name import MAX_LENGTH
from springbench.project.facts import Application, Settings
from springbench.project.look import look
from springbench.project.routes import routes_of
from springbench.project.settings import read_settings

# a number may be put behind it
LONGEST_FOUND = MAX_LENGTH - 4


@dataclass(frozen=True)
class Found:
    """What was seen of a service before anything was asked."""

    name: str
    jar: str | None = None
    command: tuple[str, ...] | None = None
    health: str | None = None
    routes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    build: str | None = None
    """The command that builds it, from the project's own folder."""


def found_in(folder: Path, module: str | None) -> Found:
    """Facts of the project's own files. Raises `ConfigurationError` where they tell of none."""
    application = look(folder, module)
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
    return Found(
        name=_name(application.folder.resolve().name),
        jar=f"{below}{application.jar}",
        health=settings.health_path if tells_health else None,
        routes=routes,
        notes=(_described(application, settings),),
        build=replace(application, folder=folder).build_command,
    )


def build_of(folder: Path, module: str | None) -> str | None:
    """What builds a project that has a file already; None where its own files do not tell."""
    application = look(folder, module)
    return replace(application, folder=folder).build_command if application else None


def given(folder: Path, jar: str | None, command: tuple[str, ...] | None) -> Found:
    """A service that is no Spring Boot project, or that a person says all of."""
    return Found(_name(folder.resolve().name), jar=jar, command=command)


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
