"""`springbench compare`: base against head on this host, interleaved; or two stored runs."""

from __future__ import annotations

import json
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from springbench.commands import options
from springbench.commands.publish_from import Harness
from springbench.compare.execute import LiveComparison, compare_live, compare_stored
from springbench.compare.reported import compare_reported
from springbench.compare.sides import check_kinds, resolve, service_builds
from springbench.errors import ConfigurationError, ExitCode
from springbench.github import step
from springbench.harnesses.readers import BY_HARNESS
from springbench.history.condense_comparison import Occasion, condense_comparison
from springbench.history.offline import page_of_comparison, read_template
from springbench.host.interrupts import ended_by_signals
from springbench.host.shell import RealShell
from springbench.messages import show_messages
from springbench.paths import RESULTS, shown
from springbench.plan.plan import make_plan
from springbench.report.comparison import render
from springbench.report.console import console, print_comparison, print_findings
from springbench.results.comparison import (
    COMPARISON_FILE,
    Comparison,
    Verdict,
    is_measured,
)
from springbench.results.store import AGAIN, full_disk_reported, write_atomically

_BY_GRAVITY: tuple[Verdict, ...] = (
    "regression",
    "suspected",
    "changed",
    "improvement",
    "undecided",
    "unchanged",
)


def compare(
    base: Annotated[
        str | None,
        typer.Argument(help="A commit, a folder of jars, a jar, a variant, or a stored run."),
    ] = None,
    head: Annotated[str, typer.Argument(help="What is compared with it.")] = "HEAD",
    jar: Annotated[
        list[Path] | None,
        typer.Option("--jar", help="Twice, instead of base and head: two builds of a service."),
    ] = None,
    build: options.BuildOption = None,
    route: options.RouteOption = None,
    health: options.HealthOption = None,
    from_: Annotated[
        Harness | None,
        typer.Option("--from", help="Base and head are files of this harness."),
    ] = None,
    profile: options.ProfileOption = "pr",
    only: options.OnlyOption = None,
    connections: options.ConnectionsOption = None,
    rates: options.RatesOption = None,
    budget: Annotated[
        float | None,
        typer.Option("--budget", min=30, max=36000, help="Seconds of measuring at the most."),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain/--no-explain",
            help="Say which methods grew after a confirmed regression, and draw a flame graph.",
        ),
    ] = True,
    fail_on: options.FailOnOption = options.FailOnVerdict.NEVER,
    force: Annotated[
        bool, typer.Option("--force", help="Compare stored runs of different host classes.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON instead of the table.")] = False,
    load_host: options.LoadHostOption = None,
    recording: options.RecordingOption = None,
    wait: options.WaitOption = 0.0,
    prepare_host: options.PrepareHostOption = False,
    results: Annotated[Path, typer.Option("--results", help="Where run folders go.")] = RESULTS,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Compare base with head on this host, side by side, and say what changed and how surely.

    Example: `springbench compare main HEAD --fail-on regression`

    A service of your own: `springbench compare main HEAD --build './mvnw package'`; or two
    checkouts, each built: `springbench compare ../orders-main .`; or
    `springbench compare --jar old.jar --jar new.jar --route /orders`

    Two files of another harness: `springbench compare --from jmh base.json head.json`

    In a workflow `verdict` is the gravest that it found, and `report` the path of its report.
    """
    if from_:
        _compare_files(base, head, from_, fail_on, json_=json_)
        return
    names, described = _side_names(base, head, jar, routes=bool(route))
    rows_ = options.described_matrix(matrix, described, None, route, health)
    shell, live = RealShell(), None
    ended_by_signals()
    # a program that reads JSON gets nothing else on standard output
    show_messages(partial(typer.echo, err=json_))
    host = options.host_to_measure_on(wait_s=wait, prepare=prepare_host)
    with ExitStack() as stack:
        builds = stack.enter_context(service_builds(build, Path.cwd(), matrix, shell))
        if builds:
            # a build would spoil what somebody else measures
            stack.enter_context(host)
        build_commit = builds.side_of if builds else None
        sides = [resolve(name, rows_, shell, matrix, build_commit) for name in names]
        check_kinds(sides)
        if sides[0].run and sides[1].run:
            comparison = compare_stored(sides[0].run, sides[1].run, force=force)
        else:
            plan = make_plan(rows_, profile, options.filters(only, connections, None, None, rates))
            stack.enter_context(full_disk_reported(results, AGAIN))
            if not builds:
                stack.enter_context(host)
            live = compare_live(
                sides,
                plan,
                budget or plan.budget_s,
                results,
                shell,
                explain=explain,
                load_host=load_host,
                recording=options.recording(recording),
            )
            comparison = live.comparison
    _print(comparison, console(), json_=json_)
    if live:
        _write_reports(live, err=json_)
        if live.interrupted:
            raise typer.Exit(ExitCode.INTERRUPTED)
    # first: a pair that failed beside it must not hide it
    if code := fail_on.exit_code(comparison.statements, comparison.limits):
        raise typer.Exit(code)
    if live and live.failed:
        raise typer.Exit(ExitCode.CASES_FAILED)


def _write_reports(live: LiveComparison, *, err: bool) -> None:
    """Its report and its page, beside its folder; where they are is said, on standard error if
    asked for, and to a workflow."""
    report = live.folder.with_suffix(".md")
    with full_disk_reported(live.folder.parent, AGAIN):
        write_atomically(report, render(live.comparison))
    typer.echo(f"{shown(live.folder / COMPARISON_FILE)}, {shown(report)}", err=err)
    if page := _write_page(live.comparison, report.with_suffix(".html")):
        typer.echo(f"report page: {shown(page)}", err=err)
    step.write_outputs({"verdict": gravest(live.comparison), "report": str(report.resolve())})


def _compare_files(
    base: str | None, head: str, harness: Harness, fail_on: options.FailOnVerdict, *, json_: bool
) -> None:
    if base is None or head == "HEAD":
        raise ConfigurationError(
            f"--from {harness.value}: two files are compared: base.json head.json"
        )
    reader = BY_HARNESS[harness.value]
    found = compare_reported(Path(base), Path(head), reader)
    if json_:
        rows = [finding.model_dump(mode="json") for finding in found.findings]
        typer.echo(json.dumps({"findings": rows, "left_out": found.left_out}, indent=2))
    else:
        print_findings(found.findings, found.left_out, reader.name, console())
    if code := fail_on.exit_code(found.findings):
        raise typer.Exit(code)


def _side_names(
    base: str | None, head: str, jars: list[Path] | None, *, routes: bool
) -> tuple[tuple[str, str], Path | None]:
    """Base and head; and the jar that options describe, where no file does."""
    if not jars:
        if base is None:
            raise ConfigurationError("what is compared? give a commit, a folder or a jar as base")
        return (base, head), None
    if base is not None or len(jars) != 2:
        raise ConfigurationError(
            "--jar is given twice, base first, and then nothing else is compared: "
            "--jar old.jar --jar new.jar"
        )
    for jar in jars:
        if not jar.is_file():
            raise ConfigurationError(f"--jar {jar}: there is no such file; build it first")
    return (str(jars[0]), str(jars[1])), jars[0] if routes else None


def gravest(comparison: Comparison) -> str:
    """The verdict that matters most of all that it says; `none` where nothing was measured, and
    nothing else has changed."""
    found = {statement.verdict for statement in comparison.statements}
    if not is_measured(comparison.statements):
        found -= {"unchanged", "undecided"}
    return next((verdict for verdict in _BY_GRAVITY if verdict in found), "none")


def _write_page(comparison: Comparison, file: Path) -> Path | None:
    """The comparison as a page; None where nobody has built one, and of sides that are no commits:
    a history has only these."""
    template = read_template()
    if template is None:
        return None
    try:
        published = condense_comparison(comparison, Occasion()).comparison
        write_atomically(file, page_of_comparison(template, published))
    except ConfigurationError:
        return None
    except OSError as error:
        # the comparison is whole, and saved
        typer.echo(f"no report page: {error.strerror}", err=True)
        return None
    return file


def _print(comparison: Comparison, out: Console, *, json_: bool) -> None:
    if json_:
        typer.echo(comparison.model_dump_json(by_alias=True, indent=2))
        return
    print_comparison(comparison, out)
