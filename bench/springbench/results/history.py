"""The files of a history: the contract between `springbench publish` and the site.

    data/index.json                               what there is (Index)
    data/runs/<run>.json.gz                       one run, never changed but by a re-run of it
    data/comparisons/<id>.json.gz                 one comparison: see published_comparison.py
    data/series/<class>/<month>/month.json        the runs of a month, in order (Month)
    data/series/<class>/<month>/<case>@<measurement configuration>.<digest>.json
                                                  one series over the runs of a month (Series)

All but runs and comparisons is derived from them, and is all that a page needs to draw; these are
packed, so that a long history stays below what GitHub Pages takes. In a file's name a case has `~`
for `/`, and the digest is that of `history/files.py`. Runs are in the order of their commits, then
of their start; a run belongs to the month in which its commit was made, or else in which it began.
Base units as everywhere; numbers have five significant digits, times are UTC. A field that has
nothing to say is left out.

A series is one case, measured in one way, on one host class. What was measured with another number
of forks, another window or for another profile stands in a series of its own: its points are never
joined or evaluated together.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from springbench.results.base import Record, check_indices, check_lengths
from springbench.results.compared import ComparedGroup
from springbench.results.events import Event
from springbench.results.history_names import (
    CaseId,
    CommitRow,
    HostClass,
    Mark,
    MeasurementConfiguration,
    MonthName,
    RunId,
)
from springbench.results.metrics import Better, HistoryUnit
from springbench.results.published_answers import PublishedAnswer, PublishedClaim
from springbench.results.published_run import CaseRow, Columns, Numbers, PublishedHost
from springbench.results.records import Status
from springbench.results.run import BottleneckKind


class RunColumns(Record):
    """Runs in order, oldest first. `commit` is an index into `commits`, null outside git."""

    id: list[RunId]
    started_at: list[str]
    commit: list[int | None]
    profile: list[str]
    trigger: list[str]
    marks: list[list[Mark]]
    ok: list[int]
    failed: list[int]
    url: list[str | None]
    branch: list[str | None]
    boots: list[dict[str, str]]
    environments: list[str] = Field(
        description="What of the hosts may shift a level by itself: kernel, image, JDK."
    )
    environment: list[int] = Field(description="Of each run the place in `environments`.")
    service: list[str | None] = Field(
        description="The service of each run; empty for servers of Spring Boot, null where nothing "
        "tells.",
    )

    cpu_probe_s: list[float | None] | None = Field(
        default=None,
        description="How long a fixed piece of work took on the host of each run before it: how "
        "fast the host was.",
    )

    @model_validator(mode="after")
    def _is_whole(self) -> RunColumns:
        names = RunColumns.model_fields.keys() - {"environments"}
        columns = ((name, getattr(self, name)) for name in sorted(names))
        check_lengths(len(self.id), (column for column in columns if column[1] is not None))
        check_indices("environment", self.environment, len(self.environments))
        return self


class Month(Record):
    """`month.json`: the runs of a month of one host class. Counts and marks are this class's own.

    `series` names the files beside it, as `<case>@<configuration>`: what is not there is not asked
    for.
    """

    schema_: Literal[2] = Field(alias="schema")
    host_class: HostClass = Field(alias="class")
    month: MonthName
    commits: list[CommitRow]
    runs: RunColumns
    series: list[str]

    @model_validator(mode="after")
    def _is_whole(self) -> Month:
        check_indices("commit", self.runs.commit, len(self.commits))
        return self


class Series(Record):
    """One case, measured in one way on one host class, over a month.

    `run` holds indices into the runs of the month, in order; every other column has one entry for
    each. A metric that no run of the month has is left out.
    """

    schema_: Literal[2] = Field(alias="schema")
    case: CaseId
    configuration: MeasurementConfiguration
    host_class: HostClass = Field(alias="class")
    month: MonthName
    run: list[int]
    status: list[Status]
    bottleneck: list[BottleneckKind | None]
    n: list[int]
    metrics: dict[str, Columns]

    @model_validator(mode="after")
    def _is_whole(self) -> Series:
        columns = (("status", self.status), ("bottleneck", self.bottleneck), ("n", self.n))
        check_lengths(len(self.run), columns)
        for metric, numbers in self.metrics.items():
            check_lengths(len(self.run), numbers.by_name(metric))
        return self


class MetricRow(Record):
    """A metric: its unit, and which direction is better."""

    name: str
    unit: HistoryUnit
    better: Better


class MonthRow(Record):
    """A month that has runs, and how many."""

    month: MonthName
    runs: int


class Latest(Record):
    """The newest point of each series of a host class. Columns have one entry for each of `row`.

    `row` holds indices into the cases of the index, `notes` into `texts`; `time` is the commit's,
    `started_at` the run's. `data/runs/<run>.json.gz` has the rest.
    """

    row: list[int]
    run: list[RunId]
    started_at: list[str]
    time: list[str]
    sha: list[str | None]
    marks: list[list[Mark]]
    status: list[Status]
    bottleneck: list[BottleneckKind | None]
    n: list[int]
    theoretical_max_rps: Numbers
    notes: list[list[int]]
    texts: list[str]
    metrics: dict[str, Columns]

    @model_validator(mode="after")
    def _is_whole(self) -> Latest:
        names = sorted(Latest.model_fields.keys() - {"texts", "metrics"})
        check_lengths(len(self.row), ((name, getattr(self, name)) for name in names))
        for metric, numbers in self.metrics.items():
            check_lengths(len(self.row), numbers.by_name(metric))
        for notes in self.notes:
            check_indices("notes", notes, len(self.texts))
        return self


class StudyReversal(Record):
    """A reversed order: in the study the figure `first` is higher than the figure `second` by the
    ratio `there`, here it is lower by the ratio `here`."""

    first: int
    second: int
    there: float
    here: float


class StudyRow(Record):
    """A published study and the newest points that match it. A column has an entry for each figure.

    `measured` holds places in the columns of `latest`; `ratio` is measured ÷ published.
    """

    study: str
    measured: list[int | None]
    ratio: Numbers
    reversals: list[StudyReversal] = []

    @model_validator(mode="after")
    def _is_whole(self) -> StudyRow:
        check_lengths(len(self.measured), [("ratio", self.ratio)])
        ends = [index for reversal in self.reversals for index in (reversal.first, reversal.second)]
        check_indices("reversals", ends, len(self.measured))
        return self


class ClassRow(Record):
    """A host class. `points` has one count for each case of the index: how long its series is.

    One without months has compared releases, and no runs.
    """

    host_class: HostClass = Field(alias="class")
    host: PublishedHost
    months: list[MonthRow]
    points: list[int]
    latest: Latest
    studies: list[StudyRow] = []
    answers: list[PublishedAnswer] = Field(
        default=[], description="The newest answer to each question that was measured there."
    )
    claims: list[PublishedClaim] = Field(
        default=[], description="The newest verdict on each claim that was measured there."
    )

    @model_validator(mode="after")
    def _is_whole(self) -> ClassRow:
        for row in self.studies:
            check_indices(f"study {row.study}", row.measured, len(self.latest.row))
        return self


class Index(Record):
    """`data/index.json`. `runs` are the newest of all host classes; their months have the rest.

    `cases` are series: a case has a row for each of the measurement configuration in which it was
    measured.
    """

    schema_: Literal[2] = Field(alias="schema")
    runs_total: int
    charts: bool = Field(
        default=False, description="Whether github-action-benchmark has charts in `dev/bench/`."
    )
    compared: list[ComparedGroup] = Field(
        default=[], description="Which files there are in `data/compared/`."
    )
    metrics: list[MetricRow]
    cases: list[CaseRow]
    classes: list[ClassRow]
    commits: list[CommitRow]
    runs: RunColumns
    events: list[Event] = Field(
        default=[], description="Steps and drifts, the newest first: see `Event`."
    )

    @model_validator(mode="after")
    def _is_whole(self) -> Index:
        check_indices("commit", self.runs.commit, len(self.commits))
        for row in self.classes:
            check_lengths(len(self.cases), [("points", row.points)])
            check_indices("row", row.latest.row, len(self.cases))
        return self
