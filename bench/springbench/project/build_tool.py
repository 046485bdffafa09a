"""How a project is built: by its own wrapper, else by the tool on the path."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from shutil import which

from springbench.errors import BuildError
from springbench.host.shell import Shell
from springbench.measure.server.log import causes

# what Gradle has above its reasons, and Maven before each
_GRADLE_REASONS, _MAVEN_REASON = "* What went wrong:", "[ERROR] "
_MOST_REASONS = 3
_MOST_LETTERS = 300
# what compilers, their plugins and libraries that read classes say of a JDK of another age
_OTHER_JDK = re.compile(
    r"TypeTag :: UNKNOWN|com\.sun\.tools\.javac|Unsupported class file major version"
    r"|(?:Source|Target) option \S+ is no longer supported|invalid (?:source|target) release"
    r"|release version \S+ not supported|does not \"(?:opens|exports)|RequireJavaVersion failed"
)


@dataclass(frozen=True)
class _Tool:
    """A build tool: its own files, a wrapper of it with what that needs, and what packages."""

    program: str
    files: tuple[str, ...]
    wrapper: str
    wrapper_files: tuple[str, ...]
    words: tuple[str, ...]


_MAVEN = _Tool(
    "mvn",
    ("pom.xml",),
    "mvnw",
    (".mvn/wrapper/maven-wrapper.properties",),
    ("-B", "-DskipTests", "package"),
)
_GRADLE = _Tool(
    "gradle",
    ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
    "gradlew",
    ("gradle/wrapper/gradle-wrapper.properties", "gradle/wrapper/gradle-wrapper.jar"),
    ("assemble",),
)


@dataclass(frozen=True)
class Build:
    """A command in the project's folder. Tests are not run: they are not what is measured."""

    command: tuple[str, ...]

    def __str__(self) -> str:
        return shlex.join(self.command)

    def run(self, folder: Path, shell: Shell, log: Path) -> None:
        """Build. Raises `BuildError` with what the log says of its end."""
        if which(self.command[0]) is None:
            raise BuildError(
                f"{folder.resolve()}: no wrapper that is complete, and no {self.command[0]} on the "
                "PATH: install it, or build the project and call `springbench init --jar`"
            )
        with log.open("wb") as stdout:
            running = shell.start(self.command, stdout=stdout, cwd=folder, env=dict(os.environ))
            try:
                code = running.wait()
            finally:
                running.stop()
        if code:
            text = log.read_text(encoding="utf-8", errors="replace")
            why = "; ".join(_reasons([line for line in text.splitlines() if line.strip()]))
            hint = "\nit may need another JDK: set JAVA_HOME" if _OTHER_JDK.search(text) else ""
            raise BuildError(f"`{self}` ended with exit code {code}: {why} (log: {log}){hint}")


def find_build(folder: Path, module: str | None = None) -> Build | None:
    """What builds a folder, or a module of it alone; None where neither Maven nor Gradle does.

    Where both do, one that has a wrapper goes first.
    """
    tools = [tool for tool in (_MAVEN, _GRADLE) if _is_built_by(tool, folder)]
    wrappers = {tool.program: _wrapper(folder, tool) for tool in tools}
    for tool in sorted(tools, key=lambda tool: not wrappers[tool.program]):
        words = tool.words
        if tool is _MAVEN and module and (folder / module / "pom.xml").is_file():
            words = ("-pl", module, "-am", *words)
        return Build((*(wrappers[tool.program] or (tool.program,)), *words))
    return None


def folders_with_builds(folder: Path) -> list[str]:
    """Folders below one that have a build of their own, the highest ones."""
    children = [subfolder for subfolder in sorted(folder.glob("*")) if subfolder.is_dir()]
    children = [subfolder for subfolder in children if not subfolder.name.startswith(".")]
    for level in (
        children,
        [grandchild for child in children for grandchild in sorted(child.glob("*"))],
    ):
        found = [
            subfolder
            for subfolder in level
            if any(_is_built_by(t, subfolder) for t in (_MAVEN, _GRADLE))
        ]
        if found:
            return [subfolder.relative_to(folder).as_posix() for subfolder in found]
    return []


def _is_built_by(tool: _Tool, folder: Path) -> bool:
    return any((folder / name).is_file() for name in tool.files)


def _reasons(lines: Sequence[str]) -> list[str]:
    """Why a build failed, in its own words."""
    if _GRADLE_REASONS in lines:
        at = lines.index(_GRADLE_REASONS) + 1
        found = list(takewhile(lambda line: not line.startswith("* "), lines[at:]))
    else:
        found = [line for line in lines if line.startswith(_MAVEN_REASON)]
    words = found[:_MOST_REASONS] or causes(lines)
    return [line.removeprefix(_MAVEN_REASON).strip()[:_MOST_LETTERS] for line in words]


def _wrapper(folder: Path, tool: _Tool) -> tuple[str, ...]:
    """The wrapper of the folder, or of one above it in the same repository; empty for none.

    One that lacks a file cannot fetch the tool, and no shell runs one with line ends of Windows.
    """
    for place in (".", "..", "../..", "../../.."):
        script = folder / place / tool.wrapper
        wrapper_files = (folder / place / name for name in tool.wrapper_files)
        if script.is_file() and all(file.is_file() for file in wrapper_files):
            with script.open("rb") as lines:
                is_of_windows = lines.readline().endswith(b"\r\n")
            if not is_of_windows:
                # one that came without the right to be run is a script all the same
                path = f"{place}/{tool.wrapper}"
                return (path,) if os.access(script, os.X_OK) else ("sh", path.removeprefix("./"))
        if (folder / place / ".git").exists():
            break
    return ()
