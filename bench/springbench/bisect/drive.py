"""Drives a bisection: compares what the search asks for, and saves each answer."""

from __future__ import annotations

import logging
import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from springbench import units
from springbench.analysis.bisection import Answer, Change, Compare, Search
from springbench.bench.assembly import BuildCache
from springbench.compare.execute import LiveComparison, compare_live
from springbench.compare.sides import CommitBuilder, RequestedSide, commit_side
from springbench.errors import BuildError, CaseError
from springbench.host.shell import Shell
from springbench.messages import indented
from springbench.paths import MATRIX
from springbench.plan.plan import Plan
from springbench.results.bisection import (
    BISECTION_FILE,
    BisectAnswer,
    BisectCommit,
    Bisection,
    BisectOutcome,
    CommitSpan,
    Kind,
)
from springbench.results.comparison import FindingRecord, SideName
from springbench.results.events import Direction
from springbench.results.recording import Recording
from springbench.results.store import write_atomically
from springbench.untrusted import clipped, one_line

logger = logging.getLogger(__name__)

# in less, no two pairs end
LEAST_STEP_S = 30.0
_SHOWN = 60

Comparer = Callable[[BisectCommit, BisectCommit, float], LiveComparison]
"""Measures base and head, for so many seconds at most."""

_SAME = Change(0.0, 0.0, 0.0, "unchanged")
_NOT_THERE = "the ends were measured again, and do not show it"
_REASONS: dict[Kind, str] = {
    "contradiction": "the commit that was found does not show it beside the one before it",
    "no-change": _NOT_THERE,
    "opposite": _NOT_THERE,
}


def comparer(
    plan: Plan,
    metric: str,
    folder: Path,
    shell: Shell,
    matrix: Path = MATRIX,
    recording: Recording | None = None,
    build_commit: CommitBuilder | None = None,
) -> Comparer:
    """Compares commits of this repository by one metric. `matrix` is what the plan was made of.

    With a `recording`, comparisons made earlier take the place of measuring. `build_commit` builds
    those of a service.
    """
    built: BuildCache = {}

    def side_of(commit: BisectCommit) -> RequestedSide:
        name = commit.sha[:12]
        if build_commit:
            return build_commit(name, commit.sha)
        return commit_side(name, commit.sha, shell, matrix)

    def compare(base: BisectCommit, head: BisectCommit, budget_s: float) -> LiveComparison:
        with indented():
            sides = [side_of(commit) for commit in (base, head)]
            return compare_live(
                sides,
                plan,
                budget_s,
                folder,
                shell,
                metrics=frozenset((metric,)),
                built=built,
                recording=recording,
            )

    return compare


