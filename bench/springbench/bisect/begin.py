"""Begins a bisection, or goes on with one: what is asked is checked before anything is measured.

Commits that may be the culprit are those between the two ends whose build may differ.
"""

from __future__ import annotations

import difflib
import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from springbench.analysis.comparison.verdicts import ComparedCase, metrics_of
from springbench.build.sources import NO_COMMITS, Sources, is_outside, sources_of
from springbench.errors import ConfigurationError
from springbench.host import git
from springbench.host.shell import Shell
from springbench.matrix.rows import Matrix
from springbench.paths import REPOSITORY, ROOT
from springbench.plan.cases import Variant
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.results.bisection import BisectCommit, Bisection, BisectQuestion
from springbench.results.events import Direction

DEFAULT_BUDGET_S = 3600.0
_DIGEST_LENGTH = 16
_MESSAGE_LENGTH = 200
_UNSHALLOW = "this clone is shallow: `git fetch --unshallow` brings the rest of its past"


def plan_for(matrix: Matrix, profile: str, case: str, metric: str, *, builds: bool = False) -> Plan:
    """The plan of that case alone. `builds`: a command builds commits of a service.

    Raises `ConfigurationError` for what cannot be compared.
    """
    plan = make_plan(matrix, profile)
    chosen = next((planned_case for planned_case in plan.cases if planned_case.id == case), None)
    if chosen is None:
        near = difflib.get_close_matches(
            case, [planned_case.id for planned_case in plan.cases], 3, 0.0
        )
        raise ConfigurationError(
            f"--case {case!r}: no case of profile {profile!r}; nearest: {', '.join(near)}. "
            f"`springbench plan --profile {profile}` lists them all"
        )
    if is_outside(chosen.variant) and not builds:
        raise ConfigurationError(
            f"--case {case!r}: {NO_COMMITS}: name the command that builds a commit of it, as in "
            "--build './mvnw package'"
        )
    compared = ComparedCase(chosen.id, waits=chosen.workload.delay_s > 0)
    evaluated = [compared_metric.name for compared_metric in metrics_of(compared, first=True)]
    if metric not in evaluated:
        raise ConfigurationError(
            f"--metric {metric!r}: a comparison does not evaluate it for {case}; "
            f"allowed: {', '.join(evaluated)}"
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
    [case] = plan.cases
    root = repository_of(case.variant)
    good, bad = check_ends(*ends, shell, root)
    candidates = find_candidates(good, bad, sources_of(case.variant, matrix), shell, root)
    return new_bisection(
        candidates.commits, metric, plan, budget_s, step_budget_s, candidates.passed_over, bad
    )


def repository_of(variant: Variant) -> Path:
    """Whose commits are bisected: of a service of one's own those of its repository."""
    return REPOSITORY if is_outside(variant) else ROOT


def new_bisection(
    commits: list[BisectCommit],
    metric: str,
    plan: Plan,
    budget_s: float | None = None,
    step_budget_s: float | None = None,
    passed_over: int = 0,
    bad: str | None = None,
    direction: Direction = "regression",
) -> Bisection:
    """One of the only case of the plan, between the first of the commits and the last.

    `bad` is the end that was asked for, where it is another one with the same sources.
    """
    [case] = plan.cases
    good, bad = commits[0].sha, bad or commits[-1].sha
    now = datetime.now(UTC)
    return Bisection(
        id=f"{now:%Y%m%dT%H%M%SZ}-bisect-{good[:8]}-{bad[:8]}",
        started_at=now.isoformat(timespec="seconds"),
        question=BisectQuestion(
            direction=direction,
            good=good,
            bad=bad,
            case=case.id,
            metric=metric,
            profile=plan.profile,
            plan_digest=plan.digest,
            budget_s=budget_s or DEFAULT_BUDGET_S,
            step_budget_s=step_budget_s or plan.budget_s,
        ),
        commits=commits,
        passed_over=passed_over,
    )


def resumed(
    found: Bisection,
    matrix: Matrix,
    shell: Shell,
    budget_s: float | None,
    step_budget_s: float | None,
    *,
    builds: bool = False,
) -> Plan:
    """The plan to go on with; budgets that are given take the place of its own. `builds`: as above.

    Raises `ConfigurationError` where it would measure something else than until now.
    """
    question = found.question
    plan = plan_for(matrix, question.profile, question.case, question.metric, builds=builds)
    if plan.digest != question.plan_digest:
        raise ConfigurationError(
            f"--resume: matrix.toml measures {question.case} in another way than when {found.id} "
            "began; start a new bisection"
        )
    root = repository_of(plan.cases[0].variant)
    for commit in found.commits:
        _check_commit_exists(commit, found, shell, root)
    question.budget_s = budget_s or question.budget_s
    question.step_budget_s = step_budget_s or question.step_budget_s
    return plan


def _check_commit_exists(commit: BisectCommit, found: Bisection, shell: Shell, root: Path) -> None:
    # a file may have been changed: only what is an id goes on to git as one
    if git.commit_of(commit.sha, root, shell) != commit.sha:
        raise ConfigurationError(
            f"--resume: commit {commit.sha[:12]!r} of {found.id} is not in this repository any "
            "more; fetch it, or start a new bisection"
        )


@dataclass(frozen=True)
class Candidates:
    """The good end first, then each commit whose sources differ from those of the one before."""

    commits: list[BisectCommit]
    passed_over: int


def check_ends(good: str, bad: str, shell: Shell, root: Path) -> tuple[str, str]:
    """Full ids of both ends. Raises `ConfigurationError` where nothing lies between them."""
    ends = _commit_of("GOOD", good, shell, root), _commit_of("BAD", bad, shell, root)
    first, last = ends
    if first == last:
        raise ConfigurationError(
            f"GOOD {good!r} and BAD {bad!r} are the same commit, {first[:12]}: "
            "name a commit from before the change as GOOD"
        )
    if git.is_ancestor(first, last, root, shell):
        return ends
    if git.is_ancestor(last, first, root, shell):
        raise ConfigurationError(
            f"BAD {bad!r} is older than GOOD {good!r}: name the older one first. "
            "What got better again is found by a bisection of what came before it"
        )
    if git.is_shallow(root, shell):
        raise ConfigurationError(f"GOOD {good!r} is not in the past of BAD {bad!r}; {_UNSHALLOW}")
    shared = git.common_ancestor(first, last, root, shell)
    raise ConfigurationError(
        f"GOOD {good!r} is not in the past of BAD {bad!r}: "
        + (
            f"both come from {shared[:12]}, which may stand for GOOD"
            if shared
            else "they share no commit; name two of one branch"
        )
    )


def _commit_of(which: str, name: str, shell: Shell, root: Path) -> str:
    if sha := git.commit_of(name, root, shell):
        return sha
    known = f"; {_UNSHALLOW}" if git.is_shallow(root, shell) else ""
    raise ConfigurationError(
        f"{which} {name!r}: no commit of this repository; allowed: a branch, a tag or an id{known}"
    )


def find_candidates(good: str, bad: str, sources: Sources, shell: Shell, root: Path) -> Candidates:
    """Those between two ends that were checked. A single one means that no build differs."""
    way = git.between(good, bad, root, shell)
    touching = set(git.between(good, bad, root, shell, sources.paths))
    found = [_commit(good, sources, shell, root)]
    for sha in way:
        # the first may have come by a merge: then git tells what it changed in another branch
        if sha not in touching and sha != way[0]:
            continue
        commit = _commit(sha, sources, shell, root)
        if commit.sources != found[-1].sources:
            found.append(commit)
    return Candidates(found, len(way) - (len(found) - 1))


def _commit(sha: str, sources: Sources, shell: Shell, root: Path) -> BisectCommit:
    files = git.files_of(sha, root, shell, sources.paths)
    read = "\n".join(f"{file.content} {file.path}" for file in files if sources.have(file.path))
    facts = git.facts_of(sha, root, shell)
    return BisectCommit(
        sha=sha,
        sources=hashlib.sha256(read.encode()).hexdigest()[:_DIGEST_LENGTH],
        message=facts.message[:_MESSAGE_LENGTH] if facts else "",
    )
