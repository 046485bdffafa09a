"""Limits of a service's owner: kept, broken, or not decided by what was measured."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.limits import evaluate_limits
from springbench.matrix.rows import Matrix
from springbench.matrix.servers import Limits
from springbench.results.metrics import BY_NAME
from springbench.results.notes import limit_notes
from springbench.results.run import Summary
from tests.samples import full_run


def measured(name: str, low: float, middle: float, high: float, n: int = 3) -> dict[str, Summary]:
    metric = BY_NAME[name]
    return {
        name: Summary(
            median=middle, low=low, high=high, n=n, unit=metric.unit, better=metric.better
        )
    }


@pytest.mark.parametrize(
    ("limits", "summary", "verdict"),
    [
        (Limits(p99_ms=50), measured("latency_p99_s", 0.03, 0.04, 0.05), "kept"),
        (Limits(p99_ms=50), measured("latency_p99_s", 0.04, 0.049, 0.06), "undecided"),
        (Limits(p99_ms=50), measured("latency_p99_s", 0.051, 0.06, 0.07), "broken"),
        (Limits(throughput_rps=100), measured("throughput_rps", 101, 110, 120), "kept"),
        (Limits(throughput_rps=100), measured("throughput_rps", 90, 110, 120), "undecided"),
        (Limits(throughput_rps=100), measured("throughput_rps", 80, 90, 99), "broken"),
        (Limits(memory_mib=1), measured("memory_peak_bytes", 1e6, 1e6, 1 << 20), "kept"),
        (Limits(error_ratio=0), measured("error_ratio", 0, 0, 0), "kept"),
        (Limits(startup_s=2), measured("startup_s", 2.1, 2.2, 2.3), "broken"),
        # of one process: what identical ones usually differ by
        (Limits(startup_s=2), measured("startup_s", 2.1, 2.1, 2.1, n=1), "undecided"),
        (Limits(startup_s=2), measured("startup_s", 3.1, 3.1, 3.1, n=1), "broken"),
        (Limits(startup_s=2), measured("startup_s", 1.1, 1.1, 1.1, n=1), "kept"),
        # what was not measured is not passed
        (Limits(p99_ms=50, p99_at_rate=50), measured("latency_p99_s", 0, 0, 0), "undecided"),
    ],
)
def test_a_limit_is_judged_by_the_whole_interval(
    limits: Limits, summary: dict[str, Summary], verdict: str
) -> None:
    [found] = evaluate_limits(limits, summary)
    assert found.verdict == verdict


@given(
    limit=st.floats(0.001, 1000),
    edges=st.lists(st.floats(0.001, 1000), min_size=3, max_size=3).map(sorted),
)
def test_it_is_kept_or_broken_only_where_each_value_says_so(
    limit: float, edges: list[float]
) -> None:
    low, middle, high = edges
    [most] = evaluate_limits(Limits(startup_s=limit), measured("startup_s", low, middle, high))
    assert (most.verdict == "kept") == (high <= limit)
    assert (most.verdict == "broken") == (low > limit)
    [least] = evaluate_limits(
        Limits(throughput_rps=limit), measured("throughput_rps", low, middle, high)
    )
    assert (least.verdict == "kept") == (low >= limit)
    assert (least.verdict == "broken") == (high < limit)


def test_what_is_said_names_the_limit_and_what_was_measured(matrix: Matrix) -> None:
    limits = Limits(p99_ms=50, startup_s=2, throughput_rps=1000)
    summary = measured("latency_p99_s", 0.06, 0.07, 0.08) | measured("startup_s", 1, 1.1, 1.2)
    verdicts = (
        full_run(matrix).results[0].model_copy(update={"limits": evaluate_limits(limits, summary)})
    )
    assert limit_notes(verdicts) == [
        "limits broken: p99 at most 50.00 ms, measured 70.00 ms [60.00 ms, 80.00 ms].",
        "limits undecided: throughput at least 1,000, and it was not measured.",
        "limits kept: startup at most 2.00 s, measured 1.10 s [1.00 s, 1.20 s].",
    ]


def test_without_limits_nothing_is_said(matrix: Matrix) -> None:
    assert evaluate_limits(None, {}) == []
    assert limit_notes(full_run(matrix).results[0]) == []
