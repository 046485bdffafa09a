"""Whether comparisons that other jobs made agree with an event. Pure.

An event has many affected series, and one of them agrees by chance now and then (`evidence.py`
says when one does). So the event as a whole is confirmed only where all of them together show it
(`pooling.py`), or where one shows it so surely that it would among as many. Affected series that
deny count in the first and not in the second: what one case lost is not made good by the others.

It is rejected where all together leave no room for half of it, and none agrees. Regressions and
improvements are held to the same. What was compared several times is evaluated together.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from springbench.analysis.commit_range import moment
from springbench.analysis.evidence import AGREES_FROM, DENIES_BELOW, FAILURES, Seen, evidence_rows
from springbench.analysis.pooling import pooled
from springbench.results.events import Event, EventState, Evidence
from springbench.results.published_comparison import PublishedComparison

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
    in_order = sorted(comparisons, key=lambda each: (each.started_at, each.id))
    seen = [each for comparison in in_order for each in evidence_rows(event, comparison, since)]
    state = _state(seen) if event.state in JUDGED_STATES else event.state
    return state, [each.row for each in seen]


def _day_before(time: str) -> str:
    made = moment(time)
    return (made - timedelta(days=1)).isoformat() if made else time


def _state(seen: Sequence[Seen]) -> EventState:
    counted = [each for each in seen if each.row.independent]
    exact = [each for each in counted if each.span == "exact"]
    # failures of other commits say nothing, so the wider ones have none
    wider = [each for each in counted if each.span == "wider" and not _is_failure(each)]
    if _confirms(exact, CONFIRM_P):
        return "confirmed"
    if any(each.share for each in exact):
        return "rejected" if _rejects(exact) else "suspected"
    return "confirmed" if _confirms(wider, CONFIRM_WIDER_P) else "suspected"


def _confirms(seen: Sequence[Seen], level: float) -> bool:
    if any(_is_failure(each) and each.row.agrees for each in seen):
        return True
    shares = [each.share for each in seen if each.share]
    agreeing = [each.share for each in seen if each.share and each.row.agrees]
    if not agreeing:
        return False
    together = pooled(shares)
    if together.value >= AGREES_FROM and together.p_above(0) <= level / 2:
        return True
    # Bonferroni's correction: the surest of so many
    return min(share.p_above(0) for share in agreeing) * len(shares) <= level / 2


def _rejects(seen: Sequence[Seen]) -> bool:
    shares = [each.share for each in seen if each.share and each.may_deny]
    if not shares or any(each.row.agrees for each in seen):
        return False
    return pooled(shares).p_below(DENIES_BELOW) <= REFUTE_P


def _is_failure(seen: Seen) -> bool:
    return seen.row.metric in FAILURES
