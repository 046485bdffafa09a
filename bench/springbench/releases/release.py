"""Releases: which ones `4.0.3`, `3.5.0..3.5.16` or `4.0.0..` mean, and a commit for each.

A release is a commit: the servers of a commit of this repository, built with that version. So
everything that measures, compares and evaluates commits does so for releases. The commit is made
beside all branches, of the sources that the build reads alone: the same servers and the same
version make the same commit, today and on another host.
"""

from __future__ import annotations

import os
import re
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from springbench.build.boot_lines import versions_in, with_version
from springbench.build.sources import MAVEN_SOURCES
from springbench.errors import ConfigurationError, HostError
from springbench.host import git
from springbench.host.shell import Shell
from springbench.host.tools.find import Jdk, Tool
from springbench.matrix.rows import Matrix

_VERSION = re.compile(r"(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})", re.ASCII)
_ALLOWED = "allowed: one release as 4.0.3, a range as 3.5.0..3.5.16, or an open one as `4.0.0..`"
_POM, _SERVERS_POM = "pom.xml", "servers/pom.xml"
# before the sources were committed, and in the order of the versions: a history orders by time
_DAY_S = 86_400


@dataclass(frozen=True, order=True)
class Version:
    """A release; milestones and candidates are none."""

    major: int
    minor: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """None for what is no release, as `4.1.0-RC1`."""
        found = _VERSION.fullmatch(text)
        return cls(*map(int, found.groups())) if found else None

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


@dataclass(frozen=True)
class Release:
    """A version of Spring Boot, the line of the matrix that builds it, and the commit of both."""

    version: Version
    line: str
    sha: str
    libraries: tuple[str, ...] = ()
    """Those that it is built with in the place of its own, as `hikaricp 7.1.0`."""

    @property
    def name(self) -> str:
        return ", ".join([f"Spring Boot {self.version}", *self.libraries])


@dataclass(frozen=True)
class Releases:
    """What can be built, oldest first, and what cannot with the reason, by version."""

    known: tuple[Release, ...]
    missing: Mapping[str, str]


def commit_releases(
    versions: Sequence[Version],
    matrix: Matrix,
    sources: str,
    root: Path,
    shell: Shell,
    libraries: tuple[str, ...] = (),
    with_libraries: Callable[[str], str] = str,
) -> Releases:
    """A commit for each version. `sources` names the commit whose servers are built; where they
    have other `libraries` than the release's own, `with_libraries` changes their `pom.xml`.

    Raises `ConfigurationError` where there is no such commit, and where it has none of the lines.
    """
    sha = git.commit_of(sources, root, shell)
    if sha is None:
        raise ConfigurationError(
            f"--sources {sources!r}: no commit of this repository; name a commit, a branch or a tag"
        )
    pom = git.text_of(sha, _POM, root, shell)
    if pom is None:
        raise ConfigurationError(
            f"--sources {sources!r}: has no {_POM}; name a commit that has the servers"
        )
    managed: dict[str, str] = {}
    if libraries:
        servers = git.text_of(sha, _SERVERS_POM, root, shell) or ""
        managed[_SERVERS_POM] = with_libraries(servers)
    lines = _lines(matrix, pom)
    newest_s = git.changed_at(sha, MAVEN_SOURCES, root, shell)
    known, missing = [], {}
    for version in versions:
        line = lines.get(version.major)
        if line is None:
            missing[str(version)] = (
                f"no server of matrix.toml is of Spring Boot {version.major}; there are lines of "
                f"{', '.join(map(str, sorted(lines)))}"
            )
            continue
        changed = {_POM: with_version(pom, line, str(version)), **managed}
        tree = git.tree_of(sha, MAVEN_SOURCES, changed, root, shell)
        time_s = newest_s - _DAY_S + 10_000 * version.major + 100 * version.minor + version.patch
        release = Release(version, line, "", libraries)
        commit = git.commit_tree(tree, release.name, time_s, root, shell)
        # each under a name of its own, or git would remove the one before it
        name = "-".join([str(version), *(library.replace(" ", "-") for library in libraries)])
        git.add_reference(commit, f"releases/{name}", root, shell)
        known.append(replace(release, sha=commit))
    return Releases(tuple(known), missing)


def _lines(matrix: Matrix, pom: str) -> dict[int, str]:
    """By the major version: the line of the matrix that the clone builds it with."""
    versions = versions_in(pom)
    return {
        found.major: boot.id
        for boot in matrix.boots
        if (found := Version.parse(versions.get(boot.id, "")))
    }


