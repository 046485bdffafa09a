"""Steps of single series put together: those that may lie at one commit are one event."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from springbench.analysis.evidence import (
    DENIES_BELOW,
    Share,
    added,
    finding_on,
    is_sound,
    measured_change,
    pooled,
    share_of,
)
from springbench.analysis.finder.settings import FinderSettings
from springbench.analysis.finder.steps import PLACE_DROP
from springbench.analysis.intervals import t_quantile, two_sided_p
from springbench.matrix.service_name import service_of
from springbench.results.events import COMPARED, Direction, Event, EventKind
from springbench.results.history_names import CommitRow
from springbench.results.metrics import HISTORY_METRICS
from springbench.results.published_comparison import PublishedComparison, PublishedFinding
from springbench.results.published_run import DRIFTED
from springbench.results.steps import Place, StepRow

Key = tuple[str, str]
"""The order of commits in a history: when it was made, and its hash."""


@dataclass(frozen=True)
class Group:
    """Steps in one direction that share a range of commits: after `before`, up to `after`.

    They are of one service, or of servers of Spring Boot: services share commits, and no cause.
    """

    kind: EventKind
    direction: Direction
    steps: tuple[StepRow, ...]
    before: CommitRow
    after: CommitRow

    @property
    def service(self) -> str | None:
        """The service that it is of; None for servers of Spring Boot."""
        return service_of(self.steps[0].case)

    @property
    def place(self) -> Place:
        """Where all of them together are most likely to begin; the earliest of equals."""
        low, high = commit_key(self.before), commit_key(self.after)
        places = {
            commit_key(place.commit): place
            for step in self.steps
            for place in step.places
            if low < commit_key(place.commit) <= high
        }
        return places[min(sorted(places), key=self._drop)]

    def _drop(self, key: Key) -> float:
        return sum(_drop_at(step, key) for step in self.steps)


def commit_key(commit: CommitRow) -> Key:
    """Where a commit stands in the history."""
    return (commit.time, commit.sha)


def group_steps(steps: Sequence[StepRow]) -> list[Group]:
    """The groups, the surest step first in each. A series is in a group once."""
    groups: list[Group] = []
    # those that a step may join, by kind, direction and service
    alike: dict[tuple[str, str, str | None], list[int]] = {}
    for step in sorted(steps, key=lambda item: (item.p_value, item.case, item.metric)):
        numbers = alike.setdefault((step.kind, step.direction, service_of(step.case)), [])
        for number in numbers:
            if joined := _joined(groups[number], step):
                groups[number] = joined
                break
        else:
            numbers.append(len(groups))
            groups.append(
                Group(step.kind, step.direction, (step,), step.last_before, _newest(step))
            )
    return groups


def _newest(step: StepRow) -> CommitRow:
    return step.until if step.kind == "drift" else step.places[-1].commit


def _joined(group: Group, step: StepRow) -> Group | None:
    """The group with the step in it; None where they have no commit in common."""
    newest = _newest(step)
    if not (
        commit_key(step.last_before) < commit_key(group.after)
        and commit_key(group.before) < commit_key(newest)
    ):
        return None
    if any(_series(other) == _series(step) for other in group.steps):
        return None
    before = max(group.before, step.last_before, key=commit_key)
    after = min(group.after, newest, key=commit_key)
    joined = Group(group.kind, group.direction, (*group.steps, step), before, after)
    return joined if _has_place(joined) else None


def _has_place(group: Group) -> bool:
    low, high = commit_key(group.before), commit_key(group.after)
    return any(
        low < commit_key(place.commit) <= high for step in group.steps for place in step.places
    )


def _series(step: StepRow) -> tuple[str, str, str, str]:
    return (step.case, step.configuration, step.host_class, step.metric)


def _drop_at(step: StepRow, key: Key) -> float:
    """How unlikely a step begins there: what was measured next counts."""
    following = [place for place in step.places if commit_key(place.commit) >= key]
    return following[0].drop if following else PLACE_DROP


# --- What comparisons of pushes tell: each of a commit with the one that was measured before it ---
# They are the primary evidence: a host that changes its speed changes both sides of a pair. One
# may show a step. Along a chain, from the head of one to the base of the next, changes add up,
# and so do the variances of their independent errors: several in a row may show a drift that no
# single one shows. And a step of a series that the chain excludes is the host's.


_SETTINGS = FinderSettings()
_EVALUATED = {metric.name: metric for metric in HISTORY_METRICS}
Chain = Sequence[PublishedComparison]
"""Comparisons of pushes, each with the head of the one before it as its base."""
MOST_LINKS = 60
"""So many of the newest are added up."""
# how often a step of which half is there may pass for none
_EXCLUDES_P = 0.01
# what one of them shows alone is no drift
_MOST_OF_ONE = 1 / 2


def chains_of(comparisons: Sequence[PublishedComparison]) -> list[Chain]:
    """The chains, each as long as it can be. Where a commit was compared again the last counts."""
    pushes = {
        comparison.base.sha: comparison
        for comparison in sorted(comparisons, key=lambda item: item.started_at)
        if comparison.purpose == "push"
        and DRIFTED not in comparison.marks
        and commit_key(comparison.base) < commit_key(comparison.head)
    }
    heads = {comparison.head.sha for comparison in pushes.values()}
    chains: list[Chain] = []
    for first in pushes.values():
        if first.base.sha not in heads:
            chain = [first]
            while following := pushes.get(chain[-1].head.sha):
                chain.append(following)
            chains.append(chain)
    return chains


def is_excluded(event: Event, chains: Sequence[Chain]) -> bool:
    """Whether the pairs from one end of the event to the other leave no room for half of it, and
    none of its series agrees."""
    shares = [share for chain in chains for share in _shares(event, chain)]
    agree = any(share.value > t_quantile(share.degrees) * share.error for share in shares)
    return bool(shares) and not agree and pooled(shares).p_below(DENIES_BELOW) <= _EXCLUDES_P


def _shares(event: Event, chain: Chain) -> Iterator[Share]:
    """Of each affected series the share of its step that the chain shows."""
    before, after = commit_key(event.culprit.before), commit_key(event.culprit.after)
    links = [
        link for link in chain if commit_key(link.head) > before and commit_key(link.base) < after
    ]
    if not links or commit_key(links[0].base) > before or commit_key(links[-1].head) < after:
        return
    for affected in event.affected_series:
        parts = [
            share
            for link in links
            if (finding := finding_on(link, affected))
            and (share := share_of(event, affected, link, finding))
        ]
        if len(parts) == len(links):
            yield added(parts)


def steps_of_comparisons(
    comparisons: Sequence[PublishedComparison],
) -> list[StepRow]:
    """A step for each change that the comparison of a push has surely found, at its head."""
    surely = _SETTINGS.comparison_p_value
    return [
        step
        for comparison in comparisons
        if comparison.purpose == "push"
        for finding in comparison.findings
        if finding.verdict in ("regression", "improvement")
        and finding.p_value <= surely
        and (step := _step(comparison, finding))
    ]


def drifts_of_comparisons(
    chains: Sequence[Chain],
) -> list[StepRow]:
    """A drift for each case and metric of which comparisons in a row surely show a change, and no
    one of them most of it."""
    return [
        drift
        for chain in chains
        for links in _by_series(chain[-MOST_LINKS:])
        if (drift := _drift(links))
    ]


Link = tuple[PublishedComparison, PublishedFinding]


def _by_series(chain: Chain) -> Iterator[list[Link]]:
    """By case and metric the links at the end of the chain that have it."""
    findings = [
        {(finding.case, finding.metric): finding for finding in link.findings} for link in chain
    ]
    for key in findings[-1]:
        links: list[Link] = []
        for link, link_findings in zip(reversed(chain), reversed(findings), strict=True):
            if key not in link_findings or not is_sound(link_findings[key]):
                break
            links.append((link, link_findings[key]))
        yield links[::-1]


def _drift(links: Sequence[Link]) -> StepRow | None:
    import numpy as np  # noqa: PLC0415 - most commands need it not

    metric = _EVALUATED.get(links[0][1].metric) if len(links) > 1 else None
    least = _SETTINGS.minimum_ratios.get(metric.name) if metric else None
    if metric is None or least is None:
        return None
    parts = [measured_change(*link) for link in links]
    sums = np.cumsum([0.0, *(part.value for part in parts)])
    variances = np.cumsum([0.0, *(part.error**2 for part in parts)])
    # from each commit to each later one
    begins, ends = np.triu_indices(len(sums), 1)
    sure = np.abs(sums[ends] - sums[begins]) / np.sqrt(variances[ends] - variances[begins])
    best = int(sure.argmax())
    begin, end = int(begins[best]), int(ends[best])
    total = added(parts[begin:end])
    p_value = min(1.0, len(sure) * two_sided_p(total.value / total.error, total.degrees))
    of_one = max(abs(part.value) for part in parts[begin:end])
    if (
        p_value > _SETTINGS.comparison_p_value
        or abs(math.expm1(total.value)) < least
        or of_one > _MOST_OF_ONE * abs(total.value)
    ):
        return None
    half = t_quantile(total.degrees) * total.error
    first, last = links[begin], links[end - 1]
    ratios = [math.exp(total.value + by) for by in (0.0, -half, half)]
    return _row("drift", (first[0], last[0]), last[1], ratios, p_value)


def _step(comparison: PublishedComparison, finding: PublishedFinding) -> StepRow | None:
    ratios = (finding.ratio, finding.low_ratio, finding.high_ratio)
    return _row("step", (comparison, comparison), finding, ratios, finding.p_value)


def _row(
    kind: EventKind,
    ends: tuple[PublishedComparison, PublishedComparison],
    finding: PublishedFinding,
    ratios: Sequence[float],
    p_value: float,
) -> StepRow | None:
    """A change over comparisons, from the first to the last; None of what a history has not."""
    first, last = ends
    metric = _EVALUATED.get(finding.metric)
    if metric is None:
        return None
    ratio, low_ratio, high_ratio = ratios
    return StepRow(
        kind=kind,
        case=finding.case,
        configuration=COMPARED,
        host_class=last.host.host_class,
        metric=metric.name,
        unit=metric.unit,
        better=metric.better,
        ratio=ratio,
        low_ratio=low_ratio,
        high_ratio=high_ratio,
        p_value=p_value,
        last_before=first.base,
        places=[Place(commit=first.head, run=first.id, drop=0.0)],
        until=last.head,
    )
