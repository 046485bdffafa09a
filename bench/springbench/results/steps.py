"""`data/steps/<class>/<month>.json`: changes of level in the series of a month, one by one, and
`data/context/<class>/<month>.json`: what came before that month.

Derived from the series. Events are made of these, of the comparisons and of what is acknowledged.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from springbench.results.base import Record, check_lengths
from springbench.results.events import Direction, EventKind
from springbench.results.history_names import (
    CaseId,
    CommitRow,
    HostClass,
    MeasurementConfiguration,
    MonthName,
    RunId,
)
from springbench.results.metrics import Better, Unit
from springbench.results.published_run import Numbers


class Place(Record):
    """A commit that the new level may begin with, and its first run.

    `drop` is by how much the logarithm of its likelihood lies below that of the best place.
    """

    commit: CommitRow
    run: RunId
    drop: float


class StepRow(Record):
    """A change of level in one series. Ratios are after ÷ before, with the interval at 95 %."""

    kind: EventKind
    case: CaseId
    configuration: MeasurementConfiguration
    host_class: HostClass
    metric: str
    unit: Unit
    better: Better
    before: float | None = None
    after: float | None = None
    ratio: float
    low_ratio: float
    high_ratio: float
    p_value: float
    """Raised for the choice of the place and, with those of the other series, for their number."""
    last_before: CommitRow
    """The commit that was measured before the first of `places`."""
    places: list[Place]
    """In the order of the history."""
    until: CommitRow
    """The last commit of the new level that was measured; of a drift, where it has come to."""
    environment_change: str | None = None

    @property
    def direction(self) -> Direction:
        """For better or worse."""
        return "improvement" if (self.ratio > 1) == (self.better == "higher") else "regression"


class Steps(Record):
    """The whole file. `series` is how many were looked at."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    host_class: HostClass = Field(alias="class")
    month: MonthName
    series: int
    steps: list[StepRow]


class MeasuredCommit(Record):
    """A commit, the run that measured it, and what of the host may shift a level by itself."""

    commit: CommitRow
    run: RunId
    environment: str
    cpu_probe_s: float | None = None
    """How long a fixed piece of work took on the host before the run."""


class Context(Record):
    """The runs that the series of a month are looked at with: a level is known by what came before.

    `values` has by series (`<case>@<configuration>`) and metric one median for each of `measured`,
    null where there is none that counts.
    """

    schema_: Literal[1] = Field(default=1, alias="schema")
    host_class: HostClass = Field(alias="class")
    month: MonthName
    measured: list[MeasuredCommit]
    values: dict[str, dict[str, Numbers]]

    @model_validator(mode="after")
    def _is_whole(self) -> Context:
        for series, metrics in self.values.items():
            names = ((f"{series}.{metric}", column) for metric, column in metrics.items())
            check_lengths(len(self.measured), names)
        return self
