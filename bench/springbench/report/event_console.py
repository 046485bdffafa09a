"""Events at a terminal, whatever its width."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from springbench import units
from springbench.report.comparison import options_words, value_words
from springbench.report.console import print_rows
from springbench.report.event_words import (
    change_words,
    evidence_words,
    fixing,
    in_order,
    last_words,
    place_words,
    signed,
    state_name,
)
from springbench.report.headline import interval_words, metric_words
from springbench.results.events import Event
from springbench.results.history_names import CommitRow
from springbench.results.metrics import BY_NAME, REPORTED, metrics_in
from springbench.results.published_comparison import PublishedFinding
from springbench.untrusted import clipped, one_line

_COLOURS = {
    ("confirmed", "regression"): "bold red",
    ("suspected", "regression"): "yellow",
    ("confirmed", "improvement"): "green",
}
_MOST_EVIDENCE = 3


def print_events(shown: Sequence[Event], events: Sequence[Event], out: Console) -> None:
    """Each with its words, open ones first. `events` are all of the history."""
    for event in in_order(shown):
        style = _COLOURS.get((event.state, event.direction), "bold")
        title = Text(one_line(f"{state_name(event)} {event.direction}"), style=style)
        out.print(title.append(f"  {event.id}", style="dim"))
        for line in _lines(event, events):
            out.print(Padding(Text(one_line(line)), (0, 0, 0, 2), expand=False))
        out.print()


def count_line(shown: Sequence[Event], events: Sequence[Event]) -> str:
    """How many there are, and how to see those that are not shown."""
    if not events:
        return "no events: no lasting change of level was found"
    is_open = sum(event.is_open for event in events)
    ended = sum(event.state == "unmeasured" for event in events if event not in shown)
    hidden = len(events) - len(shown) - ended
    text = units.counted(is_open, "open event")
    if hidden:
        text += f"; {hidden} acknowledged, fixed or rejected: --all shows them too"
    if ended:
        text += f"; {ended} no longer measured: --all shows them"
    return text


def _lines(event: Event, events: Sequence[Event]) -> Iterator[str]:
    # what the affected series share may be long; what changed must be seen
    yield f"{event.shared}: {change_words(event)}"
    yield f"{place_words(event)} ({event.culprit.after.author})"
    if event.environment_change:
        yield f"at an environment change of the host: {event.environment_change}"
    if event.moved:
        yield f"cost that moved: see {event.moved}"
    for explained in event.explanations:
        yield f"why {explained.case}: {explained.text}"
    if event.fixed_by:
        by = fixing(event, events)
        where = f"{by.culprit.after.sha} {by.culprit.after.message}" if by else event.fixed_by
        yield f"fixed by {where}"
    if event.last_measured:
        yield last_words(event)
    if event.acknowledgement:
        by_whom = f" ({event.acknowledgement.by})" if event.acknowledgement.by else ""
        yield f"acknowledged: {event.acknowledgement.reason}{by_whom}"
    for evidence in event.evidence[:_MOST_EVIDENCE]:
        yield f"{evidence.comparison}: {evidence_words(evidence)}"
    more = len(event.evidence) - _MOST_EVIDENCE
    if more > 0:
        yield f"and {more} more findings as evidence: --json has all"
    if event.harness:
        yield f"measured by {event.harness}, which no comparison of springbench can confirm"
    elif not event.evidence:
        yield "no comparison by another job yet"


# --- A series of a history as rows for the terminal. Pure but for the printing --------------------


_MESSAGE_LIMIT = 40
Triple = tuple[float | None, float | None, float | None]


def columns(metrics: Sequence[str]) -> tuple[str, ...]:
    """Of the table of a series."""
    return ("commit", "time", *map(metric_words, metrics), "what begins here")


def metrics_of(case: str, events: Sequence[Event], measured: Collection[str]) -> tuple[str, ...]:
    """Those that everybody asks for, then those in which events touch the case.

    Of another harness, what the series has: one of its metrics.
    """
    if reported := [metric.name for metric in REPORTED if metric.name in measured]:
        return tuple(reported)
    touched = (w.metric for event in events for w in event.affected_series if w.case == case)
    named = dict.fromkeys((*(metric.name for metric in metrics_in("series")), *touched))
    return tuple(name for name in named if name in BY_NAME and BY_NAME[name].published)


def row(
    commit: CommitRow | None,
    started_at: str,
    values: Mapping[str, Triple],
    metrics: Sequence[str],
    events: Sequence[Event],
) -> tuple[str, ...]:
    """One run of the series; `events` are those that touch the case."""
    commit_events = [event for event in events if commit and event.culprit.after.sha == commit.sha]
    begins = ", ".join(f"{event.id} ({event.state})" for event in commit_events)
    message = f" {clipped(commit.message, _MESSAGE_LIMIT)}" if commit else ""
    texts = (
        f"{commit.sha}{message}" if commit else units.ABSENT,
        (commit.time if commit else started_at)[:16].replace("T", " "),
        *(_number(name, values) for name in metrics),
        begins,
    )
    return tuple(map(one_line, texts))


def print_series(
    title: str, rows: Sequence[tuple[str, ...]], metrics: Sequence[str], out: Console
) -> None:
    """A table; in parts where the terminal is narrow."""
    out.print(Text(one_line(title), style="bold"))
    print_rows(columns(metrics), rows, {"commit", "time", "what begins here"}, out)


def _number(metric: str, values: Mapping[str, Triple]) -> str:
    median = values.get(metric, (None, None, None))[0]
    return units.ABSENT if median is None else value_words(median, BY_NAME[metric].unit)


# --- What each release cost, as tables for the terminal. Pure but for the printing ----------------


METRICS = tuple(metric.name for metric in metrics_in("releases"))
# of these a host that changes its speed makes steps where there are none
PAIRED = "cpu_per_request_s"


@dataclass(frozen=True)
class ReleasePoint:
    """A release in the series of a case: the medians of its runs, by metric."""

    commit: CommitRow
    values: Mapping[str, Sequence[float]]
    paired_findings: Mapping[str, PublishedFinding] = field(default_factory=dict)
    """By metric: what pairs of processes found beside the release before it."""


def print_releases(
    case: str, points: Sequence[ReleasePoint], events: Sequence[Event], out: Console
) -> None:
    """A row a release, oldest first, with what begins there."""
    touching = [event for event in events if any(w.case == case for w in event.affected_series)]
    out.print(Text(one_line(case), style="bold"))
    paired = f"{metric_words(PAIRED)}, beside the one before"
    # of releases that were only compared there are no levels
    metrics = METRICS if any(point.values for point in points) else ()
    columns = ("release", "runs", *map(metric_words, metrics), paired, "what begins here")
    rows = [_row(point, metrics, touching) for point in points]
    print_rows(columns, rows, {"release", "what begins here"}, out)
    out.print()


def neighbour_words(java_options: Sequence[str]) -> str:
    """How releases were measured beside the ones before them; empty where nothing was special."""
    words = options_words(java_options)
    return f"beside the one before: {words}" if words else ""


def missing_lines(missing: Mapping[str, str]) -> Iterable[str]:
    """What was not measured, and why; one line a release or a server of it."""
    return (one_line(f"not measured: {what}: {why}") for what, why in missing.items())


def _row(point: ReleasePoint, metrics: Sequence[str], events: Sequence[Event]) -> tuple[str, ...]:
    commit_events = [event for event in events if event.culprit.after.sha == point.commit.sha]
    runs = max((len(values) for values in point.values.values()), default=0)
    texts = (
        point.commit.message,
        str(runs),
        *(_value(name, point.values.get(name, ())) for name in metrics),
        _paired_change(point.paired_findings.get(PAIRED)),
        ", ".join(f"{event.direction} ({event.state})" for event in commit_events),
    )
    return tuple(map(one_line, texts))


def _paired_change(finding: PublishedFinding | None) -> str:
    """The change with its interval: what is not distinguished has one on both sides of nothing."""
    if finding is None:
        return units.ABSENT
    return f"{signed(finding.ratio)} ({interval_words(finding.low_ratio, finding.high_ratio)})"


def _value(metric: str, values: Sequence[float]) -> str:
    """The geometric mean, as the finder has it, and how far the runs lie from it."""
    positive = [value for value in values if value > 0]
    if not positive:
        return units.ABSENT
    middle = math.exp(statistics.fmean(map(math.log, positive)))
    text = value_words(middle, BY_NAME[metric].unit)
    if len(positive) < 2:
        return text
    spread = max(max(positive) / middle - 1, 1 - min(positive) / middle)
    return f"{text} ± {100 * spread:.1f} %"
