"""`springbench releases`: what each release of Spring Boot costs, as a history of its own."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from springbench import units
from springbench.bench.tools import find_tools
from springbench.commands import options
from springbench.errors import ExitCode
from springbench.github import step
from springbench.github.jobs import Runner, parse_runner
from springbench.history.comparisons import read_comparisons
from springbench.host.interrupts import ended_by_signals
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from springbench.paths import MATRIX, RESULTS, ROOT, shown
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.releases.builds import (
    Builds,
    cases_of,
    measure,
    planned_runs,
    runs_left,
    startable,
)
from springbench.releases.confirm import (
    ReleaseChecker,
    neighbours,
    neighbours_budget_s,
    neighbours_plan,
)
from springbench.releases.history import ReleaseHistory, release_points
from springbench.releases.release import (
    Releases,
    commit_releases,
    parse_span,
    released_versions,
    select_versions,
)
from springbench.report.console import console
from springbench.report.event_console import (
    count_line,
    missing_lines,
    neighbour_words,
    print_events,
    print_releases,
)
from springbench.results.store import full_disk_reported
from springbench.run.execute import line_printer
from springbench.untrusted import one_line

logger = logging.getLogger(__name__)

PROFILE = "releases"


def releases(
    versions: Annotated[
        list[str],
        typer.Argument(
            metavar="RELEASES...", help="`4.0.3`, `3.5.0..3.5.16`, or `4.0.0..` for all since then."
        ),
    ],
    profile: options.ProfileOption = PROFILE,
    only: options.OnlyOption = None,
    rounds: Annotated[
        int,
        typer.Option(
            "--rounds", min=0, max=50, help="How often each release is measured; 0: only compared."
        ),
    ] = 3,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare/--no-compare",
            help="Compare each release with the one before it, side by side, too.",
        ),
    ] = True,
    confirm_minutes: Annotated[
        int,
        typer.Option(
            "--confirm-minutes",
            min=0,
            max=1440,
            help="Minutes in 24 hours for comparing releases that a step lies between; 0: none.",
        ),
    ] = 60,
    sources: Annotated[
        str, typer.Option("--sources", help="The commit whose servers are built.")
    ] = "HEAD",
    history: Annotated[
        Path, typer.Option("--history", help="The folder of the history, and of its runs.")
    ] = RESULTS / "releases",
    list_: Annotated[
        bool, typer.Option("--list", help="Say what would be measured, and for how long.")
    ] = False,
    labels: Annotated[
        str | None,
        typer.Option(
            "--runner-labels", help="With --list, in a workflow: which runner is to measure."
        ),
    ] = None,
    wait: options.WaitOption = 0.0,
    prepare_host: options.PrepareHostOption = False,
    matrix: options.MatrixOption = MATRIX,
) -> None:
    """Measure releases of Spring Boot with the same servers, and find where they became slower.

    Example: `springbench releases 3.5.0.. --only '*-virtual-*' --rounds 5`

    The same command again goes on where it ended. Exits with 0 when all was measured, 4 when a
    case failed, 5 when no release could be built, 130 after Ctrl-C.
    """
    spans, runner = [parse_span(text) for text in versions], parse_runner(labels)
    rows, shell, out = load_matrix(matrix), RealShell(), console()
    show_messages(line_printer(out))
    plan = startable(make_plan(rows, profile, Filters(tuple(only or ()))))
    tools = find_tools(with_maven=True)
    published = released_versions(tools.jdk, tools.builder, shell)
    found = commit_releases(select_versions(spans, published), rows, sources, ROOT, shell)
    # what is started from there may have another working directory
    release_history = ReleaseHistory(history.resolve())
    _announce(found, rows, plan, rounds, out, compare=compare)
    if list_:
        _write_workflow_outputs(found, rounds, release_history, runner)
    if list_ or not found.known:
        raise typer.Exit(ExitCode.OK if found.known else ExitCode.USAGE)
    ended_by_signals()
    builds = Builds(plan, rows, tools, shell)
    host = options.host_to_measure_on(wait_s=wait, prepare=prepare_host)
    with full_disk_reported(history, "run the same command again"), host:
        left = runs_left(found.known, rounds, release_history)
        wanted_now = {planned.release for planned in left}
        builds.build_all([release for release in found.known if release in wanted_now])
        if rounds and release_history.index is None:
            # else it is a release that is not there yet, beside others that were measured
            builds.check()
        code = measure(left, builds, rounds, release_history, out)
        if code != ExitCode.INTERRUPTED:
            daily_s = 60.0 * confirm_minutes
            checking = ReleaseChecker(
                release_history, found.known, builds, rows, daily_s, shell, published
            )
            if compare:
                checking.compare_neighbours()
            if confirm_minutes:
                checking.check()
            code = ExitCode.INTERRUPTED if checking.interrupted else code
    missing = {**found.missing, **builds.missing}
    _print_results(release_history, plan.profile, missing, out)
    if code == ExitCode.INTERRUPTED:
        logger.info("interrupted; the same command goes on")
    if code:
        raise typer.Exit(code)


def _announce(
    found: Releases, rows: Matrix, plan: Plan, rounds: int, out: Console, *, compare: bool
) -> None:
    for release in found.known:
        count = len(cases_of(release, plan))
        out.print(
            f"{release.name}  {release.sha[:12]}  {units.counted(count, 'case')}", markup=False
        )
    for line in missing_lines(found.missing):
        out.print(line, markup=False, soft_wrap=True)
    took_s = rounds * sum(
        case.forks * case.fork_estimate_s
        for known_release in found.known
        for case in plan.cases
        if case.variant.boot == known_release.line
    )
    parts = [f"{len(found.known)} releases, {rounds} rounds: about {_long(took_s)} of measuring"]
    if compare:
        neighbours_s = sum(
            neighbours_budget_s(neighbours_plan(rows, plan, variants))
            for _, later_release in neighbours(found.known)
            if (variants := {case.variant.id for case in cases_of(later_release, plan)})
        )
        parts.append(f"each compared with the one before it: about {_long(neighbours_s)}")
    if rounds == 1:
        parts.append("in one round a host that changes its speed looks like a step")
    out.print("; ".join(parts), markup=False, soft_wrap=True)


def _write_workflow_outputs(
    found: Releases, rounds: int, history: ReleaseHistory, runner: Runner
) -> None:
    left = [
        planned
        for planned in planned_runs(found.known, rounds)
        if not history.has_run(planned.run_id)
    ]
    logger.info(f"{units.counted(len(left), 'run')} left to measure")
    step.write_outputs({"left": str(len(left)), "runner": json.dumps(runner)})


def _long(took_s: float) -> str:
    return f"{took_s / 3600:.1f} hours" if took_s > 5400 else f"{took_s / 60:.0f} minutes"


def _print_results(
    history: ReleaseHistory, profile: str, missing: Mapping[str, str], out: Console
) -> None:
    index = history.index
    if index is None:
        return
    out.print()
    comparisons = read_comparisons(history.files)
    for case, points in release_points(history.files, index, profile, comparisons):
        print_releases(case, points, index.events, out)
    options = {tuple(comparison.java_options) for comparison in comparisons}
    _print_lines(map(neighbour_words, sorted(options)), out)
    print_events(index.events, index.events, out)
    _print_lines([count_line(index.events, index.events), *missing_lines(missing)], out)
    where = shown(history.path)
    _print_lines([f"{where}; `make site ARGS={where}` shows it in a browser"], out)


def _print_lines(lines: Iterable[str], out: Console) -> None:
    for line in lines:
        if line:
            out.print(one_line(line), markup=False, soft_wrap=True)
