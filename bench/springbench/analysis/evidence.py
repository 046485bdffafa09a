"""What a comparison says of each affected series of an event. Pure.

An affected series of the event agrees where the interval of the comparison lies on the event's
side of 1 and at least a third of the claimed step is there: a step that was picked because it was
large is smaller when it is measured again. It denies the event where the interval leaves no room
for half of the step. All else does not tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from springbench.analysis.block_design import PRIOR_DEGREES
from springbench.analysis.commit_range import Span, moment, span
from springbench.analysis.comparison.metrics import OF_THE_START
from springbench.analysis.comparison.verdicts import MIN_PAIRS
from springbench.analysis.intervals import t_quantile
from springbench.analysis.pooling import Share
from springbench.results.comparison import FactName, FactRecord
from springbench.results.events import AffectedSeries, Event, Evidence
from springbench.results.history_names import profile_of, variant_of
from springbench.results.published_comparison import (
    PublishedComparison,
    PublishedFinding,
    Purpose,
)
from springbench.results.published_run import DRIFTED

# of the claimed step, as logarithms
AGREES_FROM = 1 / 3
DENIES_BELOW = 1 / 2
INDEPENDENT: frozenset[Purpose] = frozenset(("confirm", "bisect", "manual"))
FAILURES: frozenset[FactName] = frozenset(("failed", "errors"))
# no interval is narrower than what a host does to identical processes
_LEAST_ERROR = 0.001


@dataclass(frozen=True)
class Seen:
    """A row of evidence, and its share of the claimed step where that counts.

    `may_deny`: measured with the profile of the affected series; another may not show its step.
    """

    row: Evidence
    span: Span
    share: Share | None = None
    may_deny: bool = False


def evidence_rows(event: Event, comparison: PublishedComparison, raised_at: str) -> Iterator[Seen]:
    """A row for each failure and each affected series that the comparison tells of; none where it
    does not span the event."""
    spans = span(comparison, event.culprit)
    if spans is None:
        return
    independent = _is_independent(comparison, raised_at)
    failing = set()
    for fact in _facts(event, comparison):
        agrees = _agrees(event, fact)
        if fact.verdict == "regression" and not agrees:
            failing.add(fact.case)
        yield Seen(_row(comparison, _of_fact(event, fact), agrees, independent), spans)
    for affected in event.affected_series:
        finding = finding_on(comparison, affected)
        if finding is None:
            continue
        # what fails more often is not faster, whatever its rate
        counts = failing.isdisjoint((finding.case, variant_of(finding.case)))
        share = share_of(event, affected, comparison, finding) if counts else None
        alike = profile_of(affected.configuration) == comparison.profile
        agrees = _says(share, may_deny=alike) if share else None
        row = _row(comparison, _of_finding(finding), agrees, independent)
        yield Seen(row, spans, share, alike)


def share_of(
    event: Event,
    affected: AffectedSeries,
    comparison: PublishedComparison,
    finding: PublishedFinding,
) -> Share | None:
    """None where the affected series claims nothing in the direction of its event."""
    sign = 1 if (event.direction == "regression") == (affected.better == "lower") else -1
    claimed = sign * math.log(affected.ratio) if affected.ratio > 0 else 0.0
    if not 0 < claimed < math.inf:
        return None
    change = measured_change(comparison, finding)
    return replace(change, value=sign * change.value / claimed, error=change.error / claimed)


def measured_change(comparison: PublishedComparison, finding: PublishedFinding) -> Share:
    """A finding as a logarithm: the share of a step by a factor of e."""
    # as block_design.py makes an interval
    degrees = finding.pairs - 1 + PRIOR_DEGREES
    half = (math.log(finding.high_ratio) - math.log(finding.low_ratio)) / 2
    return Share(
        (comparison.id, variant_of(finding.case)),
        math.log(finding.ratio),
        max(half / t_quantile(degrees), _LEAST_ERROR),
        degrees,
    )


def _says(share: Share, *, may_deny: bool) -> bool | None:
    half = t_quantile(share.degrees) * share.error
    if share.value - half > 0 and share.value >= AGREES_FROM:
        return True
    return False if may_deny and share.value + half < DENIES_BELOW else None


def finding_on(
    comparison: PublishedComparison, affected: AffectedSeries
) -> PublishedFinding | None:
    """The finding on an affected series. What a process is before any load is reported once for
    its variant.
    """
    same = [
        finding
        for finding in comparison.findings
        if finding.metric == affected.metric and is_sound(finding)
    ]
    for finding in same:
        if finding.case == affected.case:
            return finding
    if affected.metric not in OF_THE_START:
        return None
    variant = variant_of(affected.case)
    return next((finding for finding in same if variant_of(finding.case) == variant), None)


def is_sound(finding: PublishedFinding) -> bool:
    ordered = 0 < finding.low_ratio <= finding.ratio <= finding.high_ratio < math.inf
    return ordered and finding.pairs >= MIN_PAIRS


def _facts(event: Event, comparison: PublishedComparison) -> Iterator[FactRecord]:
    """Failures of what the event is about, as far as the comparison was sure of them."""
    cases = {affected.case for affected in event.affected_series}
    about = cases | {variant_of(case) for case in cases}
    for fact in comparison.facts:
        sure = fact.verdict in ("regression", "improvement")
        if sure and fact.metric in FAILURES and fact.case in about:
            yield fact


def _agrees(event: Event, fact: FactRecord) -> bool | None:
    """More failures agree with a regression; fewer say nothing of how fast answers are."""
    if fact.verdict == "regression":
        return event.direction == "regression"
    errors = any(each.metric == "error_ratio" for each in event.affected_series)
    return event.direction == "improvement" if errors else None


def _of_fact(event: Event, fact: FactRecord) -> dict[str, object]:
    """A fact has no ratio: 1 stands in its place, and no pairs."""
    about = (each.case for each in event.affected_series)
    case = next(each for each in about if fact.case in (each, variant_of(each)))
    ratios = {"ratio": 1.0, "low_ratio": 1.0, "high_ratio": 1.0}
    return {"case": case, "metric": fact.metric, "pairs": 0, **ratios}


def _of_finding(finding: PublishedFinding) -> dict[str, object]:
    said = {"case", "metric", "ratio", "low_ratio", "high_ratio", "pairs"}
    return finding.model_dump(include=said)


def _row(
    comparison: PublishedComparison,
    said: dict[str, object],
    agrees: bool | None,
    independent: bool,
) -> Evidence:
    return Evidence.model_validate(
        {
            "comparison": comparison.id,
            "base": comparison.base.sha,
            "head": comparison.head.sha,
            "host_class": comparison.host.host_class,
            **said,
            "agrees": agrees,
            "independent": independent,
            "url": comparison.url,
        }
    )


def _is_independent(comparison: PublishedComparison, raised_at: str) -> bool:
    """Made by another job, later, on a host that kept its speed."""
    began, raised = moment(comparison.started_at), moment(raised_at)
    later = began is not None and raised is not None and began > raised
    return later and comparison.purpose in INDEPENDENT and DRIFTED not in comparison.marks
