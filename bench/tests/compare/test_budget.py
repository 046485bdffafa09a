"""The time of a comparison is kept, and shared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.compare.scheduler import RESERVE_S, Stages, TimeBudget

SHORT, LONG = ("tomcat", "hello"), ("tomcat", "hello", "pay")


class Clock:
    """One that goes on when it is told to."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def spend(budget: TimeBudget, clock: Clock, stages: Stages, took_s: float) -> None:
    with budget.pair(stages):
        clock.now_s += took_s


@given(
    st.floats(RESERVE_S + 1, 3600), st.lists(st.tuples(st.sampled_from([SHORT, LONG]), st.just(20)))
)
def test_pairs_of_one_length_never_outlast_it(
    budget_s: float, stage_times: list[tuple[Stages, float]]
) -> None:
    clock = Clock()
    budget = TimeBudget(budget_s, clock)
    budget.begin()
    for number, (stages, took_s) in enumerate(stage_times):
        # of the first nobody knows how long it takes
        if number == 0 or budget.fits(stages):
            spend(budget, clock, stages, took_s)
    assert budget.elapsed_s <= max(budget_s, 20)
    assert 0 <= budget.left_s <= budget_s


def test_a_pair_is_as_long_as_its_kind_was() -> None:
    clock = Clock()
    budget = TimeBudget(100, clock)
    budget.begin()
    spend(budget, clock, SHORT, 10)
    spend(budget, clock, LONG, 50)
    # 40 s are left
    assert budget.fits(SHORT)
    assert not budget.fits(LONG)
    # a kind that is new may be the longest
    assert not budget.fits(("jetty",))


def test_one_that_failed_to_be_measured_says_nothing_of_its_length() -> None:
    clock = Clock()
    budget = TimeBudget(100, clock)
    with pytest.raises(KeyboardInterrupt), budget.pair(SHORT):
        raise KeyboardInterrupt
    assert budget.more_of_each(3) == 1


def test_what_is_left_is_shared_among_all() -> None:
    clock = Clock()
    budget = TimeBudget(100, clock)
    budget.begin()
    spend(budget, clock, SHORT, 10)
    assert budget.more_of_each(3) == 3
    assert budget.more_of_each(100) == 1
