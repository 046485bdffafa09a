"""How sure the middle of a few values is."""

from __future__ import annotations

import random
import statistics

import pytest

from springbench.results.middle import median_error


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0]])
def test_two_values_have_no_middle_one(values: list[float]) -> None:
    assert median_error(values) is None


def test_what_one_moment_disturbed_is_not_in_it() -> None:
    assert median_error([10.0, 10.0, 10.0, 3.0]) == 0
    assert median_error([9.0, 10.0, 11.0, 10.0]) == pytest.approx(0.46, abs=0.01)


@pytest.mark.parametrize("count", [15, 40])
def test_medians_of_normal_values_spread_by_so_much(count: int) -> None:
    dice = random.Random(count)
    samples = [[dice.gauss(0, 1) for _ in range(count)] for _ in range(3000)]
    spread = statistics.stdev(statistics.median(sample) for sample in samples)
    estimate = statistics.fmean(median_error(sample) or 0.0 for sample in samples)
    assert estimate == pytest.approx(spread, rel=0.1)