@dataclass(frozen=True)
class Span:
    """Releases from `first` to `last`, both with it; without a last one all that came after."""

    text: str
    first: Version
    last: Version | None

    def has(self, version: Version) -> bool:
        """Whether the release lies in it."""
        return self.first <= version and (self.last is None or version <= self.last)


def parse_span(text: str) -> Span:
    """Raises `ConfigurationError` for what names no releases."""
    begin, dots, end = text.strip().partition("..")
    first = Version.parse(begin)
    last = Version.parse(end) if end else None
    if first is None or (end and last is None):
        wrong = begin if first is None else end
        raise ConfigurationError(
            f"{text!r}: {wrong!r} is no release of Spring Boot; {_ALLOWED}. "
            "Milestones and release candidates are not measured"
        )
    if last and last < first:
        raise ConfigurationError(f"{text!r}: ends before it begins; write {last}..{first}")
    return Span(text, first, None if dots and not end else last or first)


def select_versions(spans: Sequence[Span], published: Iterable[str]) -> list[Version]:
    """The releases that are meant, oldest first.

    Numbers that a list of what is published leaves out are among them: a mirror may have what its
    list does not name, and where it has not, that is said.

    Raises `ConfigurationError` for a span without any, with those that are nearest.
    """
    known = _known(published)
    for span in spans:
        if not any(span.has(version) for version in known):
            raise ConfigurationError(
                f"{span.text!r}: no such release is published; {_nearest(span, known)}"
            )
    return [version for version in _without_gaps(known) if any(span.has(version) for span in spans)]


def release_distance(base: Version, head: Version, published: Iterable[str]) -> int:
    """How many releases head is after base: 1 where none lies between, measured or not."""
    return sum(base < version <= head for version in _without_gaps(_known(published)))


def _known(published: Iterable[str]) -> list[Version]:
    return sorted({found for text in published if (found := Version.parse(text))})


def _without_gaps(known: Sequence[Version]) -> list[Version]:
    """Each patch of each minor up to the last that is known."""
    last: dict[tuple[int, int], int] = {}
    for version in known:
        last[version.major, version.minor] = version.patch
    return sorted(Version(*minor, patch) for minor, end in last.items() for patch in range(end + 1))


def _nearest(span: Span, known: Sequence[Version]) -> str:
    before = [version for version in known if version < span.first][-1:]
    after = [version for version in known if version > (span.last or span.first)][:1]
    names = ", ".join(map(str, [*before, *after]))
    return f"the nearest: {names}" if names else "none is known at all"


# --- The versions of Spring Boot that Maven can find: by its own mirrors and logins ---------------


_GROUP, _ARTIFACT = "org.springframework.boot", "spring-boot-dependencies"
_TIMEOUT_S = 300.0
_SHOWN_LINES = 6
# above all that will ever be: Maven asks which versions there are, and fetches none of them
_NONE_OF_THEM = "[9999,)"
_VERSIONS_POM = f"""\
<project>
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>{_GROUP}</groupId>
    <artifactId>{_ARTIFACT}</artifactId>
    <version>{_NONE_OF_THEM}</version>
    <relativePath/>
  </parent>
  <artifactId>versions</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
</project>
"""


def released_versions(jdk: Jdk, maven: Tool, shell: Shell) -> list[str]:
    """Every version of Spring Boot that is published, milestones too, in no order.

    Raises `HostError` where Maven cannot ask.
    """
    with tempfile.TemporaryDirectory(prefix="springbench-versions-") as text:
        folder = Path(text)
        (folder / "pom.xml").write_text(_VERSIONS_POM, encoding="utf-8")
        # a repository of its own: what another build found earlier may be old
        command = [str(maven.path), "-B", "-ntp", f"-Dmaven.repo.local={folder / 'repository'}"]
        done = shell.run(
            [*command, "validate"], cwd=folder, env=jdk.env(os.environ), timeout_s=_TIMEOUT_S
        )
        metadata = folder / "repository" / Path(*_GROUP.split("."), _ARTIFACT)
        found = {
            version for file in metadata.glob("maven-metadata-*.xml") for version in _read(file)
        }
    if not found:
        output = "\n".join(done.stdout.splitlines()[-_SHOWN_LINES:])
        raise HostError(
            "Maven cannot tell which versions of Spring Boot there are: is there a network, and a "
            f"mirror in ~/.m2/settings.xml where one is required?\n{output}"
        )
    return list(found)


def _read(file: Path) -> list[str]:
    try:
        root = ET.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314 - Maven has read it
    except ET.ParseError:
        return []
    return [element.text.strip() for element in root.iter("version") if element.text]
