"""What is read of k6's summaries."""

from __future__ import annotations

from typing import Any

import pytest

from springbench.harnesses import k6
from springbench.results.metrics import (
    REPORTED_BYTES,
    REPORTED_RATE,
    REPORTED_RATIO,
    REPORTED_TIME,
)
from tests.harnesses import samples

BUILT_IN = {
    ("http_req_duration", "avg"): (REPORTED_TIME, 0.012),
    ("http_req_duration", "med"): (REPORTED_TIME, 0.010),
    ("http_req_duration", "p(95)"): (REPORTED_TIME, 0.031),
    ("http_reqs", "rate"): (REPORTED_RATE, 66.5),
    ("http_req_failed", "failed"): (REPORTED_RATIO, 0.25),
    ("checks", "failed"): (REPORTED_RATIO, 0.25),
}


def figures(document: dict[str, Any]) -> dict[tuple[str, str], tuple[Any, Any]]:
    assert k6.accepts(document)
    found = k6.read(document).found
    assert {measurement.concurrency for measurement in found} == {20}
    return {
        (measurement.benchmark, measurement.figure): (measurement.metric, measurement.value)
        for measurement in found
    }


def test_an_export_has_what_k6_measures_by_itself() -> None:
    assert figures(samples.k6_export()) == {
        key: (metric, pytest.approx(value)) for key, (metric, value) in BUILT_IN.items()
    }


def test_a_summary_has_trends_of_ones_own_too_where_it_says_what_they_contain() -> None:
    trends = {("answer_size", "avg"): (REPORTED_BYTES, 2048.0)}
    assert figures(samples.k6_summary()) == {
        key: (metric, pytest.approx(value))
        for key, (metric, value) in {**BUILT_IN, **trends}.items()
    }


def test_the_machine_readable_summary_has_a_duration_in_place_of_rates() -> None:
    document = samples.k6_machine_readable()
    assert figures(document)["http_reqs", "rate"] == (REPORTED_RATE, pytest.approx(2000 / 30))
    assert figures(document)["checks_failed", "failed"] == (REPORTED_RATIO, 0.25)
    assert k6.read(document).version == "1.5.0"


def test_of_which_the_better_is_not_known_is_left_out() -> None:
    lines = k6.read(samples.k6_summary()).left_out
    assert [line.split(" is left out: ")[0] for line in lines] == ["basket", "orders"]
    assert "whose unit is not known" in lines[0]
    assert "does not say whether more of it is better" in lines[1]
    lines = k6.read(samples.k6_export()).left_out
    assert "a file of --summary-export does not have its unit" in lines[0]


def test_a_part_of_a_metric_is_a_benchmark_of_its_own() -> None:
    document = samples.k6_export()
    document["metrics"]["http_req_duration{name:login}"] = {"med": 7}
    assert figures(document)["http_req_duration{name:login}", "med"] == (
        REPORTED_TIME,
        pytest.approx(0.007),
    )
