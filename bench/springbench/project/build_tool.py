"""How a project is built: by its own wrapper, else by the tool on the path."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Literal

from springbench.errors import BuildError
from springbench.host.shell import Shell
from springbench.measure.server.log import causes

_MAVEN, _GRADLE = (
    ("pom.xml",),
    ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
)
# what Gradle has above its reasons, and Maven before each
_GRADLE_REASONS, _MAVEN_REASON = "* What went wrong:", "[ERROR] "
_MOST_REASONS = 3
_MOST_LETTERS = 300


@dataclass(frozen=True)
class Build:
    """A command in the project's folder. Tests are not run: they are not what is measured."""

    tool: Literal["maven", "gradle"]
    command: tuple[str, ...]

    def __str__(self) -> str:
        return shlex.join(self.command)

    def run(self, folder: Path, shell: Shell, log: Path) -> None:
        """Build. Raises `BuildError` with what the log says of its end."""
        with log.open("wb") as stdout:
            try:
                running = shell.start(self.command, stdout=stdout, cwd=folder, env=dict(os.environ))
            except FileNotFoundError as error:
                raise BuildError(
                    f"{self.command[0]} is not here; {self.tool} builds {folder}"
                ) from error
            try:
                code = running.wait()
            finally:
                running.stop()
        if code:
            text = log.read_text(encoding="utf-8", errors="replace")
            why = "; ".join(_reasons([line for line in text.splitlines() if line.strip()]))
            raise BuildError(f"`{self}` ended with exit code {code}: {why} (log: {log})")


def find_build(folder: Path) -> Build | None:
    """What builds a folder; None where neither Maven nor Gradle does."""
    if any((folder / name).is_file() for name in _MAVEN):
        program = _program(folder, "mvnw", ".mvn/wrapper/maven-wrapper.properties", "mvn")
        return Build("maven", (*program, "-B", "-DskipTests", "package"))
    if any((folder / name).is_file() for name in _GRADLE):
        program = _program(folder, "gradlew", "gradle/wrapper/gradle-wrapper.properties", "gradle")
        return Build("gradle", (*program, "assemble"))
    return None


def _reasons(lines: Sequence[str]) -> list[str]:
    """Why a build failed, in its own words."""
    if _GRADLE_REASONS in lines:
        at = lines.index(_GRADLE_REASONS) + 1
        found = list(takewhile(lambda line: not line.startswith("* "), lines[at:]))
    else:
        found = [line for line in lines if line.startswith(_MAVEN_REASON)]
    words = found[:_MOST_REASONS] or causes(lines)
    return [line.removeprefix(_MAVEN_REASON).strip()[:_MOST_LETTERS] for line in words]


def _program(folder: Path, wrapper: str, properties: str, tool: str) -> tuple[str, ...]:
    """The wrapper of the folder, or of one above it in the same repository; else the tool.

    A wrapper without its properties cannot fetch the tool.
    """
    for place in (".", "..", "../..", "../../.."):
        script = folder / place / wrapper
        if script.is_file() and (folder / place / properties).is_file():
            # one that came without the right to be run is a script all the same
            path = f"{place}/{wrapper}"
            return (path,) if os.access(script, os.X_OK) else ("sh", path.removeprefix("./"))
        if (folder / place / ".git").exists():
            break
    return (tool,)
