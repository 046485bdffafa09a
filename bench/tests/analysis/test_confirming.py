"""Which candidate changes are checked next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.comparable import CasesOf
from springbench.analysis.confirming import (
    CASE_BUDGET_S,
    MAX_CASES,
    Measurements,
    plan_measurements,
)
from springbench.results.events import Event
from springbench.results.published_comparison import PublishedComparison
from tests.suspected import CASE, CPU, OTHER_CASES, affected, commit, compared, event, found

NOW = datetime(2026, 12, 24, 12, tzinfo=UTC)
METRICS = frozenset((CPU, "throughput_rps"))
CASES_OF: CasesOf = {
    "pr": {CASE: METRICS},
    "nightly": dict.fromkeys((CASE, *OTHER_CASES), METRICS),
}
HOUR_S = 3600.0


def plan(
    *events: Event,
    comparisons: tuple[PublishedComparison, ...] = (),
    daily_s: float = HOUR_S,
    removed_commits: tuple[str, ...] = (),
) -> Measurements:
    def reachable(sha: str) -> str | None:
        return None if sha in removed_commits else sha.ljust(40, "0")

    return plan_measurements(events, comparisons, CASES_OF, reachable, daily_s, NOW)


def event_groups(measurements: Measurements) -> list[tuple[str, ...]]:
    return [comparison.events for comparison in measurements.comparisons]


def reasons(measurements: Measurements) -> str:
    return "\n".join(omission.reason for omission in measurements.left)


def ago(hours: float, minutes: float, **fields: Any) -> PublishedComparison:
    """A comparison that began so many hours ago and took so many minutes."""
    begin = NOW - timedelta(hours=hours)
    times = {
        "started_at": begin.isoformat(),
        "finished_at": (begin + timedelta(minutes=minutes)).isoformat(),
    }
    return compared(found(1.05, within=0.2), **{**times, **fields})


def test_a_candidate_change_is_compared_between_its_two_commits() -> None:
    [comparison] = plan(event()).comparisons
    assert (comparison.base, comparison.head) == tuple(commit(n).sha.ljust(40, "0") for n in (4, 5))
    assert (comparison.cases, comparison.profile, comparison.attempt) == ((CASE,), "pr", 1)
    assert comparison.budget_s == CASE_BUDGET_S


@pytest.mark.parametrize("state", ["confirmed", "rejected", "acknowledged", "fixed"])
def test_what_is_no_candidate_change_is_left_alone(state: str) -> None:
    measurements = plan(event(state=state))
    assert (measurements.comparisons, measurements.left) == ([], [])


def test_an_improvement_is_checked_as_a_regression_is() -> None:
    better = event(affected(0.8), direction="improvement", id="improvement-1")
    assert event_groups(plan(better)) == [("improvement-1",)]


def test_the_newest_day_comes_first_and_of_a_day_the_largest() -> None:
    measurements = plan(
        event(affected(1.5), before=3, after=4, id="old"),
        event(affected(1.05), before=50, after=51, id="new-small"),
        event(affected(1.2), before=52, after=53, id="new-large"),
    )
    assert event_groups(measurements) == [("new-large",), ("new-small",), ("old",)]


def test_a_new_one_goes_before_one_that_was_tried() -> None:
    tried = event(affected(1.5), before=52, after=53, id="tried")
    measurements = plan(
        tried,
        event(before=3, after=4, id="old"),
        comparisons=(ago(30, 5, base=52, head=53),),
    )
    assert event_groups(measurements) == [("old",), ("tried",)]


def test_candidate_changes_of_the_same_commits_make_one_comparison() -> None:
    measurements = plan(
        event(affected(1.1), id="slower"),
        event(affected(0.8), direction="improvement", id="faster"),
    )
    assert event_groups(measurements) == [("slower", "faster")] or event_groups(measurements) == [
        ("faster", "slower")
    ]
    assert measurements.comparisons[0].cases == (CASE,)


def test_few_affected_series_are_compared_those_of_other_processes_first() -> None:
    """The second case of a variant has processes that are asked already."""
    clear: dict[str, Any] = {
        "configuration": "nightly-3x10s",
        "low_ratio": 1.09,
        "high_ratio": 1.11,
    }
    many = [affected(1.1, case, **clear) for case in OTHER_CASES]
    [comparison] = plan(event(*many, affected(1.1, metric="throughput_rps"))).comparisons
    assert comparison.profile == "nightly"
    assert len(comparison.cases) == MAX_CASES
    assert set(comparison.cases) == {*OTHER_CASES[:2], OTHER_CASES[3], OTHER_CASES[2]}
    assert comparison.budget_s == CASE_BUDGET_S * MAX_CASES


def test_cases_of_a_comparison_are_of_one_host_class() -> None:
    blurred: dict[str, Any] = {"low_ratio": 1.01, "high_ratio": 1.2}
    clear_case, blurred_case = OTHER_CASES[:2]
    [comparison] = plan(
        event(
            affected(1.1, clear_case), affected(1.1, blurred_case, host_class="another", **blurred)
        )
    ).comparisons
    assert comparison.cases == (clear_case,)


def test_what_could_not_be_decided_is_tried_again_with_more_time_as_it_was_measured() -> None:
    again = plan(event(), comparisons=(ago(30, 5),)).comparisons[0]
    assert (again.attempt, again.profile) == (2, "nightly")
    assert again.budget_s == 2 * CASE_BUDGET_S
    third = plan(event(), comparisons=(ago(30, 5), ago(60, 5))).comparisons[0]
    assert third.budget_s == 4 * CASE_BUDGET_S


def test_after_three_tries_it_waits() -> None:
    measurements = plan(event(), comparisons=tuple(ago(30 * n, 5) for n in (1, 2, 3)))
    assert measurements.comparisons == []
    assert "3 tries could not tell" in reasons(measurements)


def test_a_comparison_that_said_nothing_was_a_try_too() -> None:
    empty = compared(**{name: getattr(ago(30, 5), name) for name in ("started_at", "finished_at")})
    assert plan(event(), comparisons=(empty,)).comparisons[0].attempt == 2


@pytest.mark.parametrize("other", [{"purpose": "push"}, {"base": 2}, {"head": 6}])
def test_other_comparisons_are_no_tries(other: dict[str, Any]) -> None:
    assert plan(event(), comparisons=(ago(30, 5, **other),)).comparisons[0].attempt == 1


def test_one_that_cannot_have_more_time_than_before_waits() -> None:
    measurements = plan(event(), comparisons=(ago(30, 5),), daily_s=CASE_BUDGET_S)
    assert measurements.comparisons == []
    assert "could not tell, and a day or a job has no more" in reasons(measurements)


def test_what_was_spent_today_is_not_spent_again() -> None:
    spent = (ago(2, 40), ago(25, 90), ago(3, 15, purpose="bisect"), ago(1, 50, purpose="push"))
    other_comparisons = tuple(
        comparison.model_copy(update={"base": commit(1), "head": commit(2)}) for comparison in spent
    )
    measurements = plan(event(), comparisons=other_comparisons)
    # 30 minutes of the second one were within the day
    assert measurements.spent_s == (40 + 15 + 30) * 60
    assert measurements.comparisons == []
    assert "0 s of the day's 1 h 00 min are left" in reasons(measurements)


def test_a_smaller_one_may_still_fit() -> None:
    wide = event(*(affected(1.5, case) for case in OTHER_CASES), id="wide")
    small = event(before=2, after=3, id="small")
    measurements = plan(
        wide,
        small,
        daily_s=3 * CASE_BUDGET_S,
        comparisons=(ago(1, 5, base=1, head=2),),
    )
    assert event_groups(measurements) == [("small",)]
    assert [omission.event for omission in measurements.left] == ["wide"]


def test_nothing_is_compared_on_a_day_without_minutes() -> None:
    measurements = plan(event(), daily_s=0)
    assert (measurements.comparisons, len(measurements.left)) == ([], 1)


@pytest.mark.parametrize("end", [4, 5])
def test_commits_that_are_gone_are_named(end: int) -> None:
    measurements = plan(
        event(id="lost"), event(before=2, after=3, id="there"), removed_commits=(commit(end).sha,)
    )
    assert event_groups(measurements) == [("there",)]
    assert measurements.left[0].event == "lost"
    assert commit(end).sha in measurements.left[0].reason


@pytest.mark.parametrize("sha", ["--upload-pack=x", "HEAD", "main", "", "0" * 41, "g" * 12])
def test_a_name_that_is_no_commit_is_not_given_to_git(sha: str) -> None:
    def reachable(name: str) -> str | None:
        assert name != sha
        return name

    about = event()
    about.culprit.after.sha = sha
    measurements = plan_measurements([about], [], CASES_OF, reachable, HOUR_S, NOW)
    assert (measurements.comparisons, len(measurements.left)) == ([], 1)


@pytest.mark.parametrize(
    "unusable",
    [
        {"case": "boot2-tomcat-platform-jvm/hello/64"},
        {"metric": "gc_pause_ratio"},
        {"ratio": 0.0},
        {"configuration": "gone-3x10s", "case": OTHER_CASES[0]},
    ],
)
def test_what_no_comparison_can_tell_is_named(unusable: dict[str, object]) -> None:
    measurements = plan(event(affected(1.1).model_copy(update=unusable)))
    assert measurements.comparisons == []
    assert "no profile of matrix.toml" in reasons(measurements)


events = st.lists(
    st.builds(
        lambda n, ratio, cases: event(
            *(affected(ratio, case) for case in cases), before=n, after=n + 1, id=f"e-{n}-{ratio}"
        ),
        st.integers(1, 5),
        st.floats(1.01, 2.0),
        st.lists(st.sampled_from((CASE, *OTHER_CASES)), min_size=1, unique=True),
    ),
    max_size=8,
    unique_by=lambda candidate: candidate.id,
)


@given(events, st.floats(0, 20_000))
def test_every_candidate_change_is_chosen_or_named_and_the_budget_holds(
    suspected: list[Event], daily_s: float
) -> None:
    measurements = plan(*suspected, daily_s=daily_s)
    planned = [name for comparison in measurements.comparisons for name in comparison.events]
    planned += [omission.event for omission in measurements.left]
    assert sorted(planned) == sorted(candidate.id for candidate in suspected)
    assert sum(comparison.budget_s for comparison in measurements.comparisons) <= daily_s
    assert all(1 <= len(comparison.cases) <= MAX_CASES for comparison in measurements.comparisons)
