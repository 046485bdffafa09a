"""Alarms held against what is true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from evaluation.finder.histories import History, Truth
from evaluation.finder.rules import Alarm

# an alarm may be so many commits off and still lead to the change
MARGIN = 3
IN_TIME = 5
DRIFT_MARGIN = 15


@dataclass
class Score:
    """Counts over histories. `delays` in commits: 0 if reported with its first commit."""

    true: int = 0
    found: int = 0
    in_time: int = 0
    alarms: int = 0
    right: int = 0
    quiet_commits: int = 0
    quiet_alarms: int = 0
    comparisons: int = 0
    pairs: int = 0
    commits: int = 0
    delays: list[int] = field(default_factory=list)
    suspected_in_time: int = 0
    quiet_suspected: int = 0
    """While the history grew; what was only shown for a time, too."""
    quiet_steps: int = 0
    """That the finder sees in the whole history, of so many commits:"""
    quiet_points: int = 0

    def add(self, history: History, alarms: Sequence[Alarm], comparisons: int, pairs: int) -> None:
        """Count one history."""
        self.commits += len(history.looked_at)
        self.comparisons += comparisons
        self.pairs += pairs
        left = list(alarms)
        for truth in history.truths:
            self.true += 1
            hit = min(
                (alarm for alarm in left if _hits(alarm, truth)),
                key=lambda alarm: alarm.reported_at,
                default=None,
            )
            if hit:
                self.found += 1
                delay = max(0, hit.reported_at - truth.commit)
                self.delays.append(delay)
                self.in_time += delay < IN_TIME
        self.alarms += len(left)
        self.right += sum(any(_hits(a, truth) for truth in history.truths) for a in left)
        if not history.truths:
            self.quiet_commits += len(history.looked_at)
            self.quiet_alarms += len(left)

    def add_suspected(self, history: History, suspected: Sequence[Alarm], steps: int) -> None:
        """Count what was shown before it was checked, and the steps in the whole history."""
        for truth in history.truths:
            self.suspected_in_time += any(
                _hits(alarm, truth) and alarm.reported_at - truth.commit < IN_TIME
                for alarm in suspected
            )
        if not history.truths:
            self.quiet_suspected += len(suspected)
            self.quiet_steps += steps
            self.quiet_points += len(history.logs)

    @property
    def median_delay(self) -> float | None:
        """Commits until half of what was found was reported."""
        ordered = sorted(self.delays)
        return ordered[len(ordered) // 2] if ordered else None


def _hits(alarm: Alarm, truth: Truth) -> bool:
    if alarm.up != (truth.change > 0):
        return False
    margin = MARGIN if truth.commits == 1 else DRIFT_MARGIN
    last = truth.commit + truth.commits - 1
    return alarm.after < last + margin and alarm.until >= truth.commit - margin


def total(scores: Iterable[Score]) -> Score:
    """All of them together."""
    result = Score()
    for score in scores:
        for name, value in vars(score).items():
            setattr(result, name, getattr(result, name) + value)
    return result
