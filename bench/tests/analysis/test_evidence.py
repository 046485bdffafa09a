"""What a comparison says of one affected series."""

from __future__ import annotations

import math
from typing import Any

import pytest

from springbench.analysis.evidence import evidence_rows
from springbench.results.comparison import FactRecord
from springbench.results.events import Event, Evidence
from springbench.results.published_comparison import PublishedComparison
from tests.suspected import CASE, OTHER_CASES, affected, commit, compared, event, found

SINCE = "2026-12-01T00:00:00+00:00"


def rows(about: Event, comparison: PublishedComparison, since: str = SINCE) -> list[Evidence]:
    return [evidence.row for evidence in evidence_rows(about, comparison, since)]


@pytest.mark.parametrize(
    ("claimed", "measured", "within", "agrees"),
    [
        (1.10, 1.10, 0.02, True),
        (1.10, 1.04, 0.02, True),  # smaller than claimed, and sure
        (1.10, 1.01, 0.005, False),  # sure, and a tenth of what was claimed
        (1.10, 1.00, 0.02, False),
        (1.10, 0.90, 0.02, False),
        (1.10, 1.00, 0.08, None),
        (1.10, 1.08, 0.10, None),
        (1.02, 1.02, 0.01, True),
    ],
)
def test_a_affected_agrees_denies_or_does_not_tell(
    claimed: float, measured: float, within: float, agrees: bool | None
) -> None:
    regression = event(affected(claimed))
    assert [row.agrees for row in rows(regression, compared(found(measured, within)))] == [agrees]
    # the same the other way round: an improvement is held to the same
    improvement = event(affected(1 / claimed), direction="improvement")
    back = compared(found(1 / measured, within))
    assert [row.agrees for row in rows(improvement, back)] == [agrees]


def test_a_throughput_is_worse_where_it_is_lower() -> None:
    about = event(affected(0.9, metric="throughput_rps", unit="rps", better="higher"))
    [row] = rows(about, compared(found(0.9, metric="throughput_rps")))
    assert row.agrees is True
    [row] = rows(about, compared(found(1.1, metric="throughput_rps")))
    assert row.agrees is False


def test_what_was_not_measured_has_no_row() -> None:
    assert rows(event(), compared(found(1.1, case=OTHER_CASES[0]))) == []
    assert rows(event(), compared(found(1.1, metric="startup_s"))) == []


def test_what_a_process_is_before_any_load_is_reported_once_for_its_variant() -> None:
    about = event(affected(1.2, metric="startup_s"))
    [row] = rows(about, compared(found(1.2, case=OTHER_CASES[3], metric="startup_s")))
    assert (row.case, row.agrees) == (OTHER_CASES[3], True)
    assert rows(about, compared(found(1.2, case=OTHER_CASES[0], metric="startup_s"))) == []


@pytest.mark.parametrize(
    ("base", "head", "count"),
    [(4, 5, 1), (2, 5, 1), (4, 9, 1), (2, 9, 1), (5, 6, 0), (1, 4, 0), (5, 4, 0)],
)
def test_a_comparison_must_span_the_event(base: int, head: int, count: int) -> None:
    assert len(rows(event(), compared(found(1.1), base=base, head=head))) == count


def test_one_inside_of_a_range_can_miss_the_step() -> None:
    assert rows(event(before=2, after=8), compared(found(1.1), base=3, head=8)) == []


def test_a_commit_in_full_is_the_same_commit() -> None:
    full = commit(5).model_copy(update={"sha": commit(5).sha.ljust(40, "0")})
    assert len(rows(event(), compared(found(1.1), head=5).model_copy(update={"head": full}))) == 1


@pytest.mark.parametrize(
    ("fields", "independent"),
    [
        ({}, True),
        ({"purpose": "bisect"}, True),
        ({"purpose": "manual"}, True),
        ({"marks": ["shared-host", "unfinished"]}, True),
        ({"marks": ["drifted"]}, False),
        ({"purpose": "push"}, False),
        ({"started_at": "2026-11-30T00:00:00+00:00"}, False),
        ({"started_at": "no time"}, False),
    ],
)
def test_independent_is_what_another_job_measured_later(
    fields: dict[str, Any], independent: bool
) -> None:
    [row] = rows(event(), compared(found(1.1), **fields))
    assert row.independent is independent


def test_another_profile_can_agree_but_not_deny() -> None:
    """What the optimising compiler makes slow does not show with the first compiler alone."""
    [row] = rows(event(), compared(found(1.1), profile="pr"))
    assert row.agrees is True
    [row] = rows(event(), compared(found(1.0), profile="pr"))
    assert row.agrees is None


def failure(
    verdict: str, metric: str = "failed", case: str = "boot4-tomcat-virtual-jvm"
) -> FactRecord:
    return FactRecord.model_validate(
        {
            "case": case,
            "metric": metric,
            "base": "0 of 4 failed",
            "head": "4 of 4 failed",
            "verdict": verdict,
            "worse": verdict != "improvement",
        }
    )


def test_a_side_that_fails_agrees_with_a_regression() -> None:
    [row] = rows(event(), compared(facts=(failure("regression"),)))
    assert (row.case, row.metric, row.agrees, row.pairs) == (CASE, "failed", True, 0)
    assert rows(event(), compared(facts=(failure("suspected"),))) == []
    other_failure = failure("regression", case="boot4-jetty-virtual-jvm")
    assert rows(event(), compared(facts=(other_failure,))) == []


def test_what_fails_more_often_is_not_faster() -> None:
    faster = event(affected(0.8), direction="improvement")
    comparison = compared(found(0.8), facts=(failure("regression", "errors", CASE),))
    assert [(row.metric, row.agrees) for row in rows(faster, comparison)] == [
        ("errors", False),
        ("cpu_per_request_s", None),
    ]


def test_fewer_errors_improve_what_counts_errors() -> None:
    about = event(affected(0.2, metric="error_ratio", unit="ratio"), direction="improvement")
    [row] = rows(about, compared(facts=(failure("improvement", "errors", CASE),)))
    assert row.agrees is True


@pytest.mark.parametrize(
    "nonsense",
    [
        {"ratio": 0.0},
        {"low_ratio": -1.0},
        {"high_ratio": math.inf},
        {"low_ratio": 1.2, "high_ratio": 1.0},
        {"pairs": 1},
    ],
)
def test_what_no_comparison_can_have_measured_is_no_evidence(nonsense: dict[str, float]) -> None:
    assert rows(event(), compared(found(1.1).model_copy(update=nonsense))) == []


@pytest.mark.parametrize("ratio", [1.0, 0.9, 0.0, -1.0])
def test_a_affected_that_claims_no_step_is_not_evaluated(ratio: float) -> None:
    about = event(affected(1.1).model_copy(update={"ratio": ratio}))
    assert [row.agrees for row in rows(about, compared(found(1.1)))] == [None]
