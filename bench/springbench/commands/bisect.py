"""`springbench bisect`: the commit between two that made a metric worse."""

from __future__ import annotations

import logging
import shlex
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from springbench.bisect.begin import begin, plan_for, resumed
from springbench.bisect.drive import LEAST_STEP_S, Driver, comparer
from springbench.commands import options
from springbench.compare.sides import service_builds
from springbench.errors import ConfigurationError, ExitCode
from springbench.host.interrupts import ended_by_signals
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from springbench.paths import RESULTS, shown
from springbench.plan.plan import Plan
from springbench.report.bisection import lines
from springbench.results.bisection import BISECTION_FILE, Bisection, load_bisection
from springbench.results.store import full_disk_reported

logger = logging.getLogger(__name__)

DEFAULT_METRIC = "throughput_rps"


def bisect(
    good: Annotated[
        str | None, typer.Argument(help="A commit from before the change.", show_default=False)
    ] = None,
    bad: Annotated[
        str | None, typer.Argument(help="A later one that has it.", show_default=False)
    ] = None,
    case: Annotated[str | None, typer.Option("--case", help="The case that shows it.")] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="What became worse; `throughput_rps` if unset.")
    ] = None,
    profile: options.ProfileOption = "pr",
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget", min=LEAST_STEP_S, max=360_000, help="Seconds of measuring in all; 3600."
        ),
    ] = None,
    step_budget: Annotated[
        float | None,
        typer.Option(
            "--step-budget",
            min=LEAST_STEP_S,
            max=36_000,
            help="The same for one comparison; the profile's if unset.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", help="Go on with the bisection in this folder."),
    ] = None,
    build: options.BuildOption = None,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON instead of the text.")] = False,
    recording: options.RecordingOption = None,
    wait: options.WaitOption = 0.0,
    prepare_host: options.PrepareHostOption = False,
    results: Annotated[Path, typer.Option("--results", help="Where its folder goes.")] = RESULTS,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Find the commit between two that made a metric worse, by comparing two commits at a time.

    Example: `springbench bisect v1.2 HEAD --case boot4-tomcat-virtual-jvm/hello/64
    --metric cpu_per_request_s`

    A service of your own: `springbench bisect v1.2 HEAD --case app-orders-own-jvm/orders/64
    --build './mvnw package'`

    Exits with 0 for any answer, a range or "not there" included; with 4 or 5 where an end does not
    start or build, 130 after Ctrl-C.
    """
    rows, shell = load_matrix(matrix), RealShell()
    if resume:
        if good or bad or case or metric or profile != "pr":
            raise ConfigurationError(
                "--resume goes on as it was begun; leave out GOOD, BAD, --case, --metric and "
                "--profile, or start a new bisection"
            )
        bisection = load_bisection(resume)
        plan = resumed(bisection, rows, shell, budget, step_budget, builds=build is not None)
        folder = resume if resume.is_dir() else resume.parent
    else:
        bisection, plan = _begun(
            (good, bad), case, metric, rows, profile, shell, budget, step_budget, build
        )
        folder = results / bisection.id
    ended_by_signals()

    # a program that reads JSON gets nothing else on standard output
    show_messages(partial(typer.echo, err=json_))
    host = options.host_to_measure_on(wait_s=wait, prepare=prepare_host)
    again = ["springbench", "bisect", "--resume", shown(folder)]
    how = f"`{shlex.join([*again, *(['--build', build] if build else [])])}`"
    builds = service_builds(build, Path.cwd(), matrix, shell)
    with full_disk_reported(results, f"go on with {how}"), host, builds as built:
        _make(folder)
        source = options.recording(recording)
        metric_ = bisection.question.metric
        build_commit = built.side_of if built else None
        compare = comparer(plan, metric_, folder, shell, matrix, source, build_commit)
        driver = Driver(bisection, folder, compare)
        driver.save()
        _drive(driver, how)
    if json_:
        typer.echo(bisection.model_dump_json(by_alias=True, indent=2))
    for line in [] if json_ else lines(bisection):
        typer.echo(line)
    typer.echo(shown(folder / BISECTION_FILE), err=json_)


def _begun(
    ends: tuple[str | None, str | None],
    case: str | None,
    metric: str | None,
    rows: Matrix,
    profile: str,
    shell: RealShell,
    budget: float | None,
    step_budget: float | None,
    build: str | None,
) -> tuple[Bisection, Plan]:
    good, bad = ends
    if not (good and bad and case):
        raise ConfigurationError(
            "a bisection needs GOOD, BAD and --case; or --resume with its folder"
        )
    metric = metric or DEFAULT_METRIC
    plan = plan_for(rows, profile, case, metric, builds=build is not None)
    return begin((good, bad), metric, plan, rows, shell, budget, step_budget), plan


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(
            f"{folder}: cannot be made: {error.strerror}; --results names another folder"
        ) from error


def _drive(driver: Driver, how: str) -> None:
    try:
        driver.drive()
    except KeyboardInterrupt as error:
        logger.info(f"interrupted; {how} goes on")
        raise typer.Exit(ExitCode.INTERRUPTED) from error
