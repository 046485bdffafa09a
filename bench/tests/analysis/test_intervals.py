"""Intervals over forks."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.intervals import (
    Spread,
    detectable_ratio,
    mean_interval,
    median_interval,
    pooled_spread,
    t_quantile,
    two_sided_p,
)

RATES = st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=15)


@given(RATES)
def test_the_interval_encloses_the_median(values: list[float]) -> None:
    interval = median_interval(values)
    assert interval.low <= interval.middle <= interval.high


@given(RATES, st.floats(0.1, 10))
def test_units_do_not_matter(values: list[float], factor: float) -> None:
    plain, scaled = median_interval(values), median_interval([v * factor for v in values])
    assert scaled.low == pytest.approx(plain.low * factor)
    assert scaled.high == pytest.approx(plain.high * factor)


def test_no_values_have_no_interval() -> None:
    with pytest.raises(ValueError, match="no values"):
        median_interval([])


@pytest.mark.parametrize("forks", [3, 5, 8])
def test_intervals_hold_what_they_promise(forks: int) -> None:
    """Over many sets of forks the true median lies in about 95 % of the intervals, never in less
    than a safe distance below."""
    dice = random.Random(forks)
    sets = 400
    hits = 0
    for _ in range(sets):
        interval = median_interval([math.exp(dice.gauss(0, 0.06)) for _ in range(forks)])
        hits += interval.low <= 1.0 <= interval.high
    assert hits / sets >= 0.92


@pytest.mark.parametrize("forks", [2, 3])
def test_intervals_steadied_by_cases_like_it_hold_and_are_narrower(forks: int) -> None:
    """Four cases alike, and one of which forks lie twice as far apart."""
    dice = random.Random(forks)
    sets, hits, halves, alone = 400, 0, 0.0, 0.0
    for _ in range(sets):
        deviations = (0.06, 0.06, 0.06, 0.12)
        cases = [[math.exp(dice.gauss(0, d)) for _ in range(forks)] for d in deviations]
        pooled = pooled_spread(cases)
        for values in cases:
            interval = median_interval(values, pooled)
            hits += interval.low <= 1.0 <= interval.high
            halves += math.log(interval.high / interval.low)
            own = median_interval(values)
            alone += math.log(own.high / own.low)
    assert hits / (4 * sets) >= 0.93
    assert halves < (0.3 if forks == 2 else 0.7) * alone


def test_processes_that_cases_share_tell_once_how_far_they_lie_apart() -> None:
    startup_s = [29.6, 30.9, 33.0]
    assert pooled_spread([startup_s] * 4) == pooled_spread([startup_s])
    assert pooled_spread([[29.6], [0.0, 1.0], []]) is None
    interval = median_interval(startup_s, pooled_spread([startup_s] * 4))
    assert interval == median_interval(startup_s)


def test_known_quantiles() -> None:
    assert t_quantile(3) == pytest.approx(3.182, abs=1e-3)
    assert two_sided_p(3.182, 3) == pytest.approx(0.05, abs=1e-3)
    interval = mean_interval([-1.0, 1.0])
    assert interval.middle == 0
    assert interval.high == pytest.approx(12.706, abs=1e-2)


def test_a_change_as_large_as_said_is_found_in_four_of_five() -> None:
    """The promise of the smallest detectable change, simulated."""
    dice = random.Random(1)
    pairs, deviation = 6, 0.03
    change = math.log1p(detectable_ratio(Spread(deviation / math.sqrt(2), pairs - 1), pairs))
    found, trials = 0, 600
    for _ in range(trials):
        spread = Spread.of(sample := [dice.gauss(change, deviation) for _ in range(pairs)])
        error = spread.deviation / math.sqrt(pairs)
        found += two_sided_p(sum(sample) / pairs / error, spread.degrees) < 0.05
    assert 0.72 <= found / trials <= 0.9


def test_a_spread_is_drawn_towards_what_the_others_show() -> None:
    spread, prior = Spread(0.10, 2), Spread(0.02, 10)
    steadied = spread.moderated(prior, 4)
    assert 0.02 < steadied.deviation < 0.10
    assert steadied.degrees == 6
    pooled = Spread.pooled([Spread(0.1, 2), Spread(0.2, 4)])
    assert pooled.degrees == 6
    assert pooled.deviation == pytest.approx(math.sqrt((2 * 0.01 + 4 * 0.04) / 6))
