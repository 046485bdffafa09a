"""Statistics over forks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.intervals import summarise
from springbench.matrix.profiles import CAPACITY_PERCENTS
from springbench.results.metrics import HISTORY_METRICS, METRICS
from springbench.results.records import ForkRecord
from tests.samples import at_rate, failed_fork, fork


def test_the_median_of_the_forks_and_its_interval() -> None:
    summary = summarise([fork(0, 300.0), fork(1, 100.0), fork(2, 250.0)])
    throughput = summary["throughput_rps"]
    assert (throughput.median, throughput.n) == (250, 3)
    assert throughput.low < 100
    assert throughput.high > 300
    assert (throughput.unit, throughput.better) == ("rps", "higher")
    assert summary["startup_s"].median == 2.31


def test_one_fork_knows_nothing_of_the_spread() -> None:
    throughput = summarise([fork(0, 300.0)])["throughput_rps"]
    assert (throughput.low, throughput.high, throughput.detectable_ratio) == (300, 300, None)


def test_more_forks_see_smaller_changes() -> None:
    few = [fork(i, rate) for i, rate in enumerate([99.0, 100.0, 101.0])]
    many = [fork(i, rate) for i, rate in enumerate([99.0, 100.0, 101.0] * 4)]
    seen_by_few = summarise(few)["throughput_rps"].detectable_ratio
    seen_by_many = summarise(many)["throughput_rps"].detectable_ratio
    assert seen_by_few is not None
    assert seen_by_many is not None
    assert 0 < seen_by_many < seen_by_few


def test_failed_forks_do_not_count() -> None:
    half = fork(1, 1.0).model_copy(update={"status": "failed"})
    summary = summarise([fork(0, 300.0), half, failed_fork(2, "boom")])
    assert summary["throughput_rps"].n == 1
    assert summary["throughput_rps"].median == 300
    assert summarise([half, failed_fork(2, "boom")]) == {}
    assert summarise([]) == {}


def test_what_a_fork_could_not_take_is_left_out_and_not_zero() -> None:
    summary = summarise([fork(0, 300.0, cpu_per_request_s=None), fork(1, 200.0)])
    assert summary["cpu_per_request_s"].n == 1
    summary = summarise([fork(0, 300.0, cpu_per_request_s=None)])
    assert "cpu_per_request_s" not in summary


def compiling(number: int, rate: float) -> ForkRecord:
    return fork(number, rate, instability=["compiling"], steady=False, compiler_cpu_ratio=0.14)


def test_a_window_that_was_compiling_counts_only_where_all_were() -> None:
    summary = summarise([fork(0, 300.0), compiling(1, 100.0), fork(2, 320.0)])
    assert (summary["throughput_rps"].n, summary["throughput_rps"].median) == (2, 310)
    # how it started is as good as any
    assert summary["startup_s"].n == 3
    summary = summarise([compiling(0, 100.0), compiling(1, 120.0)])
    assert (summary["throughput_rps"].n, summary["throughput_rps"].median) == (2, 110)


def test_every_metric_says_which_direction_is_better() -> None:
    better = {metric.name: metric.better for metric in METRICS}
    assert [name for name, way in better.items() if way == "higher"] == [
        "throughput_rps",
        "fairness",
        "received_bytes_per_s",
        "sent_bytes_per_s",
        "connections_accepted",
        "cold_throughput_rps",
        "cold_received_bytes_per_s",
        "cold_sent_bytes_per_s",
        "server_cpus",
        "cpu_quota",
        "cpu_periods",
        "reported_rate_rps",
    ]
    everything = fork(0, 1.0)
    everything.constant_rates = [at_rate(percent, 1.0) for percent in CAPACITY_PERCENTS]
    summary_names = set(summarise([everything]))
    history_names = {metric.name for metric in HISTORY_METRICS if not metric.reported}
    assert history_names <= summary_names <= set(better)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=9))
def test_the_median_lies_between_the_extremes(rates: list[float]) -> None:
    throughput = summarise([fork(i, rate) for i, rate in enumerate(rates)])["throughput_rps"]
    assert throughput.low <= throughput.median <= throughput.high
    assert throughput.n == len(rates)
    assert throughput.median == pytest.approx(
        summarise([fork(i, rate) for i, rate in enumerate(rates[::-1])])["throughput_rps"].median
    )
