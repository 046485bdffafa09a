"""A culprit narrowed by what was compared between its ends, as bisecting does. Pure.

A comparison inside the range that agrees with the event holds the step; one that denies it and
begins or ends where the range does leaves the step in the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from springbench.analysis.commit_range import SHORT_SHA, moment, same_commit, span
from springbench.analysis.evidence import evidence_rows
from springbench.results.events import Culprit, Event
from springbench.results.history_names import CommitRow
from springbench.results.published_comparison import PublishedComparison

# of forks and windows nobody asks here
_CONDITIONS = "1x1s"


def narrowed(event: Event, comparisons: Sequence[PublishedComparison]) -> Culprit:
    """What is left of the range of a confirmed step; `exact` where it is one commit.

    The history has the newest commit of each push alone. So neighbours in it may have others
    between them, which the comparisons count.
    """
    culprit = event.culprit
    if event.kind != "step" or event.state != "confirmed":
        return _counted(culprit, comparisons)
    order = CommitOrder(culprit.before, comparisons)
    inside = [comparison for comparison in comparisons if _is_within(comparison, culprit, order)]
    seen = {
        comparison.profile: _as_observed(event, comparison.profile, inside) for comparison in inside
    }
    # each that fits makes the range smaller, so it ends
    while closer := next(_closer(seen, culprit, inside, order), None):
        culprit = closer
    return _counted(culprit, comparisons)


def _closer(
    seen: Mapping[str, Event],
    culprit: Culprit,
    comparisons: Sequence[PublishedComparison],
    order: CommitOrder,
) -> Iterator[Culprit]:
    """Smaller ranges; `seen` is the event by the profile of those who look."""
    for comparison in comparisons:
        base, head = comparison.base, comparison.head
        begins, ends = same_commit(base, culprit.before), same_commit(head, culprit.after)
        if (begins and ends) or not _is_within(comparison, culprit, order):
            continue
        is_inside = _lies_between(seen[comparison.profile], comparison)
        if is_inside:
            yield Culprit(before=base, after=head)
        elif is_inside is False and begins:
            yield Culprit(before=head, after=culprit.after)
        elif is_inside is False and ends:
            yield Culprit(before=culprit.before, after=base)


def _lies_between(event: Event, comparison: PublishedComparison) -> bool | None:
    """Whether the step lies between the ends of the comparison; None where it does not tell."""
    between = Culprit(before=comparison.base, after=comparison.head)
    same = event.model_copy(update={"culprit": between})
    answers = [entry.row.agrees for entry in evidence_rows(same, comparison, comparison.base.time)]
    if True in answers:
        return True
    return False if False in answers else None


def _as_observed(event: Event, profile: str, comparisons: Sequence[PublishedComparison]) -> Event:
    """The event with its steps as large as the newest comparison of its ends by that profile found
    them: what the first compiler makes of a cost differs from what all of them do."""
    of_ends = [
        comparison
        for comparison in sorted(comparisons, key=lambda item: (item.started_at, item.id))
        if comparison.profile == profile and span(comparison, event.culprit) == "exact"
    ]
    found = {(row.case, row.metric): row for comparison in of_ends for row in comparison.findings}
    affected_series = [
        affected.model_copy(
            update={"ratio": row.ratio, "configuration": f"{profile}-{_CONDITIONS}"}
        )
        if (row := found.get((affected.case, affected.metric)))
        else affected
        for affected in event.affected_series
    ]
    return event.of_series(affected_series)


def _counted(culprit: Culprit, comparisons: Sequence[PublishedComparison]) -> Culprit:
    """The culprit, exact as far as those say who have counted the commits between its ends."""
    between = {
        (comparison.base.sha[:SHORT_SHA], comparison.head.sha[:SHORT_SHA]): comparison.commits
        for comparison in sorted(comparisons, key=lambda item: item.commits or 0)
        if comparison.commits is not None
    }
    before, after = culprit.before.sha[:SHORT_SHA], culprit.after.sha[:SHORT_SHA]
    if (before, after) in between:
        return culprit.model_copy(update={"exact": between[before, after] == 1})
    # of two with a common end the shorter one is a part of the longer
    counts = [
        total - part
        for (base, head), total in between.items()
        for part in (
            between.get((base, before)) if head == after else None,
            between.get((after, head)) if base == before else None,
        )
        if part is not None
    ]
    exact = max(counts) == 1 if counts else culprit.exact
    return culprit.model_copy(update={"exact": exact})


def _is_within(comparison: PublishedComparison, culprit: Culprit, order: CommitOrder) -> bool:
    base, head = comparison.base, comparison.head
    begins = same_commit(base, culprit.before) or order.is_before(culprit.before, base)
    ends = same_commit(head, culprit.after) or order.is_before(head, culprit.after)
    return begins and ends and order.is_before(base, head)


# --- Which of two commits came first, as far as a history and its comparisons tell ----------------


class CommitOrder:
    """Order by the clocks of those who committed, as a history has it.

    Commits of one moment, such as those that one rebase has made, are ordered by how many commits
    comparisons have counted between them.
    """

    def __init__(self, first: CommitRow, comparisons: Sequence[PublishedComparison]) -> None:
        """`first`: the commit from which places are counted."""
        self._positions = {_short_sha(first): 0}
        pending = [comparison for comparison in comparisons if comparison.commits is not None]
        while known := [comparison for comparison in pending if self._learn(comparison)]:
            pending = [comparison for comparison in pending if comparison not in known]

    def is_before(self, one: CommitRow, other: CommitRow) -> bool:
        """False too where nothing tells."""
        earlier, later = moment(one.time), moment(other.time)
        if earlier is None or later is None:
            return False
        if earlier != later:
            return earlier < later
        position, other_position = (
            self._positions.get(_short_sha(one)),
            self._positions.get(_short_sha(other)),
        )
        return position is not None and other_position is not None and position < other_position

    def _learn(self, comparison: PublishedComparison) -> bool:
        """Whether one end was known: then the other one is now."""
        base, head = _short_sha(comparison.base), _short_sha(comparison.head)
        count = comparison.commits or 0
        if base in self._positions:
            self._positions.setdefault(head, self._positions[base] + count)
        elif head in self._positions:
            self._positions[base] = self._positions[head] - count
        else:
            return False
        return True


def _short_sha(commit: CommitRow) -> str:
    return commit.sha[:SHORT_SHA]
