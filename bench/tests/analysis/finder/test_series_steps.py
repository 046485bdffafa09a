from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from springbench.analysis.finder.series_steps import steps_of
from springbench.results.steps import StepRow
from tests.analysis.finder.series import CASE, commit, noisy, series


def shas(step: StepRow) -> list[str]:
    return [candidate.commit.sha for candidate in step.places]


def test_a_step_is_found_where_it_is_and_as_large_as_it_is() -> None:
    (step,), looked_at = steps_of([series(noisy((1000, 40), (950, 10)))])
    assert looked_at == 1
    assert commit(40).sha in shas(step)
    assert step.direction == "regression"
    assert step.low_ratio < 0.95 < step.high_ratio
    assert step.last_before == commit(int(shas(step)[0], 16) - 1)


def test_a_cost_that_falls_is_an_improvement() -> None:
    values = noisy((1.0, 30), (0.9, 8))
    (step,), _ = steps_of([series(values, metric="cpu_per_request_s", better="lower")])
    assert step.direction == "improvement"


@pytest.mark.parametrize("length", [0, 1, 2, 5])
def test_a_short_history_has_no_steps(length: int) -> None:
    assert steps_of([series([1000.0, 1.0, 500.0, 3.0, 9.0][:length])])[0] == []


@pytest.mark.parametrize("spikes", [1, 2])
def test_bad_runs_at_the_end_are_not_announced(spikes: int) -> None:
    values = noisy((1000, 40)) + [600.0] * spikes
    assert steps_of([series(values)])[0] == []


def test_a_spike_in_the_middle_is_no_step_and_hides_none() -> None:
    values = noisy((1000, 40), (900, 12))
    values[20] = 300.0
    (step,), _ = steps_of([series(values)])
    assert commit(40).sha in shas(step)


@pytest.mark.parametrize("position", range(40))
@pytest.mark.parametrize("factor", [0.99, 1.01])
def test_a_value_a_little_beside_its_level_moves_no_step(position: int, factor: float) -> None:
    # memory at idle hardly varies: one per cent is far, and a step lies farther
    values = noisy((100.0, 20), (400.0, 20), deviation=0.0002)
    values[position] *= factor
    (step,), _ = steps_of([series(values, metric="memory_idle_bytes", better="lower")])
    assert shas(step) == [commit(20).sha]


@given(before=st.integers(3, 6), after=st.integers(3, 6), factor=st.floats(0.97, 1.03))
def test_the_last_value_before_a_step_of_a_short_history_stays_before_it(
    before: int, after: int, factor: float
) -> None:
    values = [100.0] * (before - 1) + [100.0 * factor] + [400.0] * after
    (step,), _ = steps_of([series(values, metric="memory_idle_bytes", better="lower")])
    assert shas(step) == [commit(before).sha]


def test_two_bad_runs_in_the_middle_are_no_step() -> None:
    values = noisy((1000, 60))
    values[30] = values[31] = 700.0
    assert steps_of([series(values)])[0] == []


def test_a_change_below_the_least_that_matters_is_not_reported() -> None:
    assert steps_of([series(noisy((1000, 60), (990, 60), deviation=0.001))])[0] == []


def test_values_that_never_vary_make_sound_steps() -> None:
    values = [200.0] * 20 + [230.0] * 5
    (step,), _ = steps_of([series(values, metric="threads_max", better="lower")])
    assert shas(step) == [commit(20).sha]
    assert step.ratio == pytest.approx(1.15)


def test_a_step_at_a_environment_change_is_named_after_what_changed_in_the_host() -> None:
    names = ["kernel 6.8; JDK 25.0.2"] * 30 + ["kernel 6.8; JDK 25.0.3"] * 10
    (step,), _ = steps_of([series(noisy((1000, 30), (900, 10), seed=2), names)])
    assert step.environment_change == "JDK 25.0.2 → JDK 25.0.3"
    assert shas(step) == [commit(30).sha]


def test_a_step_some_commits_after_a_environment_change_is_the_program_s() -> None:
    names = ["kernel 6.8"] * 30 + ["kernel 6.11"] * 40
    (step,), _ = steps_of([series(noisy((1000, 50), (900, 20)), names)])
    assert step.environment_change is None
    assert commit(50).sha in shas(step)


def test_hosts_that_take_turns_make_no_environment_change() -> None:
    names = [f"runner {number % 2}" for number in range(60)]
    (step,), _ = steps_of([series(noisy((1000, 40), (900, 20)), names)])
    assert step.environment_change is None


def test_runs_of_one_commit_are_one_point() -> None:
    once = series(noisy((1000, 40), (900, 10)))
    again = once.measured + once.measured[40:41] * 9
    values = [*once.values, *[once.values[40]] * 9]
    doubled = replace(once, measured=again, values=values)
    (step,), _ = steps_of([doubled])
    assert commit(40).sha in shas(step)


def test_a_step_that_was_taken_back_is_two() -> None:
    found, _ = steps_of([series(noisy((1000, 30), (900, 15), (1000, 15)))])
    assert [step.direction for step in found] == ["regression", "improvement"]


def test_a_slow_drift_is_one_event_and_no_stairs() -> None:
    values = [
        value * math.exp(-0.002 * max(0, index - 30))
        for index, value in enumerate(noisy((1000, 90)))
    ]
    (step,), _ = steps_of([series(values)])
    assert step.kind == "drift"
    assert 0.85 < step.ratio < 0.93


def test_what_is_not_evaluated_is_not_looked_at() -> None:
    values = noisy((1000, 40), (500, 20))
    assert steps_of([series(values, metric="error_ratio", better="lower")]) == ([], 0)


def test_zeros_and_nonsense_are_left_out() -> None:
    values = noisy((1000, 40), (900, 10))
    values[3], values[9] = 0.0, math.inf
    (step,), _ = steps_of([series(values)])
    assert commit(40).sha in shas(step)


def test_with_many_series_one_must_be_surer() -> None:
    lone = series(noisy((1000, 40), (968, 5), seed=5))
    quiet = [
        series(noisy((1000, 45), seed=100 + number), case=CASE.replace("64", str(number)))
        for number in range(60)
    ]
    alone, _ = steps_of([lone])
    among, looked_at = steps_of([lone, *quiet])
    assert looked_at == 61
    assert len(alone) == 1
    assert [step.case for step in among] == []


@given(st.lists(st.floats(min_value=1e-9, max_value=1e12), max_size=60))
def test_any_history_is_read(values: list[float]) -> None:
    found, _ = steps_of([series(values)])
    for step in found:
        assert step.last_before.sha < step.places[0].commit.sha
        assert step.low_ratio <= step.ratio <= step.high_ratio


@given(
    position=st.integers(20, 60),
    size=st.floats(0.05, 0.5),
    up=st.booleans(),
    seed=st.integers(0, 10_000),
)
@example(position=28, size=0.0546875, up=False, seed=0)
def test_a_clear_step_is_found_wherever_it_is(
    position: int, size: float, up: bool, seed: int
) -> None:
    after = 1000 * (1 + size) if up else 1000 / (1 + size)
    values = noisy((1000, position), (after, 80 - position), deviation=0.01, seed=seed)
    found, _ = steps_of([series(values)])
    assert any(commit(position).sha in shas(step) for step in found)
