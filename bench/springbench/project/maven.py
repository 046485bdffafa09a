"""Spring Boot applications of a Maven build, read from its poms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from springbench.errors import ConfigurationError
from springbench.project.facts import Application

POM = "pom.xml"
_PLUGIN = "spring-boot-maven-plugin"
_STARTER = "spring-boot-starter"


def applications(folder: Path) -> Iterator[Application]:
    """Those of the folder and its modules. Raises `ConfigurationError` for a pom that is none."""
    pom = _read(folder / POM)
    parent = pom.find("{*}parent")
    if any(_text(each, "artifactId") == _PLUGIN for each in pom.iterfind(_PLUGINS)):
        name = _text(pom, "artifactId") or folder.name
        final = _text(pom, "build/{*}finalName")
        yield Application(
            folder,
            "maven",
            f"target/{final}.jar" if final and "$" not in final else f"target/{name}-*.jar",
            frozenset(_starters(pom)),
            _text(parent, "version") if parent is not None and _is_boot(parent) else None,
        )
    for module in pom.iterfind("{*}modules/{*}module"):
        below = folder / (module.text or "").strip()
        below = below.parent if below.suffix == ".xml" else below
        if (below / POM).is_file() and below != folder:
            yield from applications(below)


_PLUGINS = "{*}build/{*}plugins/{*}plugin"


def _starters(pom: ElementTree.Element) -> Iterator[str]:
    for dependency in pom.iterfind("{*}dependencies/{*}dependency"):
        name = _text(dependency, "artifactId") or ""
        if name.startswith(_STARTER) and _text(dependency, "scope") != "test":
            yield name.removeprefix(_STARTER).removeprefix("-")


def _is_boot(parent: ElementTree.Element) -> bool:
    return _text(parent, "artifactId") == "spring-boot-starter-parent"


def _text(element: ElementTree.Element, path: str) -> str | None:
    found = element.find(path if path.startswith("{") else "{*}" + path)
    return found.text.strip() if found is not None and found.text else None


def _read(file: Path) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(file.read_bytes())  # noqa: S314 a person's own file
    except OSError as error:
        raise ConfigurationError(f"{file}: cannot be read: {error.strerror}") from error
    except ElementTree.ParseError as error:
        raise ConfigurationError(f"{file}: no XML: {error}") from error
