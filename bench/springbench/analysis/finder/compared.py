"""What comparisons of neighbours tell: a step that was measured, and no drift of a host."""

from __future__ import annotations

from collections.abc import Sequence

from springbench.analysis.finder.settings import FinderSettings
from springbench.results.events import COMPARED
from springbench.results.metrics import HISTORY_METRICS
from springbench.results.published_comparison import PublishedComparison, PublishedFinding
from springbench.results.steps import Place, StepRow

_JUDGED = {metric.name: metric for metric in HISTORY_METRICS}


def steps_of_comparisons(
    comparisons: Sequence[PublishedComparison], settings: FinderSettings | None = None
) -> list[StepRow]:
    """A step for each change that the comparison of a push has surely found, at its head."""
    surely = (settings or FinderSettings()).comparison_p_value
    return [
        step
        for comparison in comparisons
        if comparison.purpose == "push"
        for finding in comparison.findings
        if finding.verdict in ("regression", "improvement")
        and finding.p_value <= surely
        and (step := _step(comparison, finding))
    ]


def _step(comparison: PublishedComparison, finding: PublishedFinding) -> StepRow | None:
    metric = _JUDGED.get(finding.metric)
    if metric is None:
        return None
    return StepRow(
        kind="step",
        case=finding.case,
        configuration=COMPARED,
        host_class=comparison.host.host_class,
        metric=metric.name,
        unit=metric.unit,
        better=metric.better,
        ratio=finding.ratio,
        low_ratio=finding.low_ratio,
        high_ratio=finding.high_ratio,
        p_value=finding.p_value,
        last_before=comparison.base,
        places=[Place(commit=comparison.head, run=comparison.id, drop=0.0)],
        until=comparison.head,
    )
