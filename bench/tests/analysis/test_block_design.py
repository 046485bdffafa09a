"""One model for rankings and comparisons: what it estimates, and what it leaves alone."""

from __future__ import annotations

import math
import random
import statistics
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.block_design import (
    BASE,
    HEAD,
    Fit,
    contrast,
    fit,
    fit_pairs,
    half_widths,
    noise,
    without_order_effect,
)
from springbench.analysis.intervals import PRIOR_DEGREES, Spread, mean_interval

logs = st.floats(-1.0, 1.0)


@dataclass(frozen=True)
class _Pairs:
    log_ratios: tuple[float, ...]
    head_first: tuple[bool, ...]


def alternating(values: list[float]) -> _Pairs:
    return _Pairs(tuple(values), tuple(index % 2 == 1 for index in range(len(values))))


@given(st.lists(logs, min_size=2, max_size=6), st.floats(-0.3, 0.3))
def test_an_effect_of_the_place_alone_leaves_the_change(
    changes: list[float], effect: float
) -> None:
    cases = [alternating([c - effect, c + effect, c - effect, c + effect]) for c in changes]
    for change, freed in zip(changes, without_order_effect(cases), strict=True):
        assert statistics.fmean(freed) == pytest.approx(change, abs=1e-12)
        # half of it at least is known from eight pairs
        assert max(abs(value - change) for value in freed) <= abs(effect) / 2 + 1e-12


def test_many_pairs_show_all_of_an_effect() -> None:
    cases = [alternating([1 - 0.3, 1 + 0.3, 1 - 0.3, 1 + 0.3])] * 100
    for freed in without_order_effect(cases):
        assert freed == pytest.approx((1.0,) * 4, abs=0.004)


@given(
    st.lists(st.lists(logs, min_size=4, max_size=4), min_size=1, max_size=4), st.floats(-0.3, 0.3)
)
def test_with_both_orders_equally_often_the_mean_does_not_move(
    cases: list[list[float]], effect: float
) -> None:
    shifted = [[v + (effect if i % 2 else -effect) for i, v in enumerate(case)] for case in cases]
    freed = without_order_effect([alternating(case) for case in shifted])
    for case, values in zip(cases, freed, strict=True):
        assert statistics.fmean(values) == pytest.approx(statistics.fmean(case), abs=1e-9)


def test_an_odd_pair_more_does_not_pass_for_a_change() -> None:
    for freed in without_order_effect([alternating([0.1, -0.1, 0.1])] * 50):
        assert statistics.fmean(freed) == pytest.approx(0.0, abs=0.001)


@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("outlier", [-0.175, 0.324])
def test_one_odd_pair_of_three_is_no_effect_of_its_place(position: int, outlier: float) -> None:
    """It is alone in its order then, and what it differs by must stay visible as noise."""
    values = [0.01, -0.02, 0.0]
    values[position] = outlier
    (freed,) = without_order_effect([alternating(values)])
    assert statistics.stdev(freed) >= 0.6 * statistics.stdev(values)


@pytest.mark.parametrize("head_first", [(False, False, False), (True, True, True)])
def test_one_order_alone_says_nothing_about_the_place(head_first: tuple[bool, ...]) -> None:
    values = (0.1, 0.2, 0.3)
    assert without_order_effect([_Pairs(values, head_first)]) == [values]


def test_noise_is_not_made_smaller_than_it_is() -> None:
    """The fitted effect costs a degree of freedom: over many draws the variance is kept."""
    dice = random.Random(7)
    variances = []
    for _ in range(2_000):
        cases = [alternating([dice.gauss(0, 1) for _ in range(3)]) for _ in range(2)]
        variances += [statistics.variance(values) for values in without_order_effect(cases)]
    assert math.sqrt(statistics.fmean(variances)) == pytest.approx(1.0, abs=0.05)


def as_design(log_ratios: list[float], blocks: list[float]) -> dict[str, dict[int, float]]:
    """Base and head of each pair, on hosts as fast as `blocks` says."""
    pairs = list(enumerate(zip(log_ratios, blocks, strict=False)))
    return {
        BASE: {number: host for number, (_, host) in pairs},
        HEAD: {number: host + ratio for number, (ratio, host) in pairs},
    }


hosts = st.lists(st.floats(-3.0, 3.0), min_size=6, max_size=6)


