"""Events of a history: lasting changes of level, as they are reported to people.

An event is one step over all the series that it touches, which are its affected series. It is
named by its direction and by the commit that it begins with, so that a run that comes late, or
again, makes no second one. Events are derived from runs, comparisons and acknowledgements alone.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field

from springbench.matrix.service_name import HARNESSES, harness_of, one_service
from springbench.results.base import Record
from springbench.results.history_names import (
    CaseId,
    CommitRow,
    HostClass,
    MeasurementConfiguration,
    RunId,
)
from springbench.results.metrics import Better, Unit, importance
from springbench.results.published_comparison import PublishedExplanation

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


class EventChange(Record):
    """What an event did to a metric: its ratio after ÷ before, over so many series.

    Of one series `low_ratio` and `high_ratio` are its interval, of several the least and the
    greatest ratio.
    """

    metric: str
    ratio: float
    low_ratio: float
    high_ratio: float
    series: int


def telling(affected_series: Iterable[AffectedSeries]) -> dict[str, list[AffectedSeries]]:
    """Those that tell how much a metric changed, by metric.

    Where a comparison has seen it, its pairs do: in a series of runs the host's own changes are
    part of it.
    """
    found: dict[str, list[AffectedSeries]] = {}
    for affected in affected_series:
        found.setdefault(affected.metric, []).append(affected)
    pairs = {
        name: [series for series in all_ if series.configuration == COMPARED]
        for name, all_ in found.items()
    }
    return {name: pairs[name] or all_ for name, all_ in found.items()}


def changes_of(affected_series: Iterable[AffectedSeries]) -> list[EventChange]:
    """One for each metric, that of the most series first."""
    by_metric = telling(affected_series)
    ordered = sorted(by_metric, key=lambda name: (-len(by_metric[name]), importance(name), name))
    return [_change(name, by_metric[name]) for name in ordered]


def _change(metric: str, affected_series: Sequence[AffectedSeries]) -> EventChange:
    ratios = [affected.ratio for affected in affected_series]
    low, high = min(ratios), max(ratios)
    if len(affected_series) == 1:
        low, high = affected_series[0].low_ratio, affected_series[0].high_ratio
    return EventChange(
        metric=metric,
        ratio=statistics.median(ratios),
        low_ratio=low,
        high_ratio=high,
        series=len(ratios),
    )


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
    changes: list[EventChange] = Field(
        default_factory=lambda data: changes_of(data["affected_series"])
    )
    """What happened to each metric."""
    evidence: list[Evidence] = []
    explanations: list[PublishedExplanation] = []
    """What a profile of comparisons that agree says of its affected series, the newest first."""
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

    def of_series(self, affected_series: list[AffectedSeries]) -> Event:
        """The same of these series."""
        changes = changes_of(affected_series)
        return self.model_copy(update={"affected_series": affected_series, "changes": changes})

    @property
    def harness(self) -> str | None:
        """The other harness that has measured it, such as `JMH`; None for springbench itself."""
        name = harness_of(self.service)
        return HARNESSES[name] if name else None

    @property
    def is_open(self) -> bool:
        """Whether somebody is to look at it."""
        return self.state in OPEN_STATES

    @property
    def is_alerting(self) -> bool:
        """Whether it is to be reported.

        What another harness has measured no comparison of springbench confirms: there it is what
        its series show.
        """
        return self.state == "confirmed" or (self.state == "suspected" and bool(self.harness))
