"""What a CPU probe tells of a series."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from springbench.analysis.finder.observations import MetricSeries, at_one_speed
from springbench.analysis.finder.series_steps import steps_of
from tests.analysis.finder.series import noisy, series

RANDOM = np.random.default_rng(1)


def probed(values: list[float], speeds: list[float]) -> MetricSeries:
    """A series whose host had these speeds when each run began."""
    plain = series(values)
    probes_s = [0.05 / speed * RANDOM.lognormal(0, 0.01) for speed in speeds]
    both = zip(plain.measured, probes_s, strict=True)
    measured = tuple(
        measurement.model_copy(update={"cpu_probe_s": probe_s}) for measurement, probe_s in both
    )
    return replace(plain, measured=measured)


SPEEDS = [1.0] * 40 + [0.8] * 20


def test_a_step_of_the_host_alone_is_none_of_the_program() -> None:
    values = [value * speed for value, speed in zip(noisy((1000, 60)), SPEEDS, strict=True)]
    assert len(steps_of([series(values)])[0]) == 1
    assert steps_of([probed(values, SPEEDS)])[0] == []


def test_a_step_of_the_program_is_seen_on_a_host_that_changes() -> None:
    levels = noisy((1000, 20), (900, 40))
    values = [value * speed for value, speed in zip(levels, SPEEDS, strict=True)]
    (step,), _ = steps_of([probed(values, SPEEDS)])
    assert step.ratio == pytest.approx(0.9, abs=0.02)


def test_what_waits_does_not_go_with_the_host() -> None:
    found, _ = steps_of([probed(noisy((1000, 60)), SPEEDS)])
    assert found == []
    (step,), _ = steps_of([probed(noisy((1000, 40), (900, 20)), [1.0] * 60)])
    assert step.ratio == pytest.approx(0.9, abs=0.02)


def test_where_a_run_has_no_probe_nothing_is_changed() -> None:
    complete = probed(noisy((1000, 60)), SPEEDS)
    measured = [
        *complete.measured[:-1],
        complete.measured[-1].model_copy(update={"cpu_probe_s": None}),
    ]
    logs = np.array([[math.log(value) for value in complete.values]])
    assert at_one_speed(logs, measured) is logs
