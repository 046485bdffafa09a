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
    inside = [each for each in comparisons if _is_within(each, culprit, order)]
    seen = {each.profile: _as_observed(event, each.profile, inside) for each in inside}
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
        there = _lies_between(seen[comparison.profile], comparison)
        if there:
            yield Culprit(before=base, after=head)
        elif there is False and begins:
            yield Culprit(before=head, after=culprit.after)
        elif there is False and ends:
            yield Culprit(before=culprit.before, after=base)


def _lies_between(event: Event, comparison: PublishedComparison) -> bool | None:
    """Whether the step lies between the ends of the comparison; None where it does not tell."""
    between = Culprit(before=comparison.base, after=comparison.head)
    same = event.model_copy(update={"culprit": between})
    said = [each.row.agrees for each in evidence_rows(same, comparison, comparison.base.time)]
    if True in said:
        return True
    return False if False in said else None


def _as_observed(event: Event, profile: str, comparisons: Sequence[PublishedComparison]) -> Event:
    """The event with its steps as large as the newest comparison of its ends by that profile found
    them: what the first compiler makes of a cost differs from what all of them do."""
    of_ends = [
        each
        for each in sorted(comparisons, key=lambda each: (each.started_at, each.id))
        if each.profile == profile and span(each, event.culprit) == "exact"
    ]
    found = {(row.case, row.metric): row for each in of_ends for row in each.findings}
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
        (each.base.sha[:SHORT_SHA], each.head.sha[:SHORT_SHA]): each.commits
        for each in sorted(comparisons, key=lambda each: each.commits or 0)
        if each.commits is not None
    }
    before, after = culprit.before.sha[:SHORT_SHA], culprit.after.sha[:SHORT_SHA]
    if (before, after) in between:
        return culprit.model_copy(update={"exact": between[before, after] == 1})
    # of two with a common end the shorter one is a part of the longer
    counts = [
        whole - part
        for (base, head), whole in between.items()
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
        self._places = {_short(first): 0}
        rest = [each for each in comparisons if each.commits is not None]
        while known := [each for each in rest if self._learn(each)]:
            rest = [each for each in rest if each not in known]

    def is_before(self, one: CommitRow, other: CommitRow) -> bool:
        """False too where nothing tells."""
        earlier, later = moment(one.time), moment(other.time)
        if earlier is None or later is None:
            return False
        if earlier != later:
            return earlier < later
        here, there = self._places.get(_short(one)), self._places.get(_short(other))
        return here is not None and there is not None and here < there

    def _learn(self, comparison: PublishedComparison) -> bool:
        """Whether one end was known: then the other one is now."""
        base, head = _short(comparison.base), _short(comparison.head)
        count = comparison.commits or 0
        if base in self._places:
            self._places.setdefault(head, self._places[base] + count)
        elif head in self._places:
            self._places[base] = self._places[head] - count
        else:
            return False
        return True


def _short(commit: CommitRow) -> str:
    return commit.sha[:SHORT_SHA]
