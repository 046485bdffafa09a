"""Published figures of studies, read from `studies.toml` and checked: facts, in base units."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from springbench.matrix.fields import Connections, Id, Row
from springbench.matrix.mistakes import Mistake, unknown
from springbench.matrix.rows import Matrix
from springbench.matrix.toml_file import parse_rows, read_text
from springbench.results.metrics import METRICS, Unit

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
_METRIC_UNITS: dict[str, Unit] = {metric.name: metric.unit for metric in METRICS}


@dataclass(frozen=True)
class Axes:
    """A variant as what it is made of."""

    boot: str
    server: str
    model: str
    runtime: str


def axes_of(variant: str, runtimes: Sequence[str]) -> Axes:
    """By the name alone. `runtimes` are all that exist: their ids have dashes, as models' have."""
    fits = [each for each in runtimes if variant.endswith(f"-{each}")]
    runtime = max(fits, key=len, default="")
    boot, _, rest = variant.removesuffix(f"-{runtime}").partition("-")
    server, _, model = rest.partition("-")
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


_ROW_TYPES: dict[str, type[Row]] = {
    "": StudyFigures,
    "studies": Study,
    "studies.figures": Figure,
    "studies.headers": Headers,
}


def read_studies(path: Path) -> StudyFigures:
    """The figures, held against no matrix. Raises `ConfigurationError` as `load_studies`."""
    return parse_rows(read_text(path), str(path), StudyFigures, lambda _: (), _ROW_TYPES)


def load_studies(path: Path, matrix: Matrix) -> StudyFigures:
    """The checked figures. Raises `ConfigurationError` with one line for each mistake."""
    return parse_studies(read_text(path), matrix, str(path))


def parse_studies(text: str, matrix: Matrix, name: str = "studies.toml") -> StudyFigures:
    """As `load_studies`, from the file's text; `name` is what messages call it."""

    def more(figures: StudyFigures) -> Iterator[Mistake]:
        return _mistakes(figures, matrix)

    return parse_rows(text, name, StudyFigures, more, _ROW_TYPES)


def _mistakes(figures: StudyFigures, matrix: Matrix) -> Iterator[Mistake]:
    """Mistakes that a single row cannot know."""
    studies: set[str] = set()
    for index, study in enumerate(figures.studies):
        here = ("studies", index)
        if study.id in studies:
            yield (*here, "id"), f"duplicate id {study.id!r}; each id stands once"
        studies.add(study.id)
        yield from unknown((*here, "profile"), [study.profile], [p.id for p in matrix.profiles])
        seen: set[tuple[object, ...]] = set()
        for position, figure in enumerate(study.figures):
            place = (*here, "figures", position)
            yield from _figure_mistakes(place, figure, matrix)
            key = (figure.variant, figure.workload, figure.connections, figure.metric)
            if key in seen:
                yield place, "this figure stands twice; repetitions are one list of values"
            seen.add(key)
        for position, headers in enumerate(study.headers):
            place = (*here, "headers", position)
            yield from _variant_mistakes(place, headers.variant, headers.workload, matrix)


def _figure_mistakes(
    place: tuple[str | int, ...], figure: Figure, matrix: Matrix
) -> Iterator[Mistake]:
    yield from _variant_mistakes(place, figure.variant, figure.workload, matrix)
    if (figure.workload is None) != (figure.connections is None):
        yield place, "workload and connections stand together, or neither does"
    yield from unknown((*place, "metric"), [figure.metric], list(_METRIC_UNITS))
    wanted = _METRIC_UNITS.get(figure.metric)
    if wanted and wanted != figure.base_unit:
        allowed = ", ".join(name for name, (unit, _) in UNITS.items() if unit == wanted)
        yield (
            (*place, "unit"),
            f"{figure.metric} is not measured in {figure.unit!r}; allowed: {allowed}",
        )


def _variant_mistakes(
    place: tuple[str | int, ...], variant: str, workload: str | None, matrix: Matrix
) -> Iterator[Mistake]:
    """Boot, server and runtime must be declared; the model may be one that others declare."""
    if workload is not None:
        yield from unknown((*place, "workload"), [workload], [w.id for w in matrix.workloads])
    boots = [row.id for row in matrix.boots]
    servers = [row.id for row in matrix.servers]
    runtimes = [row.id for row in matrix.runtimes]
    boot, _, rest = variant.partition("-")
    server = rest.partition("-")[0]
    known = boot in boots and server in servers
    if not known or not any(variant.endswith(f"-{runtime}") for runtime in runtimes):
        yield (
            (*place, "variant"),
            f"{variant!r} is no <boot>-<server>-<model>-<runtime>; boots: {', '.join(boots)}; "
            f"servers: {', '.join(servers)}; runtimes: {', '.join(runtimes)}",
        )
