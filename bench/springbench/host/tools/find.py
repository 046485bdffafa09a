"""Finds the JDK, Maven and wrk of this host, wherever Linux and macOS keep them.

The default `java` of a host may be an older one: it is only one of the places looked at.
"""

from __future__ import annotations

import os
import re
import sys
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from springbench.errors import HostError
from springbench.host.shell import RealShell, Shell
from springbench.host.tools.search import Search, tools_dir

MIN_JDK_MAJOR = 25
MIN_MAVEN = (3, 8)
GRAALVM_MAJOR = 25
GRAALVM_REMEDY = (
    f"`sdk install java {GRAALVM_MAJOR}-graalce` brings it, then set GRAALVM_HOME to its folder"
)

# as a sentence names them
JDK_PLACES = "JAVA_HOME, the path, /usr/lib/jvm, /usr/java, /opt, ~/.sdkman/candidates/java, .tools"

_VERSION_TIMEOUT_S = 20.0
_ROOT_PATTERNS = (
    "usr/lib/jvm/*",
    "opt/java/*",
    "usr/java/*",
    "Library/Java/JavaVirtualMachines/*/Contents/Home",
    "opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
    "usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
    "home/linuxbrew/.linuxbrew/opt/openjdk*/libexec",
    "opt/*",
)


@dataclass(frozen=True)
class Jdk:
    """A Java development kit: has both `java` and `javac`."""

    home: Path
    version: str
    major: int
    vendor: str

    @property
    def java(self) -> Path:
        """The launcher."""
        return self.home / "bin" / "java"

    def env(self, base: Mapping[str, str]) -> dict[str, str]:
        """`base` with this JDK in force for the build tools."""
        return {**base, "JAVA_HOME": str(self.home)}


NO_JDK = Jdk(Path("no-jdk"), "none", 0, "none")
"""Stands for the JDK where nothing asks for one and the host has none."""


@dataclass(frozen=True)
class Tool:
    """A program of the host."""

    name: str
    path: Path
    version: str


def find_jdk(*, search: Search | None = None, shell: Shell | None = None) -> Jdk | None:
    """The first JDK that is new enough: JAVA_HOME, the path, the usual folders, `.tools/`."""
    return next((jdk for jdk in jdks(search, shell) if jdk.major >= MIN_JDK_MAJOR), None)


def find_asked_jdk(
    needed_major: int = 0, *, search: Search | None = None, shell: Shell | None = None
) -> Jdk | None:
    """The JDK for somebody's own service, of any version that can run it.

    JAVA_HOME decides; where it is not set, the path; then the first of the host, those that
    springbench's own servers run on before others. Raises `HostError` where JAVA_HOME names none,
    or one that is older than `needed_major`.
    """
    search = search or Search.of_host()
    if search.java_home:
        return _in_java_home(Path(search.java_home), needed_major, shell)
    fit = [jdk for jdk in jdks(search, shell) if jdk.major >= needed_major]
    on_path = [home.resolve() for home in _on_path(search)]
    jdks_on_path = [jdk for jdk in fit if jdk.home.resolve() in on_path]
    newer = [jdk for jdk in fit if jdk.major >= MIN_JDK_MAJOR]
    return next(iter((*jdks_on_path, *newer, *fit)), None)


def _in_java_home(home: Path, needed_major: int, shell: Shell | None) -> Jdk:
    jdk = read_jdk(home, shell, compiles=False)
    if jdk is None:
        raise HostError(
            f"JAVA_HOME is {home}, where no Java is (bin/java); set it to the folder of a JDK, or "
            "unset it"
        )
    if jdk.major < needed_major:
        raise HostError(
            f"JAVA_HOME is {home}, JDK {jdk.version}; what is to be measured is compiled for "
            f"{needed_major} or newer: set JAVA_HOME to such a JDK, or build for {jdk.major}"
        )
    return jdk


def find_named_jdks(releases: Collection[str], first: Sequence[Jdk] = ()) -> dict[str, Jdk]:
    """By release, as `21`: a JDK of it to start servers on, of `first` before others of the host.

    A release that is not there is left out.
    """
    found: dict[str, Jdk] = {}
    for jdk in chain(first, jdks(compiles=False)) if releases else ():
        found.setdefault(f"{jdk.major}", jdk)
    return {release: found[release] for release in releases if release in found}


def jdks(
    search: Search | None = None, shell: Shell | None = None, *, compiles: bool = True
) -> Iterator[Jdk]:
    """Every JDK of the host, best place first, each once."""
    seen: set[Path] = set()
    for home in _homes(search or Search.of_host()):
        real = home.resolve()
        if real in seen:
            continue
        seen.add(real)
        if jdk := read_jdk(home, shell, compiles=compiles):
            yield jdk


def read_jdk(home: Path, shell: Shell | None = None, *, compiles: bool = True) -> Jdk | None:
    """The JDK in that folder, or None where there is no whole one.

    Where nothing is to be compiled with it, a runtime without `javac` will do.
    """
    java = home / "bin" / "java"
    programs = (java, home / "bin" / "javac") if compiles else (java,)
    if not all(os.access(program, os.X_OK) for program in programs):
        return None
    release = _release(home)
    version = release.get("JAVA_VERSION") or _reported_version(java, shell or RealShell())
    major = java_major(version)
    if major is None:
        return None
    return Jdk(home, version, major, release.get("IMPLEMENTOR", "unknown"))


def java_major(version: str) -> int | None:
    """25 for `25.0.3`, 8 for `1.8.0_402`, None for what is no version."""
    match = re.match(r"(?:1\.)?(\d+)", version)
    return int(match[1]) if match else None


