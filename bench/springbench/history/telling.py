"""What a history serves to people elsewhere: a feed, the pictures of issues, and badges."""

from __future__ import annotations

from springbench.history.badges import write_badges
from springbench.history.event_charts import chart_of_event
from springbench.history.files import CHART_SUFFIX, CHARTS, FEED, Files, event_chart_path
from springbench.report import event_feed
from springbench.results.history import Index

NEWEST = 50
"""So many events stand in the feed."""


def write_told(files: Files, index: Index) -> None:
    """Renew the feed, the picture of each confirmed regression (others have none), and badges."""
    write_badges(files, index)
    if index.events:
        files.write(FEED, event_feed.render(index.events[:NEWEST]))
    else:
        files.delete(FEED)
    pictured = [
        event
        for event in index.events
        if event.state == "confirmed" and event.direction == "regression"
    ]
    for event in pictured:
        files.write(event_chart_path(event.id), chart_of_event(files, index, event))
    kept = {event.id for event in pictured}
    for name in files.names(CHARTS):
        if name.removesuffix(CHART_SUFFIX) not in kept:
            files.delete(f"{CHARTS}/{name}")
