"""Goes on with a run that was interrupted: no case lost, none measured twice."""

from __future__ import annotations

from springbench.bench.environment import passed_variables
from springbench.errors import ConfigurationError
from springbench.matrix.rows import Matrix
from springbench.plan.cases import Case
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.results.run import Caution, Result, Run


def plan_of(run: Run, matrix: Matrix) -> Plan:
    """The plan that the run was made for.

    Raises `ConfigurationError` when `matrix.toml` has changed since, so that it would be another.
    """
    filters = run.run.filters
    plan = make_plan(
        matrix,
        run.run.profile,
        Filters(
            only=tuple(filters.only),
            connections=tuple(filters.connections),
            forks=filters.forks,
            window_s=filters.window_s,
            rates=tuple(filters.rates),
        ),
    )
    if plan.digest != run.run.plan_digest:
        raise ConfigurationError(
            f"--resume: matrix.toml selects other cases than when {run.run.id} began; "
            "start a new run"
        )
    for case in plan.cases:
        if (then := run.find(case.id)) and then.planned and _passed_now(case) != _passed(then):
            raise ConfigurationError(
                f"--resume: the variables of pass_env have other values than when {run.run.id} "
                "began; set them as they were, or start a new run"
            )
    return plan


def _passed_now(case: Case) -> object:
    return passed_variables(case.variant).get("passed_digest")


def _passed(result: Result) -> object:
    return result.planned.passed_digest if result.planned else None


def resume(unfinished: Run, now: Run) -> Run:
    """The run to go on with, once it is known that the host and the sources are still the same.

    Raises `ConfigurationError` when they are not: half a run must not stand for another thing.
    """
    same_jdks = unfinished.tools.jdks == now.tools.jdks
    if unfinished.host.fingerprint != now.host.fingerprint or not same_jdks:
        raise ConfigurationError(
            f"--resume: {unfinished.run.id} was measured on another host or with other tools "
            f"({unfinished.host.host_class}, now {now.host.host_class}); start a new run"
        )
    if unfinished.host.limits.cpus != now.host.limits.cpus:
        raise ConfigurationError(
            f"--resume: {unfinished.run.id} was measured on other CPUs than now: ask for the same "
            f"with --cpus {unfinished.host.limits.cpus} (now {now.host.limits.cpus}), or start a "
            "new run"
        )
    then = unfinished.commit.sha if unfinished.commit else None
    if then != (now.commit.sha if now.commit else None):
        raise ConfigurationError(
            f"--resume: {unfinished.run.id} measured commit {then or 'none'}, which is not checked "
            "out now; check it out or start a new run"
        )
    if any(run.commit and run.commit.dirty for run in (unfinished, now)):
        unfinished.warnings.append(
            Caution(
                code="resumed-dirty",
                message="the run was interrupted and finished on sources with uncommitted changes: "
                "nothing shows that they were the same",
                remedy="commit, and start a new run",
            )
        )
    unfinished.results = [result for result in unfinished.results if result.status != "skipped"]
    unfinished.run.finished_at = None
    unfinished.run.interrupted = False
    return unfinished
