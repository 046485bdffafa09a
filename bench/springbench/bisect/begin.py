"""Begins a bisection, or goes on with one: what is asked is checked before anything is measured."""

from __future__ import annotations

import difflib
from dataclasses import replace
from datetime import UTC, datetime

from springbench.analysis.comparison.metrics import ComparedCase, metrics_of
from springbench.bisect.commits import check_ends, find_candidates
from springbench.build.sources import NO_COMMITS, is_outside, sources_of
from springbench.errors import ConfigurationError
from springbench.host import git
from springbench.host.shell import Shell
from springbench.matrix.rows import Matrix
from springbench.paths import ROOT
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.results.bisection import BisectCommit, Bisection, BisectQuestion

DEFAULT_BUDGET_S = 3600.0


def plan_for(matrix: Matrix, profile: str, case: str, metric: str) -> Plan:
    """The plan of that case alone. Raises `ConfigurationError` for what cannot be compared."""
    plan = make_plan(matrix, profile)
    chosen = next((each for each in plan.cases if each.id == case), None)
    if chosen is None:
        near = difflib.get_close_matches(case, [each.id for each in plan.cases], 3, 0.0)
        raise ConfigurationError(
            f"--case {case!r}: no case of profile {profile!r}; nearest: {', '.join(near)}. "
            f"`springbench plan --profile {profile}` lists them all"
        )
    if is_outside(chosen.variant):
        raise ConfigurationError(
            f"--case {case!r}: {NO_COMMITS}: compare two folders with its builds instead"
        )
    compared = ComparedCase(chosen.id, waits=chosen.workload.delay_s > 0)
    judged = [each.name for each in metrics_of(compared, first=True)]
    if metric not in judged:
        raise ConfigurationError(
            f"--metric {metric!r}: a comparison does not judge it for {case}; "
            f"allowed: {', '.join(judged)}"
        )
    return replace(plan, cases=(chosen,), filters=Filters(only=(case,)))


def begin(
    ends: tuple[str, str],
    metric: str,
    plan: Plan,
    matrix: Matrix,
    shell: Shell,
    budget_s: float | None,
    step_budget_s: float | None,
) -> Bisection:
    """A bisection of which nothing has been measured yet."""
    good, bad = check_ends(*ends, shell)
    [case] = plan.cases
    candidates = find_candidates(good, bad, sources_of(case.variant, matrix), shell)
    now = datetime.now(UTC)
    return Bisection(
        id=f"{now:%Y%m%dT%H%M%SZ}-bisect-{good[:8]}-{bad[:8]}",
        started_at=now.isoformat(timespec="seconds"),
        question=BisectQuestion(
            good=good,
            bad=bad,
            case=case.id,
            metric=metric,
            profile=plan.profile,
            plan_digest=plan.digest,
            budget_s=budget_s or DEFAULT_BUDGET_S,
            step_budget_s=step_budget_s or plan.budget_s,
        ),
        commits=candidates.commits,
        passed_over=candidates.passed_over,
    )


def resumed(
    found: Bisection,
    matrix: Matrix,
    shell: Shell,
    budget_s: float | None,
    step_budget_s: float | None,
) -> Plan:
    """The plan to go on with; budgets that are given take the place of its own.

    Raises `ConfigurationError` where it would measure something else than until now.
    """
    question = found.question
    plan = plan_for(matrix, question.profile, question.case, question.metric)
    if plan.digest != question.plan_digest:
        raise ConfigurationError(
            f"--resume: matrix.toml measures {question.case} in another way than when {found.id} "
            "began; start a new bisection"
        )
    for commit in found.commits:
        _check_there(commit, found, shell)
    question.budget_s = budget_s or question.budget_s
    question.step_budget_s = step_budget_s or question.step_budget_s
    return plan


def _check_there(commit: BisectCommit, found: Bisection, shell: Shell) -> None:
    # a file may have been changed: only what is an id goes on to git as one
    if git.commit_of(commit.sha, ROOT, shell) != commit.sha:
        raise ConfigurationError(
            f"--resume: commit {commit.sha[:12]!r} of {found.id} is not in this repository any "
            "more; fetch it, or start a new bisection"
        )
