"""What each release cost, as tables for the terminal. Pure but for the printing."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from springbench import units
from springbench.report.comparison import value_words
from springbench.report.console import print_rows
from springbench.report.headline import metric_words
from springbench.report.sanitise import one_line
from springbench.results.events import Event
from springbench.results.history_names import CommitRow
from springbench.results.metrics import HISTORY_METRICS

METRICS = ("throughput_rps", "cpu_per_request_s", "startup_s", "memory_idle_bytes")
_UNITS = {metric.name: metric.unit for metric in HISTORY_METRICS}


@dataclass(frozen=True)
class ReleasePoint:
    """A release in the series of a case: the medians of its runs, by metric."""

    commit: CommitRow
    values: Mapping[str, Sequence[float]]


def print_releases(
    case: str, points: Sequence[ReleasePoint], events: Sequence[Event], out: Console
) -> None:
    """A row a release, oldest first, with what begins there."""
    touching = [each for each in events if any(w.case == case for w in each.witnesses)]
    out.print(Text(one_line(case), style="bold"))
    columns = ("release", "runs", *map(metric_words, METRICS), "what begins here")
    rows = [_row(point, touching) for point in points]
    print_rows(columns, rows, {"release", "what begins here"}, out)
    out.print()


def missing_lines(missing: Mapping[str, str]) -> Iterable[str]:
    """What was not measured, and why; one line a release or a server of it."""
    return (one_line(f"not measured: {what}: {why}") for what, why in missing.items())


def _row(point: ReleasePoint, events: Sequence[Event]) -> tuple[str, ...]:
    here = [each for each in events if each.culprit.after.sha == point.commit.sha]
    runs = max((len(values) for values in point.values.values()), default=0)
    texts = (
        point.commit.message,
        str(runs),
        *(_value(name, point.values.get(name, ())) for name in METRICS),
        ", ".join(f"{each.direction} ({each.state})" for each in here),
    )
    return tuple(map(one_line, texts))


def _value(metric: str, values: Sequence[float]) -> str:
    """The geometric mean, as the finder has it, and how far the runs lie from it."""
    positive = [each for each in values if each > 0]
    if not positive:
        return units.ABSENT
    middle = math.exp(statistics.fmean(map(math.log, positive)))
    text = value_words(middle, _UNITS[metric])
    if len(positive) < 2:
        return text
    spread = max(max(positive) / middle - 1, 1 - min(positive) / middle)
    return f"{text} ± {100 * spread:.1f} %"
