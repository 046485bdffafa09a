"""What is left of a culprit's range, once others have compared commits inside it."""

from __future__ import annotations

from typing import Any

import pytest

from springbench.analysis.narrowing import narrowed
from springbench.results.events import Culprit, Event
from springbench.results.history_names import CommitRow
from springbench.results.published_comparison import PublishedComparison
from tests.suspected import affected, commit, compared, event, found


def confirmed(before: int = 10, after: int = 18, *, exact: bool = True, **fields: object) -> Event:
    culprit = Culprit(before=commit(before), after=commit(after), exact=exact)
    return event(
        affected(1.08), before=before, after=after, culprit=culprit, state="confirmed", **fields
    )


def step(base: int, head: int, ratio: float, **fields: Any) -> PublishedComparison:
    """As a bisection measures: with the profile of its own, after all commits."""
    standard: dict[str, Any] = {"purpose": "bisect", "profile": "pr", "id": f"gh-{base}-{head}"}
    return compared(found(ratio), base=base, head=head, **{**standard, **fields})


def ends(culprit: Culprit) -> tuple[int, int]:
    return int(culprit.before.sha, 16), int(culprit.after.sha, 16)


def test_a_push_of_several_commits_is_no_single_culprit() -> None:
    """The history has its newest alone, so its neighbours there are none in the repository."""
    push = step(10, 18, 1.1, purpose="push", commits=8)
    assert narrowed(confirmed(), [push]).exact is False
    assert narrowed(confirmed(), [step(10, 18, 1.1, commits=1)]).exact is True
    # written before they were counted
    assert narrowed(confirmed(), [step(10, 18, 1.1)]).exact is True


def test_halving_leads_to_the_commit() -> None:
    """With the step as large as the ends show it in that profile, not as the runs claimed it."""
    halves = [
        step(10, 18, 1.16, commits=8),
        step(10, 14, 1.003, commits=4),
        step(14, 16, 1.15, commits=2),
        step(14, 15, 1.002, commits=1),
    ]
    narrowed_event = narrowed(confirmed(), halves)
    # nobody has compared these two; 14 to 16 are two commits, and 14 to 15 is one
    assert (ends(narrowed_event), narrowed_event.exact) == ((15, 16), True)
    narrowed_event = narrowed(confirmed(), halves[:3])
    assert (ends(narrowed_event), narrowed_event.exact) == ((14, 16), False)
    narrowed_event = narrowed(confirmed(), [*halves, step(15, 16, 1.15, commits=2)])
    assert (ends(narrowed_event), narrowed_event.exact) == ((15, 16), False)


def test_what_nobody_has_counted_is_no_single_commit() -> None:
    uncounted = [
        step(10, 18, 1.16, commits=8),
        step(10, 14, 1.003, commits=4),
        step(14, 16, 1.15),
        step(14, 15, 1.002),
    ]
    narrowed_event = narrowed(confirmed(), uncounted)
    assert (ends(narrowed_event), narrowed_event.exact) == ((15, 16), False)


def at_one_moment(comparison: PublishedComparison) -> PublishedComparison:
    """Committed in the same second, as a rebase does, all but the base of the push."""
    time = commit(18).time

    def moved(row: CommitRow) -> CommitRow:
        return row if row.sha == commit(10).sha else row.model_copy(update={"time": time})

    ends = {"base": moved(comparison.base), "head": moved(comparison.head)}
    return comparison.model_copy(update=ends)


def test_commits_of_one_second_are_distinguished_by_their_count() -> None:
    """As a push of a rebased branch is: 10 and 18 are its ends, and three commits long."""
    bisected = [
        step(10, 18, 1.10, commits=3),
        step(10, 16, 1.001, commits=1),
        step(10, 17, 1.09, commits=2),
        step(16, 17, 1.10, commits=1),
        # the next push, of the same second too, lies behind the range
        step(18, 19, 1.10, purpose="push", commits=1),
    ]
    for order in (bisected, bisected[::-1]):
        narrowed_event = narrowed(confirmed(), [at_one_moment(comparison) for comparison in order])
        assert (ends(narrowed_event), narrowed_event.exact) == ((16, 17), True)


def test_commits_of_one_second_that_nobody_has_counted_move_nothing() -> None:
    bisected = [step(10, 18, 1.10), step(16, 17, 1.10)]
    assert ends(narrowed(confirmed(), [at_one_moment(comparison) for comparison in bisected])) == (
        10,
        18,
    )


@pytest.mark.parametrize("ratio", [1.03, 1.16])
def test_what_does_not_tell_moves_nothing(ratio: float) -> None:
    unsure = compared(
        found(ratio, within=0.4), base=10, head=14, purpose="bisect", profile="pr", id="gh-1"
    )
    assert ends(narrowed(confirmed(), [step(10, 18, 1.16), unsure])) == (10, 18)


def test_what_lies_outside_or_goes_the_other_way_is_no_part_of_it() -> None:
    comparisons = [step(10, 18, 1.16), step(4, 12, 1.16), step(16, 22, 1.16), step(12, 16, 1.0)]
    assert ends(narrowed(confirmed(), comparisons)) == (10, 18)


@pytest.mark.parametrize("changed", [{"state": "suspected"}, {"kind": "drift"}])
def test_only_a_confirmed_step_is_narrowed(changed: dict[str, object]) -> None:
    about = confirmed().model_copy(update=changed)
    assert ends(narrowed(about, [step(10, 18, 1.16), step(10, 12, 1.16)])) == (10, 18)


def test_any_order_of_the_comparisons_gives_the_same() -> None:
    halves = [step(10, 18, 1.16), step(14, 18, 1.0), step(10, 12, 1.0), step(12, 14, 1.16)]
    assert {ends(narrowed(confirmed(), order)) for order in (halves, halves[::-1])} == {(12, 14)}
