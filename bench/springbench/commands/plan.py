"""`springbench plan`: what a profile and filters select, and how long it would take."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from springbench import units
from springbench.build.oha import FOLDER
from springbench.commands import options
from springbench.github.jobs import MAX_JOBS, PlanSize, matrices, parallel, parse_runner, size_of
from springbench.github.jobs import prepared_key as key_of
from springbench.github.step import summarise, write_outputs
from springbench.host.facts.facts import host_facts
from springbench.host.shell import RealShell
from springbench.host.tools.find import find_jdk
from springbench.matrix.load import load_matrix
from springbench.matrix.profiles import Weekday
from springbench.matrix.rows import Matrix
from springbench.paths import ROOT
from springbench.plan.cases import Case
from springbench.plan.plan import Plan, make_plan
from springbench.project.service_names import check_name, service_name
from springbench.report.console import console

# what the jobs after this one read
OUTPUTS = ("profile", "builds", "shards", "shard_count", "runner", "parallel")
# more than GitHub lets one account use at once
MAX_HOSTS = 1000


def plan(
    profile: options.ProfileOption = "quick",
    only: options.OnlyOption = None,
    connections: options.ConnectionsOption = None,
    forks: options.ForksOption = None,
    duration: options.DurationOption = None,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    github: Annotated[
        bool,
        typer.Option("--github", help="Print job matrices as JSON; in a workflow, set outputs."),
    ] = False,
    shards: Annotated[
        int | None,
        typer.Option(
            "--shards",
            min=1,
            max=MAX_JOBS,
            help="At most so many shards, if each fits a job; one a workload if unset.",
        ),
    ] = None,
    labels: options.LabelsOption = None,
    spread: Annotated[
        bool,
        typer.Option("--spread", help="Several hosts have these labels; shards may share them."),
    ] = False,
    hosts: Annotated[
        int | None,
        typer.Option(
            "--hosts",
            min=1,
            max=MAX_HOSTS,
            help="Say how long it takes on so many hosts; one for each shard if unset.",
        ),
    ] = None,
    weekday: Annotated[
        Weekday | None,
        typer.Option("--weekday", help="Without what is measured on other days alone: `monday`."),
    ] = None,
    prepared_key: Annotated[
        bool,
        typer.Option(
            "--prepared-key",
            help="Print the name of the plan's AOT caches on this host; nothing if it has none.",
        ),
    ] = False,
    service: Annotated[
        bool,
        typer.Option(
            "--service",
            help="Print the service's name; nothing for a matrix of servers. Others of the "
            "repository must have other names.",
        ),
    ] = False,
) -> None:
    """Print the cases that a profile and filters select, with the estimated duration.

    Example: `springbench plan --profile quick --only 'boot4-*-virtual-*/pay/*'`
    """
    if service:
        _print_service(matrix)
        return
    chosen = options.filters(only, connections, forks, duration)
    rows = load_matrix(matrix)
    run_plan = make_plan(rows, profile, chosen, weekday)
    if prepared_key:
        _print_prepared_key(run_plan, rows)
        return
    size = size_of(run_plan, shards, hosts)
    if github:
        jobs = matrices(run_plan, rows, ROOT, shards)
        jobs["runner"] = parse_runner(labels)
        jobs["parallel"] = parallel(parse_runner(labels), spread=spread)
        jobs["size"] = asdict(size)
        write_outputs({name: _as_output(jobs[name]) for name in OUTPUTS})
        summarise(f"{run_plan.profile}: {units.counted(len(run_plan.cases), 'case')}, {size}")
        typer.echo(json.dumps(jobs, indent=2))
        return
    if json_:
        typer.echo(json.dumps(as_data(run_plan) | {"size": asdict(size)}, indent=2))
        return
    _print(run_plan, size)


def _print_service(matrix: Path) -> None:
    name = service_name(matrix)
    if name:
        check_name(matrix, name, RealShell())
        typer.echo(name)


def _print_prepared_key(run_plan: Plan, rows: Matrix) -> None:
    """Without a JDK there is nothing to train, and whoever measures says what brings one."""
    jdk = find_jdk()
    key = key_of(run_plan, rows, ROOT, jdk, host_facts()) if jdk else None
    # kept under what it is called, too: it takes minutes to build
    write_outputs({"key": key or "", "oha": FOLDER if run_plan.has_rates else ""})
    if key:
        typer.echo(key)


def _as_output(value: object) -> str:
    """One line: a text as it stands, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def as_data(run_plan: Plan) -> dict[str, object]:
    """The plan for programs."""
    return {
        "profile": run_plan.profile,
        "digest": run_plan.digest,
        "estimate_s": run_plan.estimate_s,
        "ceiling_s": run_plan.ceiling_s,
        "cases": [_case(case) for case in run_plan.cases],
    }


def _case(case: Case) -> dict[str, object]:
    return {
        "case": case.id,
        "forks": case.forks,
        "warmup_min_s": case.warmup_min_s,
        "warmup_max_s": case.warmup_max_s,
        "compiling_max_s": case.compiling_max_s,
        "window_s": case.window_s,
        "theoretical_max_rps": case.theoretical_max_rps,
    }


def _print(run_plan: Plan, size: PlanSize) -> None:
    out = console()
    table = Table(box=None, pad_edge=False)
    table.add_column("case", no_wrap=True)
    for name in ("forks", "warm-up", "window", "theoretical_max"):
        table.add_column(name, justify="right", no_wrap=True)
    for case in run_plan.cases:
        table.add_row(
            Text(case.id),
            f"{case.forks}",
            f"{case.warmup_min_s:g} to {case.warmup_max_s:g} s",
            f"{case.window_s:g} s",
            f"{units.rate(case.theoretical_max_rps)}/s"
            if case.theoretical_max_rps
            else units.ABSENT,
        )
    out.print(table)
    forks = sum(case.forks for case in run_plan.cases)
    out.print(
        f"{units.counted(len(run_plan.cases), 'case')}, {units.counted(forks, 'fork')}, about "
        f"{units.duration(run_plan.estimate_s)}; "
        f"{units.duration(run_plan.ceiling_s)} where compilers take as long as they may",
        markup=False,
    )
    out.print(f"in a workflow: {size}", markup=False)
