"""The pictures of events, from the series that they touch."""

from __future__ import annotations

from collections.abc import Iterator

from springbench.history.files import Files
from springbench.history.series import SeriesPoint, read_series
from springbench.report.event_chart import ChartPoint, clearest, render
from springbench.results.events import Event
from springbench.results.history import Index


def chart_of_event(files: Files, index: Index, event: Event) -> str:
    """The SVG of one event: the series of its clearest witness."""
    witness = clearest(event)
    key = (witness.host_class, witness.case, witness.conditions)
    found = read_series(files, index, lambda of, row: (of, row.case, row.conditions) == key)
    points = found[0].points if found else []
    return render(event, witness, list(_points(points, witness.metric)))


def _points(points: list[SeriesPoint], metric: str) -> Iterator[ChartPoint]:
    for point in points:
        median, low, high = point.values.get(metric, (None, None, None))
        if median is not None and point.entry.commit:
            yield ChartPoint(point.entry.commit.sha, median, low, high)
