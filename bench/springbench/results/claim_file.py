"""`claims.toml`: read and checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from springbench.matrix.fields import Row
from springbench.matrix.mistakes import Mistake, duplicate_ids, unknown
from springbench.matrix.rows import Matrix
from springbench.matrix.toml_file import parse_rows, read_text
from springbench.matrix.toml_lines import Location
from springbench.plan.plan import make_plan
from springbench.results.claims import Claim, Claims, Source
from springbench.results.metrics import METRICS
from springbench.results.studies import Study, axes_of

_ROW_TYPES: dict[str, type[Row]] = {"": Claims, "sources": Source, "claims": Claim}
_COMPARED = [metric.name for metric in METRICS if metric.noise is not None]


def load_claims(path: Path, matrix: Matrix, studies: Sequence[Study]) -> Claims:
    """The checked claims, those of a study with the ratio of its figures.

    Raises `ConfigurationError` with one line for each mistake.
    """
    return parse_claims(read_text(path), matrix, studies, str(path))


def parse_claims(
    text: str, matrix: Matrix, studies: Sequence[Study] = (), name: str = "claims.toml"
) -> Claims:
    """As `load_claims`, from the file's text; `name` is what messages call it."""

    def more(found: Claims) -> Iterator[Mistake]:
        return _mistakes(found, matrix, studies)

    found = parse_rows(text, name, Claims, more, _ROW_TYPES)
    runtimes = [row.id for row in matrix.runtimes]
    claims = tuple(
        claim
        if claim.ratio or claim.direction
        else claim.model_copy(
            update={"ratio": _study_ratio(claim, found.source(claim), studies, runtimes)}
        )
        for claim in found.claims
    )
    return found.model_copy(update={"claims": claims})


def _mistakes(found: Claims, matrix: Matrix, studies: Sequence[Study]) -> Iterator[Mistake]:
    """Mistakes that a single row cannot know."""
    sources = {source.id: source for source in found.sources}
    profiles = [profile.id for profile in matrix.profiles]
    runtimes = [row.id for row in matrix.runtimes]
    yield from duplicate_ids("sources", (row.id for row in found.sources))
    yield from duplicate_ids("claims", (row.id for row in found.claims))
    for index, row in enumerate(found.sources):
        if row.study is not None:
            at: Location = ("sources", index, "study")
            yield from unknown(at, [row.study], [study.id for study in studies])

    @cache
    def cases(profile: str) -> list[str]:
        return [case.id for case in make_plan(matrix, profile).cases]

    for index, claim in enumerate(found.claims):
        location: Location = ("claims", index)
        yield from unknown((*location, "source"), [claim.source], sources)
        yield from unknown((*location, "metric"), [claim.metric], _COMPARED)
        yield from unknown((*location, "profile"), [claim.profile], profiles)
        if claim.profile in profiles:
            for key, case in (("base", claim.base), ("head", claim.head)):
                yield from unknown((*location, key), [case], cases(claim.profile))
        if claim.base == claim.head:
            yield (
                (*location, "head"),
                "a case is not compared with itself; name another one than base",
            )
        source = sources.get(claim.source)
        says = claim.ratio or claim.direction
        if source and not (says or _study_ratio(claim, source, studies, runtimes)):
            yield (
                location,
                f"{claim.id} claims nothing: give its ratio or its direction, or a source whose "
                "study has a figure of this metric for both cases",
            )


def _study_ratio(
    claim: Claim, source: Source, studies: Sequence[Study], runtimes: Sequence[str]
) -> float | None:
    """The published metric of head ÷ that of base; None where its study has not both.

    As beside a run, server, model and load must be the same: a figure of another runtime or line
    of Spring Boot still says by how much they differ.
    """
    study = next((study for study in studies if study.id == source.study), None)
    if study is None:
        return None
    base, head = (_figure(study, case, claim.metric, runtimes) for case in claim.only)
    return head / base if base and head else None


def _figure(study: Study, case_id: str, metric: str, runtimes: Sequence[str]) -> float | None:
    """In the metric's base unit; None where it has none for that case."""
    variant, *load = case_id.split("/")
    axes = axes_of(variant, runtimes)
    for figure in study.figures:
        figure_axes = axes_of(figure.variant, runtimes)
        same_load = [figure.workload, str(figure.connections)] == load
        same_server = (figure_axes.server, figure_axes.model) == (axes.server, axes.model)
        if same_load and same_server and figure.metric == metric:
            return figure.median
    return None