def find_maven(
    minimum: tuple[int, ...] = MIN_MAVEN,
    *,
    search: Search | None = None,
    shell: Shell | None = None,
) -> Tool | None:
    """Maven on the path, if it is new enough."""
    path = (search or Search.of_host()).which("mvn")
    if path is None:
        return None
    version = _maven_core_version(path) or _reported_maven_version(path, shell or RealShell())
    return Tool("maven", path, version) if at_least(version, minimum) else None


def find_native_image(*, search: Search | None = None, shell: Shell | None = None) -> Tool | None:
    """GraalVM's native-image of that release: in GRAALVM_HOME, the JDKs of the host, the path."""
    search, shell = search or Search.of_host(), shell or RealShell()
    homes = [Path(search.graalvm_home)] if search.graalvm_home else []
    candidates = [home / "bin" / "native-image" for home in (*homes, *_homes(search))]
    on_path = search.which("native-image")
    for path in dict.fromkeys([*candidates, *([on_path] if on_path else [])]):
        if not os.access(path, os.X_OK):
            continue
        try:
            answer = shell.run([str(path), "--version"], timeout_s=_VERSION_TIMEOUT_S)
        except OSError:
            continue
        match = re.search(r"native-image (\d\S*)", answer.stdout)
        if match and java_major(match[1]) == GRAALVM_MAJOR:
            return Tool("native-image", path, match[1])
    return None


def at_least(version: str, minimum: Sequence[int]) -> bool:
    """Whether `3.8.7` is at least (3, 8)."""
    numbers = [int(number) for number in re.findall(r"\d+", version)]
    return numbers[: len(minimum)] >= list(minimum)


def find_wrk(*, search: Search | None = None, shell: Shell | None = None) -> Tool | None:
    """The load generator on the path."""
    path = (search or Search.of_host()).which("wrk")
    if path is None:
        return None
    # wrk prints its version with its usage, and ends with 1
    answer = (shell or RealShell()).run([str(path), "-v"], timeout_s=_VERSION_TIMEOUT_S)
    return Tool("wrk", path, wrk_version(answer.stdout + answer.stderr))


def find_h2load(*, search: Search | None = None, shell: Shell | None = None) -> Tool | None:
    """The load generator over HTTP/2 on the path."""
    path = (search or Search.of_host()).which("h2load")
    if path is None:
        return None
    answer = (shell or RealShell()).run([str(path), "--version"], timeout_s=_VERSION_TIMEOUT_S)
    match = re.search(r"nghttp2/(\S+)", answer.stdout)
    return Tool("h2load", path, match[1] if match else "unknown")


def find_perf() -> Path | None:
    """Linux's profiler on the path."""
    return Search.of_host().which("perf")


def wrk_version(text: str) -> str:
    """The version in what `wrk -v` prints."""
    match = re.search(r"wrk (?:debian/)?(\d[\d.]*)", text)
    return match[1] if match else "unknown"


def _homes(search: Search) -> Iterator[Path]:
    if search.java_home:
        yield Path(search.java_home)
    yield from _on_path(search)
    for pattern in _ROOT_PATTERNS:
        yield from sorted(search.filesystem.glob(pattern))
    if search.home:
        yield from sorted((search.home / ".sdkman/candidates/java").glob("*"))
        yield from sorted(
            (search.home / "Library/Java/JavaVirtualMachines").glob("*/Contents/Home")
        )
    if search.clone:
        yield from sorted(tools_dir(search.clone).glob("jdk*"))


def _on_path(search: Search) -> Iterator[Path]:
    for folder in filter(None, search.path.split(os.pathsep)):
        javac = Path(folder) / "javac"
        # /usr/bin/javac leads through the host's alternatives to the JDK; on macOS it leads
        # nowhere, being a stub that asks the user to install Java
        home = javac.resolve().parent.parent
        if javac.is_file() and home != Path("/usr"):
            yield home


def _release(home: Path) -> dict[str, str]:
    """The properties of the `release` file that every JDK since 8 has."""
    try:
        text = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    return dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', text, re.MULTILINE))


def _reported_version(java: Path, shell: Shell) -> str:
    try:
        answer = shell.run([str(java), "-version"], timeout_s=_VERSION_TIMEOUT_S)
    except OSError:
        return ""
    match = re.search(r'version "([^"]+)"', answer.stderr + answer.stdout)
    return match[1] if match else ""


def _maven_core_version(mvn: Path) -> str:
    """Version as Maven's own core jar states it: asking Maven would start a JVM."""
    for jar in sorted((mvn.resolve().parent.parent / "lib").glob("maven-core-*.jar")):
        try:
            with zipfile.ZipFile(jar) as archive:
                text = archive.read("META-INF/maven/org.apache.maven/maven-core/pom.properties")
        except (OSError, KeyError, zipfile.BadZipFile):
            continue
        if match := re.search(r"^version=(\S+)", text.decode(), re.MULTILINE):
            return match[1]
    return ""


def _reported_maven_version(path: Path, shell: Shell) -> str:
    try:
        answer = shell.run([str(path), "--version"], timeout_s=_VERSION_TIMEOUT_S)
    except OSError:
        return ""
    match = re.search(r"Apache Maven (\S+)", answer.stdout)
    return match[1].removesuffix("\x1b[m") if match else ""


def main() -> int:
    """Print the home of the JDK for scripts; 3 when there is none."""
    jdk = find_jdk()
    if jdk is None:
        sys.stderr.write(f"springbench: no JDK {MIN_JDK_MAJOR} or newer; run `make setup`\n")
        return int(HostError.exit_code)
    sys.stdout.write(f"{jdk.home}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
