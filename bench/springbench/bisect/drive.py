"""Drives a bisection: compares what halving asks for, and saves each answer."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from springbench import units
from springbench.analysis.halving import Compare, Halving
from springbench.bisect.answers import halving_of, nothing_differs, outcome_of
from springbench.compare.live import LiveComparison, compare_live
from springbench.compare.sides import Built, commit_side
from springbench.errors import BuildError, CaseError
from springbench.host.cpus import affinity_kept
from springbench.host.shell import Shell
from springbench.paths import MATRIX
from springbench.plan.plan import Plan
from springbench.results.bisection import BISECTION_FILE, BisectAnswer, BisectCommit, Bisection
from springbench.results.comparison import FindingRecord
from springbench.results.pairs import SideName
from springbench.results.recording import Recording
from springbench.results.store import write_atomically
from springbench.untrusted import clipped, one_line

# in less, no two pairs end
LEAST_STEP_S = 30.0
_SHOWN = 60

Say = Callable[[str], None]


@dataclass
class Driver:
    """A bisection under way, in its folder."""

    bisection: Bisection
    plan: Plan
    folder: Path
    shell: Shell
    say: Say
    matrix: Path = MATRIX
    """What the plan was made of."""
    recording: Recording | None = None
    """Comparisons made earlier, which take the place of measuring."""
    built: Built = field(default_factory=dict)
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
        halving = halving_of(self.bisection)
        out_of_time = False
        while (wanted := halving.ask()) is not None:
            out_of_time = self._left_s < LEAST_STEP_S
            if out_of_time:
                break
            self._announce(halving, wanted)
            begin_s = self.clock()
            self.bisection.answers.append(self._answer(wanted, at_ends=halving.step is None))
            self._took_s.append(self.clock() - begin_s)
            self.save()
            halving = halving_of(self.bisection)
        self.bisection.outcome = outcome_of(self.bisection, halving, out_of_time=out_of_time)
        self.save()

    def save(self) -> None:
        """Replace `bisect.json` in one step."""
        text = self.bisection.model_dump_json(by_alias=True, indent=2)
        write_atomically(self.folder / BISECTION_FILE, text + "\n")

    @property
    def _left_s(self) -> float:
        return self.bisection.question.budget_s - self.bisection.measured_s

    def _announce(self, halving: Halving, wanted: Compare) -> None:
        base, head = (self.bisection.commits[each] for each in (wanted.base, wanted.head))
        left = halving.high - halving.low
        self.say(
            f"comparison {len(self.bisection.answers) + 1}, {left} "
            f"{'commit' if left == 1 else 'commits'} left, {self._time_left(halving)}: "
            f"{_named(base)} with {_named(head)}"
        )

    def _time_left(self, halving: Halving) -> str:
        """By what comparisons took here; of none is known more than the budget."""
        if not self._took_s:
            return f"at most {units.duration(self._left_s)} of measuring"
        comparisons = max(1, math.ceil(math.log2(halving.high - halving.low)))
        return f"about {units.duration(comparisons * statistics.fmean(self._took_s))}"

    def _answer(self, wanted: Compare, *, at_ends: bool) -> BisectAnswer:
        base, head = (self.bisection.commits[each] for each in (wanted.base, wanted.head))
        answer = BisectAnswer(base=base.sha, head=head.sha)
        if base.sources == head.sources:
            self.say("  both have the same sources")
            return answer.model_copy(update={"same_sources": True})
        # the ends have run, so it is the other one that does not
        middle: SideName = "base" if self._has_run(head.sha) else "head"
        try:
            live = self._compare(base, head)
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
            sha in (each.base, each.head) and each.finding for each in self.bisection.answers
        )

    def _compare(self, base: BisectCommit, head: BisectCommit) -> LiveComparison:
        question = self.bisection.question
        sides = [
            commit_side(each.sha[:12], each.sha, self.shell, self.matrix) for each in (base, head)
        ]
        with affinity_kept():
            return compare_live(
                sides,
                self.plan,
                min(question.step_budget_s, self._left_s),
                self.folder,
                self.shell,
                lambda line: self.say(f"  {line}"),
                metrics=frozenset((question.metric,)),
                built=self.built,
                recording=self.recording,
            )

    def _read(
        self, answer: BisectAnswer, live: LiveComparison, middle: SideName, *, at_ends: bool
    ) -> BisectAnswer:
        """What the comparison found, or why it found nothing."""
        comparison = live.comparison
        answer.comparison = comparison.comparison.id
        answer.finding = next((each for each in comparison.findings if self._is_asked(each)), None)
        if answer.finding:
            self.say(f"  {answer.finding.verdict}: head ÷ base {answer.finding.ratio:.3f}")
            return answer
        failed = [
            pair for pairs in comparison.pairs.values() for pair in pairs if pair.status == "failed"
        ]
        reason = (failed[-1].reason if failed else None) or "too few pairs could be judged"
        if failed and at_ends:
            name = answer.base if failed[-1].failed_side == "base" else answer.head
            raise CaseError(f"{name[:12]}, an end of the range: {one_line(reason)}")
        if failed and all(pair.failed_side == middle for pair in failed):
            return self._broken(answer, middle, reason)
        answer.reason = one_line(reason)
        self.say(f"  cannot tell: {answer.reason}")
        return answer

    def _is_asked(self, finding: FindingRecord) -> bool:
        question = self.bisection.question
        return (finding.case, finding.metric) == (question.case, question.metric)

    def _broken(self, answer: BisectAnswer, middle: SideName, reason: str) -> BisectAnswer:
        answer.broken = answer.base if middle == "base" else answer.head
        answer.reason = one_line(reason.partition("\n")[0])
        self.say(f"  {answer.broken[:12]} does not run, a neighbour is tried: {answer.reason}")
        return answer


def _named(commit: BisectCommit) -> str:
    return f"{commit.sha[:12]} ({one_line(clipped(commit.message, _SHOWN))})"
