"""The events of a history, derived from what else it has, and which of them can still be fixed.

`data/acknowledged.json` is what the repository's file acknowledges, as a history keeps it: a
rebuild elsewhere, without the repository, makes the same events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from springbench.analysis.finder.events import events_of
from springbench.history.entries import Entry, series_key
from springbench.history.files import ACKNOWLEDGED, BrokenFileError, Files, load, save
from springbench.history.latest import LatestPoint, LatestPoints
from springbench.history.steps import read_steps
from springbench.results.acknowledged import Acknowledged, PublishedAcknowledgements
from springbench.results.events import (
    COMPARED,
    Acknowledgement,
    AffectedSeries,
    Event,
    LastMeasured,
)
from springbench.results.history import MonthRow
from springbench.results.history_names import profile_of
from springbench.results.published_comparison import PublishedComparison
from springbench.results.published_run import CaseRow


def read_events(
    files: Files,
    classes: Mapping[str, Sequence[MonthRow]],
    comparisons: Sequence[PublishedComparison],
    cases: Sequence[CaseRow],
) -> list[Event]:
    """The events, the newest first."""
    return events_of(read_steps(files, classes), comparisons, read_acknowledged(files), cases)


def write_acknowledged(files: Files, acknowledged: Acknowledged) -> bool:
    """Keep the sound rows; whether that changed anything.

    Where nothing could be read of the file, what the history has stays. A damaged file of the
    history is made anew. Raises `ConfigurationError` for one of a newer schema.
    """
    if acknowledged.events is None:
        return False
    try:
        stored: Mapping[str, Acknowledgement] | None = read_acknowledged(files)
    except BrokenFileError:
        stored = None
    if stored == acknowledged.events:
        return False
    if acknowledged.events:
        rows = dict(sorted(acknowledged.events.items()))
        save(files, ACKNOWLEDGED, PublishedAcknowledgements(events=rows))
    else:
        files.delete(ACKNOWLEDGED)
    return True


def read_acknowledged(files: Files) -> dict[str, Acknowledgement]:
    """By event. Raises `ConfigurationError` for what cannot be read."""
    stored = load(files, ACKNOWLEDGED, PublishedAcknowledgements)
    return dict(stored.events) if stored else {}


WITHOUT_CASE = 3
"""So many of the newest runs of its profile lack a case that is no longer measured: one may have
lost a part of its plan."""
WITHOUT_HOST = 30
"""So many lack a host class: hosted runners take turns."""
WITHOUT_PROFILE = timedelta(days=30)
"""So long before the newest run a profile was measured last that none of the newest runs has."""


class Coverage:
    """What the newest runs of a history measure. `newest` are in order, whatever their host."""

    def __init__(
        self,
        newest: Sequence[Entry],
        by_class: Mapping[str, Sequence[Entry]],
        latest: Mapping[str, LatestPoints],
        cases: Sequence[CaseRow],
    ) -> None:
        self._ids = [entry.id for entry in newest]
        self._runs: dict[str, list[str]] = {}
        for entry in newest:
            self._runs.setdefault(entry.profile, []).append(entry.id)
        self._end = max((entry.started_at for entry in newest), default="")
        self._of_class = {
            name: {entry.id for entry in entries} for name, entries in by_class.items()
        }
        self._latest = latest
        self._series: dict[str, list[str]] = {}
        for row in cases:
            self._series.setdefault(row.case, []).append(series_key(row))

    def closed(self, event: Event) -> Event:
        """The event; one that is open is `unmeasured` where none of its series is measured now."""
        if not event.is_open:
            return event
        ends = [self._end_of(affected) for affected in event.affected_series]
        last = max((point for point in ends if point), key=lambda point: point.key, default=None)
        if last is None or None in ends:
            return event
        was = LastMeasured(run=last.run, sha=last.sha, time=last.time, state=event.state)
        return event.model_copy(update={"state": "unmeasured", "last_measured": was})

    def _end_of(self, affected: AffectedSeries) -> LatestPoint | None:
        """The last point of a series that has ended; None while it goes on."""
        names = [f"{affected.case}@{affected.configuration}"]
        if affected.configuration == COMPARED:
            # a comparison is of no series: those of its case tell
            names = self._series.get(affected.case, [])
        points = [
            (name, latest[name])
            for latest in self._latest.values()
            for name in names
            if name in latest
        ]
        goes_on = not points or any(self._goes_on(*pair) for pair in points)
        if goes_on and self._is_used(affected):
            return None
        class_points = self._latest.get(affected.host_class, {})
        found = [class_points[name] for name in names if name in class_points] or [
            point for _, point in points
        ]
        return max(found, key=lambda point: point.key, default=None)

    def _goes_on(self, name: str, point: LatestPoint) -> bool:
        runs = self._runs.get(profile_of(name.partition("@")[2]))
        if runs is None:
            began, end = (datetime.fromisoformat(text) for text in (point.started_at, self._end))
            return end - began <= WITHOUT_PROFILE
        return point.run in runs[-WITHOUT_CASE:]

    def _is_used(self, affected: AffectedSeries) -> bool:
        """Whether a host of its class has measured anything lately."""
        runs = self._runs.get(profile_of(affected.configuration), self._ids)
        known = self._of_class.get(affected.host_class)
        return known is None or not known.isdisjoint(runs[-WITHOUT_HOST:])
