"""What a comparison says of each affected series of an event. Pure.

An affected series of the event agrees where the interval of the comparison lies on the event's
side of 1 and at least a third of the claimed step is there: a step that was picked because it was
large is smaller when it is measured again. It denies the event where the interval leaves no room
for half of the step. All else does not tell.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from springbench.analysis.commit_range import Span, moment, span
from springbench.analysis.comparison.verdicts import MIN_PAIRS, OF_THE_START
from springbench.analysis.intervals import PRIOR_DEGREES, t_quantile
from springbench.results.comparison import FactName, FactRecord
from springbench.results.events import AffectedSeries, Event, EventState, Evidence
from springbench.results.history_names import profile_of, variant_of
from springbench.results.published_comparison import PublishedComparison, PublishedFinding, Purpose
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
    errors = any(affected.metric == "error_ratio" for affected in event.affected_series)
    return event.direction == "improvement" if errors else None


def _of_fact(event: Event, fact: FactRecord) -> dict[str, object]:
    """A fact has no ratio: 1 stands in its place, and no pairs."""
    about = (affected.case for affected in event.affected_series)
    case = next(name for name in about if fact.case in (name, variant_of(name)))
    ratios = {"ratio": 1.0, "low_ratio": 1.0, "high_ratio": 1.0}
    return {"case": case, "metric": fact.metric, "pairs": 0, **ratios}


def _of_finding(finding: PublishedFinding) -> dict[str, object]:
    fields = {"case", "metric", "ratio", "low_ratio", "high_ratio", "pairs"}
    return finding.model_dump(include=fields)


def _row(
    comparison: PublishedComparison,
    values: dict[str, object],
    agrees: bool | None,
    independent: bool,
) -> Evidence:
    return Evidence.model_validate(
        {
            "comparison": comparison.id,
            "base": comparison.base.sha,
            "head": comparison.head.sha,
            "host_class": comparison.host.host_class,
            **values,
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


# --- Several affected series of one step as one number: how much of the step is there -------------
# An affected series that claims +8 % and of which +6 % is measured shows a share of 0.76, as
# logarithms: 0 where nothing has changed, 1 where all of it is there, below 0 where it went the
# other way.


@dataclass(frozen=True)
class Share:
    """Share of a claimed step, with its standard error and the degrees of freedom behind it.

    `group` names the processes that it was measured on: what comes from the same ones goes wrong
    together.
    """

    group: Hashable
    value: float
    error: float
    degrees: float

    def p_above(self, bound: float) -> float:
        """How probable so large a share is where the true one is `bound`, or less."""
        from scipy.special import stdtr  # noqa: PLC0415 - see intervals.py

        return float(stdtr(self.degrees, (bound - self.value) / self.error))

    def p_below(self, bound: float) -> float:
        """How probable so small a share is where the true one is `bound`, or more."""
        return 1 - self.p_above(bound)


def pooled(shares: Sequence[Share]) -> Share:
    """One share from all, the surest weighing most. Raises ValueError without any.

    Within a group errors are taken to be the same error, so that more metrics of the same
    processes make nothing surer. Between groups they are independent.
    """
    if not shares:
        raise ValueError("no shares")
    groups: dict[Hashable, list[Share]] = {}
    for share in shares:
        groups.setdefault(share.group, []).append(share)
    return _of_groups([_of_one_group(members) for members in groups.values()])


def added(shares: Sequence[Share]) -> Share:
    """One share from those of steps that follow on one another, measured by different processes;
    the degrees of freedom are Satterthwaite's (1946). Raises ValueError without any."""
    if not shares:
        raise ValueError("no shares")
    variances = [share.error**2 for share in shares]
    doubt = sum(
        variance**2 / share.degrees for variance, share in zip(variances, shares, strict=True)
    )
    return Share(
        shares[0].group,
        sum(share.value for share in shares),
        math.sqrt(sum(variances)),
        sum(variances) ** 2 / doubt,
    )


def _of_one_group(members: Sequence[Share]) -> Share:
    weights = [_weight(member) for member in members]
    return Share(
        members[0].group,
        _mean([member.value for member in members], weights),
        _mean([member.error for member in members], weights),
        min(member.degrees for member in members),
    )


