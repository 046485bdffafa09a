"""What is read of JMH's results."""

from __future__ import annotations

from typing import Any

import pytest

from springbench.harnesses import jmh
from springbench.harnesses.measurement import Measurement, Results
from springbench.results.metrics import (
    REPORTED_BYTES,
    REPORTED_COUNT,
    REPORTED_RATE,
    REPORTED_TIME,
    Metric,
)
from tests.harnesses import samples


def one(**changes: Any) -> Measurement:
    [found] = jmh.read([samples.jmh(**changes)]).found
    return found


def test_a_benchmark_has_its_score_and_a_value_for_each_fork() -> None:
    found = one()
    assert found.title == "org.example.ParseBench.parse, size=10, average time"
    assert (found.metric, found.unit) == (REPORTED_TIME, "us/op")
    assert found.value == pytest.approx(40e-6)
    assert list(found.values) == pytest.approx([39e-6, 41e-6])
    assert (found.configuration, found.concurrency, found.note) == ("avgt-2x3-10s-w4", 2, None)


def test_of_one_fork_iterations_tell_the_spread_and_that_is_said() -> None:
    found = one(metric={"rawData": [[38.0, 42.0]]})
    assert list(found.values) == pytest.approx([38e-6, 42e-6])
    assert found.note
    assert "one fork" in found.note


def test_without_raw_data_there_is_no_spread() -> None:
    assert one(metric={"rawData": []}).values == []


@pytest.mark.parametrize(
    ("mode", "unit", "metric", "factor"),
    [
        ("thrpt", "ops/ms", REPORTED_RATE, 1e3),
        ("thrpt", "ops/min", REPORTED_RATE, 1 / 60),
        ("avgt", "ns/op", REPORTED_TIME, 1e-9),
        ("ss", "s/op", REPORTED_TIME, 1),
    ],
)
def test_the_unit_says_what_is_better(mode: str, unit: str, metric: Metric, factor: float) -> None:
    found = one(mode=mode, metric={"scoreUnit": unit, "score": 3.0})
    assert found.metric is metric
    assert found.value == pytest.approx(3 * factor)
    assert found.figure == jmh.MODES[mode]


def test_a_sample_has_the_means_of_its_histograms_and_percentiles_by_fork() -> None:
    histograms = [[[[10.0, 3], [14.0, 1]]], [[[13.0, 2]]]]
    metric = {"rawData": None, "rawDataHistogram": histograms}
    percentiles = {
        name: {"score": 9.0, "scoreUnit": "us/op", "rawData": [[8.0], [10.0]]}
        for name in ("p0.00", "p0.50", "p0.99", "p1.00")
    }
    file = samples.jmh(mode="sample", metric=metric, secondaryMetrics=percentiles)
    found = jmh.read([file]).found
    assert [measurement.figure for measurement in found] == ["sampled time", "p0.50", "p0.99"]
    assert [measurement.value for measurement in found] == pytest.approx([40e-6, 9e-6, 9e-6])
    assert list(found[1].values) == pytest.approx([8e-6, 10e-6])
    assert list(found[0].values) == pytest.approx([11e-6, 13e-6])


def test_secondary_metrics_are_read_as_far_as_their_unit_says_what_is_better() -> None:
    secondary = {
        "·gc.alloc.rate.norm": {"score": 24.0, "scoreUnit": "B/op", "rawData": [[24.0], [24.0]]},
        "instructions:u": {"score": 310.0, "scoreUnit": "#/op", "rawData": []},
        "gc.alloc.rate": {"score": 900.0, "scoreUnit": "MB/sec", "rawData": []},
        "gc.count": {"score": 3.0, "scoreUnit": "counts", "rawData": []},
    }
    results = jmh.read([samples.jmh(secondaryMetrics=secondary)])
    assert [
        (measurement.figure, measurement.metric, measurement.value)
        for measurement in results.found[1:]
    ] == [
        ("gc.alloc.rate.norm", REPORTED_BYTES, 24.0),
        ("instructions:u", REPORTED_COUNT, 310.0),
    ]
    assert results.left_out == [
        "left out, as their units do not say whether more is better: gc.alloc.rate (MB/sec), "
        "gc.count (counts)"
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"metric": {"score": "NaN"}}, "score is NaN: it was not measured"),
        ({"metric": {"score": None}}, "score is missing"),
        ({"metric": {"score": -1.0}}, "score is -1, which is impossible"),
        ({"metric": {"score": 1e300}}, "which is impossible"),
        ({"metric": {"score": "fast"}}, "score is 'fast' and no number"),
        ({"metric": {"scoreUnit": "furlongs"}}, "unit 'furlongs' does not say"),
        ({"mode": "all"}, "mode 'all'; allowed: thrpt, avgt, sample, ss"),
        ({"primaryMetric": None}, "primaryMetric is missing"),
        ({"params": [1]}, "params is no object"),
    ],
)
def test_what_is_no_result_is_left_out_and_said(changes: dict[str, Any], words: str) -> None:
    results: Results = jmh.read([samples.jmh(**changes), samples.jmh(benchmark="b.Other.run")])
    assert [measurement.benchmark for measurement in results.found] == ["b.Other.run"]
    [line] = results.left_out
    assert line.startswith("org.example.ParseBench.parse is left out: ")
    assert words in line
    assert line.isprintable()
