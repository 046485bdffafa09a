"""Published figures of studies: facts, in base units."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from springbench.matrix.fields import Connections, Id, Row
from springbench.results.metrics import Unit

Number = Annotated[float, Field(strict=True, ge=0)]
# what a figure is printed in, as so many of the base unit
UNITS: dict[str, tuple[Unit, float]] = {
    "rps": ("rps", 1.0),
    "s": ("s", 1.0),
    "ms": ("s", 1e-3),
    "bytes": ("bytes", 1.0),
    "KiB/s": ("bytes_per_s", 1024.0),
    "%": ("ratio", 1e-2),
    "count": ("count", 1.0),
}


@dataclass(frozen=True)
class Axes:
    """A variant as what it is made of."""

    boot: str
    server: str
    model: str
    runtime: str


def axes_of(variant: str, runtimes: Sequence[str]) -> Axes:
    """By the name alone. `runtimes` are all that exist: their ids have dashes, as models' have."""
    fits = [runtime for runtime in runtimes if variant.endswith(f"-{runtime}")]
    runtime = max(fits, key=len, default="")
    boot, _, remainder = variant.removesuffix(f"-{runtime}").partition("-")
    server, _, model = remainder.partition("-")
    return Axes(boot, server, model, runtime)


class Figure(Row):
    """One figure as it is printed; several values are repetitions of one measurement."""

    variant: Id
    workload: Id | None = None
    connections: Connections | None = None
    metric: str
    value: Number | Annotated[tuple[Number, ...], Field(min_length=1)]
    unit: Literal["rps", "s", "ms", "bytes", "KiB/s", "%", "count"]
    about: bool = False

    @property
    def values(self) -> tuple[float, ...]:
        """The repetitions, in the metric's base unit."""
        printed = self.value if isinstance(self.value, tuple) else (self.value,)
        return tuple(value * UNITS[self.unit][1] for value in printed)

    @property
    def median(self) -> float:
        """The middle of the repetitions, in the metric's base unit."""
        return statistics.median(self.values)

    @property
    def base_unit(self) -> Unit:
        """The unit of `values`."""
        return UNITS[self.unit][0]


class Headers(Row):
    """The names of the headers of one answer."""

    variant: Id
    workload: Id
    names: tuple[str, ...] = Field(min_length=1)


class Study(Row):
    """Setting and figures of a study. None: it does not say."""

    id: Annotated[str, Field(pattern=r"^[0-9]{3}$")]
    profile: Id
    machine: str | None = None
    memory_limit_bytes: Annotated[int, Field(strict=True, ge=1)] | None = None
    boot_version: str | None = None
    jdk: str | None = None
    tool: str | None = None
    duration_s: Annotated[float, Field(strict=True, gt=0)] | None = None
    notes: tuple[str, ...] = ()
    headers: tuple[Headers, ...] = ()
    figures: tuple[Figure, ...] = Field(min_length=1)


class StudyFigures(Row):
    """The whole file."""

    schema_: Literal[1] = Field(alias="schema")
    studies: tuple[Study, ...] = Field(min_length=1)
