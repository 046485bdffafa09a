"""`reports.toml`: read and checked, and the plan and the two sides of each report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from pydantic import Field

from evaluation.replay.libraries import LibraryVersion, with_libraries
from springbench.compare.sides import RequestedSide, commit_side
from springbench.errors import ConfigurationError
from springbench.host.shell import Shell
from springbench.matrix.fields import Count, Id, MemorySize, Row, Seconds, Word
from springbench.matrix.mistakes import Mistake, unknown
from springbench.matrix.profiles import Load, Profile
from springbench.matrix.rows import Matrix
from springbench.matrix.toml_file import parse_rows, read_text
from springbench.matrix.toml_lines import Location
from springbench.paths import ROOT
from springbench.plan.cases import Variant, every_variant
from springbench.plan.plan import Plan, make_plan
from springbench.releases.release import Release, Version, commit_releases
from springbench.results.comparison import SideInfo
from springbench.results.metrics import BY_NAME

REPORTS = Path(__file__).with_name("reports.toml")
_SOURCE = re.compile(r"[\w.-]+/[\w.-]+#[1-9]\d*", re.ASCII)
_VERSION = re.compile(r"\d[\w.-]*", re.ASCII)
_ARTIFACT = re.compile(r"[\w.-]+:[\w.-]+", re.ASCII)

Component = Literal[
    "boot", "framework", "tomcat", "jetty", "undertow", "netty", "jackson", "hikari", "hibernate",
    "jdk",
]  # fmt: skip
Direction = Literal["worse", "better"]


class Library(Row):
    """The `name` that Spring Boot has for a version, as `tomcat.version`, and which artifacts have
    it, or what `boms` name; each is `group:artifact`."""

    name: Word
    artifacts: tuple[Word, ...] = ()
    boms: tuple[Word, ...] = ()


class LoadDefaults(Row):
    """How each load is measured, unless it says otherwise: seconds, as in a profile."""

    warmup_min_s: Seconds
    warmup_max_s: Seconds
    window_s: Seconds
    bursts: Count


class Side(Row):
    """What a report was before or after: a release of Spring Boot, with other `versions` of
    libraries; or the same build, started in another way.

    Without `boot` it is built from the clone as it is. `options` are those of the JVM.
    """

    boot: Word | None = None
    versions: dict[Word, Word] = {}
    runtime: Id | None = None
    memory: MemorySize | None = None
    options: tuple[Word, ...] = ()

    @property
    def is_started_differently(self) -> bool:
        """Whether it is not started as the case says."""
        return bool(self.runtime or self.memory or self.options)

    @property
    def name(self) -> str:
        """What tells it from the other side: `Spring Boot 4.0.7, hikaricp 7.1.0`."""
        parts = [
            self.boot and f"Spring Boot {self.boot}",
            *(
                f"{key.removesuffix('.version')} {version}"
                for key, version in self.versions.items()
            ),
            self.runtime,
            self.memory and f"{self.memory} of memory",
            *self.options,
        ]
        return ", ".join(filter(None, parts)) or "as its cases are"


class Report(Row):
    """A change that somebody reported, and what would show it.

    `metrics` are those that would show it; what one of them says decides. `source` is an issue or a
    pull request: `owner/repository#number`.
    """

    id: Id
    source: Word
    component: Component
    reported: Word
    direction: Direction
    expected: Word
    metrics: tuple[Word, ...] = Field(min_length=1)
    before: Side
    after: Side
    budget_s: Seconds = 600.0
    loads: tuple[Load, ...] = Field(min_length=1)

    @property
    def address(self) -> str:
        """Where it can be read; GitHub leads on from there to a pull request."""
        repository, _, number = self.source.partition("#")
        return f"https://github.com/{repository}/issues/{number}"

    @property
    def is_started_differently(self) -> bool:
        """Whether its sides are not both started as its cases say."""
        return self.before.is_started_differently or self.after.is_started_differently

    @property
    def is_head_before(self) -> bool:
        """Whether head of its comparison is what was before: the side that is expected to be
        slower is head, since only what is slower there is looked into with a profiler."""
        return self.direction == "better"


class Reports(Row):
    """The whole file."""

    schema_: Literal[1] = Field(alias="schema")
    load: LoadDefaults
    libraries: tuple[Library, ...] = ()
    reports: tuple[Report, ...] = Field(min_length=1)

    def plan(self, report: Report, matrix: Matrix) -> Plan:
        """The cases that would show a report.

        Raises `ConfigurationError` where the matrix has none of them.
        """
        usual = self.load.model_dump()
        loads = tuple(
            load.model_copy(
                update={key: usual[key] for key in usual if key not in load.model_fields_set}
            )
            for load in report.loads
        )
        profile = Profile(
            id=report.id, description=report.reported, budget_s=report.budget_s, loads=loads
        )
        plan = make_plan(matrix.model_copy(update={"profiles": (profile,)}), report.id)
        if report.is_started_differently and len(plan.cases) > 1:
            raise ConfigurationError(
                f"{report.id}: its sides are started differently, so it has one case; its loads "
                f"are {len(plan.cases)} cases"
            )
        return plan

    def measurement(
        self, report: Report, matrix: Matrix, sources: str, shell: Shell
    ) -> tuple[Plan, RequestedSide, RequestedSide]:
        """What is measured of a report: its plan, what was before and what was after.

        `sources` names the commit whose servers are built. Raises `ConfigurationError` where the
        matrix has none of it, or a side cannot be made.
        """
        plan = self.plan(report, matrix)
        case = plan.cases[0]
        before, after = (
            self._side(side, case.variant, matrix, sources, shell)
            for side in (report.before, report.after)
        )
        if not report.is_started_differently:
            # who has variants is not compared on those of the plan
            return plan, replace(before, variant=None), replace(after, variant=None)
        # the memory limits of both are made ready before anything starts
        variants = {variant.id: variant for side in (before, after) if (variant := side.variant)}
        cases = tuple(replace(case, variant=side_variant) for side_variant in variants.values())
        return replace(plan, cases=cases), before, after

    def _side(
        self, side: Side, variant: Variant, matrix: Matrix, sources: str, shell: Shell
    ) -> RequestedSide:
        started = _started(variant, side, matrix)
        if side.boot is None:
            label = " ".join([started.id, *side.options])
            return RequestedSide(SideInfo(kind="variant", label=label), variant=started)
        release = self._release(side, matrix, sources, shell)
        if release.line != variant.boot:
            raise ConfigurationError(
                f"{release.name} is of the line {release.line}, and the case is of {variant.boot}; "
                "name the line in the boots of the loads"
            )
        return replace(commit_side(release.name, release.sha, shell), variant=started)

    def _release(self, side: Side, matrix: Matrix, sources: str, shell: Shell) -> Release:
        version = Version.parse(side.boot or "")
        if version is None:
            raise ConfigurationError(f"{side.boot!r} is no release of Spring Boot")
        known = {library.name: library for library in self.libraries}
        libraries = tuple(
            LibraryVersion(key, library_version, known[key].artifacts, known[key].boms)
            for key, library_version in side.versions.items()
        )
        found = commit_releases(
            [version],
            matrix,
            sources,
            ROOT,
            shell,
            tuple(library.words for library in libraries),
            partial(with_libraries, libraries=libraries),
        )
        for why in found.missing.values():
            raise ConfigurationError(f"Spring Boot {version}: {why}")
        return found.known[0]


def _started(variant: Variant, side: Side, matrix: Matrix) -> Variant:
    """The variant as a side starts it. Raises `ConfigurationError` where there is none."""
    runtime = side.runtime or variant.runtime.id
    axes = (variant.boot, variant.server.id, variant.model.id)
    known = [
        candidate
        for candidate in every_variant(matrix)
        if (candidate.boot, candidate.server.id, candidate.model.id) == axes
    ]
    found = next((candidate for candidate in known if candidate.runtime.id == runtime), None)
    if found is None:
        raise ConfigurationError(
            f"{'-'.join(axes)} has no runtime {runtime}; it has: "
            f"{', '.join(candidate.runtime.id for candidate in known)}"
        )
    # where both say the same, the last word of a command holds: that of the runtime
    start = [
        word
        for part in found.runtime.start
        for word in ([part, *side.options] if part == "{java}" else [part])
    ]
    return replace(
        found,
        runtime=found.runtime.model_copy(update={"start": tuple(start)}),
        settings=variant.settings._replace(memory=side.memory or variant.settings.memory),
    )


def load_reports(path: Path = REPORTS) -> Reports:
    """The checked reports. Raises `ConfigurationError` with one line for each mistake."""
    return parse_reports(read_text(path), str(path))


def parse_reports(text: str, name: str = REPORTS.name) -> Reports:
    """As `load_reports`, from the file's text; `name` is what messages call it."""
    return parse_rows(text, name, Reports, _mistakes, _ROW_TYPES)


