"""The version of each Spring Boot line, which stands once, in the `pom.xml` of the clone; and other
versions of libraries than those that a release of Spring Boot has chosen. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from springbench.errors import ConfigurationError

_PROPERTY = re.compile(r"<(?P<line>\w+)\.version>(?P<version>[^<]+)</")
_MANAGED = re.compile(r"<dependencyManagement>\s*<dependencies>")


@dataclass(frozen=True)
class LibraryVersion:
    """A version of a library. `name` is what Spring Boot calls it, as `tomcat.version`.

    `artifacts` have that version, and `boms` name what else has; each is `group:artifact`.
    """

    name: str
    version: str
    artifacts: tuple[str, ...] = ()
    boms: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """As `tomcat 11.0.15`."""
        return f"{self.name.removesuffix('.version')} {self.version}"


def versions_in(pom: str) -> dict[str, str]:
    """By line, as `boot4`: its version. Other versions of a `pom.xml` are among them."""
    return {found["line"]: found["version"].strip() for found in _PROPERTY.finditer(pom)}


def with_version(pom: str, line: str, version: str) -> str:
    """The `pom.xml` that builds that line with another version.

    Raises `ConfigurationError` where it does not name the line once.
    """
    pattern = re.compile(rf"(<{re.escape(line)}\.version>)[^<]+(</)")
    changed, count = pattern.subn(lambda found: f"{found[1]}{version}{found[2]}", pom)
    if count != 1:
        raise ConfigurationError(
            f"pom.xml: the property {line}.version stands there {count} times; "
            f"once is what `springbench releases` changes"
        )
    return changed


def with_libraries(pom: str, libraries: Sequence[LibraryVersion]) -> str:
    """The `pom.xml` of the servers with these versions in the place of those of Spring Boot.

    They stand above the import of Spring Boot's versions: of two that Maven finds it takes the
    first. A property would not do, since what is imported does not read it.

    Raises `ConfigurationError` where the file manages no versions.
    """
    if not libraries:
        return pom
    entries = "".join(entry for library in libraries for entry in _entries(library))
    changed, count = _MANAGED.subn(lambda found: found[0] + entries, pom)
    if count != 1:
        raise ConfigurationError(
            f"the pom.xml of the servers has {count} blocks of dependencyManagement; versions of "
            "libraries are put into the one that imports those of Spring Boot"
        )
    return changed


def _entries(library: LibraryVersion) -> Iterator[str]:
    for names, rest in (
        (library.artifacts, ""),
        (library.boms, "<type>pom</type><scope>import</scope>"),
    ):
        for name in names:
            group, _, artifact = name.partition(":")
            yield (
                f"\n<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
                f"<version>{library.version}</version>{rest}</dependency>"
            )
