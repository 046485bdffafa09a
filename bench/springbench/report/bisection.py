"""The answer of a bisection in words. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from springbench import units
from springbench.results.bisection import Bisection, BisectOutcome, CommitSpan
from springbench.results.comparison import FindingRecord
from springbench.results.events import Direction
from springbench.untrusted import clipped, one_line

MAX_NAMED = 10
_MESSAGE_LENGTH = 72
_HEADS = {
    "no-change": "The change is not there: good and bad are the same",
    "opposite": "The change is not there: bad is {opposite} than good",
    "unclear": "Cannot tell good from bad",
    "contradiction": "The answers contradict each other",
    "same-sources": "Nothing to look for",
}


def lines(bisection: Bisection) -> Iterator[str]:
    """What was found, how surely, and what was not evaluated."""
    outcome = bisection.outcome
    if outcome is None:
        return
    yield _head(outcome, bisection.question.direction)
    yield f"  {bisection.question.metric} of {bisection.question.case}: {outcome.reason}"
    if outcome.finding:
        yield f"  {_ratio(outcome.finding)}"
    if outcome.kind in ("culprit", "range", "contradiction"):
        yield from _named(bisection, "may be the one", outcome.commits)
    yield from _named(bisection, "could not be decided", outcome.unclear)
    yield from _named(bisection, "does not build or start", outcome.broken)
    for other in outcome.others:
        yield f"  another part of the change lies in {_span(other)}: bisect it too"
    yield _cost(bisection)


def _head(outcome: BisectOutcome, direction: Direction) -> str:
    became, opposite = ("worse", "better") if direction == "regression" else ("better", "worse")
    if outcome.kind == "culprit":
        return f"It became {became} with {outcome.commits[0][:12]}"
    if outcome.kind == "range":
        count = len(outcome.commits)
        return f"It became {became} in {_span(outcome.span)}, with one of {count} commits"
    return _HEADS[outcome.kind].format(opposite=opposite)


def _ratio(finding: FindingRecord) -> str:
    low, high = (units.share(ratio - 1) for ratio in (finding.low_ratio, finding.high_ratio))
    pairs = units.counted(finding.pairs, "pair")
    return f"{units.share(finding.ratio - 1)} ({low} to {high}), {pairs}"


def _named(bisection: Bisection, what: str, shas: list[str]) -> Iterator[str]:
    messages = {commit.sha: commit.message for commit in bisection.commits}
    for sha in shas[:MAX_NAMED]:
        message = one_line(clipped(messages.get(sha, ""), _MESSAGE_LENGTH))
        yield f"  {sha[:12]} {what}: {message}"
    if len(shas) > MAX_NAMED:
        yield f"  and {len(shas) - MAX_NAMED} more {what}"


def _span(span: CommitSpan) -> str:
    return f"{span.after[:12]}..{span.until[:12]}"


def _cost(bisection: Bisection) -> str:
    compared = sum(bool(answer.comparison) for answer in bisection.answers)
    passed = bisection.passed_over
    return (
        f"  {units.counted(compared, 'comparison')}, "
        f"{units.duration(bisection.measured_s)} of measuring; "
        f"{units.counted(passed, 'commit touches', 'commits touch')} "
        "nothing that the build reads"
    )
