"""What a build has left that can be started: executable jars and wars of Spring Boot, else programs
of other frameworks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from springbench.archives import MAIN_CLASS, read_archive
from springbench.errors import ConfigurationError
from springbench.measure.testbed import matching_file

_PLACES = ("target/*.jar", "target/*.war", "build/libs/*.jar", "build/libs/*.war")
_MODULE_DEPTH = 4
# of the loader of Spring Boot, in every release since 1.0
_LAUNCHER = re.compile(rb"^Main-Class:\s*org\.springframework\.boot\.loader\.", re.MULTILINE)
_BOOT = re.compile(rb"^Spring-Boot-Version:\s*([\w.-]+)", re.MULTILINE)
_CLASS_PATH = re.compile(rb"^Class-Path:\s*(.+)", re.MULTILINE)
# each as a library next to the program's own classes, or among them
_SPRING_BOOT = re.compile(r"/spring-boot-\d|^org/springframework/boot/SpringApplication\.class$")
_WEB = re.compile(
    r"/(?:spring-web|spring-webmvc|spring-webflux|jersey-server)-[\d.]|^org/springframework/web/"
)
_LOGGING = {
    "logback": re.compile(r"/logback-classic-\d|^ch/qos/logback/classic/"),
    "log4j2": re.compile(r"/log4j-core-\d|^org/apache/logging/log4j/core/"),
}
_OTHER_PLACES = (*_PLACES, "target/quarkus-app/*.jar", "build/quarkus-app/*.jar")
# by what the jar, or its manifest, names
_PORT_PROPERTIES = {
    "quarkus": "quarkus.http.port",
    "micronaut": "micronaut.server.port",
    "helidon": "server.port",
}


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


@dataclass(frozen=True)
class OtherProgram:
    """A jar of another framework, or none, that `java -jar` starts; or a war that a server of its
    own has to deploy."""

    path: Path
    is_executable: bool
    port_property: str | None = None
    """Sets its port; None where that is not known."""

    def command(self, folder: Path) -> tuple[str, ...]:
        """What starts it from the folder; empty where that is not known."""
        if self.port_property is None:
            return ()
        place = self.path.resolve().relative_to(folder.resolve()).as_posix()
        return (
            *("java", "-Djava.io.tmpdir={temporary_folder}"),
            *(f"-D{self.port_property}={{port}}", "-jar", place),
        )


def find_artifacts(folder: Path) -> list[Artifact]:
    """Those of the folder and its modules, the newest of each module."""
    newest: dict[Path, Artifact] = {}
    for path in sorted(
        _candidates(folder, _PLACES), key=lambda candidate: candidate.stat().st_mtime
    ):
        if artifact := read_artifact(path):
            newest[path.parent] = artifact
    return list(newest.values())


def find_other_programs(folder: Path) -> list[OtherProgram]:
    """Those that Spring Boot does not start."""
    found = [_other_program(path) for path in _candidates(folder, _OTHER_PLACES)]
    return sorted((program for program in found if program), key=lambda program: program.path)


def _candidates(folder: Path, places: Iterable[str]) -> Iterator[Path]:
    for depth in range(_MODULE_DEPTH):
        for place in places:
            yield from folder.glob("/".join([*("*",) * depth, place]))


def read_artifact(path: Path) -> Artifact | None:
    """The artifact at a path; None for one that Spring Boot does not start."""
    manifest, names = _contents(path)
    by_itself = MAIN_CLASS.search(manifest) and any(map(_SPRING_BOOT.search, names))
    if not _LAUNCHER.search(manifest) and not by_itself:
        return None
    version = _BOOT.search(manifest)
    has_web = any(map(_WEB.search, names))
    return Artifact(path, version[1].decode() if version else None, has_web)


def logging_library(path: Path) -> str | None:
    """What an artifact logs with, of those that Spring Boot configures; the first that it takes."""
    _, names = _contents(path)
    return next(
        (library for library, pattern in _LOGGING.items() if any(map(pattern.search, names))), None
    )


def _contents(path: Path) -> tuple[bytes, list[str]]:
    """The manifest of an archive, and names of what is in it or on its class path; nothing of what
    is none."""
    manifest, names = read_archive(path)
    class_path = _CLASS_PATH.search(manifest)
    words = class_path[1].decode("utf-8", "replace").split() if class_path else []
    return manifest, [*names, *(f"/{word}" for word in words)]


def _other_program(path: Path) -> OtherProgram | None:
    manifest, names = _contents(path)
    if not names:
        return None
    if not MAIN_CLASS.search(manifest):
        return OtherProgram(path, is_executable=False) if path.suffix == ".war" else None
    attributes = manifest.decode("utf-8", "replace").lower()
    packages = {name.split("/")[1] for name in names if name.startswith("io/")}
    properties = (
        value
        for name, value in _PORT_PROPERTIES.items()
        if f"io.{name}." in attributes or name in packages
    )
    return OtherProgram(path, is_executable=True, port_property=next(properties, None))


def pattern_of(path: Path, folder: Path) -> str:
    """The path below `folder`, with a glob in the place of a version that a build may change."""
    below = path.resolve().relative_to(folder.resolve())
    name = re.sub(r"-\d[\w.+-]*(?=\.[jw]ar$)", "-*", below.name)
    try:
        is_clear = matching_file(path.parent, name) == path
    except ConfigurationError:
        is_clear = False
    return (below.parent / (name if is_clear else below.name)).as_posix()
