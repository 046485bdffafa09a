"""What is read of Gatling's reports."""

from __future__ import annotations

from typing import Any

import pytest

from springbench.harnesses import gatling
from tests.harnesses import samples


def figures(document: Any) -> dict[tuple[str, str], float]:
    assert gatling.accepts(document)
    return {
        (measurement.benchmark, measurement.figure): measurement.value
        for measurement in gatling.read(document).found
    }


def test_a_report_has_all_requests_and_each_by_the_path_of_its_groups() -> None:
    found = figures(samples.gatling_page("Home", "Search &lt;b&gt;"))
    assert {name for name, _ in found} == {"All Requests", "Shop", "Home", "Shop / Search <b>"}
    assert {figure: value for (name, figure), value in found.items() if name == "Shop"} == {
        "rate": 33.25,
        "failed": 0.05,
        "mean": pytest.approx(0.030),
        "p50": pytest.approx(0.025),
        "p99": pytest.approx(0.090),
    }


def test_json_beside_a_report_does_not_say_which_percentiles_it_has() -> None:
    assert figures(samples.gatling_stats()) == {
        ("All Requests", "rate"): 33.25,
        ("All Requests", "failed"): 0.05,
        ("All Requests", "mean"): pytest.approx(0.030),
        ("All Requests", "percentile 1 (p50 unless configured)"): pytest.approx(0.025),
        ("All Requests", "percentile 4 (p99 unless configured)"): pytest.approx(0.090),
    }


def test_requests_stand_below_all_of_them() -> None:
    stats = samples.gatling_stats("Home", meanNumberOfRequestsPerSecond={"total": "12.5"})
    inner = {"path": "Shop / Home", "stats": stats}
    document = {"path": "", "stats": samples.gatling_stats(), "contents": {"req_1": inner}}
    assert figures(document)["Shop / Home", "rate"] == 12.5


def test_a_request_that_was_never_sent_is_left_out() -> None:
    results = gatling.read(samples.gatling_stats(numberOfRequests={"total": 0, "ok": 0, "ko": 0}))
    assert results.found == []
    assert results.left_out == ["All Requests is left out: there was no request"]
