"""What the finder makes of noise that is not independent: how often it sees a step where there is
none, and how often one that is there."""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np
import pytest
from numpy.typing import NDArray

from springbench.analysis.finder.noise import MODELS, fits, noises
from springbench.analysis.finder.settings import FinderSettings
from springbench.analysis.finder.steps import Change, changes_of

Rows = NDArray[np.float64]
SERIES, POINTS, POSITION = 60, 120, 90
# so many series of so many points may show a step: 2 in 1,000 points
MOST = 0.002 * SERIES * POINTS
SETTINGS = FinderSettings()


def draw(seed: int = 1) -> Rows:
    return np.random.default_rng(seed).normal(0, 0.03, (SERIES, POINTS))


def autocorrelated(by: float) -> Rows:
    steps = draw().T
    rows = accumulate(steps, lambda last, new: by * last + math.sqrt(1 - by**2) * new)
    return np.array(list(rows)).T


def two_speeds() -> Rows:
    changes = np.random.default_rng(2).random((SERIES, POINTS)) < 1 / 20
    return draw() + math.log(0.8) * (np.cumsum(changes, axis=1) % 2)


def drifting() -> Rows:
    return 0.8 * draw() + np.cumsum(0.1 * draw(2), axis=1)


def heavy_tails() -> Rows:
    return 0.03 / math.sqrt(3) * np.random.default_rng(1).standard_t(3, (SERIES, POINTS))


NOISE = {
    "independent": draw(),
    "0.3": autocorrelated(0.3),
    "0.6": autocorrelated(0.6),
    "0.9": autocorrelated(0.9),
    "two speeds": two_speeds(),
    "drifting": drifting(),
    "heavy tails": heavy_tails(),
}


def found(rows: Rows) -> list[Change]:
    return [change for changes in changes_of(list(rows), SETTINGS) for change in changes]


@pytest.mark.parametrize("noise", NOISE)
def test_noise_is_rarely_taken_for_a_step(noise: str) -> None:
    assert len(found(NOISE[noise])) <= MOST


@pytest.mark.parametrize(
    ("noise", "least"),
    [("independent", 0.95), ("0.3", 0.85), ("0.6", 0.65), ("0.9", 0.7), ("heavy tails", 0.9)],
)
def test_a_step_of_a_tenth_is_found_in_it(noise: str, least: float) -> None:
    rows = NOISE[noise].copy()
    rows[:, POSITION:] += math.log(1.1)
    near = [
        change
        for change in found(rows)
        if change.ratio > 1 and abs(change.position - POSITION) <= 3
    ]
    assert len(near) >= least * SERIES


@pytest.mark.parametrize("size", [0.0, 0.5])
def test_a_step_is_not_taken_for_autocorrelation(size: float) -> None:
    rows = draw()
    rows[:, POSITION:] += size
    independent = [noise[0] for noise in noises(list(rows))]
    assert np.median(independent) > MODELS[0].probability


def test_autocorrelation_is_seen_in_spite_of_the_step_that_is_taken_out() -> None:
    assert np.median([noise[0] for noise in noises(list(autocorrelated(0.6)))]) < 0.01


@pytest.mark.parametrize("noise", ["independent", "0.6", "0.9"])
def test_the_interval_of_a_step_has_it(noise: str) -> None:
    rows = NOISE[noise].copy()
    rows[:, POSITION:] += 0.2
    inside = [abs(fit.change - 0.2) <= 2 * fit.error for fit in fits(list(rows), at=POSITION)]
    assert np.mean(inside) >= 0.85


def test_a_host_that_changes_its_speed_hides_no_larger_step() -> None:
    rows = two_speeds()
    rows[:, POSITION:] += math.log(2)
    near = [
        change
        for change in found(rows)
        if change.ratio > 1 and abs(change.position - POSITION) <= 3
    ]
    assert len(near) >= 0.9 * SERIES


def test_what_is_broken_and_mended_once_is_two_steps() -> None:
    rows = draw() / 3
    rows[:, 50:70] -= math.log(1.1)
    ratios = [
        [change.ratio > 1 for change in changes] for changes in changes_of(list(rows), SETTINGS)
    ]
    assert ratios.count([False, True]) >= 0.9 * SERIES