_ROW_TYPES: dict[str, type[Row]] = {
    "": Reports,
    "load": LoadDefaults,
    "libraries": Library,
    "reports": Report,
    "reports.before": Side,
    "reports.after": Side,
    "reports.loads": Load,
}


def _mistakes(found: Reports) -> Iterator[Mistake]:
    """Mistakes that a single row cannot know, and texts of a form of their own."""
    for index, library in enumerate(found.libraries):
        for key in ("artifacts", "boms"):
            for name in getattr(library, key):
                if not _ARTIFACT.fullmatch(name):
                    yield ("libraries", index, key), f"allowed: group:artifact; found {name!r}"
    names = [library.name for library in found.libraries]
    seen: set[str] = set()
    for index, report in enumerate(found.reports):
        location: Location = ("reports", index)
        if report.id in seen:
            yield (*location, "id"), f"duplicate id {report.id!r}; each id stands once"
        seen.add(report.id)
        if not _SOURCE.fullmatch(report.source):
            yield (
                (*location, "source"),
                "allowed: an issue or a pull request as owner/repository#number; found "
                f"{report.source!r}",
            )
        yield from unknown((*location, "metrics"), report.metrics, BY_NAME)
        yield from _side_mistakes((*location, "before"), report.before, names)
        yield from _side_mistakes((*location, "after"), report.after, names)
        if report.before == report.after:
            yield (*location, "after"), "is what was before; a report has two sides that differ"
        if bool(report.before.boot) != bool(report.after.boot):
            yield (
                (*location, "after"),
                "a release of Spring Boot stands on both sides, or on neither",
            )


def _side_mistakes(location: Location, side: Side, names: Sequence[str]) -> Iterator[Mistake]:
    if side.boot is not None and Version.parse(side.boot) is None:
        yield location, f"boot: allowed: a release of Spring Boot, like 4.0.3; found {side.boot!r}"
    if side.versions and side.boot is None:
        yield location, "versions: need boot, the release of Spring Boot that they are built with"
    yield from unknown(location, side.versions, names)
    for key, version in side.versions.items():
        if not _VERSION.fullmatch(version):
            yield location, f"{key}: allowed: a version, like 4.1.125.Final; found {version!r}"
