"""Other versions of libraries than those that a release of Spring Boot has chosen. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from springbench.errors import ConfigurationError

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
    for names, suffix in (
        (library.artifacts, ""),
        (library.boms, "<type>pom</type><scope>import</scope>"),
    ):
        for name in names:
            group, _, artifact = name.partition(":")
            yield (
                f"\n<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
                f"<version>{library.version}</version>{suffix}</dependency>"
            )
