"""Which commits a comparison spans, beside those that an event lies between. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from springbench.results.events import Culprit
from springbench.results.history_names import CommitRow
from springbench.results.published_comparison import PublishedComparison

SHORT_SHA = 12
Span = Literal["exact", "wider"]


def span(comparison: PublishedComparison, culprit: Culprit) -> Span | None:
    """`exact` where the same two commits were compared, `wider` where others lie in between too.

    None where the comparison begins or ends between the two: it can miss the step.
    """
    starts = _is_before(comparison.base, culprit.before)
    ends = _is_before(culprit.after, comparison.head)
    if starts == ends == "same":
        return "exact"
    return "wider" if starts and ends else None


def moment(text: str | None) -> datetime | None:
    """A time as it is written in a history; None for what is no time."""
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def same_commit(one: CommitRow, other: CommitRow) -> bool:
    """Whether both are the same commit, in short or in full."""
    return one.sha[:SHORT_SHA] == other.sha[:SHORT_SHA]


def _is_before(one: CommitRow, other: CommitRow) -> Literal["same", "before"] | None:
    """By the clocks of those who committed, as the history orders its runs."""
    if same_commit(one, other):
        return "same"
    earlier, later = moment(one.time), moment(other.time)
    return "before" if earlier and later and earlier < later else None
