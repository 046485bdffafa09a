"""Rules that raise alarms over a series: this project's, and those that others use.

Each is asked after every commit, and says where it now sees changes. An alarm is what it had not
said before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from scipy import stats

WINDOW = 10
SIGNIFICANT_P = 0.01


@dataclass(frozen=True)
class Alarm:
    """A change that was reported: between which commits it lies (the second included), its
    direction, and after how many commits it was reported."""

    after: int
    until: int
    up: bool
    reported_at: int
    drift: bool = False


Rule = Callable[[Sequence[float]], list[tuple[int, bool]]]
"""From the logarithms of a series to places and directions; the newest point is the last."""


def previous_point(percent: int) -> Rule:
    """github-action-benchmark: worse than the point before by more than a threshold."""

    def rule(logs: Sequence[float]) -> list[tuple[int, bool]]:
        worse = len(logs) > 1 and math.exp(logs[-2] - logs[-1]) > percent / 100
        return [(len(logs) - 1, False)] if worse else []

    return rule


def plain_otava(logs: Sequence[float]) -> list[tuple[int, bool]]:
    """apache-otava as it comes: windows of 50, p below 0.001, any size."""
    from otava.analysis import compute_change_points  # noqa: PLC0415 - slow to import

    points, _ = compute_change_points([math.exp(value) for value in logs])
    return [(point.index, point.stats.mean_2 > point.stats.mean_1) for point in points]


def window_test(logs: Sequence[float]) -> list[tuple[int, bool]]:
    """Student's t-test of the newest ten points against the ten before."""
    if len(logs) < 2 * WINDOW:
        return []
    before, after = logs[-2 * WINDOW : -WINDOW], logs[-WINDOW:]
    found = stats.ttest_ind(before, after)
    position = len(logs) - WINDOW
    return [(position, found.statistic < 0)] if found.pvalue < SIGNIFICANT_P else []


OTHER_RULES: dict[str, Rule] = {
    **{f"github-action-benchmark at {p} %": previous_point(p) for p in (110, 120, 150, 200)},
    "otava, its defaults": plain_otava,
    "t-test of ten against ten": window_test,
}
# an alarm so near to one before, in the same direction, is the same one
SAME = 10


def alarms_of(rule: Rule, logs: Sequence[float], newest: Iterable[int]) -> list[Alarm]:
    """What a rule tells over a history, asked after each of these commits."""
    alarms: list[Alarm] = []
    for end in (commit + 1 for commit in newest):
        for position, up in rule(logs[:end]):
            known = any(abs(alarm.until - position) <= SAME and alarm.up == up for alarm in alarms)
            if not known:
                alarms.append(Alarm(position - 1, position, up, end - 1))
    return alarms
