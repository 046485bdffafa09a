"""Remedies that depend on who measures: a matrix has keys that a springbench.toml has not. Pure."""

from __future__ import annotations

from typing import NamedTuple


class Remedy(NamedTuple):
    """What whoever has a matrix can do, and who has a springbench.toml."""

    matrix: str
    service: str

    def of(self, service: bool) -> str:
        """That of a service, or of a row of a matrix."""
        return self.service if service else self.matrix


MORE_COMPILING = Remedy(
    "raise compiling_max_s of the profile, or give the server more CPUs",
    "give the server more CPUs, as with --cpus",
)
MORE_WARMING_UP = Remedy(
    "raise warmup_max_s of the profile",
    "give it longer windows with --duration: what happens once weighs less",
)
SIZED_HEAP = Remedy(
    "give a heap its size from the start (-Xms)",
    "give a heap its size from the start (-Xms in command; with jar it has one)",
)
