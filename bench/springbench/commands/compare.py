"""`springbench compare`: base against head on this host, interleaved."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from springbench import __version__, units
from springbench.commands import options
from springbench.commands.run import interrupt
from springbench.contenders import Side, provide_jars, resolve
from springbench.duel import Bout, Duel
from springbench.errors import ConfigurationError, ExitCode
from springbench.host.shell import RealShell
from springbench.matrix import load_matrix
from springbench.measure.bench import Bench
from springbench.measure.pair import Contender, Schedule
from springbench.paths import RESULTS, ROOT, shown
from springbench.plan import Case, Plan, make_plan
from springbench.prepare import Host, Tools, check_limits, find_jars, find_tools
from springbench.report.comparison import COLUMNS, method_line, render, rows, verdict_line
from springbench.report.console import console, print_rows
from springbench.results.comparison import Comparison, ComparisonInfo
from springbench.results.model import ToolsInfo
from springbench.results.store import write_atomically
from springbench.rows import Matrix

COMPARISON_FILE = "comparison.json"


class FailOn(StrEnum):
    """What makes the command end with 1."""

    NEVER = "never"
    REGRESSION = "regression"


def compare(
    base: Annotated[str, typer.Argument(help="A commit, a folder of jars, or a variant.")],
    head: Annotated[str, typer.Argument(help="What is compared with it.")] = "HEAD",
    profile: options.ProfileOption = "pr",
    only: options.OnlyOption = None,
    connections: options.ConnectionsOption = None,
    budget: Annotated[
        float | None,
        typer.Option("--budget", min=30, max=36000, help="Seconds of measuring at the most."),
    ] = None,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="Exit with 1 on a confirmed regression.")
    ] = FailOn.NEVER,
    results: Annotated[Path, typer.Option("--results", help="Where run folders go.")] = RESULTS,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Compare base with head on this host, side by side, and say what changed and how surely.

    Example: `springbench compare main HEAD --fail-on regression`
    """
    rows_ = load_matrix(matrix)
    plan = make_plan(rows_, profile, options.filters(only, connections, None, None))
    signal.signal(signal.SIGTERM, interrupt)
    out = console()
    comparison, duel = _execute(base, head, rows_, plan, budget or plan.budget_s, results, out)
    if duel.interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)
    if any(pair.status == "failed" for pairs in duel.pairs.values() for pair in pairs):
        raise typer.Exit(ExitCode.CASES_FAILED)
    if fail_on is FailOn.REGRESSION and comparison.with_verdict("regression"):
        raise typer.Exit(ExitCode.REGRESSION)


def _execute(
    base: str, head: str, matrix: Matrix, plan: Plan, budget_s: float, results: Path, out: Console
) -> tuple[Comparison, Duel]:
    shell = RealShell()
    sides = [resolve(base, matrix, shell), resolve(head, matrix, shell)]
    if any(side.run for side in sides):
        raise ConfigurationError("compare stored runs with --runs")
    tools = find_tools(with_maven=not all(side.jars for side in sides))
    cautions = list(check_limits(plan))
    sides = [provide_jars(side, plan, tools, shell, lambda line: _say(out, line)) for side in sides]
    for side in sides:
        find_jars(plan if side.variant is None else replace(plan, cases=()), side.jars, side.root)
    host = Host.read(shell)
    comparison = _new_comparison(plan, budget_s, host, tools, sides)
    comparison.warnings += cautions
    folder = results / comparison.comparison.id
    folder.mkdir(parents=True)
    _say(out, f"{len(plan.cases)} cases, at most {units.duration(budget_s)} of measuring")
    host.pin_harness()
    bench = Bench(
        root=ROOT,
        raw=folder / "raw",
        java=tools.jdk.java,
        wrk=tools.wrk.path,
        shell=shell,
        cpus=host.cpus,
        enclosure=host.enclosure,
    )

    def save(duel: Duel) -> None:
        comparison.pairs = duel.pairs
        comparison.findings = duel.findings()
        comparison.comparison.measured_s = duel.elapsed_s
        text = comparison.model_dump_json(by_alias=True, indent=2)
        write_atomically(folder / COMPARISON_FILE, text + "\n")

    duel = Duel(bouts(plan, sides, bench), budget_s, save, lambda line: _say(out, line))
    with ExitStack():
        duel.execute()
    comparison.comparison.finished_at = datetime.now(UTC).isoformat(timespec="seconds")
    save(duel)
    _print(comparison, folder, out)
    return comparison, duel


def bouts(plan: Plan, sides: list[Side], bench: Bench) -> list[Bout]:
    """One bout for each variant of the plan; a single one where two variants are compared."""
    base, head = (replace(bench, root=side.root, jars=side.jars) for side in sides)
    groups: dict[str, list[Case]] = {}
    for case in plan.cases:
        groups.setdefault(case.variant.id, []).append(case)
    if sides[0].variant and sides[1].variant:
        # the loads come from the profile, whatever variant they were meant for
        first = next(iter(groups.values()))
        groups = {sides[0].variant.id: [replace(case, variant=sides[0].variant) for case in first]}
    return [
        Bout(
            variant=variant,
            contenders={
                "base": Contender(base, sides[0].variant or cases[0].variant),
                "head": Contender(head, sides[1].variant or cases[0].variant),
            },
            schedules=tuple(Schedule(case, case.bursts, case.window_s) for case in cases),
        )
        for variant, cases in groups.items()
    ]


def _new_comparison(
    plan: Plan, budget_s: float, host: Host, tools: Tools, sides: list[Side]
) -> Comparison:
    now = datetime.now(UTC)
    return Comparison(
        comparison=ComparisonInfo(
            id=f"{now:%Y%m%dT%H%M%SZ}-compare-{plan.profile}",
            started_at=now.isoformat(timespec="seconds"),
            profile=plan.profile,
            budget_s=budget_s,
        ),
        base=sides[0].info,
        head=sides[1].info,
        host=host.info(tools.jdk),
        tools=ToolsInfo(jdk=tools.jdk.version, wrk=tools.wrk.version, springbench=__version__),
        warnings=list(host.warnings()),
    )


def _print(comparison: Comparison, folder: Path, out: Console) -> None:
    out.print()
    _say(out, verdict_line(comparison))
    print_rows(COLUMNS, rows(comparison.findings), {"case", "metric", "verdict"}, out)
    _say(out, method_line(comparison))
    report = folder.with_suffix(".md")
    write_atomically(report, render(comparison))
    _say(out, f"\n{shown(folder / COMPARISON_FILE)}, {shown(report)}")


def _say(out: Console, line: str) -> None:
    out.print(line, markup=False, soft_wrap=True)
