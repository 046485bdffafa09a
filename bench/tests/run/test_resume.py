"""What must be the same for a run to be gone on with."""

from __future__ import annotations

import pytest

from springbench.bench.records import new_result
from springbench.errors import ConfigurationError
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.results.run import INTERRUPTED, FiltersInfo, Run
from springbench.run.execute import plan_of, resume
from tests.samples import empty_run, fork, full_run, measured

FILTERS = Filters(("*-tomcat-virtual-*/pay/*", "*-netty-*"), (100, 200), forks=3, window_s=4.5)


def run_of(plan: Plan) -> Run:
    """A run with nothing measured, as it is stored."""
    run = empty_run()
    run.run.profile, run.run.plan_digest = plan.profile, plan.digest
    filters = plan.filters
    run.run.filters = FiltersInfo(
        only=list(filters.only),
        connections=list(filters.connections),
        forks=filters.forks,
        window_s=filters.window_s,
    )
    return Run.model_validate_json(run.model_dump_json(by_alias=True))


@pytest.mark.parametrize("filters", [Filters(), FILTERS])
def test_the_plan_is_made_again_from_what_was_asked_for(matrix: Matrix, filters: Filters) -> None:
    plan = make_plan(matrix, "quick", filters)
    assert plan_of(run_of(plan), matrix) == plan


def test_a_matrix_that_has_changed_since_is_refused(matrix: Matrix) -> None:
    run = run_of(make_plan(matrix, "quick", FILTERS))
    profiles = [
        profile.model_copy(
            update={
                "loads": tuple(
                    load.model_copy(update={"warmup_max_s": 77.0}) for load in profile.loads
                )
            }
        )
        for profile in matrix.profiles
    ]
    changed = matrix.model_copy(update={"profiles": tuple(profiles)})
    with pytest.raises(ConfigurationError, match=rf"other cases than when {run.run.id} began"):
        plan_of(run, changed)


def test_a_profile_that_is_gone_is_refused(matrix: Matrix) -> None:
    run = run_of(make_plan(matrix, "quick"))
    run.run.profile = "yesterday"
    with pytest.raises(ConfigurationError, match="'yesterday': no such profile"):
        plan_of(run, matrix)


def test_what_was_skipped_is_to_be_measured_and_the_rest_stays(matrix: Matrix) -> None:
    run = full_run(matrix)
    retained = [result for result in run.results if result.status != "skipped"]
    assert len(retained) == len(run.results) - 1

    again = resume(run, empty_run())

    assert again.results == retained
    assert again.run.finished_at is None
    assert again.run.measured_s == 365.4


def test_a_case_that_is_half_measured_keeps_its_forks(matrix: Matrix) -> None:
    run = empty_run()
    case = make_plan(matrix, "quick", FILTERS).cases[0]
    run.results = [measured(case, fork(0, 99.0), fork(1, 98.0))]
    assert resume(run, empty_run()).results[0].forks == [fork(0, 99.0), fork(1, 98.0)]
    run.results = [new_result(case, status="skipped", reason=INTERRUPTED)]
    assert resume(run, empty_run()).results == []


def test_another_host_is_refused() -> None:
    now = empty_run()
    now.host.fingerprint, now.host.host_class = "other", "another-cpu"
    with pytest.raises(ConfigurationError, match=r"with other tools \(some-cpu.*, now another-cpu"):
        resume(empty_run(), now)


def test_other_cpus_are_refused_with_the_option_that_asks_for_the_same() -> None:
    then, now = empty_run(), empty_run()
    then.host.limits.server_cpus, then.host.limits.load_cpus = [2, 3], [1]
    then.host.limits.upstream_cpus = [0]
    with pytest.raises(ConfigurationError, match=r"the same with --cpus 2,3:1:0 \(now "):
        resume(then, now)


@pytest.mark.parametrize(("then", "now"), [("1a2b", "3c4d"), ("1a2b", None), (None, "3c4d")])
def test_another_commit_is_refused(then: str | None, now: str | None) -> None:
    with pytest.raises(ConfigurationError, match=rf"measured commit {then or 'none'}, which is"):
        resume(_at(then), _at(now))


@pytest.mark.parametrize("sha", ["1a2b", None])
def test_the_same_commit_or_none_at_all_goes_on(sha: str | None) -> None:
    assert resume(_at(sha), _at(sha)).commit == _at(sha).commit


def _at(sha: str | None) -> Run:
    run = empty_run()
    assert run.commit is not None
    run.commit = run.commit.model_copy(update={"sha": sha}) if sha else None
    return run


def test_sources_with_uncommitted_changes_may_be_others_and_the_report_says_so() -> None:
    run, now = _at("a" * 40), _at("a" * 40)
    assert run.commit
    run.commit = run.commit.model_copy(update={"dirty": True})
    assert [caution.code for caution in resume(run, now).warnings] == ["resumed-dirty"]
