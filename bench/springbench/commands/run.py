"""`springbench run`: execute a plan, write a run folder, print the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from springbench.bench.assembly import BenchOptions
from springbench.commands import options
from springbench.errors import ConfigurationError
from springbench.host.interrupts import ended_by_signals
from springbench.messages import show_messages
from springbench.paths import RESULTS
from springbench.plan.plan import make_plan
from springbench.report.console import console
from springbench.results.store import full_disk_reported, load_run
from springbench.run.execute import RunOptions, execute, line_printer, plan_of


def run(
    profile: options.ProfileOption = "quick",
    jar: options.JarOption = None,
    command: options.CommandOption = None,
    route: options.RouteOption = None,
    health: options.HealthOption = None,
    only: options.OnlyOption = None,
    connections: options.ConnectionsOption = None,
    forks: options.ForksOption = None,
    duration: options.DurationOption = None,
    rates: options.RatesOption = None,
    profile_cpu: Annotated[
        bool,
        typer.Option(
            "--profile-cpu",
            help="Record each case once more, with a profiler: a flame graph each.",
        ),
    ] = False,
    jars: options.JarsOption = None,
    keep_going: Annotated[
        bool,
        typer.Option("--keep-going", help="Where jars are missing, measure the other servers."),
    ] = False,
    port: Annotated[
        int | None,
        typer.Option("--port", min=1, max=65535, help="The servers' port; a free one if left out."),
    ] = None,
    cpus: options.CpusOption = None,
    memory: options.MemoryOption = None,
    id_: Annotated[
        str | None,
        typer.Option("--id", help="Name of the run folder; time, profile and commit if unset."),
    ] = None,
    resume: options.ResumeOption = None,
    load_host: options.LoadHostOption = None,
    recording: options.RecordingOption = None,
    wait: options.WaitOption = 0.0,
    prepare_host: options.PrepareHostOption = False,
    seed_database: options.SeedDatabaseOption = False,
    open_page: Annotated[
        bool,
        typer.Option("--open/--no-open", help="Show the report page, where there is a screen."),
    ] = True,
    results: Annotated[Path, typer.Option("--results", help="Where run folders go.")] = RESULTS,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Execute a plan, write a run folder, print the table.

    Example: `springbench run --only 'boot4-*-virtual-*/pay/*' --connections 100,1000 --forks 3`

    A service of your own: `springbench run --jar target/orders.jar --route /orders/17`

    Exits with 0 when every case was measured, 1 when a limit is broken, 4 when some failed, 5 when
    nothing could be built, 130 after Ctrl-C.
    """
    options.check_id(id_)
    memory_bytes = options.memory_bytes(memory)
    rows = options.described_matrix(matrix, jar, command, route, health)
    described = jar is not None or command is not None
    if described and results == RESULTS:
        # of somebody's own service: beside it, and not in the clone of springbench
        results = Path("results").absolute()
    if resume and recording:
        raise ConfigurationError(
            "--resume finishes a run by measuring, and --recording measures nothing; leave out one"
        )
    unfinished = load_run(resume) if resume else None
    if unfinished:
        if only or connections or forks or duration or rates:
            raise ConfigurationError(
                "--resume finishes a run as it was begun; leave out --only, --connections, "
                "--forks, --duration and --rates, or start a new run"
            )
        plan = plan_of(unfinished, rows)
    else:
        filters = options.filters(only, connections, forks, duration, rates)
        plan = make_plan(rows, profile, filters)
    ended_by_signals()
    out = console()
    show_messages(line_printer(out))
    host = options.host_to_measure_on(wait_s=wait, prepare=prepare_host)
    with full_disk_reported(results), host:
        # what is started from them may have another working directory
        jars = jars.resolve() if jars else None
        bench_options = BenchOptions(
            plan,
            jars=jars,
            port=port,
            cpus=cpus,
            memory_bytes=memory_bytes,
            load_host=load_host,
            seed_database=seed_database,
            keep_going=keep_going,
        )
        run_options = RunOptions(
            results=results,
            resume=resume,
            id=id_,
            sources=Path.cwd() if described else matrix.parent,
            open_page=open_page,
            profile_cpu=profile_cpu,
            recording=options.recording(recording),
        )
        code = execute(bench_options, run_options, unfinished, out)
    if code:
        raise typer.Exit(code)
