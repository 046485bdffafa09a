"""What a chain of comparisons of pushes tells of a series."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from springbench.analysis.finder.events import events_of
from springbench.analysis.finder.grouping import (
    chains_of,
    drifts_of_comparisons,
    is_excluded,
)
from springbench.analysis.finder.series_steps import steps_of
from springbench.results.published_comparison import PublishedComparison
from springbench.results.steps import StepRow
from tests.analysis.finder.series import commit as day
from tests.analysis.finder.series import noisy, series
from tests.suspected import affected, commit, compared, event, found

RATE = "throughput_rps"


def link(
    base: int,
    head: int,
    ratio: float,
    within: float = 0.02,
    metric: str = RATE,
    purpose: str = "push",
) -> PublishedComparison:
    finding = found(ratio, within, metric=metric)
    return compared(finding, base=base, head=head, id=f"{purpose}-{base}-{head}", purpose=purpose)


def pushes(ratios: Sequence[float], within: float = 0.02) -> list[PublishedComparison]:
    return [link(number, number + 1, ratio, within) for number, ratio in enumerate(ratios)]


def drifts(comparisons: Sequence[PublishedComparison]) -> list[StepRow]:
    return drifts_of_comparisons(chains_of(comparisons))


def test_a_chain_goes_from_head_to_base_as_far_as_it_can() -> None:
    links = [link(5, 6, 1), link(1, 2, 1), link(2, 4, 1), link(8, 9, 1, purpose="manual")]
    found = [
        [(comparison.base, comparison.head) for comparison in chain] for chain in chains_of(links)
    ]
    assert sorted(found, key=str) == [
        [(commit(1), commit(2)), (commit(2), commit(4))],
        [(commit(5), commit(6))],
    ]


def test_many_small_changes_in_a_row_are_a_drift_that_no_single_one_is() -> None:
    (drift,) = drifts(pushes([1.0] * 3 + [0.985] * 8))
    assert (drift.kind, drift.configuration) == ("drift", "compare")
    assert drift.ratio == pytest.approx(0.985**8, rel=1e-6)
    assert drift.high_ratio < 1
    assert (drift.last_before, drift.until) == (commit(3), commit(11))


def test_what_wavers_is_no_drift() -> None:
    assert drifts(pushes([0.985, 1.015] * 6)) == []


def test_what_one_push_did_is_no_drift() -> None:
    assert drifts(pushes([1.0, 1.0, 0.9, 1.0, 1.0])) == []


def test_a_gap_ends_a_chain() -> None:
    links = pushes([0.985] * 8)
    assert drifts([*links[:4], *links[5:]]) == []


@pytest.mark.parametrize(
    ("ratios", "excluded"),
    [
        ((1.0, 1.0), True),
        ((0.9, 1.0), False),  # the first of them shows it
        ((0.97, 0.97), False),  # together they leave room for it
        ((1.1, 1.1), True),
    ],
)
def test_a_step_is_excluded_where_the_chain_leaves_no_room_for_it(
    ratios: tuple[float, float], *, excluded: bool
) -> None:
    step = event(affected(0.9, metric=RATE, better="higher"), before=4, after=6)
    links = [link(4 + number, 5 + number, ratio) for number, ratio in enumerate(ratios)]
    assert is_excluded(step, chains_of(links)) is excluded


def test_a_chain_that_does_not_reach_both_ends_says_nothing() -> None:
    step = event(affected(0.9, metric=RATE, better="higher"), before=4, after=6)
    assert not is_excluded(step, chains_of([link(4, 5, 1.0)]))
    assert is_excluded(step, chains_of([link(3, 5, 1.0), link(5, 8, 1.0)]))


def test_a_comparison_of_another_metric_says_nothing() -> None:
    step = event(affected(0.9, metric=RATE, better="higher"), before=4, after=5)
    assert not is_excluded(step, chains_of([link(4, 5, 1.0, metric="cpu_per_request_s")]))


def test_a_step_of_the_host_is_not_suspected_where_pushes_were_compared() -> None:
    values = noisy((1000, 40), (800, 20))
    steps, _ = steps_of([series(values)])
    links = [
        link(number, number + 1, 1.0).model_copy(
            update={"base": day(number), "head": day(number + 1)}
        )
        for number in range(59)
    ]
    assert [entry.state for entry in events_of(steps)] == ["suspected"]
    assert [entry.state for entry in events_of(steps, links)] == ["rejected"]
