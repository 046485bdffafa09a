"""Between commits and the numbers that halving knows them by, and what it says in the end."""

from __future__ import annotations

from springbench.analysis.halving import Answer, Change, Compare, Halving
from springbench.results.bisection import (
    BisectAnswer,
    Bisection,
    BisectOutcome,
    CommitSpan,
    Kind,
)
from springbench.results.comparison import FindingRecord

_SAME = Change(0.0, 0.0, 0.0, "unchanged")
_NOT_THERE = "the ends were measured again, and do not show it"
_REASONS: dict[Kind, str] = {
    "contradiction": "the commit that was found does not show it beside the one before it",
    "no-change": _NOT_THERE,
    "improvement": _NOT_THERE,
}


def halving_of(bisection: Bisection) -> Halving:
    """What the answers so far have led to."""
    places = {commit.sha: place for place, commit in enumerate(bisection.commits)}
    answers = [_answer(each, places) for each in bisection.answers]
    return Halving.after(len(bisection.commits) - 1, answers)


def _answer(answer: BisectAnswer, places: dict[str, int]) -> Answer:
    change = Change.of(answer.finding) if answer.finding else None
    return Answer(
        Compare(places[answer.base], places[answer.head]),
        _SAME if answer.same_sources else change,
        places[answer.broken] if answer.broken else None,
    )


def outcome_of(bisection: Bisection, halving: Halving, *, out_of_time: bool) -> BisectOutcome:
    """The answer, as far as it is known."""
    low, high = halving.low, halving.high
    kind: Kind = halving.kind
    if halving.step is None and kind == "range":
        # not even the ends were compared
        kind = "unclear"
    if kind == "contradiction":
        low, high = 0, halving.last
    between = range(low + 1, high)
    return BisectOutcome(
        kind=kind,
        reason=_reason(kind, bisection, halving, out_of_time=out_of_time),
        span=_span(bisection, low, high),
        commits=[commit.sha for commit in bisection.commits[low + 1 : high + 1]],
        checked=halving.checked,
        finding=_shown_by(bisection),
        others=[_span(bisection, *each) for each in halving.others],
        broken=_names(bisection, halving.broken),
        unclear=_names(bisection, halving.unclear.intersection(between)),
    )


def nothing_differs(bisection: Bisection) -> BisectOutcome:
    """The answer where both ends have the same sources."""
    good = bisection.question.good
    return BisectOutcome(
        kind="same-sources",
        reason="no commit between them touches what this case is built from or started by",
        span=CommitSpan(after=good, until=bisection.question.bad),
    )


def _reason(kind: Kind, bisection: Bisection, halving: Halving, *, out_of_time: bool) -> str:
    if kind == "culprit":
        return _checked(halving)
    if kind in _REASONS:
        return _REASONS[kind]
    if out_of_time:
        return "the budget is used up; --resume with a larger --budget goes on"
    if kind == "unclear":
        return _unclear_ends(bisection)
    inside = range(halving.low + 1, halving.high)
    noisy = bool(halving.unclear.intersection(inside))
    return (
        "noise does not let it be split" if noisy else "the commits inside it do not build or start"
    )


def _unclear_ends(bisection: Bisection) -> str:
    ends = bisection.answers[0]
    if ends.finding is None:
        return f"the ends were not judged: {ends.reason}"
    if ends.finding.verdict == "suspected":
        return (
            "the ends look like it, and no time was left to measure them again: "
            "a longer --step-budget settles it"
        )
    return "noise does not let the ends be told apart"


def _checked(halving: Halving) -> str:
    if halving.checked:
        return "the commit before it does not have it"
    if halving.checked is None:
        return "the budget is used up before it was compared with the commit before it"
    return "beside the commit before it alone, noise hides it"


def _shown_by(bisection: Bisection) -> FindingRecord | None:
    """The last comparison that showed a step; what the ends showed where none did."""
    found = [each.finding for each in bisection.answers if each.finding]
    steps = [finding for finding in found if finding.verdict == "regression"]
    shown = steps[-1:] or found[:1]
    return shown[0] if shown else None


def _span(bisection: Bisection, low: int, high: int) -> CommitSpan:
    return CommitSpan(after=bisection.commits[low].sha, until=bisection.commits[high].sha)


def _names(bisection: Bisection, places: set[int]) -> list[str]:
    return [bisection.commits[place].sha for place in sorted(places)]
