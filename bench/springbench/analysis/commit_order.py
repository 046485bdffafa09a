"""Which of two commits came first, as far as a history and its comparisons tell. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from springbench.analysis.commit_range import SHORT_SHA, moment
from springbench.results.history_names import CommitRow
from springbench.results.published_comparison import PublishedComparison


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
