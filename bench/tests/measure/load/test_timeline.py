"""The numbers cut out of a timeline."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.measure.load.timeline import (
    Points,
    Sample,
    Timeline,
    at_one_speed,
    is_steady,
    largest_rate,
    mean_rate,
    middle_rate,
    silence_s,
    stalls,
    value_at,
)

INTERVAL_S = 0.05


def sampled(value: Callable[[float], float], end_s: float) -> list[tuple[float, float]]:
    """A function of time, looked at as often as the sampler does."""
    times = [index * INTERVAL_S for index in range(math.ceil(end_s / INTERVAL_S) + 2)]
    return [(at_s, value(at_s)) for at_s in times]


def staircase(connections: int, delay_s: float, phase_s: float, end_s: float) -> Points:
    """What connections that wait equally long have received: a step after each delay."""
    return sampled(lambda t: connections * (1 + math.floor((t - phase_s) / delay_s)), end_s)


@given(
    connections=st.integers(1, 10_000),
    delay_s=st.floats(0.1, 2.0),
    phase_s=st.floats(0.0, 2.0),
    window_s=st.floats(1.0, 10.0),
)
def test_a_staircase_gives_its_rate_whatever_its_phase(
    connections: int, delay_s: float, phase_s: float, window_s: float
) -> None:
    begin_s, end_s = 3.0, 3.0 + window_s
    points = staircase(connections, delay_s, phase_s, end_s + delay_s)
    rate = mean_rate(points, begin_s, end_s, period_s=delay_s)
    assert rate is not None
    # no step is seen more exactly than the samples lie apart
    assert rate == pytest.approx(connections / delay_s, rel=2 * INTERVAL_S / window_s + 1e-9)


def test_a_plain_difference_errs_by_up_to_a_step() -> None:
    rates = []
    for phase in range(10):
        points = staircase(1000, 1.0, phase / 10 + 0.01, 8.0)
        rates.append(mean_rate(points, 3.0, 5.5) or 0.0)
    assert min(rates) == pytest.approx(2000 / 2.5)
    assert max(rates) == pytest.approx(3000 / 2.5)


@given(
    slope=st.floats(0.1, 1e6),
    begin_s=st.floats(0.0, 5.0),
    window_s=st.floats(0.1, 10.0),
    period_s=st.one_of(st.just(0.0), st.floats(0.001, 2.0)),
)
def test_steady_growth_is_exact(
    slope: float, begin_s: float, window_s: float, period_s: float
) -> None:
    end_s = begin_s + window_s
    points = sampled(lambda t: slope * t, end_s + period_s)
    assert mean_rate(points, begin_s, end_s, period_s) == pytest.approx(slope, rel=1e-6)


def test_samples_that_do_not_cover_the_window_give_nothing() -> None:
    points = sampled(lambda t: t, 5.0)
    last_s = points[-1][0]
    assert mean_rate(points, 1.0, last_s) == pytest.approx(1)
    assert mean_rate(points, 1.0, last_s + 0.1) is None
    assert mean_rate(points, 1.0, last_s, period_s=0.1) is None
    assert mean_rate(points, -0.1, 3.0) is None
    assert mean_rate(points, 3.0, 3.0) is None
    assert mean_rate([], 0.0, 1.0) is None


TIMES = st.lists(st.floats(0, 1000), min_size=1, max_size=20, unique=True).map(sorted)


@given(times=TIMES, data=st.data())
def test_a_value_lies_between_its_neighbours(times: list[float], data: st.DataObject) -> None:
    values = sorted(data.draw(st.lists(st.floats(0, 1e9), min_size=20, max_size=20)))
    points = list(zip(times, values, strict=False))
    at_s = data.draw(st.floats(times[0], times[-1]))
    value = value_at(points, at_s)
    assert value is not None
    before = max((v for t, v in points if t <= at_s), default=0.0)
    after = min(v for t, v in points if t >= at_s)
    assert before <= value * (1 + 1e-9) + 1e-9
    assert value <= after * (1 + 1e-9) + 1e-9


@given(times=TIMES)
def test_outside_its_samples_nothing_is_known(times: list[float]) -> None:
    points = [(at_s, at_s) for at_s in times]
    assert value_at(points, times[0] - 1) is None
    assert value_at(points, times[-1] + 1) is None
    assert [value_at(points, at_s) for at_s in times] == times


def growing(rates: list[float]) -> list[tuple[float, float]]:
    """A count that grows at each of these rates for two seconds."""
    count, points = 0.0, [(0.0, 0.0)]
    for index, rate in enumerate(rates):
        for step in range(1, 5):
            count += rate / 2
            points.append((2.0 * index + step / 2, count))
    return points


@pytest.mark.parametrize(
    ("rates", "steady"),
    [
        ([100, 100, 100, 100], True),
        ([96, 98, 100, 102], False),
        ([100, 100, 100, 120], False),
        ([100, 104, 96, 100], True),
        ([80, 100, 100, 100], False),
        ([0, 0, 0, 0], False),
        # the window reaches beyond what was seen
        ([100, 100, 100], False),
        ([], False),
    ],
)
def test_steady_means_that_the_rate_has_stopped_changing(rates: list[float], steady: bool) -> None:
    assert is_steady(growing(rates), 0.0, 8.0) is steady


def test_only_the_window_decides() -> None:
    points = growing([10, 50, 90, 100, 101, 99, 100])
    assert is_steady(points, 6.0, 14.0)
    assert not is_steady(points, 0.0, 8.0)


@given(phase_s=st.floats(0, 1), begin_s=st.floats(2, 4))
def test_a_staircase_of_whole_delays_is_steady(phase_s: float, begin_s: float) -> None:
    points = [(tick / 20, 1000.0 * int(tick / 20 + phase_s)) for tick in range(300)]
    assert is_steady(points, begin_s, begin_s + 8.0, period_s=1.0)


def test_a_timeline_leaves_out_what_was_not_seen() -> None:
    timeline = Timeline(
        (Sample(0.0, 5, threads=7), Sample(0.1, None), Sample(0.2, 9, threads=12, rss_bytes=3))
    )
    assert timeline.points("read_bytes") == [(0.0, 5.0), (0.2, 9.0)]
    assert timeline.points("rss_bytes") == [(0.2, 3.0)]
    assert timeline.largest("threads", 0.0, 1.0) == 12
    assert timeline.largest("threads", 0.0, 0.1) == 7
    assert timeline.largest("threads", 0.5, 1.0) is None


def test_a_stall_is_found_where_it_is() -> None:
    count, points = 0.0, [(0.0, 0.0)]
    for tick in range(1, 201):
        at_s = tick * 0.05
        count += 0.0 if 4.0 < at_s <= 6.0 else 50.0
        points.append((at_s, count))
    found = stalls(points, 0.0, 10.0, 1.0)
    assert [round(at_s) for at_s, _ in found] == [4, 5]
    assert all(ratio < 0.1 for _, ratio in found)


def test_an_even_load_and_an_idle_one_do_not_stall() -> None:
    assert stalls([(tick * 0.05, tick * 7.0) for tick in range(300)], 1.0, 12.0, 1.0) == []
    assert stalls([(tick * 0.05, 0.0) for tick in range(300)], 1.0, 12.0, 1.0) == []
    assert stalls([], 0.0, 5.0, 1.0) == []


def test_a_server_that_stops_early_in_the_window_stalls_for_the_rest_of_it() -> None:
    points = sampled(lambda t: 1000 * min(t, 2.0), 6.0)
    assert [(round(at_s), ratio) for at_s, ratio in stalls(points, 1.0, 6.0, 1.0)] == [
        (at_s, 0.0) for at_s in (2, 3, 4, 5)
    ]


def test_the_middle_is_without_what_stood_still_for_a_moment() -> None:
    points = sampled(lambda t: 1000 * (min(t, 4.2) + max(0.0, t - 4.3)), 8.0)
    middle, error = middle_rate(points, 3.0, 6.0, 1.0) or (0.0, 0.0)
    assert middle == pytest.approx(1000)
    assert mean_rate(points, 3.0, 6.0) == pytest.approx(1000 * 2.9 / 3)
    assert error == pytest.approx(0, abs=1e-6)


def test_blocks_that_differ_say_how_unsure_their_middle_is() -> None:
    """970, 1,000 and 1,030 a second: the middle distance is 30."""
    points = sampled(
        lambda t: 970 * min(t, 4) + 1000 * min(max(t - 4, 0), 1) + 1030 * max(t - 5, 0), 8
    )
    middle, error = middle_rate(points, 3.0, 6.0, 1.0) or (0.0, 0.0)
    assert middle == pytest.approx(1000)
    assert error == pytest.approx(1.48 * 1.25 * 0.03 / math.sqrt(3), rel=0.01)


def test_a_middle_takes_three_blocks() -> None:
    points = sampled(lambda t: 1000 * t, 8.0)
    assert middle_rate(points, 3.0, 5.9, 1.0) is None
    # three delays, whatever a float makes of them
    assert middle_rate(points, 3.0, 3.0 + 3 * 0.1, 0.1) is not None
    assert middle_rate(sampled(lambda _: 7.0, 8.0), 3.0, 6.0, 1.0) is None


@given(
    delay_s=st.floats(0.5, 2.0),
    phase_s=st.floats(0.0, 2.0),
)
def test_the_middle_of_a_staircase_is_its_rate_within_what_it_says(
    delay_s: float, phase_s: float
) -> None:
    """All connections answer at once: a step is not seen more exactly than samples lie apart."""
    end_s = 3.0 + 3 * delay_s
    points = staircase(1000, delay_s, phase_s, end_s + delay_s)
    found = middle_rate(points, 3.0, end_s, delay_s, delay_s)
    assert found is not None
    middle, _ = found
    assert middle == pytest.approx(1000 / delay_s, rel=2 * INTERVAL_S / delay_s)


def test_the_silence_at_the_end() -> None:
    assert silence_s(sampled(lambda t: 1000 * min(t, 2.0), 6.0)) == pytest.approx(4.1, abs=0.11)
    assert silence_s(sampled(lambda t: t, 6.0)) == 0.0
    assert silence_s([]) == 0.0


def test_the_fastest_growth_is_that_between_two_samples_of_the_window() -> None:
    points = [(0.0, 0.0), (1.0, 9.0), (2.0, 10.0), (2.5, 12.0), (2.5, 13.0), (4.0, 14.0)]
    assert largest_rate(points, 1.0, 4.0) == pytest.approx(4.0)
    assert largest_rate(points, 2.6, 4.0) is None


SPEEDS = st.lists(st.floats(0.5, 2.0), min_size=4, max_size=12)


@given(SPEEDS, st.floats(10.0, 1e6))
def test_a_server_that_goes_with_its_host_grows_evenly_at_one_speed(
    works: list[float], rate: float
) -> None:
    """For two seconds each the fixed work takes so long, and the answers as much longer."""
    points = growing([rate / work for work in works])
    looks = [(2.0 * index + step / 2, w) for index, w in enumerate(works) for step in range(1, 5)]
    weighed = at_one_speed(points, looks)
    assert [at_s for at_s, _ in weighed] == [at_s for at_s, _ in points]
    for at_s, value in weighed:
        assert value == pytest.approx(rate * at_s)


@given(SPEEDS)
def test_an_even_host_changes_nothing_and_an_unseen_one_neither(rates: list[float]) -> None:
    points = growing(rates)
    weighed = at_one_speed(points, [(at_s, 0.5) for at_s, _ in points])
    assert [value for _, value in weighed] == pytest.approx([value / 2 for _, value in points])
    assert at_one_speed(points, []) == points
    assert at_one_speed([], [(0.0, 1.0)]) == []


def test_the_mean_speed_is_that_of_the_harmonic_mean_of_the_times() -> None:
    samples = [Sample(at_s, 0, calibration_probe_s=1.0 if at_s < 5 else 3.0) for at_s in range(11)]
    timeline = Timeline(tuple(samples))
    assert timeline.harmonic_mean("calibration_probe_s", 0.0, 9.0) == pytest.approx(1.5)
    assert timeline.harmonic_mean("calibration_probe_s", 20.0, 30.0) is None
    assert timeline.harmonic_mean("upstream_cpu_s", 0.0, 9.0) is None
