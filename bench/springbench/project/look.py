"""The one application of a project that is to be measured."""

from __future__ import annotations

from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.project import gradle, maven
from springbench.project.facts import Application

_WEB = frozenset(("web", "webmvc", "webflux", "jersey", "web-services", "graphql", "data-rest"))


def look(folder: Path, module: str | None) -> Application | None:
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
    names = {_name(each, folder): each for each in found}
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
            f"{_name(chosen, folder)}: no web server: the build names no spring-boot-starter-web, "
            "-webmvc or -webflux, so nothing answers requests"
        )
    return chosen


def _applications(folder: Path) -> list[Application] | None:
    """None where neither Maven nor Gradle builds here."""
    if (folder / maven.POM).is_file():
        return list(maven.applications(folder))
    return list(gradle.applications(folder)) if gradle.is_gradle(folder) else None


def _is_without_web(application: Application, folder: Path) -> bool:
    """A starter may come by a module beside it, or a catalogue: only what stands alone is told."""
    alone = application.folder == folder
    return alone and bool(application.starters) and not application.starters & _WEB


def _name(application: Application, folder: Path) -> str:
    relative = application.folder.relative_to(folder).as_posix()
    return folder.resolve().name if relative == "." else relative
