"""What each release cost, as tables for the terminal. Pure but for the printing."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

from springbench import units
from springbench.report.comparison import options_words, value_words
from springbench.report.console import print_rows
from springbench.report.event_words import signed
from springbench.report.headline import interval_words, metric_words
from springbench.results.events import Event
from springbench.results.history_names import CommitRow
from springbench.results.metrics import BY_NAME, metrics_in
from springbench.results.published_comparison import PublishedFinding
from springbench.untrusted import one_line

METRICS = tuple(metric.name for metric in metrics_in("releases"))
# of these a host that changes its speed makes steps where there are none
PAIRED = "cpu_per_request_s"


@dataclass(frozen=True)
class ReleasePoint:
    """A release in the series of a case: the medians of its runs, by metric."""

    commit: CommitRow
    values: Mapping[str, Sequence[float]]
    beside: Mapping[str, PublishedFinding] = field(default_factory=dict)
    """By metric: what pairs of processes found beside the release before it."""


def print_releases(
    case: str, points: Sequence[ReleasePoint], events: Sequence[Event], out: Console
) -> None:
    """A row a release, oldest first, with what begins there."""
    touching = [each for each in events if any(w.case == case for w in each.affected_series)]
    out.print(Text(one_line(case), style="bold"))
    paired = f"{metric_words(PAIRED)}, beside the one before"
    # of releases that were only compared there are no levels
    metrics = METRICS if any(point.values for point in points) else ()
    columns = ("release", "runs", *map(metric_words, metrics), paired, "what begins here")
    rows = [_row(point, metrics, touching) for point in points]
    print_rows(columns, rows, {"release", "what begins here"}, out)
    out.print()


def beside_words(java_options: Sequence[str]) -> str:
    """How releases were measured beside the ones before them; empty where nothing was special."""
    words = options_words(java_options)
    return f"beside the one before: {words}" if words else ""


def missing_lines(missing: Mapping[str, str]) -> Iterable[str]:
    """What was not measured, and why; one line a release or a server of it."""
    return (one_line(f"not measured: {what}: {why}") for what, why in missing.items())


def _row(point: ReleasePoint, metrics: Sequence[str], events: Sequence[Event]) -> tuple[str, ...]:
    here = [each for each in events if each.culprit.after.sha == point.commit.sha]
    runs = max((len(values) for values in point.values.values()), default=0)
    texts = (
        point.commit.message,
        str(runs),
        *(_value(name, point.values.get(name, ())) for name in metrics),
        _beside(point.beside.get(PAIRED)),
        ", ".join(f"{each.direction} ({each.state})" for each in here),
    )
    return tuple(map(one_line, texts))


def _beside(finding: PublishedFinding | None) -> str:
    """The change with its interval: what is not distinguished has one on both sides of nothing."""
    if finding is None:
        return units.ABSENT
    return f"{signed(finding.ratio)} ({interval_words(finding.low_ratio, finding.high_ratio)})"


def _value(metric: str, values: Sequence[float]) -> str:
    """The geometric mean, as the finder has it, and how far the runs lie from it."""
    positive = [each for each in values if each > 0]
    if not positive:
        return units.ABSENT
    middle = math.exp(statistics.fmean(map(math.log, positive)))
    text = value_words(middle, BY_NAME[metric].unit)
    if len(positive) < 2:
        return text
    spread = max(max(positive) / middle - 1, 1 - min(positive) / middle)
    return f"{text} ± {100 * spread:.1f} %"
