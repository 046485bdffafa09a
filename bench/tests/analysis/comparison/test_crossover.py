"""What a place in the pair adds is taken out, and nothing else."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.comparison.crossover import Paired, without_position

logs = st.floats(-1.0, 1.0)


def alternating(values: list[float]) -> Paired:
    return Paired(tuple(values), tuple(index % 2 == 1 for index in range(len(values))))


@given(st.lists(logs, min_size=2, max_size=6), st.floats(-0.3, 0.3))
def test_an_effect_of_the_place_alone_leaves_the_change(
    changes: list[float], effect: float
) -> None:
    cases = [alternating([c - effect, c + effect, c - effect, c + effect]) for c in changes]
    for change, freed in zip(changes, without_position(cases), strict=True):
        assert statistics.fmean(freed) == pytest.approx(change, abs=1e-12)
        # half of it at least is known from eight pairs
        assert max(abs(value - change) for value in freed) <= abs(effect) / 2 + 1e-12


def test_many_pairs_show_all_of_an_effect() -> None:
    cases = [alternating([1 - 0.3, 1 + 0.3, 1 - 0.3, 1 + 0.3])] * 100
    for freed in without_position(cases):
        assert freed == pytest.approx((1.0,) * 4, abs=0.004)


@given(
    st.lists(st.lists(logs, min_size=4, max_size=4), min_size=1, max_size=4), st.floats(-0.3, 0.3)
)
def test_with_both_orders_equally_often_the_mean_does_not_move(
    cases: list[list[float]], effect: float
) -> None:
    shifted = [[v + (effect if i % 2 else -effect) for i, v in enumerate(case)] for case in cases]
    freed = without_position([alternating(case) for case in shifted])
    for case, values in zip(cases, freed, strict=True):
        assert statistics.fmean(values) == pytest.approx(statistics.fmean(case), abs=1e-9)


def test_an_odd_pair_more_does_not_pass_for_a_change() -> None:
    for freed in without_position([alternating([0.1, -0.1, 0.1])] * 50):
        assert statistics.fmean(freed) == pytest.approx(0.0, abs=0.001)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("outlier", [-0.175, 0.324])
def test_one_odd_pair_of_three_is_no_effect_of_its_place(place: int, outlier: float) -> None:
    """It is alone in its order then, and what it differs by must stay visible as noise."""
    values = [0.01, -0.02, 0.0]
    values[place] = outlier
    (freed,) = without_position([alternating(values)])
    assert statistics.stdev(freed) >= 0.6 * statistics.stdev(values)


@pytest.mark.parametrize("head_first", [(False, False, False), (True, True, True)])
def test_one_order_alone_says_nothing_about_the_place(head_first: tuple[bool, ...]) -> None:
    values = (0.1, 0.2, 0.3)
    assert without_position([Paired(values, head_first)]) == [values]


def test_noise_is_not_made_smaller_than_it_is() -> None:
    """The fitted effect costs a degree of freedom: over many draws the variance is kept."""
    dice = random.Random(7)
    variances = []
    for _ in range(2_000):
        cases = [alternating([dice.gauss(0, 1) for _ in range(3)]) for _ in range(2)]
        variances += [statistics.variance(values) for values in without_position(cases)]
    assert math.sqrt(statistics.fmean(variances)) == pytest.approx(1.0, abs=0.05)