@given(st.lists(logs, min_size=2, max_size=6), hosts)
def test_pairs_are_the_design_of_two_treatments(ratios: list[float], of_host: list[float]) -> None:
    """Comparisons and rankings ask one model: pairs in closed form are the fit of a ranking."""
    pairs, general = fit_pairs(ratios), fit(as_design(ratios, of_host))
    assert general is not None
    assert general.treatments == pairs.treatments
    assert general.blocks == pairs.blocks
    change = general.levels[1] - general.levels[0]
    assert change == pytest.approx(pairs.levels[1], abs=1e-9)
    assert general.errors[1][0] == pytest.approx(pairs.errors[1][0], rel=1e-9)
    assert general.residual.degrees == pairs.residual.degrees
    assert general.residual.deviation == pytest.approx(pairs.residual.deviation, abs=1e-9)


@given(st.lists(logs, min_size=2, max_size=6, unique=True))
def test_a_contrast_is_the_interval_of_the_mean_of_the_pairs(ratios: list[float]) -> None:
    fitted = fit_pairs(ratios)
    found, mean = contrast(fitted, fitted.residual), mean_interval(ratios)
    assert found.difference - found.half_width == pytest.approx(mean.low, abs=1e-9)
    assert found.difference + found.half_width == pytest.approx(mean.high, abs=1e-9)


@given(st.lists(logs, min_size=2, max_size=6, unique=True))
def test_of_two_treatments_the_range_test_is_that_contrast(ratios: list[float]) -> None:
    fitted = fit_pairs(ratios)
    widths = half_widths(fitted, fitted.residual)
    assert widths[0][1] == pytest.approx(contrast(fitted, fitted.residual).half_width)


def design(cells: list[list[float]]) -> Fit:
    found = fit({f"s{t}": dict(enumerate(row)) for t, row in enumerate(cells)})
    assert found is not None
    return found


tables = st.integers(2, 4).flatmap(
    lambda rounds: st.lists(
        st.lists(logs, min_size=rounds, max_size=rounds), min_size=2, max_size=5
    )
)


@given(tables, hosts)
def test_what_happens_to_a_whole_block_changes_nothing(
    cells: list[list[float]], of_host: list[float]
) -> None:
    before = design(cells)
    after = design([[v + of_host[b] for b, v in enumerate(row)] for row in cells])
    assert after.errors == before.errors
    assert after.residual.deviation == pytest.approx(before.residual.deviation, abs=1e-9)
    for t in range(1, len(cells)):
        assert after.levels[t] - after.levels[0] == pytest.approx(
            before.levels[t] - before.levels[0], abs=1e-9
        )


@given(tables, st.randoms())
def test_the_order_of_treatments_and_blocks_changes_nothing(
    cells: list[list[float]], dice: random.Random
) -> None:
    blocks = list(range(len(cells[0])))
    dice.shuffle(blocks)
    before, after = design(cells), design([[row[b] for b in blocks] for row in cells])
    assert after.residual.deviation == pytest.approx(before.residual.deviation, abs=1e-9)
    assert [level - after.levels[0] for level in after.levels] == pytest.approx(
        [level - before.levels[0] for level in before.levels], abs=1e-9
    )


@given(st.floats(0.001, 1.0), st.integers(1, 30), st.floats(0.001, 0.5))
def test_noise_lies_between_what_was_seen_and_what_is_usual(
    deviation: float, degrees: int, usual: float
) -> None:
    spread = Spread(deviation, degrees)
    found = noise(spread, usual)
    if deviation > 2 * usual:
        # the host is of another kind than the one that the usual spread was seen on
        assert found == spread
    else:
        low, high = sorted((deviation, usual))
        assert low * (1 - 1e-9) <= found.deviation <= high * (1 + 1e-9)
        assert found.degrees == degrees + PRIOR_DEGREES


def test_treatments_that_never_met_have_no_fit() -> None:
    assert (
        fit(
            {
                "a": {0: 0.0, 1: 0.1},
                "b": {0: 0.6, 1: 0.7},
                "c": {2: 0.0, 3: 0.0},
                "d": {2: 0.0, 3: 0.0},
            }
        )
        is None
    )
    assert fit({"a": {0: 0.0, 1: 0.1}, "b": {2: 0.6, 3: 0.7}}) is None