def _of_groups(groups: Sequence[Share]) -> Share:
    """Inverse variances as weights. That these are estimates too widens the error (Meier, 1953);
    the degrees of freedom are Satterthwaite's (1946)."""
    weights = [_weight(group) for group in groups]
    total = sum(weights)
    parts = [weight / total for weight in weights]
    doubt = sum(
        part * (1 - part) / group.degrees for part, group in zip(parts, groups, strict=True)
    )
    return Share(
        None,
        _mean([group.value for group in groups], weights),
        math.sqrt((1 + 4 * doubt) / total),
        1 / sum(part**2 / group.degrees for part, group in zip(parts, groups, strict=True)),
    )


def _weight(share: Share) -> float:
    return 1 / share.error**2


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    pairs = zip(values, weights, strict=True)
    return sum(value * weight for value, weight in pairs) / sum(weights)


# --- Whether comparisons that other jobs made agree with an event ---------------------------------
# An event has many affected series, and one of them agrees by chance now and then. So the event
# as a whole is confirmed only where all of them together show it, or where one shows it so surely
# that it would among as many. Affected series that deny count in the first and not in the second:
# what one case lost is not made good by the others.
#
# It is rejected where all together leave no room for half of it, and none agrees. Regressions and
# improvements are held to the same. What was compared several times is evaluated together.


# half for all affected series together, half for the surest of them. As comparisons end where they
# look like a change, identical commits pass about twice as often: one in a hundred, as
# tests/analysis/test_agreement.py counts
CONFIRM_P = 0.002
# where other commits lie in between too, the step may be theirs
CONFIRM_WIDER_P = CONFIRM_P / 10
# how often a step of which half is there may pass for none
REFUTE_P = 0.01
JUDGED_STATES: frozenset[EventState] = frozenset(("suspected", "confirmed", "rejected"))


def evaluate(
    event: Event, comparisons: Sequence[PublishedComparison], raised_at: str | None = None
) -> tuple[EventState, list[Evidence]]:
    """The state of an event by these comparisons, and what each of them says of each affected
    series.

    `raised_at` is when the last of what raised the candidate change was begun, the commit's time if
    unset, which may be ahead by a day; a comparison that began before it is no independent one. It
    must not move when more runs come. What was acknowledged or fixed stays so.
    """
    since = raised_at or _day_before(event.culprit.after.time)
    in_order = sorted(comparisons, key=lambda item: (item.started_at, item.id))
    seen = [entry for comparison in in_order for entry in evidence_rows(event, comparison, since)]
    state = _state(seen) if event.state in JUDGED_STATES else event.state
    return state, [entry.row for entry in seen]


def _day_before(time: str) -> str:
    commit_time = moment(time)
    return (commit_time - timedelta(days=1)).isoformat() if commit_time else time


def _state(seen: Sequence[Seen]) -> EventState:
    counted = [entry for entry in seen if entry.row.independent]
    exact = [entry for entry in counted if entry.span == "exact"]
    # failures of other commits say nothing, so the wider ones have none
    wider = [entry for entry in counted if entry.span == "wider" and not _is_failure(entry)]
    if _confirms(exact, CONFIRM_P):
        return "confirmed"
    if any(entry.share for entry in exact):
        return "rejected" if _rejects(exact) else "suspected"
    return "confirmed" if _confirms(wider, CONFIRM_WIDER_P) else "suspected"


def _confirms(seen: Sequence[Seen], level: float) -> bool:
    if any(_is_failure(entry) and entry.row.agrees for entry in seen):
        return True
    shares = [entry.share for entry in seen if entry.share]
    agreeing = [entry.share for entry in seen if entry.share and entry.row.agrees]
    if not agreeing:
        return False
    together = pooled(shares)
    if together.value >= AGREES_FROM and together.p_above(0) <= level / 2:
        return True
    # Bonferroni's correction: the surest of so many
    return min(share.p_above(0) for share in agreeing) * len(shares) <= level / 2


def _rejects(seen: Sequence[Seen]) -> bool:
    shares = [entry.share for entry in seen if entry.share and entry.may_deny]
    if not shares or any(entry.row.agrees for entry in seen):
        return False
    return pooled(shares).p_below(DENIES_BELOW) <= REFUTE_P


def _is_failure(seen: Seen) -> bool:
    return seen.row.metric in FAILURES
