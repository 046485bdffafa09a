"""Whether our measurements agree with what others have published. Pure.

A claim is a question of two steps (answers.py): what it says of their ratio holds, or does not,
where the interval of ours leaves no doubt. Where something else than the two limited a step, that
is the verdict: the figure then says nothing of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from springbench.analysis.answers import Answer, Ratio, Row, compare
from springbench.plan.cases import Case
from springbench.results.claims import Claim
from springbench.results.metrics import BY_NAME, USUAL_EFFECT
from springbench.results.published_answers import ClaimVerdict
from springbench.results.run import UNRANKED, BottleneckKind, Run

# neither step: what a ratio says then is about that, even where it is as published
_EXTERNAL: frozenset[BottleneckKind] = frozenset({"upstream", "database-pool", "errors"})
# a server that works as fast as it can, also within the quota that its case names: what else limits
# one explains a ratio that is not as published
_AT_WORK: frozenset[BottleneckKind] = frozenset({"server-cpu", "cpu-waves", "cpu-quota", "unknown"})

# what a run without warm-up reports for it
_FIRST_LOAD = {"throughput_rps": "cold_throughput_rps"}


@dataclass(frozen=True)
class ClaimEvaluation:
    """A claim with its verdict. `answer` has both steps with their values and bottlenecks;
    `reason` says why in a few words: which bottleneck, or why it is undecided."""

    claim: Claim
    answer: Answer
    verdict: ClaimVerdict
    reason: str = ""

    @property
    def ratio(self) -> Ratio | None:
        """Ours: head ÷ base."""
        return self.answer.rows[-1].ratios.get(self.claim.metric)

    @property
    def distance(self) -> float | None:
        """How far ours lies from the published ratio, as a part of it; None where only a direction
        or a limit was published, or nothing measured."""
        if self.ratio is None or self.claim.ratio is None or self.claim.direction:
            return None
        return abs(self.ratio.ratio / self.claim.ratio - 1)


def evaluate(claim: Claim, cases: Mapping[str, Case], runs: Sequence[Run]) -> ClaimEvaluation:
    """The verdict of these runs; `cases` has those of the claim, by id."""
    subjects = {"": {case: cases[case] for case in claim.only}}
    found = compare(claim, subjects, runs, pools_runs=True)
    verdict, reason = _verdict(claim, found, runs)
    if verdict == "does-not-hold" and (words := _under_first_load(claim, subjects, runs)):
        verdict, reason = "not-warmed-up", words
    return ClaimEvaluation(claim, found, verdict, reason)


def _under_first_load(
    claim: Claim, subjects: Mapping[str, Mapping[str, Case]], runs: Sequence[Run]
) -> str | None:
    """That a fresh process, which still compiles, does what was published, where it does."""
    if (metric := _FIRST_LOAD.get(claim.metric)) is None:
        return None
    first_load = claim.model_copy(update={"metric": metric})
    found = compare(first_load, subjects, runs, pools_runs=True)
    ratio = found.rows[-1].ratios.get(metric)
    if ratio is None or ratio.low is None or ratio.high is None:
        return None
    if not _agrees(claim, ratio.low, ratio.high):
        return None
    edges = f"{100 * ratio.ratio:.0f} % [{100 * ratio.low:.0f}, {100 * ratio.high:.0f}]"
    return f"only under the first load of a fresh process: {edges}"


def _verdict(claim: Claim, found: Answer, runs: Sequence[Run]) -> tuple[ClaimVerdict, str]:
    """With its reason."""
    ratio = found.rows[-1].ratios.get(claim.metric)
    limits = list(_limits(claim, runs)) if BY_NAME[claim.metric].stage == "case" else []
    if ratio is None:
        return _without_ratio(claim, found.rows, limits)
    if external := [limit for limit in limits if limit.kind in _EXTERNAL]:
        return "bottleneck", external[0].words
    if ratio.low is None or ratio.high is None:
        return "undecided", "one round alone has no interval; more --forks give one"
    agrees = _agrees(claim, ratio.low, ratio.high)
    if agrees is None:
        return "undecided", "the interval includes both answers; more --forks make it narrower"
    # of the step that only waited, less is to be learnt than of the other
    explaining = [limit for limit in limits if limit.kind not in _AT_WORK | UNRANKED]
    if explaining and not agrees:
        return "bottleneck", min(explaining, key=lambda limit: limit.kind == "latency").words
    return "holds" if agrees else "does-not-hold", ""


def _without_ratio(
    claim: Claim, rows: Sequence[Row], limits: Sequence[_Limit]
) -> tuple[ClaimVerdict, str]:
    """Why nothing was compared."""
    for limit in limits:
        if limit.kind == "not-warmed-up":
            return "not-warmed-up", limit.case
        if limit.kind in UNRANKED:
            return "bottleneck", limit.words
    for row in rows:
        missing = row.missing.get(claim.metric)
        if why := row.not_measured or missing or "; ".join(row.left_out):
            return "undecided", f"{row.step}: {why}"
    return "undecided", "no round has both"


@dataclass(frozen=True)
class _Limit:
    """What limited a step in a run."""

    case: str
    kind: BottleneckKind
    label: str

    @property
    def words(self) -> str:
        """`server CPU (CASE)`."""
        return f"{self.label} ({self.case})"


def _limits(claim: Claim, runs: Sequence[Run]) -> Iterator[_Limit]:
    for case in claim.only:
        for run in runs:
            result = run.find(case)
            if result and result.bottleneck:
                yield _Limit(case, result.bottleneck.kind, result.bottleneck.label)


def _agrees(claim: Claim, low: float, high: float) -> bool | None:
    """Whether all of the interval is as claimed (True), or none of it (False)."""
    least, most = _claimed(claim)
    if least <= low and high <= most:
        return True
    if high < least or most < low:
        return False
    equal = 1 + USUAL_EFFECT.equivalent
    if claim.direction and claim.ratio is None and 1 / equal <= low and high <= equal:
        # too close to none for a difference that somebody would publish
        return False
    return None


def _claimed(claim: Claim) -> tuple[float, float]:
    """Ratios that agree with it, from and to."""
    ratio = claim.ratio or 1.0
    if claim.direction == "higher":
        return ratio, math.inf
    if claim.direction == "lower":
        return 0.0, ratio
    return ratio / (1 + claim.within), ratio * (1 + claim.within)
