"""`springbench compare`: base against head on this host, interleaved; or two stored runs."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from springbench.analysis.comparison.stored import compare_runs
from springbench.commands import options
from springbench.commands.run import interrupt
from springbench.compare.live import hold
from springbench.compare.sides import Side, resolve
from springbench.errors import ConfigurationError, ExitCode
from springbench.host.lock import measuring_alone
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.paths import RESULTS, shown
from springbench.plan.plan import make_plan
from springbench.report.comparison import render
from springbench.report.console import console, print_comparison
from springbench.results.comparison import (
    COMPARISON_FILE,
    Comparison,
    ComparisonInfo,
    SideInfo,
)
from springbench.results.run import Caution
from springbench.results.store import AGAIN, full_disk_told, load_run, write_atomically

STORED_RUNS = Caution(
    code="stored-runs",
    message="the runs were measured at different times: what drifted between counts as a change",
    remedy="compare the commits side by side",
)


def compare(
    base: Annotated[
        str, typer.Argument(help="A commit, a folder of jars, a variant, or a stored run.")
    ],
    head: Annotated[str, typer.Argument(help="What is compared with it.")] = "HEAD",
    profile: options.ProfileOption = "pr",
    only: options.OnlyOption = None,
    connections: options.ConnectionsOption = None,
    budget: Annotated[
        float | None,
        typer.Option("--budget", min=30, max=36000, help="Seconds of measuring at the most."),
    ] = None,
    fail_on: options.FailOnOption = options.FailOn.NEVER,
    force: Annotated[
        bool, typer.Option("--force", help="Compare stored runs of different host classes.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON instead of the table.")] = False,
    wait: options.WaitOption = 0.0,
    results: Annotated[Path, typer.Option("--results", help="Where run folders go.")] = RESULTS,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Compare base with head on this host, side by side, and say what changed and how surely.

    Example: `springbench compare main HEAD --fail-on regression`
    """
    rows_ = load_matrix(matrix)
    shell, out = RealShell(), console()
    sides = [resolve(base, rows_, shell), resolve(head, rows_, shell)]
    check_kinds(sides)
    failed = False
    if sides[0].run and sides[1].run:
        comparison = stored(sides[0].run, sides[1].run, force=force)
        _print(comparison, out, json_=json_)
    else:
        plan = make_plan(rows_, profile, options.filters(only, connections, None, None))
        signal.signal(signal.SIGTERM, interrupt)

        def say(line: str) -> None:
            # a program that reads JSON gets nothing else on standard output
            typer.echo(line, err=json_)

        with full_disk_told(results, AGAIN), measuring_alone(wait, say):
            contest = hold(sides, plan, budget or plan.budget_s, results, shell, say)
        comparison = contest.comparison
        _print(comparison, out, json_=json_)
        report = contest.folder.with_suffix(".md")
        write_atomically(report, render(comparison))
        typer.echo(f"{shown(contest.folder / COMPARISON_FILE)}, {shown(report)}", err=json_)
        if contest.interrupted:
            raise typer.Exit(ExitCode.INTERRUPTED)
        failed = contest.failed
    # first: a pair that failed beside it must not hide it
    if fail_on is options.FailOn.REGRESSION and comparison.with_verdict("regression"):
        raise typer.Exit(ExitCode.REGRESSION)
    if failed:
        raise typer.Exit(ExitCode.CASES_FAILED)


def check_kinds(sides: Sequence[Side]) -> None:
    """Raises `ConfigurationError` where the two sides are not of one kind."""
    kinds = {"jars" if side.info.kind == "commit" else side.info.kind for side in sides}
    if len(kinds) > 1:
        raise ConfigurationError(
            f"{sides[0].info.label} is a {sides[0].info.kind}, {sides[1].info.label} a "
            f"{sides[1].info.kind}: compare two runs, two variants, or commits and folders of jars"
        )


def stored(base: Path, head: Path, *, force: bool) -> Comparison:
    """Two stored runs compared.

    Raises `ConfigurationError` when their hosts are of different classes and `force` is not set.
    """
    runs = load_run(base), load_run(head)
    classes = [run.host.host_class for run in runs]
    warnings = [STORED_RUNS]
    if classes[0] != classes[1]:
        if not force:
            raise ConfigurationError(
                f"the runs come from different host classes ({classes[0]} and {classes[1]}): "
                "their difference is that of the hosts. --force compares them all the same"
            )
        warnings.append(
            Caution(
                code="host-classes",
                message=f"different host classes, {classes[0]} and {classes[1]}: "
                "the hosts differ, whatever the servers do",
                remedy="measure both on one host",
            )
        )
    return Comparison(
        comparison=ComparisonInfo(
            id=f"{runs[0].run.id}-{runs[1].run.id}",
            started_at=runs[1].run.started_at,
            finished_at=runs[1].run.finished_at,
            profile=runs[1].run.profile,
            budget_s=runs[0].run.estimate_s + runs[1].run.estimate_s,
            measured_s=runs[0].run.measured_s + runs[1].run.measured_s,
            interleaved=False,
        ),
        base=SideInfo(kind="run", label=runs[0].run.id),
        head=SideInfo(kind="run", label=runs[1].run.id),
        host=runs[1].host,
        tools=runs[1].tools,
        warnings=warnings,
        findings=compare_runs(*runs),
    )


def _print(comparison: Comparison, out: Console, *, json_: bool) -> None:
    if json_:
        typer.echo(comparison.model_dump_json(by_alias=True, indent=2))
        return
    print_comparison(comparison, out)
