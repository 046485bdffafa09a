"""Spring Boot applications of a Gradle build, as far as its scripts tell without being run."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from springbench.errors import ConfigurationError
from springbench.project.facts import Application

FILE = "gradle/libs.versions.toml"
# `libs.plugins.spring.boot`; the last words may be a call: `.get()`
_USED = re.compile(r"\blibs((?:\.\w+)+)")
SCRIPTS = ("build.gradle.kts", "build.gradle")
_SETTINGS = ("settings.gradle.kts", "settings.gradle")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_BOOT = "org.springframework.boot"
_VERSION = r"""(?:\s*version\s*\(?\s*["'](?P<version>[^"']+)["']\s*\)?)?"""
_OFF = r"""(?P<off>\s*\.?apply\s*\(?\s*false)?"""
_PLUGIN = re.compile(rf"""id\s*\(?\s*["']{re.escape(_BOOT)}["']\s*\)?{_VERSION}{_OFF}""")
# as it was written before there were plugins blocks, and still is in scripts of many projects
_APPLIED = re.compile(rf"""apply\s*\(?\s*plugin\s*[:=]\s*["']{re.escape(_BOOT)}["']""")
_ALIAS = re.compile(rf"""alias\s*\(?\s*(?P<name>libs(?:\.\w+)+)\s*\)?{_OFF}""")
# what it imports is what it runs with, whatever the plugin's version
_IMPORTED = re.compile(r"""["']org\.springframework\.boot:spring-boot-dependencies:([\w.-]+)["']""")
_ON_CLASSPATH = re.compile(
    r"""["']org\.springframework\.boot:spring-boot-gradle-plugin:([\w.-]+)["']"""
)
_STARTER = re.compile(r"org\.springframework\.boot:spring-boot-starter(?:-([a-z-]+))?(?![a-z-])")
_QUOTED = re.compile(r"""["']([^"'\n]+)["']""")
_INCLUDED = re.compile(r"""\binclude\b\s*\(?((?:\s*,?\s*["'][\w:./-]+["'])+)""")
_NAME = re.compile(r"""["']([\w:./-]+)["']""")


@dataclass(frozen=True)
class Catalogue:
    """By the words after `libs`, with dots between them."""

    plugins: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    """A plugin's id and version."""
    libraries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`group:name` of a library, or of all libraries of a bundle."""

    def plugin_names(self, plugin: str) -> frozenset[str]:
        """The names that mean this plugin, as a script has them."""
        return frozenset(f"libs.{name}" for name, (id_, _) in self.plugins.items() if id_ == plugin)

    def version_of(self, plugin: str) -> str | None:
        """The version of a plugin; None where it has none."""
        return next((version for id_, version in self.plugins.values() if id_ == plugin), None)

    def libraries_in(self, script: str) -> frozenset[str]:
        """`group:name` of each library that a script uses."""
        used = (names.removeprefix(".") for names in _USED.findall(script))
        return frozenset(each for name in used for each in self.libraries.get(name, ()))


def read_catalogue(folder: Path) -> Catalogue:
    """That of a build; an empty one where it has none.

    Raises `ConfigurationError` for a file that is no TOML.
    """
    file = folder / FILE
    if not file.is_file():
        return Catalogue()
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise ConfigurationError(f"{file}: cannot be read: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{file}: no TOML: {error}") from error
    versions = _table(found, "versions")
    plugins = {
        f"plugins.{_accessor(name)}": _plugin(entry, versions)
        for name, entry in _table(found, "plugins").items()
    }
    libraries = {name: (_library(entry),) for name, entry in _table(found, "libraries").items()}
    bundles = {
        f"bundles.{_accessor(name)}": tuple(
            each for part in parts for each in libraries.get(str(part), ())
        )
        for name, parts in _table(found, "bundles").items()
        if isinstance(parts, list)
    }
    return Catalogue(plugins, {_accessor(name): of for name, of in libraries.items()} | bundles)


def _table(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = found.get(name)
    return table if isinstance(table, dict) else {}


def _accessor(name: str) -> str:
    return re.sub("[-_]", ".", name)


def _plugin(entry: object, versions: Mapping[str, Any]) -> tuple[str, str | None]:
    if not isinstance(entry, dict):
        id_, _, declared = str(entry).partition(":")
        return id_, declared or None
    version = entry.get("version")
    if isinstance(version, dict):
        version = versions.get(str(version.get("ref")))
    return str(entry.get("id")), version if isinstance(version, str) else None


def _library(entry: object) -> str:
    if not isinstance(entry, dict):
        return ":".join(str(entry).split(":")[:2])
    return str(entry.get("module") or f"{entry.get('group')}:{entry.get('name')}")


def is_gradle(folder: Path) -> bool:
    """Whether Gradle builds there."""
    return any((folder / name).is_file() for name in (*SCRIPTS, *_SETTINGS))


def applications(folder: Path) -> Iterator[Application]:
    """Those of the folder and of the projects that its settings include."""
    catalogue = read_catalogue(folder)
    root = _text_of(folder, SCRIPTS)
    names = (name.strip(":").replace(":", "/") for name in _included(folder))
    for each in (folder, *(folder / name for name in names)):
        text = _text_of(each, SCRIPTS)
        if _is_application(text, catalogue):
            version = _version(text, root, _text_of(folder, _SETTINGS), catalogue)
            starters = _starters(text, catalogue)
            yield Application(each, "gradle", "build/libs/*.jar", starters, version)


def _is_application(text: str, catalogue: Catalogue) -> bool:
    """Whether a script applies the plugin that makes a jar to run."""
    names = catalogue.plugin_names(_BOOT)
    by_alias = [each for each in _ALIAS.finditer(text) if each["name"] in names]
    named = [*_PLUGIN.finditer(text), *by_alias]
    return any(not each["off"] for each in named) or bool(_APPLIED.search(text))


def _version(text: str, root: str, settings: str, catalogue: Catalogue) -> str | None:
    """Of Spring Boot, as the script tells it, or that of the whole build."""
    for script in (text, root):
        if imported := _IMPORTED.search(script):
            return imported[1]
    for script in (text, root, settings):
        declared = next(
            (each["version"] for each in _PLUGIN.finditer(script) if each["version"]), None
        )
        on_classpath = _ON_CLASSPATH.search(script)
        if declared or on_classpath:
            return declared or (on_classpath[1] if on_classpath else None)
    return catalogue.version_of(_BOOT)


def _starters(text: str, catalogue: Catalogue) -> frozenset[str]:
    libraries = {*_QUOTED.findall(text), *catalogue.libraries_in(text)}
    found = (_STARTER.match(each) for each in libraries)
    return frozenset(each[1] or "" for each in found if each)


def _included(folder: Path) -> Iterator[str]:
    for names in _INCLUDED.findall(_text_of(folder, _SETTINGS)):
        yield from _NAME.findall(names)


def _text_of(folder: Path, names: tuple[str, ...]) -> str:
    """The first of these files that is there, without its comments."""
    return next((_read(folder / name) for name in names if (folder / name).is_file()), "")


def _read(file: Path) -> str:
    try:
        return _COMMENT.sub("", file.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise ConfigurationError(f"{file}: cannot be read: {error.strerror}") from error
