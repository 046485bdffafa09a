"""What an event says, in words that terminal, issue and feed share. Pure.

`quote` makes names and texts of others harmless where it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from springbench.report.comparison import value_words
from springbench.report.headline import interval_words, metric_words, percent
from springbench.results.events import Event, EventChange, EventState, Evidence, telling

Quote = Callable[[str], str]
STATE_ORDER: tuple[EventState, ...] = (
    "confirmed",
    "suspected",
    "unmeasured",
    "acknowledged",
    "fixed",
    "rejected",
)
STATE_NAMES: Mapping[str, str] = {"unmeasured": "no longer measured"}
"""Of states that people call otherwise than files do."""
MOST_METRICS = 3
# below it a whole number of per cent says nothing
_SMALL = 0.015
AGREEMENT = {True: "agrees", False: "denies", None: "does not tell"}


def words(change: EventChange, quote: Quote = str) -> str:
    """`CPU per request +8 % (7 to 9 %)`."""
    many = f" in {change.series} series" if change.series > 1 else ""
    within = interval_words(change.low_ratio, change.high_ratio)
    return f"{metric_words(change.metric, quote)} {signed(change.ratio)} ({within}{many})"


def in_order(events: Iterable[Event]) -> list[Event]:
    """Those that somebody is to look at first; of one state regressions, then as they come."""
    return sorted(
        events,
        key=lambda event: (STATE_ORDER.index(event.state), event.direction != "regression"),
    )


def size(event: Event) -> float:
    """How large it is: the largest of its changes, whichever way a metric counts."""
    ratios = [
        affected.ratio for all_ in telling(event.affected_series).values() for affected in all_
    ]
    return max((max(ratio, 1 / ratio) for ratio in ratios if ratio > 0), default=1.0)


def change_words(event: Event, quote: Quote = str) -> str:
    """`CPU per request +8 % (7 to 9 %), throughput -7 % (6 to 8 %)`."""
    listed = [words(change, quote) for change in event.changes[:MOST_METRICS]]
    more = len(event.changes) - len(listed)
    return ", ".join([*listed, *([f"{more} more metrics"] if more else [])])


def headline_of(event: Event) -> str:
    """What the affected series share, and what changed."""
    return f"{event.shared}: {change_words(event)}"


def place_words(event: Event) -> str:
    """Its commit, or the range that it lies in, with the first line of the commit's message."""
    before, after = event.culprit.before, event.culprit.after
    last = f"{after.sha} {after.message}"
    if event.kind == "drift":
        return f"slowly, from {before.sha} to {last}"
    return f"since {last}" if event.culprit.exact else f"after {before.sha}, up to {last}"


def evidence_words(evidence: Evidence, quote: Quote = str) -> str:
    """`CPU per request +8 % (7 to 9 %) of <case>, 8 pairs: agrees, by another job`."""
    within = interval_words(evidence.low_ratio, evidence.high_ratio)
    whose = "by another job" if evidence.independent else "by the job that suspected it"
    return (
        f"{metric_words(evidence.metric, quote)} {signed(evidence.ratio)} ({within}) "
        f"of {quote(evidence.case)}, {evidence.pairs} pairs: {AGREEMENT[evidence.agrees]}, {whose}"
    )


def state_name(event: Event) -> str:
    """What people call the state of an event."""
    return STATE_NAMES.get(event.state, event.state)


def last_words(event: Event, quote: Quote = str) -> str:
    """Since when an event is no longer measured, what it was then, and the last values."""
    last = event.last_measured
    if last is None:
        return ""
    levels = [
        f"{quote(affected.case)} {metric_words(affected.metric, quote)} "
        f"{value_words(affected.before, affected.unit)} → "
        f"{value_words(affected.after, affected.unit)}"
        for affected in event.affected_series
        if affected.before is not None and affected.after is not None
    ]
    more = len(levels) - MOST_METRICS
    shown = [*levels[:MOST_METRICS], *([f"{more} more series"] if more > 0 else [])]
    commit = f" of {quote(last.sha)}" if last.sha else ""
    values = f"; last values: {', '.join(shown)}" if shown else ""
    return f"{last.state} when last measured, by {quote(last.run)}{commit}{values}"


def signed(ratio: float) -> str:
    """A ratio as a change: `+8 %`, `+0.8 %`."""
    change = ratio - 1
    return percent(change, "+", digits=1 if abs(change) < _SMALL else 0)


def fixing(event: Event, events: Sequence[Event]) -> Event | None:
    """The event that brought the level back, where the history still has it."""
    return next((candidate for candidate in events if candidate.id == event.fixed_by), None)
