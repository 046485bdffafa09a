"""Spring Boot applications of a Gradle build, as far as its scripts tell without being run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.project.facts import Application

SCRIPTS = ("build.gradle.kts", "build.gradle")
_SETTINGS = ("settings.gradle.kts", "settings.gradle")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PLUGIN = re.compile(
    r"""id\s*\(?\s*["']org\.springframework\.boot["']\s*\)?"""
    r"""(?:\s*version\s*\(?\s*["'](?P<version>[^"']+)["']\s*\)?)?(?P<off>\s*apply\s*\(?\s*false)?"""
)
_STARTER = re.compile(
    r"""["']org\.springframework\.boot:spring-boot-starter(?:-([a-z-]+))?(?=["':])"""
)
_INCLUDED = re.compile(r"""\binclude\b\s*\(?((?:\s*,?\s*["'][\w:./-]+["'])+)""")
_NAME = re.compile(r"""["']([\w:./-]+)["']""")


def script_of(folder: Path) -> Path | None:
    """The build script of a folder."""
    return next((folder / name for name in SCRIPTS if (folder / name).is_file()), None)


def applications(folder: Path) -> Iterator[Application]:
    """Those of the folder and of the projects that its settings include."""
    seen = [folder, *(folder / name.strip(":").replace(":", "/") for name in _included(folder))]
    for each in seen:
        script = script_of(each)
        text = _read(script) if script else ""
        plugin = _PLUGIN.search(text)
        if plugin and not plugin["off"]:
            starters = frozenset(_STARTER.findall(text))
            yield Application(each, "gradle", "build/libs/*.jar", starters, plugin["version"])


def _included(folder: Path) -> Iterator[str]:
    settings = next((folder / name for name in _SETTINGS if (folder / name).is_file()), None)
    for names in _INCLUDED.findall(_read(settings) if settings else ""):
        yield from _NAME.findall(names)


def _read(file: Path) -> str:
    try:
        return _COMMENT.sub("", file.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise ConfigurationError(f"{file}: cannot be read: {error.strerror}") from error
