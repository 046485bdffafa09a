"""A release as a commit: the servers of a commit of this repository, built with that version.

So everything that measures, compares and judges commits does so for releases. The commit is made
beside all branches, of the sources that the build reads alone: the same servers and the same
version make the same commit, today and on another host.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from springbench.build.boot_lines import versions_in, with_version
from springbench.build.sources import MAVEN_SOURCES
from springbench.errors import ConfigurationError
from springbench.host import git
from springbench.host.shell import Shell
from springbench.matrix.rows import Matrix
from springbench.releases.versions import Version

_POM = "pom.xml"
# before the sources were committed, and in the order of the versions: a history orders by time
_DAY_S = 86_400


@dataclass(frozen=True)
class Release:
    """A version of Spring Boot, the line of the matrix that builds it, and the commit of both."""

    version: Version
    line: str
    sha: str

    @property
    def name(self) -> str:
        return f"Spring Boot {self.version}"


@dataclass(frozen=True)
class Releases:
    """What can be built, oldest first, and what cannot with the reason, by version."""

    known: tuple[Release, ...]
    missing: Mapping[str, str]


def as_commits(
    versions: Sequence[Version], matrix: Matrix, sources: str, root: Path, shell: Shell
) -> Releases:
    """A commit for each version. `sources` names the commit whose servers are built.

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
        changed = {_POM: with_version(pom, line, str(version))}
        tree = git.tree_of(sha, MAVEN_SOURCES, changed, root, shell)
        time_s = newest_s - _DAY_S + 10_000 * version.major + 100 * version.minor + version.patch
        made = git.commit_tree(tree, f"Spring Boot {version}", time_s, root, shell)
        git.add_reference(made, f"releases/{version}", root, shell)
        known.append(Release(version, line, made))
    return Releases(tuple(known), missing)


def _lines(matrix: Matrix, pom: str) -> dict[int, str]:
    """By the major version: the line of the matrix that the clone builds it with."""
    versions = versions_in(pom)
    return {
        found.major: boot.id
        for boot in matrix.boots
        if (found := Version.parse(versions.get(boot.id, "")))
    }