@dataclass
class Driver:
    """A bisection under way, in its folder; `compare` measures two of its commits."""

    bisection: Bisection
    folder: Path
    compare: Comparer
    clock: Callable[[], float] = time.monotonic
    _took_s: list[float] = field(default_factory=list)
    """Each comparison until now, with what was built for it."""

    def drive(self) -> None:
        """Compare until the answer is known or the budget is used up.

        Raises `BuildError` or `CaseError` where an end does not build or start, and
        `KeyboardInterrupt` after Ctrl-C; what was answered before is saved.
        """
        if len(self.bisection.commits) == 1:
            self.bisection.outcome = nothing_differs(self.bisection)
            self.save()
            return
        search = search_of(self.bisection)
        out_of_time = False
        while (comparison := search.ask()) is not None:
            out_of_time = self._left_s < LEAST_STEP_S
            if out_of_time:
                break
            self._announce(search, comparison)
            begin_s = self.clock()
            self.bisection.answers.append(self._answer(comparison, at_ends=search.step is None))
            self._took_s.append(self.clock() - begin_s)
            self.save()
            search = search_of(self.bisection)
        self.bisection.outcome = outcome_of(self.bisection, search, out_of_time=out_of_time)
        self.save()

    def save(self) -> None:
        """Replace `bisect.json` in one step."""
        text = self.bisection.model_dump_json(by_alias=True, indent=2)
        write_atomically(self.folder / BISECTION_FILE, text + "\n")

    @property
    def _left_s(self) -> float:
        return self.bisection.question.budget_s - self.bisection.measured_s

    def _announce(self, search: Search, comparison: Compare) -> None:
        base, head = (self.bisection.commits[index] for index in (comparison.base, comparison.head))
        left = search.high - search.low
        logger.info(
            f"comparison {len(self.bisection.answers) + 1}, "
            f"{units.counted(left, 'commit')} left, {self._time_left(search)}: "
            f"{_named(base)} with {_named(head)}"
        )

    def _time_left(self, search: Search) -> str:
        """By what comparisons took here; of none is known more than the budget."""
        if not self._took_s:
            return f"at most {units.duration(self._left_s)} of measuring"
        comparisons = max(1, math.ceil(math.log2(search.high - search.low)))
        return f"about {units.duration(comparisons * statistics.fmean(self._took_s))}"

    def _answer(self, comparison: Compare, *, at_ends: bool) -> BisectAnswer:
        base, head = (self.bisection.commits[index] for index in (comparison.base, comparison.head))
        answer = BisectAnswer(base=base.sha, head=head.sha)
        if base.sources == head.sources:
            logger.info("  both have the same sources")
            return answer.model_copy(update={"same_sources": True})
        # the ends have run, so it is the other one that does not
        middle: SideName = "base" if self._has_run(head.sha) else "head"
        try:
            budget_s = min(self.bisection.question.step_budget_s, self._left_s)
            live = self.compare(base, head, budget_s)
        except BuildError as error:
            if at_ends:
                raise
            return self._broken(answer, middle, str(error))
        self.bisection.measured_s += live.comparison.comparison.measured_s
        if live.interrupted:
            self.save()
            raise KeyboardInterrupt
        return self._read(answer, live, middle, at_ends=at_ends)

    def _has_run(self, sha: str) -> bool:
        return any(
            sha in (answer.base, answer.head) and answer.finding
            for answer in self.bisection.answers
        )

    def _read(
        self, answer: BisectAnswer, live: LiveComparison, middle: SideName, *, at_ends: bool
    ) -> BisectAnswer:
        """What the comparison found, or why it found nothing."""
        comparison = live.comparison
        answer.comparison = comparison.comparison.id
        answer.finding = next(
            (finding for finding in comparison.findings if self._is_asked(finding)), None
        )
        if answer.finding:
            logger.info(f"  {answer.finding.verdict}: head ÷ base {answer.finding.ratio:.3f}")
            return answer
        failed = [
            pair for pairs in comparison.pairs.values() for pair in pairs if pair.status == "failed"
        ]
        reason = (failed[-1].reason if failed else None) or "too few pairs could be evaluated"
        if failed and at_ends:
            name = answer.base if failed[-1].failed_side == "base" else answer.head
            raise CaseError(f"{name[:12]}, an end of the range: {one_line(reason)}")
        if failed and all(pair.failed_side == middle for pair in failed):
            return self._broken(answer, middle, reason)
        answer.reason = one_line(reason)
        logger.info(f"  cannot tell: {answer.reason}")
        return answer

    def _is_asked(self, finding: FindingRecord) -> bool:
        question = self.bisection.question
        return (finding.case, finding.metric) == (question.case, question.metric)

    def _broken(self, answer: BisectAnswer, middle: SideName, reason: str) -> BisectAnswer:
        answer.broken = answer.base if middle == "base" else answer.head
        answer.reason = one_line(reason.partition("\n")[0])
        logger.info(f"  {answer.broken[:12]} does not run, a neighbour is tried: {answer.reason}")
        return answer


