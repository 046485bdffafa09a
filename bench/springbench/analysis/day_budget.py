"""Minutes that measuring again may take in 24 hours. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from springbench import units
from springbench.analysis.commit_range import moment
from springbench.results.published_comparison import PublishedComparison, Purpose

DAY = timedelta(hours=24)
SPENDING: frozenset[Purpose] = frozenset(("confirm", "bisect"))
# what builds and the last pair take beside it fits into a job of compare.yml
LONGEST_S = 5400.0
# what `springbench compare` takes at the least
LEAST_S = 30.0
# what was cut short took, and nobody knows how long
CUT_SHORT = timedelta(minutes=10)


@dataclass
class DayBudget:
    """Seconds of a day, of which some were spent, and some are promised now."""

    daily_s: float
    spent_s: float
    promised_s: float = 0.0

    @classmethod
    def after(
        cls, comparisons: Sequence[PublishedComparison], daily_s: float, now: datetime
    ) -> DayBudget:
        """What confirming and bisecting took in the last 24 hours is spent."""
        counted = [each for each in comparisons if each.purpose in SPENDING]
        return cls(daily_s, sum(_took_s(each, now - DAY) for each in counted))

    @property
    def left_s(self) -> float:
        """What may still be promised."""
        return max(0.0, self.daily_s - self.spent_s - self.promised_s)

    def wanted_s(self, first_s: float, attempt: int) -> float:
        """What an attempt gets: twice the one before it, and no more than a job or a day has."""
        return float(min(first_s * 2 ** (attempt - 1), LONGEST_S, self.daily_s))

    def why_not(self, first_s: float, attempt: int) -> str | None:
        """The reason why an attempt is not made now; None where it can be."""
        wanted_s = self.wanted_s(first_s, attempt)
        day = f"the day's {units.duration(self.daily_s)}"
        if wanted_s < LEAST_S:
            return f"{day} are less than a pair takes"
        if attempt > 1 and wanted_s <= self.wanted_s(first_s, attempt - 1):
            return f"{units.duration(wanted_s)} could not tell, and a day or a job has no more"
        if wanted_s > self.left_s:
            left = units.duration(self.left_s)
            return f"it takes {units.duration(wanted_s)}, and {left} of {day} are left"
        return None

    def promise(self, wanted_s: float) -> None:
        """Take so much of what is left."""
        self.promised_s += wanted_s


def _took_s(comparison: PublishedComparison, begin: datetime) -> float:
    began, ended = moment(comparison.started_at), moment(comparison.finished_at)
    if began is None:
        return 0.0
    if ended is None or ended < began:
        ended = began + CUT_SHORT
    return max(0.0, (ended - max(began, begin)).total_seconds())
