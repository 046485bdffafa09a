"""Events of a history: lasting changes of level, as they are reported to people.

An event is one step over all the series that it touches, which are its affected series. It is
named by its direction and by the commit that it begins with, so that a run that comes late, or
again, makes no second one. Events are derived from runs, comparisons and acknowledgements alone.
"""

from __future__ import annotations

from typing import Literal

from springbench.matrix.service_name import one_service
from springbench.results.base import Record
from springbench.results.history_names import (
    CaseId,
    CommitRow,
    HostClass,
    MeasurementConfiguration,
    RunId,
)
from springbench.results.metrics import Better, Unit

EventState = Literal["suspected", "confirmed", "unmeasured", "acknowledged", "fixed", "rejected"]
"""`suspected` until a comparison made by another job agrees; `rejected` where it does not.
`unmeasured` where nothing that it touches is measured any more: nobody can see it fixed."""
OPEN_STATES: frozenset[EventState] = frozenset(("suspected", "confirmed"))
COMPARED: MeasurementConfiguration = "compare"
"""The measurement configuration of series that only a comparison has seen."""
Direction = Literal["regression", "improvement"]
EventKind = Literal["step", "drift"]


class AffectedSeries(Record):
    """A series that an event touches, with its levels; ratios are after ÷ before.

    The levels are None, and the measurement configuration `compare`, where only a comparison has
    seen it.
    """

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


class Evidence(Record):
    """What a comparison in pairs says of an event: ratios are head ÷ base, the interval at 95 %."""

    comparison: RunId
    base: str
    head: str
    host_class: HostClass
    case: CaseId
    metric: str
    ratio: float
    low_ratio: float
    high_ratio: float
    pairs: int
    agrees: bool | None = None
    """None where it cannot tell."""
    independent: bool = False
    """Whether it was made to check the candidate change, later and by another job."""
    url: str | None = None


class Culprit(Record):
    """The commits that an event lies between: `after` is the first that was measured on the new
    level, `before` the last on the old one. `exact` where nothing lies between them."""

    before: CommitRow
    after: CommitRow
    exact: bool = False


class LastMeasured(Record):
    """The newest run of any series that an event touches, its commit, and what the event was then.

    `time` is the commit's, or when the run began where there is none.
    """

    run: RunId
    sha: str | None = None
    time: str
    state: EventState


class Acknowledgement(Record):
    """Why an event is to stay as it is, from the file in the repository."""

    reason: str
    by: str | None = None


class Event(Record):
    """One step or drift. `shared` says in words what the affected series have in common."""

    id: RunId
    """`regression-` or `improvement-`, and twelve digits of the commit that it begins with; then
    `-of-` and the name of the service, of which it is."""
    kind: EventKind
    direction: Direction
    state: EventState
    culprit: Culprit
    also: list[str] = []
    """Other commits that it may begin with: with more runs one of these may become its name."""
    run: RunId
    """The first run on the new level, or the comparison that saw it."""
    shared: str
    affected_series: list[AffectedSeries]
    """The surest of them."""
    affected_series_total: int = 0
    evidence: list[Evidence] = []
    environment_change: str | None = None
    """What changed in the host at the same place; then it is the host's until a comparison says
    otherwise."""
    fixed_by: str | None = None
    """The event that brought the level back."""
    moved: str | None = None
    """The event of the other direction that begins with the same commit: cost that moved."""
    acknowledgement: Acknowledgement | None = None
    last_measured: LastMeasured | None = None
    """Of an event whose series have ended."""

    @property
    def service(self) -> str | None:
        """The service that it is of; None for servers of Spring Boot."""
        return one_service(affected.case for affected in self.affected_series)

    @property
    def is_open(self) -> bool:
        """Whether somebody is to look at it."""
        return self.state in OPEN_STATES
