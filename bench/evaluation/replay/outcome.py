"""Whether a comparison shows what was reported: seen, in which direction, how much, why. Pure.

The side that is expected to be slower was head: only what is slower there is confirmed by fresh
pairs as a regression, and looked into with a profiler.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from evaluation.replay.reports import Direction, Report
from springbench import units
from springbench.report.headline import interval_words, metric_words, percent
from springbench.results.base import Record
from springbench.results.comparison import Comparison, FactRecord, FindingRecord

Verdict = Literal["seen", "opposite", "suspected", "undecided", "not seen", "not measured"]
# codes of warnings that say why a case has no findings
_NOT_EVALUATED = frozenset({"load-generator", "compiling", "not-looked-at"})


class Change(Record):
    """How a metric of a case changed: ratios are after ÷ before, the interval is that of 95 %."""

    case: str
    metric: str
    ratio: float
    low_ratio: float
    high_ratio: float
    pairs: int

    @property
    def words(self) -> str:
        """As `throughput -73 % (71 to 75 %)`."""
        within = interval_words(self.low_ratio, self.high_ratio)
        return f"{metric_words(self.metric)} {percent(self.ratio - 1, '+')} ({within})"


class Outcome(Record):
    """What came of a report. `reason` says why it was not measured, or could not be decided.

    `method` is what the profile of the slower side says. `minutes` are those of measuring.
    """

    report: str
    source: str
    address: str
    reported: str
    before: str
    after: str
    verdict: Verdict
    direction: Direction | None = None
    change: Change | None = None
    bottleneck: str | None = None
    method: str | None = None
    minutes: float = 0.0
    reason: str | None = None
    comparison: str | None = None
    """Its folder, relative to that of all outcomes."""


def evaluate(report: Report, comparison: Comparison) -> Outcome:
    """What a comparison says of a report; its head is the side that is expected to be slower."""
    verdict, shown = _verdict([f for f in comparison.findings if f.metric in report.metrics])
    methods = _methods(report, comparison)
    if methods and verdict not in ("seen", "opposite"):
        verdict = "seen" if methods.worse else "opposite"
    minutes = comparison.comparison.measured_s / 60
    if not shown:
        return _outcome(report, verdict, reason=_why_not(comparison), minutes=minutes)
    strongest = max(
        shown, key=lambda finding: abs(math.log(finding.ratio)) if finding.ratio > 0 else 0.0
    )
    return _outcome(
        report,
        verdict,
        direction=_direction(report, verdict, strongest),
        change=_change(report, strongest),
        bottleneck=_bottleneck(report, comparison),
        method=next(
            (explanation.text for explanation in comparison.explanations),
            f"{methods.base} → {methods.head}" if methods else None,
        ),
        minutes=minutes,
        reason=strongest.note if verdict in ("suspected", "undecided") else None,
    )


def not_measured(report: Report, reason: str) -> Outcome:
    """The outcome of a report that nothing could be measured of."""
    return _outcome(report, "not measured", reason=reason)


def words(outcome: Outcome) -> str:
    """The line of an outcome."""
    if outcome.verdict == "not measured":
        return f"{outcome.report}: not measured: {outcome.reason}"
    parts = [f"{outcome.report}: {outcome.verdict}"]
    if outcome.direction:
        parts[0] += f", {outcome.direction}"
    if outcome.change:
        parts.append(f"{outcome.change.words}, {units.counted(outcome.change.pairs, 'pair')}")
    parts.append(f"bottleneck: {outcome.bottleneck}")
    if outcome.method:
        parts.append(f"profile of the slower side: {outcome.method}")
    if outcome.reason:
        parts.append(outcome.reason)
    return f"{'; '.join(parts)}; {outcome.minutes:.1f} min"


def _outcome(report: Report, verdict: Verdict, **known: object) -> Outcome:
    about = {
        "report": report.id,
        "source": report.source,
        "address": report.address,
        "reported": report.reported,
        "before": report.before.name,
        "after": report.after.name,
    }
    return Outcome.model_validate({**about, "verdict": verdict, **known})


def _verdict(found: Sequence[FindingRecord]) -> tuple[Verdict, Sequence[FindingRecord]]:
    """What the metrics of a report say, and those that say it: what is sure comes first, and what
    was reported before its opposite."""
    order: tuple[tuple[Verdict, tuple[str, ...]], ...] = (
        ("seen", ("regression",)),
        ("opposite", ("improvement",)),
        ("suspected", ("suspected",)),
        ("undecided", ("undecided", "changed")),
        ("not seen", ("unchanged",)),
    )
    for verdict, kinds in order:
        if shown := [finding for finding in found if finding.verdict in kinds]:
            return verdict, shown
    return "not measured", ()


def _methods(report: Report, comparison: Comparison) -> FactRecord | None:
    """The fact that methods cost a request more CPU time, or less, where a report is of that."""
    if "cpu_per_request_s" not in report.metrics:
        return None
    sure = [
        fact
        for fact in comparison.facts
        if fact.metric == "methods" and fact.verdict in ("regression", "improvement")
    ]
    return next(iter(sure), None)


def _direction(report: Report, verdict: Verdict, finding: FindingRecord) -> Direction | None:
    """Head is expected to be the slower side: what is suspected may be either."""
    opposite: dict[Direction, Direction] = {"worse": "better", "better": "worse"}
    is_slower = (finding.ratio < 1) == (finding.better == "higher")
    if verdict == "seen" or (verdict == "suspected" and is_slower):
        return report.direction
    return opposite[report.direction] if verdict in ("opposite", "suspected") else None


def _change(report: Report, finding: FindingRecord) -> Change:
    """The finding as a change from before to after."""
    ratio, low, high = finding.ratio, finding.low_ratio, finding.high_ratio
    if report.is_head_before:
        ratio, low, high = (1 / value if value else math.inf for value in (ratio, high, low))
    return Change(
        case=finding.case,
        metric=finding.metric,
        ratio=ratio,
        low_ratio=low,
        high_ratio=high,
        pairs=finding.pairs,
    )


def _bottleneck(report: Report, comparison: Comparison) -> str:
    """What limits before and after, where that differs. A server that is loaded in bursts is
    limited by its CPU, or not evaluated."""
    for fact in comparison.facts:
        if fact.metric == "bottleneck":
            ends = (fact.head, fact.base) if report.is_head_before else (fact.base, fact.head)
            return " → ".join(ends)
    pairs = [pair for pairs in comparison.pairs.values() for pair in pairs]
    bursts = any(side.bursts for pair in pairs for side in pair.sides.values())
    return "server CPU" if bursts else "the same on both sides"


def _why_not(comparison: Comparison) -> str:
    """Why none of the metrics was evaluated."""
    labels = {"base": comparison.base.label, "head": comparison.head.label}
    for pair in (pair for pairs in comparison.pairs.values() for pair in pairs):
        if pair.status == "failed":
            side = labels[pair.failed_side] if pair.failed_side else "a side"
            return f"{side} failed: {pair.reason or 'no reason was recorded'}"
    known = [warning.message for warning in comparison.warnings if warning.code in _NOT_EVALUATED]
    return known[0] if known else "no pair of processes was measured in time"