def _named(commit: BisectCommit) -> str:
    return f"{commit.sha[:12]} ({one_line(clipped(commit.message, _SHOWN))})"


def search_of(bisection: Bisection) -> Search:
    """What the answers so far have led to."""
    index_by_sha = {commit.sha: index for index, commit in enumerate(bisection.commits)}
    direction = bisection.question.direction
    answers = [_answer(answer, index_by_sha, direction) for answer in bisection.answers]
    return Search.after(len(bisection.commits) - 1, answers)


def _answer(answer: BisectAnswer, index_by_sha: dict[str, int], direction: Direction) -> Answer:
    change = Change.of(answer.finding, direction) if answer.finding else None
    return Answer(
        Compare(index_by_sha[answer.base], index_by_sha[answer.head]),
        _SAME if answer.same_sources else change,
        index_by_sha[answer.broken] if answer.broken else None,
    )


def outcome_of(bisection: Bisection, search: Search, *, out_of_time: bool) -> BisectOutcome:
    """The answer, as far as it is known."""
    low, high = search.low, search.high
    kind: Kind = search.kind
    if search.step is None and kind == "range":
        # not even the ends were compared
        kind = "unclear"
    if kind == "contradiction":
        low, high = 0, search.last
    between = range(low + 1, high)
    return BisectOutcome(
        kind=kind,
        reason=_reason(kind, bisection, search, out_of_time=out_of_time),
        span=_span(bisection, low, high),
        commits=[commit.sha for commit in bisection.commits[low + 1 : high + 1]],
        checked=search.checked,
        finding=_shown_by(bisection),
        others=[_span(bisection, *ends) for ends in search.other_ranges],
        broken=_shas(bisection, search.broken),
        unclear=_shas(bisection, search.unclear.intersection(between)),
    )


def nothing_differs(bisection: Bisection) -> BisectOutcome:
    """The answer where both ends have the same sources."""
    good = bisection.question.good
    return BisectOutcome(
        kind="same-sources",
        reason="no commit between them touches what this case is built from or started by",
        span=CommitSpan(after=good, until=bisection.question.bad),
    )


def _reason(kind: Kind, bisection: Bisection, search: Search, *, out_of_time: bool) -> str:
    if kind == "culprit":
        return _checked(search)
    if kind in _REASONS:
        return _REASONS[kind]
    if out_of_time:
        return "the budget is used up; --resume with a larger --budget goes on"
    if kind == "unclear":
        return _unclear_ends(bisection)
    inside = range(search.low + 1, search.high)
    noisy = bool(search.unclear.intersection(inside))
    return (
        "noise does not let it be split" if noisy else "the commits inside it do not build or start"
    )


def _unclear_ends(bisection: Bisection) -> str:
    ends = bisection.answers[0]
    if ends.finding is None:
        return f"the ends were not evaluated: {ends.reason}"
    if ends.finding.verdict == "suspected":
        return (
            "the ends look like it, and no time was left to measure them again: "
            "a longer --step-budget settles it"
        )
    return "noise does not let the ends be distinguished"


def _checked(search: Search) -> str:
    if search.checked:
        return "the commit before it does not have it"
    if search.checked is None:
        return "the budget is used up before it was compared with the commit before it"
    return "beside the commit before it alone, noise hides it"


def _shown_by(bisection: Bisection) -> FindingRecord | None:
    """The last comparison that showed a step; what the ends showed where none did."""
    found = [answer.finding for answer in bisection.answers if answer.finding]
    steps = [finding for finding in found if finding.verdict == bisection.question.direction]
    shown = steps[-1:] or found[:1]
    return shown[0] if shown else None


def _span(bisection: Bisection, low: int, high: int) -> CommitSpan:
    return CommitSpan(after=bisection.commits[low].sha, until=bisection.commits[high].sha)


def _shas(bisection: Bisection, indices: set[int]) -> list[str]:
    return [bisection.commits[index].sha for index in sorted(indices)]
