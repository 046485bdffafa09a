"""`studies.toml`: the published figures of studies, read and checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from springbench.matrix.fields import Row
from springbench.matrix.mistakes import Mistake, duplicate_ids, unknown
from springbench.matrix.rows import Matrix
from springbench.matrix.toml_file import parse_rows, read_text
from springbench.results.metrics import METRICS, Unit
from springbench.results.studies import UNITS, Figure, Headers, Study, StudyFigures

_METRIC_UNITS: dict[str, Unit] = {metric.name: metric.unit for metric in METRICS}
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
    yield from duplicate_ids("studies", (row.id for row in figures.studies))
    for index, study in enumerate(figures.studies):
        location = ("studies", index)
        yield from unknown((*location, "profile"), [study.profile], [p.id for p in matrix.profiles])
        seen: set[tuple[object, ...]] = set()
        for position, figure in enumerate(study.figures):
            figure_location = (*location, "figures", position)
            yield from _figure_mistakes(figure_location, figure, matrix)
            key = (figure.variant, figure.workload, figure.connections, figure.metric)
            if key in seen:
                yield (
                    figure_location,
                    "this figure stands twice; repetitions are one list of values",
                )
            seen.add(key)
        for position, headers in enumerate(study.headers):
            header_location = (*location, "headers", position)
            yield from _variant_mistakes(header_location, headers.variant, headers.workload, matrix)


def _figure_mistakes(
    location: tuple[str | int, ...], figure: Figure, matrix: Matrix
) -> Iterator[Mistake]:
    yield from _variant_mistakes(location, figure.variant, figure.workload, matrix)
    if (figure.workload is None) != (figure.connections is None):
        yield location, "workload and connections stand together, or neither does"
    yield from unknown((*location, "metric"), [figure.metric], list(_METRIC_UNITS))
    required_unit = _METRIC_UNITS.get(figure.metric)
    if required_unit and required_unit != figure.base_unit:
        allowed = ", ".join(name for name, (unit, _) in UNITS.items() if unit == required_unit)
        yield (
            (*location, "unit"),
            f"{figure.metric} is not measured in {figure.unit!r}; allowed: {allowed}",
        )


def _variant_mistakes(
    location: tuple[str | int, ...], variant: str, workload: str | None, matrix: Matrix
) -> Iterator[Mistake]:
    """Boot, server and runtime must be declared; the model may be one that others declare."""
    if workload is not None:
        yield from unknown((*location, "workload"), [workload], [w.id for w in matrix.workloads])
    boots = [row.id for row in matrix.boots]
    servers = [row.id for row in matrix.servers]
    runtimes = [row.id for row in matrix.runtimes]
    boot, _, remainder = variant.partition("-")
    server = remainder.partition("-")[0]
    known = boot in boots and server in servers
    if not known or not any(variant.endswith(f"-{runtime}") for runtime in runtimes):
        yield (
            (*location, "variant"),
            f"{variant!r} is no <boot>-<server>-<model>-<runtime>; boots: {', '.join(boots)}; "
            f"servers: {', '.join(servers)}; runtimes: {', '.join(runtimes)}",
        )
