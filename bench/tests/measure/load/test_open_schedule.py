"""A client on an open schedule, simulated: what is reported is what its requests went through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hdrh.histogram import HdrHistogram
from hypothesis import given
from hypothesis import strategies as st

from springbench.measure.load.open_schedule import (
    TICK_S,
    Answered,
    Schedule,
    cut_window,
)

if TYPE_CHECKING:
    from springbench.measure.load.open_schedule import Floats

CONNECTIONS = 50


def simulate(
    schedule: Schedule,
    took_s: float,
    *,
    connections: int = CONNECTIONS,
    stall: tuple[float, float] | None = None,
    start_s: float = 0.3,
) -> Answered:
    """Requests that wait in one queue for a free connection; nothing answers during a stall."""
    free_s = [0.0] * connections
    sent: list[float] = []
    took: list[float] = []
    for index in range(schedule.requests):
        first = min(range(connections), key=free_s.__getitem__)
        sent_s = max(index / schedule.rate_rps, free_s[first])
        ended_s = sent_s + took_s
        if stall and stall[0] <= ended_s < stall[1]:
            ended_s = stall[1]
        free_s[first] = ended_s
        sent.append(start_s + sent_s)
        took.append(ended_s - sent_s)
    return Answered.of(np.array(sent), np.array(took), np.full(len(sent), 200))


def schedule(rate_rps: float = 500.0, *, connections: int = CONNECTIONS) -> Schedule:
    return Schedule.plan(rate_rps, connections, delay_s=0.0, window_s=4.0)


def test_an_idle_server_takes_what_it_takes() -> None:
    plan = schedule()
    window = cut_window(simulate(plan, 0.010), plan, CONNECTIONS)
    figures = window.latency_figures()
    assert figures["p50"] == pytest.approx(0.010)
    assert figures["max"] == pytest.approx(0.010)
    assert window.achieved_rps == pytest.approx(500, rel=0.005)
    assert window.requests == pytest.approx(2000, abs=1)
    assert window.failed == 0
    assert window.lateness_p99_s == 0.0
    slow = {row.over_s: (row.requests, row.tenths) for row in window.slow()}
    assert slow[0.007] == (window.requests, 40)
    assert max(slow) < 0.011
    # of what waits by design, what it waits beyond that
    assert [row.over_s for row in window.slow(delay_s=0.006)] == [0.008, 0.009]


def test_a_stall_counts_for_all_that_waited_even_unsent() -> None:
    """Ten connections are busy after 20 ms of the stall; 200 ms hold a hundred requests up."""
    plan = schedule(connections=10)
    at_s = plan.lead_s + 1.0
    answered = simulate(plan, 0.001, connections=10, stall=(at_s, at_s + 0.2))
    figures = cut_window(answered, plan, 10).latency_figures()
    assert figures["max"] == pytest.approx(0.2, abs=0.01)
    # and is in the tenths of a second that it lasted, however many it held up
    slow = {row.over_s: row for row in cut_window(answered, plan, 10).slow()}
    assert slow[0.1].requests == pytest.approx(50, abs=5)
    assert slow[0.05].tenths <= 3
    assert 0.3 not in slow
    # 5 % of the requests waited, a tenth of a second on average
    assert figures["p99"] == pytest.approx(0.16, abs=0.02)
    # by when they were sent, nine tenths of them waited for nothing
    closed = answered.ended_s - answered.sent_s
    assert np.percentile(closed, 99) < 0.01


def test_a_server_that_falls_behind_achieves_less_and_lets_wait_more_and_more() -> None:
    """50 connections of 150 ms carry 333 a second, and 500 are due."""
    plan = schedule()
    window = cut_window(simulate(plan, 0.150), plan, CONNECTIONS)
    assert window.achieved_rps == pytest.approx(333, rel=0.02)
    assert window.latency_figures()["max"] > 1.0


def test_a_generator_that_is_late_itself_says_so() -> None:
    plan = schedule()
    answered = simulate(plan, 0.002)
    answered.sent_s[:] = np.maximum(answered.sent_s, np.ceil(answered.sent_s / 0.05) * 0.05)
    late = Answered.of(answered.sent_s, np.full(plan.requests, 0.002), answered.status)
    window = cut_window(late, plan, 10_000)
    assert window.lateness_p99_s is not None
    assert 0.04 < window.lateness_p99_s < 0.05
    # and what waited for it waited
    assert window.latency_figures()["max"] > 0.04


def test_sending_within_the_tick_is_not_late() -> None:
    plan = schedule(700.0)
    answered = simulate(plan, 0.002)
    ticked = np.ceil(answered.sent_s / TICK_S) * TICK_S
    window = cut_window(
        Answered.of(ticked, np.full(plan.requests, 0.002), answered.status), plan, 10_000
    )
    assert window.lateness_p99_s == pytest.approx(0.0, abs=1e-6)
    assert window.latency_figures()["p99"] == pytest.approx(0.002, abs=1e-6)


def test_failed_answers_are_no_achievement() -> None:
    plan = schedule()
    answered = simulate(plan, 0.001)
    answered.status[::10] = 503
    window = cut_window(answered, plan, CONNECTIONS)
    assert window.failed / window.requests == pytest.approx(0.1, rel=0.01)
    assert window.achieved_rps == pytest.approx(450, rel=0.01)


def test_nothing_answered_is_reported_as_nothing() -> None:
    empty: Floats = np.empty(0)
    window = cut_window(Answered.of(empty, empty, np.empty(0, np.int64)), schedule(), CONNECTIONS)
    assert (window.requests, window.achieved_rps, window.lateness_p99_s) == (0, 0.0, None)
    assert window.latency_figures() == {}
    assert window.histogram() is None


def test_the_histogram_reads_back_as_the_latencies() -> None:
    plan = schedule()
    answered = simulate(plan, 0.010, stall=(plan.lead_s + 1.0, plan.lead_s + 1.3))
    window = cut_window(answered, plan, CONNECTIONS)
    text = window.histogram()
    assert text is not None
    read = HdrHistogram.decode(text)
    assert read.get_total_count() == window.requests
    figures = window.latency_figures()
    assert read.get_max_value() / 1e6 == pytest.approx(figures["max"], rel=0.01)
    assert read.get_value_at_percentile(50) / 1e6 == pytest.approx(figures["p50"], rel=0.01)


@given(
    rate_rps=st.floats(20, 5000),
    took_s=st.floats(0.0001, 0.05),
    start_s=st.floats(0, 100),
    # a shuffle that is drawn itself is too much data for thousands of requests
    seed=st.integers(0, 2**32 - 1),
)
def test_neither_the_order_of_the_list_nor_its_clock_matters(
    rate_rps: float, took_s: float, start_s: float, seed: int
) -> None:
    plan = Schedule(rate_rps, 0.5, 1.0)
    answers = simulate(plan, took_s, connections=400, start_s=0.0)
    shuffled = np.random.default_rng(seed).permutation(plan.requests)
    shuffled_answers = Answered.of(
        start_s + answers.sent_s[shuffled],
        (answers.ended_s - answers.sent_s)[shuffled],
        answers.status[shuffled],
    )
    one, other = cut_window(answers, plan, 400), cut_window(shuffled_answers, plan, 400)
    assert other.requests == pytest.approx(one.requests, abs=1)
    for name, value in one.latency_figures().items():
        assert other.latency_figures()[name] == pytest.approx(value, abs=1e-6)


@given(connections=st.integers(1, 60_000), rate_rps=st.floats(1, 100_000))
def test_every_connection_is_made_before_the_window(connections: int, rate_rps: float) -> None:
    plan = Schedule.plan(rate_rps, connections, delay_s=1.0, window_s=5.0)
    assert plan.lead_s * rate_rps >= connections
    assert plan.requests == pytest.approx(plan.duration_s * rate_rps, abs=1)
