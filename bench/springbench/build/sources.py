"""Files that the build of a server reads. Pure; who else has them is not asked."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass

from springbench.matrix.rows import Matrix
from springbench.measure.services import database, upstream
from springbench.paths import MATRIX_PLACE
from springbench.plan.cases import Variant

MAVEN_SOURCES = ("pom.xml", "servers")
# what a commit can change of a number: what is built, and how that is started
MEASURED_SOURCES = (*MAVEN_SOURCES, MATRIX_PLACE)
NO_COMMITS = "no commit of this clone holds what springbench.toml describes"


@dataclass(frozen=True)
class Sources:
    """Files and folders of a clone, all of it where none is named; `without` are left out."""

    paths: tuple[str, ...]
    without: frozenset[str] = frozenset()

    def have(self, path: str) -> bool:
        """Whether a file, relative to the clone, is among them."""
        return _below(path, self.paths or ("",)) and not _below(path, self.without)


def leaf_modules(matrix: Matrix) -> set[str]:
    """The Maven modules that no other one depends on."""
    return {
        server.module.format(boot=boot, server=server.id)
        for server in matrix.servers
        for boot in server.boots
        if server.built_by == "maven"
    } | {upstream.MODULE, database.MODULE}


def sources_of(variant: Variant, matrix: Matrix) -> Sources:
    """What makes a variant: its build's files and the matrix; or else what lies in its folder."""
    if variant.server.built_by == "maven":
        return Sources(MEASURED_SOURCES, frozenset(leaf_modules(matrix) - {variant.module}))
    folder = posixpath.normpath(variant.module)
    return Sources(() if folder.startswith((".", "/")) else (folder,))


def is_outside(variant: Variant) -> bool:
    """Whether no commit of a clone can hold what is started: each would be the same file."""
    return posixpath.isabs(variant.module)


def _below(path: str, folders: Iterable[str]) -> bool:
    return any(not folder or path == folder or path.startswith(f"{folder}/") for folder in folders)
