"""When a server that does not get ready is given up."""

from __future__ import annotations

import os

import pytest

from springbench.measure.readings.tree import cpu_time_s
from springbench.measure.server.patience import (
    READY_CEILING_S,
    WORKING_CEILING_S,
    StartPatience,
)


def given_up_after_s(
    cpus: float,
    *,
    answers: bool = False,
    works_until_s: float = 1e9,
    ceiling_s: float | None = None,
) -> float:
    """How long it is waited for a server that has `cpus` of a CPU until then."""
    now_s = 0.0
    patience = StartPatience(lambda: cpus * min(now_s, works_until_s), ceiling_s)
    while not patience.ended(now_s, answers=answers):
        now_s += 0.5
    return now_s


@pytest.mark.parametrize("cpus", [0.05, 0.33, 1.0])
def test_one_that_still_works_on_its_start_is_waited_for_longer(cpus: float) -> None:
    assert given_up_after_s(cpus) == WORKING_CEILING_S


def test_one_that_hangs_is_given_up() -> None:
    assert given_up_after_s(0.001) == READY_CEILING_S
    assert READY_CEILING_S <= given_up_after_s(0.5, works_until_s=120) <= 140


def test_one_that_answers_wrongly_has_started_and_is_busy_with_that_alone() -> None:
    assert given_up_after_s(0.3, answers=True) == READY_CEILING_S


def test_where_cpu_time_is_not_known_it_counts_as_none() -> None:
    patience = StartPatience(lambda: None)
    assert not patience.ended(READY_CEILING_S - 1, answers=False)
    assert patience.ended(READY_CEILING_S, answers=False)


def test_a_shorter_ceiling_holds_for_one_that_hangs() -> None:
    assert given_up_after_s(0.0, ceiling_s=5) == 5


def test_cpu_time_of_a_process_and_of_one_that_is_gone() -> None:
    assert (cpu_time_s(os.getpid()) or 0.0) > 0
    assert cpu_time_s(2**22 - 1) is None
