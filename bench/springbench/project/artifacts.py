"""What a build has left that can be started: executable jars and wars of Spring Boot."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PLACES = ("target/*.jar", "target/*.war", "build/libs/*.jar", "build/libs/*.war")
_MODULE_DEPTH = 4
# of the loader of Spring Boot, in every release since 1.0
_LAUNCHER = re.compile(rb"^Main-Class:\s*org\.springframework\.boot\.loader\.", re.MULTILINE)
_BOOT = re.compile(rb"^Spring-Boot-Version:\s*([\w.-]+)", re.MULTILINE)
_WEB = re.compile(r"/(?:spring-web|spring-webmvc|spring-webflux|jersey-server)-[\d.]")
_MANIFEST = "META-INF/MANIFEST.MF"


@dataclass(frozen=True)
class Artifact:
    """A file that `java -jar` starts."""

    path: Path
    boot_version: str | None
    has_web: bool
    """Whether it carries anything that answers requests."""

    def module(self, folder: Path) -> str:
        """The folder of its build, as a person names it; the project's own name at its top."""
        # target/ or build/libs/
        up = 2 if self.path.parent.name == "target" else 3
        home = self.path.resolve().parents[up - 1]
        relative = home.relative_to(folder.resolve()).as_posix()
        return folder.resolve().name if relative == "." else relative


def find_artifacts(folder: Path) -> list[Artifact]:
    """Those of the folder and its modules, the newest of each module."""
    newest: dict[Path, Artifact] = {}
    for path in sorted(_candidates(folder), key=lambda each: each.stat().st_mtime):
        if artifact := read_artifact(path):
            newest[path.parent] = artifact
    return list(newest.values())


def _candidates(folder: Path) -> Iterator[Path]:
    for depth in range(_MODULE_DEPTH):
        for place in _PLACES:
            yield from folder.glob("/".join([*("*",) * depth, place]))


def read_artifact(path: Path) -> Artifact | None:
    """The artifact at a path; None for one that Spring Boot does not start."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = archive.read(_MANIFEST)
            names = archive.namelist()
    except (OSError, KeyError, zipfile.BadZipFile):
        return None
    if not _LAUNCHER.search(manifest):
        return None
    version = _BOOT.search(manifest)
    has_web = any(_WEB.search(name) for name in names)
    return Artifact(path, version[1].decode() if version else None, has_web)


def pattern_of(path: Path, folder: Path) -> str:
    """The path below `folder`, with a glob in the place of a version that a build may change."""
    below = path.resolve().relative_to(folder.resolve())
    name = re.sub(r"-\d[\w.+-]*(?=\.[jw]ar$)", "-*", below.name)
    matched = [each for each in path.parent.glob(name) if read_artifact(each)]
    return (below.parent / (name if len(matched) == 1 else below.name)).as_posix()
