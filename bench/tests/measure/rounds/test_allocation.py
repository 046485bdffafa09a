"""What a request allocates, although its server stands still half of the time."""

from __future__ import annotations

import pytest

from springbench.measure.readings.gclog import Collection
from springbench.measure.rounds.allocation import allocated_bytes_per_answer

MIB = 1 << 20


def young(end_s: float, before: int, after: int) -> Collection:
    return Collection(end_s, 0.001, "pause young", True, before * MIB, after * MIB)


def test_what_grew_between_collections_is_divided_by_the_answers_of_that_time() -> None:
    lines = [young(1.0, 100, 10), young(3.0, 90, 12), young(5.0, 92, 12)]
    # two answers for each mebibyte, at a rate that halves in the middle
    times_s, answers = [0.0, 1.0, 3.0, 5.0, 6.0], [0.0, 200.0, 360.0, 520.0, 560.0]
    assert allocated_bytes_per_answer(lines, times_s, answers) == pytest.approx(MIB / 2)


def test_a_stop_between_two_collections_costs_nothing() -> None:
    lines = [young(1.0, 100, 10), young(9.0, 90, 12)]
    moving = allocated_bytes_per_answer(lines, [0.0, 2.0, 8.0, 10.0], [0.0, 160.0, 160.0, 320.0])
    assert moving == pytest.approx(80 * MIB / 160)


@pytest.mark.parametrize(
    ("lines", "times_s"),
    [
        ([], [0.0, 9.0]),
        ([young(1.0, 100, 10)], [0.0, 9.0]),
        ([young(1.0, 100, 10), young(9.5, 90, 12)], [0.0, 9.0]),
        ([young(1.0, 100, 10), young(2.0, 90, 12)], [0.0]),
        ([], []),
    ],
)
def test_too_few_collections_say_nothing(lines: list[Collection], times_s: list[float]) -> None:
    answers = [100.0 * time_s for time_s in times_s]
    assert allocated_bytes_per_answer(lines, times_s, answers) is None


def test_a_server_that_answered_nothing_has_no_cost_for_an_answer() -> None:
    lines = [young(1.0, 100, 10), young(2.0, 90, 12)]
    assert allocated_bytes_per_answer(lines, [0.0, 9.0], [5.0, 5.0]) is None
