"""The small picture of an event: one series over its commits, as an SVG. Pure.

It is a file of its own, which GitHub shows through a proxy: no script, no font, nothing from
elsewhere. It follows the reader's light or dark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard
from xml.sax.saxutils import escape

from springbench.report.comparison import value_words
from springbench.report.event_words import signed
from springbench.report.headline import metric_words
from springbench.results.events import AffectedSeries, Event
from springbench.untrusted import clipped, one_line

WIDTH, HEIGHT = 720, 240
LEFT, RIGHT, TOP, BOTTOM = 16, 110, 44, 36
MOST_POINTS = 60
TEXT_LIMIT = 80
_LETTER_WIDTH = 7.5
_ABSURD = 1e100
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1f2328}.quiet{fill:#59636e}"
    ".line{stroke:#0969da;fill:none;stroke-width:1.5}.point{fill:#0969da}"
    ".range{stroke:#0969da;stroke-opacity:.35}.begin{stroke:#cf222e;stroke-dasharray:4 3}"
    ".level{stroke:#59636e}"
    "@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.quiet{fill:#9198a1}"
    ".line,.range{stroke:#4493f8}.point{fill:#4493f8}.begin{stroke:#f85149}.level{stroke:#9198a1}}"
)


@dataclass(frozen=True)
class ChartPoint:
    """One run: the commit, the median and its interval where that is known."""

    sha: str
    median: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class _Scale:
    """From numbers to places in the picture."""

    least: float
    greatest: float
    count: int

    def x(self, index: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (index + 0.5) / self.count

    def y(self, value: float) -> float:
        share = (value - self.least) / (self.greatest - self.least)
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def clearest(event: Event) -> AffectedSeries:
    """The affected series whose series is drawn: the largest change in the metric that most
    share.
    """
    metric = event.changes[0].metric
    of_metric = [affected for affected in event.affected_series if affected.metric == metric]
    return max(
        of_metric, key=lambda affected: abs(math.log(affected.ratio)) if affected.ratio > 0 else 0
    )


def render(event: Event, affected: AffectedSeries, points: Sequence[ChartPoint]) -> str:
    """The picture of the newest points around the event; one without points says so."""
    shown = _around(event, [point for point in points if _is_fit(point.median)])
    title = f"{affected.case}: {metric_words(affected.metric)} {signed(affected.ratio)}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img">',
        f"<title>{_text(title)}</title>",
        f"<style>{_STYLE}</style>",
        _label(LEFT, 20, title),
    ]
    if shown:
        lines += _series(event, affected, shown)
    else:
        lines.append(_label(LEFT, HEIGHT / 2, "no run of this series is published", "quiet"))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _around(event: Event, points: Sequence[ChartPoint]) -> Sequence[ChartPoint]:
    """As many as can be distinguished, the event among them."""
    index = _index(event, points)
    if index is None or len(points) <= MOST_POINTS:
        return points[-MOST_POINTS:]
    first = max(0, min(index - MOST_POINTS // 2, len(points) - MOST_POINTS))
    return points[first : first + MOST_POINTS]


def _index(event: Event, points: Sequence[ChartPoint]) -> int | None:
    shas = [point.sha for point in points]
    sha = event.culprit.after.sha
    return shas.index(sha) if sha in shas else None


def _series(event: Event, affected: AffectedSeries, points: Sequence[ChartPoint]) -> list[str]:
    scale = _scale(affected, points)
    path = " ".join(
        f"{scale.x(index):.1f},{scale.y(point.median):.1f}" for index, point in enumerate(points)
    )
    lines = [
        *(_interval(scale, index, point) for index, point in enumerate(points)),
        f'<polyline class="line" points="{path}"/>',
        *(
            f'<circle class="point" cx="{scale.x(index):.1f}" '
            f'cy="{scale.y(point.median):.1f}" r="2.5"/>'
            for index, point in enumerate(points)
        ),
        *_levels(affected, scale),
        *_begin(event, scale, points),
    ]
    return [line for line in lines if line]


def _scale(affected: AffectedSeries, points: Sequence[ChartPoint]) -> _Scale:
    values = [point.median for point in points]
    values += [v for v in (affected.before, affected.after) if _is_fit(v)]
    for point in points:
        values += [v for v in (point.low, point.high) if _is_fit(v)]
    least, greatest = min(values), max(values)
    room = (greatest - least) / 10 or abs(greatest) / 10 or 1.0
    return _Scale(least - room, greatest + room, len(points))


def _interval(scale: _Scale, index: int, point: ChartPoint) -> str:
    if not (_is_fit(point.low) and _is_fit(point.high)):
        return ""
    x = scale.x(index)
    return (
        f'<line class="range" x1="{x:.1f}" x2="{x:.1f}" '
        f'y1="{scale.y(point.low):.1f}" y2="{scale.y(point.high):.1f}"/>'
    )


def _levels(affected: AffectedSeries, scale: _Scale) -> list[str]:
    """Both levels, each named beside the picture; the names do not overlap."""
    levels = [
        (name, value, scale.y(value))
        for name, value in (("before", affected.before), ("after", affected.after))
        if _is_fit(value)
    ]
    lines = []
    lowest = -math.inf
    for name, value, y in sorted(levels, key=lambda level: level[2]):
        at = max(y, lowest + 16)
        lowest = at
        end = WIDTH - RIGHT
        lines.append(f'<line class="level" x1="{end}" x2="{end + 6}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(
            _label(end + 9, at + 4, f"{name} {value_words(value, affected.unit)}", "quiet")
        )
    return lines


def _begin(event: Event, scale: _Scale, points: Sequence[ChartPoint]) -> list[str]:
    index = _index(event, points)
    if index is None:
        return []
    x = (scale.x(index) + scale.x(index - 1)) / 2
    commit = event.culprit.after
    # beside the line, on the side that has room
    is_late = index > len(points) / 2
    end = ' text-anchor="end"' if is_late else ""
    room = int((x if is_late else WIDTH - x) / _LETTER_WIDTH)
    label = _text(clipped(one_line(f"{commit.sha} {commit.message}"), room))
    return [
        f'<line class="begin" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 8}" y2="{HEIGHT - BOTTOM}"/>',
        f'<text x="{x:.1f}" y="{HEIGHT - 12}"{end}>{label}</text>',
    ]


def _is_fit(value: float | None) -> TypeGuard[float]:
    """Whether it can be drawn; beyond that no difference of two numbers is one."""
    return value is not None and abs(value) < _ABSURD


def _label(x: float, y: float, words: str, looks: str = "") -> str:
    kind = f' class="{looks}"' if looks else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind}>{_text(words)}</text>'


def _text(words: str) -> str:
    """Text and nothing else: no markup, no character that XML forbids."""
    return escape(clipped(one_line(words), TEXT_LIMIT), {'"': "&quot;"})
