"""async-profiler and the converter of its recordings, brought by Maven when a profile is asked for.

A benchmark needs neither; what is fetched is known by its digest.
"""

from __future__ import annotations

import logging
import os
import platform
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from springbench.build.maven import file_digest
from springbench.errors import HostError
from springbench.host.shell import Shell, run_logged
from springbench.host.tools.find import Jdk, Tool
from springbench.host.tools.search import tools_dir
from springbench.results.store import write_atomically

logger = logging.getLogger(__name__)

_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy"
_LIBRARIES = {
    ("linux", "x86_64"): "linux-x64/libasyncProfiler.so",
    ("linux", "aarch64"): "linux-arm64/libasyncProfiler.so",
    ("darwin", "x86_64"): "macos/libasyncProfiler.so",
    ("darwin", "arm64"): "macos/libasyncProfiler.so",
}


@dataclass(frozen=True)
class _Artifact:
    name: str
    version: str
    sha256: str

    @property
    def coordinates(self) -> str:
        return f"tools.profiler:{self.name}:{self.version}"

    @property
    def file(self) -> str:
        return f"{self.name}-{self.version}.jar"


_PROFILER = _Artifact(
    "async-profiler",
    "4.6",
    "a5d3d9f4582c2033fa9db518046e73ef97219801f3e7542b82e3e09261ebe493",
)
_CONVERTER = _Artifact(
    "jfr-converter",
    "4.5",
    "d8a5452b26adb11a2a0abf0c53799a6fd60dbccb0647efa5a734e3c46ced3df4",
)


@dataclass(frozen=True)
class Profiler:
    """The agent's library for this host, and the converter's jar."""

    library: Path
    converter: Path


def provide_profiler(jdk: Jdk, maven: Tool | None, root: Path, shell: Shell) -> Profiler:
    """Both, from the clone or fetched into it.

    Raises `HostError` where this platform has no library, or Maven cannot bring it.
    """
    inside = _LIBRARIES.get((sys.platform, platform.machine()))
    if inside is None:
        raise HostError(
            f"async-profiler has no library for {sys.platform} on {platform.machine()}; allowed: "
            + ", ".join(" ".join(key) for key in _LIBRARIES)
        )
    folder = tools_dir(root) / "profiler"
    jars = [_jar(artifact, folder, jdk, maven, shell) for artifact in (_PROFILER, _CONVERTER)]
    library = folder / Path(inside).name
    if not library.is_file():
        with zipfile.ZipFile(jars[0]) as jar:
            write_atomically(library, jar.read(inside))
    return Profiler(library, jars[1])


def _jar(
    artifact: _Artifact,
    folder: Path,
    jdk: Jdk,
    maven: Tool | None,
    shell: Shell,
) -> Path:
    jar = folder / artifact.file
    if jar.is_file() and file_digest(jar) == artifact.sha256:
        return jar
    if maven is None:
        raise HostError(f"{artifact.coordinates} is not there, and Maven, which brings it, neither")
    logger.info(f"fetching {artifact.coordinates} with Maven")
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(maven.path), "-B", "-ntp", "-q", _COPY, f"-Dartifact={artifact.coordinates}"]
    log = folder / "fetch.log"
    command.append(f"-DoutputDirectory={folder.absolute()}")
    code = run_logged(shell, command, log, jdk.env(os.environ))
    if code != 0 or not jar.is_file():
        raise HostError(f"Maven did not bring {artifact.coordinates}: {log} says why")
    if file_digest(jar) != artifact.sha256:
        jar.unlink()
        raise HostError(f"{artifact.coordinates} is not the file it was: its digest is another")
    return jar
