"""A version catalogue of Gradle: what the names that build scripts use stand for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from springbench.errors import ConfigurationError

FILE = "gradle/libs.versions.toml"
# `libs.plugins.spring.boot`; the last words may be a call: `.get()`
_USED = re.compile(r"\blibs((?:\.\w+)+)")


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
        id_, _, told = str(entry).partition(":")
        return id_, told or None
    version = entry.get("version")
    if isinstance(version, dict):
        version = versions.get(str(version.get("ref")))
    return str(entry.get("id")), version if isinstance(version, str) else None


def _library(entry: object) -> str:
    if not isinstance(entry, dict):
        return ":".join(str(entry).split(":")[:2])
    return str(entry.get("module") or f"{entry.get('group')}:{entry.get('name')}")
