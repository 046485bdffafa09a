"""When a fresh process has come to the throughput of its window."""

from __future__ import annotations

import math

import pytest

from springbench.measure.load.timeline import Sample, Timeline, find_peak


def load(*rates_rps: float, in_bursts: bool = False) -> Timeline:
    """A rate for each second, looked at 20 times a second; under a quota all answers of a tenth of
    a second come in its first quarter."""
    samples = []
    for index in range(20 * len(rates_rps) + 1):
        at_s = index / 20
        second = min(int(at_s), len(rates_rps) - 1)
        part_s = at_s - second
        if in_bursts:
            periods = math.floor(10 * part_s + 1e-9)
            part_s = (periods + min(1.0, 4 * (10 * part_s - periods))) / 10
        requests = sum(rates_rps[:second]) + rates_rps[second] * part_s
        samples.append(Sample(at_s, None, round(requests)))
    return Timeline(tuple(samples))


def test_it_is_where_the_throughput_comes_to_that_of_the_window_and_stays() -> None:
    # the fast third second is no peak: the fourth is slow again
    found = find_peak([load(100, 400, 1000, 500, 960, 1000, 1000)], 1000.0)
    assert found is not None
    assert found.at_s == pytest.approx(4.0)
    assert found.requests == pytest.approx(2000)


def test_a_quotas_rhythm_is_not_taken_for_a_change() -> None:
    found = find_peak([load(500, 500, 1000, 1000, 1000, 1000, in_bursts=True)], 1000.0)
    assert found is not None
    assert found.at_s == pytest.approx(2.0, abs=0.25)


def test_loads_that_follow_each_other_are_one() -> None:
    found = find_peak([load(100, 300), load(600, 1000, 1000, 1000)], 1000.0)
    assert found is not None
    assert found.at_s == pytest.approx(3.0)
    assert found.requests == pytest.approx(1000)


def test_a_process_at_its_peak_from_the_first_second_has_lost_nothing() -> None:
    assert find_peak([load(1000, 1000, 1000, 1000)], 1000.0) == (0.0, 0.0)


@pytest.mark.parametrize("loads", [[], [Timeline(())], [load(900, 900, 900)], [load(900, 1000)]])
def test_what_never_came_to_it_has_none(loads: list[Timeline]) -> None:
    assert find_peak(loads, 1000.0) is None
