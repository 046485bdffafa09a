"""What a history serves to people elsewhere: a feed, the pictures of issues, and badges.

A badge says how many regressions are open, of each service too, and one of each case what it does.
A case that several host classes have measured has the badge of its newest result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from springbench import units
from springbench.history.files import (
    BADGE_SUFFIX,
    BADGES,
    CHART_SUFFIX,
    CHARTS,
    FEED,
    Files,
    event_chart_path,
    keep_only,
)
from springbench.history.series import SeriesPoint, read_series
from springbench.matrix.service_name import service_of
from springbench.report import badge, event_chart, event_feed
from springbench.report.badge import Tone
from springbench.report.event_chart import ChartPoint, clearest
from springbench.results.events import Event
from springbench.results.history import Index, Latest, MonthRow

NEWEST = 50
"""So many events stand in the feed."""
AROUND_RUNS = 4 * event_chart.MOST_POINTS
"""So many runs on either side of an event are looked at for its picture: not each has its case."""


def write_served(files: Files, index: Index) -> None:
    """Renew the feed, the picture of each regression with an issue (others have none), badges."""
    write_badges(files, index)
    if index.events:
        files.write(FEED, event_feed.render(index.events[:NEWEST]))
    else:
        files.delete(FEED)
    pictured = [
        event for event in index.events if event.is_alerting and event.direction == "regression"
    ]
    for event in pictured:
        files.write(event_chart_path(event.id), chart_of_event(files, index, event))
    keep_only(files, CHARTS, {f"{event.id}{CHART_SUFFIX}" for event in pictured})


def chart_of_event(files: Files, index: Index, event: Event) -> str:
    """The SVG of one event: the series of its clearest affected series."""
    affected = clearest(event)
    key = (affected.host_class, affected.case, affected.configuration)
    found = read_series(
        files,
        index,
        lambda host_class, row: (host_class, row.case, row.configuration) == key,
        lambda months: _around(months, event.culprit.after.time[:7]),
    )
    points = found[0].points if found else []
    return event_chart.render(event, affected, list(_points(points, affected.metric)))


def _around(months: Sequence[MonthRow], month: str) -> list[MonthRow]:
    """Months enough for the picture of something in that month, however long the history is."""
    older = [row for row in months if row.month < month]
    newer = [row for row in months if row.month > month]
    within = [row for row in months if row.month == month]
    return [*_some(older[::-1])[::-1], *within, *_some(newer)]


def _some(rows: Sequence[MonthRow]) -> list[MonthRow]:
    before = accumulate((row.runs for row in rows), initial=0)
    return [row for row, runs in zip(rows, before, strict=False) if runs < AROUND_RUNS]


def _points(points: list[SeriesPoint], metric: str) -> Iterator[ChartPoint]:
    for point in points:
        median, low, high = point.values.get(metric, (None, None, None))
        if median is not None and point.entry.commit:
            yield ChartPoint(point.entry.commit.sha, median, low, high)


REGRESSIONS = "regressions"
_RATE = "throughput_rps"


def write_badges(files: Files, index: Index) -> None:
    """Renew all badges, and take away those of cases that are no longer there."""
    pictures = {REGRESSIONS: _regressions(index.events, REGRESSIONS), **dict(_cases(index))}
    for service in {name for row in index.cases if (name := service_of(row.case))}:
        service_events = [event for event in index.events if event.service == service]
        pictures[f"{REGRESSIONS}-{service}"] = _regressions(
            service_events, f"{service} {REGRESSIONS}"
        )
    for name, text in pictures.items():
        files.write(f"{BADGES}/{name}{BADGE_SUFFIX}", text)
    keep_only(files, BADGES, {f"{name}{BADGE_SUFFIX}" for name in pictures})


def _regressions(events: Iterable[Event], label: str) -> str:
    open_ones = [event for event in events if event.is_open and event.direction == "regression"]
    confirmed = sum(event.state == "confirmed" for event in open_ones)
    suspected = len(open_ones) - confirmed
    words = [f"{confirmed} open"] if confirmed else []
    words += [f"{suspected} suspected"] if suspected else []
    tone: Tone = "bad" if confirmed else "plain" if suspected else "good"
    return badge.render(label, ", ".join(words) or "none open", tone)


def _cases(index: Index) -> Iterator[tuple[str, str]]:
    """Name and picture of each case that has a result."""
    newest: dict[str, tuple[tuple[str, str], Latest, int]] = {}
    for class_row in index.classes:
        for at, row in enumerate(class_row.latest.row):
            key = (class_row.latest.time[at], class_row.latest.started_at[at])
            case = index.cases[row].case
            if index.cases[row].reported:
                # a badge has a throughput of a server
                continue
            if case not in newest or newest[case][0] <= key:
                newest[case] = (key, class_row.latest, at)
    for case, (_, latest, at) in newest.items():
        yield case.replace("/", "~"), badge.render(case, *_value(latest, at))


def _value(latest: Latest, at: int) -> tuple[str, Tone]:
    columns = latest.metrics.get(_RATE)
    rate_rps = columns.median[at] if columns else None
    if latest.status[at] != "ok" or rate_rps is None:
        return latest.status[at].replace("-", " "), "bad"
    # three digits: a badge that changed with each run would say nothing more
    rounded_rps = float(f"{rate_rps:.3g}")
    return f"{units.rate(rounded_rps)}/s", "plain"
