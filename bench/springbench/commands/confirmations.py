"""`springbench confirmations`: which candidate changes of a history another job is to check now."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from springbench.analysis.comparable import FAST_PROFILE, CasesOf, metrics_by_case
from springbench.analysis.confirming import Measurements, plan_measurements
from springbench.commands import options
from springbench.commands.history_source import (
    BranchOption,
    HistoryOption,
    PathOption,
    RemoteOption,
    opened,
)
from springbench.github import step
from springbench.github.jobs import (
    Runner,
    bisection_jobs,
    comparison_jobs,
    parallel,
    parse_runner,
)
from springbench.history.comparisons import read_comparisons
from springbench.history.reading import read_index
from springbench.host.git import commit_of
from springbench.host.shell import RealShell, Shell
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.matrix.service_name import one_service
from springbench.paths import REPOSITORY
from springbench.plan.cases import every_variant
from springbench.plan.plan import make_plan
from springbench.report.confirmations import lines
from springbench.results.events import Event
from springbench.results.history_names import profile_of
from springbench.results.published_comparison import PublishedComparison

logger = logging.getLogger(__name__)

DAILY_MINUTES = 60


def confirmations(
    history: HistoryOption = None,
    remote: RemoteOption = None,
    branch: BranchOption = "gh-pages",
    path: PathOption = "",
    daily_minutes: Annotated[
        int,
        typer.Option(
            "--daily-minutes",
            min=0,
            max=1440,
            envvar="SPRINGBENCH_CONFIRM_MINUTES",
            help="Minutes that confirming may take in 24 hours; 0 turns it off.",
        ),
    ] = DAILY_MINUTES,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    github: Annotated[
        bool,
        typer.Option("--github", help="Print a job matrix as JSON; in a workflow, set outputs."),
    ] = False,
    labels: options.LabelsOption = None,
    spread: Annotated[
        bool,
        typer.Option("--spread", help="Several hosts have these labels; comparisons share them."),
    ] = False,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Say which candidate changes a job of its own is to check now, by comparing their commits
    again.

    Example: `springbench confirmations --remote origin --daily-minutes 120`
    """
    shell = RealShell()
    rows, runner = load_matrix(matrix), parse_runner(labels)
    with opened(shell, history, remote, branch, path) as files:
        index = read_index(files)
        comparisons = read_comparisons(files) if index and index.events else []
    if index is None:
        logger.info("there is no history with events yet: `springbench publish` makes one")
    service = one_service(variant.id for variant in every_variant(rows))
    # those of another service are measured in its own folder
    events = [event for event in index.events if event.service == service] if index else []
    plan = _plan(events, comparisons, rows, shell, 60.0 * daily_minutes)
    messages = list(lines(plan))
    if github:
        _write_workflow_outputs(plan, messages, runner, spread=spread)
    elif json_:
        typer.echo(json.dumps(asdict(plan), indent=2))
    else:
        typer.echo("\n".join(messages))


def _plan(
    events: list[Event],
    comparisons: list[PublishedComparison],
    rows: Matrix,
    shell: Shell,
    daily_s: float,
) -> Measurements:
    return plan_measurements(
        events,
        comparisons,
        _cases_of(events, rows),
        lambda sha: commit_of(sha, REPOSITORY, shell),
        daily_s,
        datetime.now(UTC),
    )


def _cases_of(events: list[Event], rows: Matrix) -> CasesOf:
    """Of the profiles that the affected series were measured with, as far as there are still
    some.
    """
    named = {
        profile_of(affected.configuration) for event in events for affected in event.affected_series
    }
    profile_ids = (named | {FAST_PROFILE}) & {profile.id for profile in rows.profiles}
    return {
        profile_id: metrics_by_case(make_plan(rows, profile_id).cases)
        for profile_id in profile_ids
        if events
    }


def _write_workflow_outputs(
    plan: Measurements, messages: list[str], runner: Runner, *, spread: bool
) -> None:
    jobs, halves = comparison_jobs(plan), bisection_jobs(plan)
    outputs = {
        "comparisons": {"include": jobs},
        "count": len(jobs),
        "bisections": {"include": halves},
        "bisection_count": len(halves),
        "runner": runner,
        "parallel": parallel(runner, spread=spread),
    }
    step.write_outputs({name: json.dumps(value) for name, value in outputs.items()})
    step.summarise("\n".join(messages))
    typer.echo("\n".join(messages), err=True)
    typer.echo(json.dumps(outputs, indent=2))
