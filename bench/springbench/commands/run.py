"""`springbench run`: execute a plan, write a run folder, print the table."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console

from springbench import units
from springbench.build.availability import runnable, unavailable
from springbench.build.maven import build
from springbench.build.prepared import Workshop, with_prepared
from springbench.commands import options
from springbench.errors import ConfigurationError
from springbench.host.lock import measuring_alone
from springbench.host.ports import free_port
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.measure.testbed import Bench
from springbench.paths import RESULTS, ROOT, shown
from springbench.plan.plan import Plan, make_plan
from springbench.report.console import console, print_run
from springbench.report.markdown import render
from springbench.report.progress import following
from springbench.results.run import Run
from springbench.results.store import LATEST, RunFolder, full_disk_told, load_run, write_atomically
from springbench.run.canary import sing, warning
from springbench.run.host import (
    Host,
    check_limits,
    find_jars,
    find_tools,
    new_run,
    new_run_id,
    upstream_jar,
)
from springbench.run.resume import plan_of, resumed
from springbench.run.scheduler import Session, new_result
from springbench.run.services import Parties, check_seed_option, party_modules


def run(
    profile: options.ProfileOption = "quick",
    only: options.OnlyOption = None,
    connections: options.ConnectionsOption = None,
    forks: options.ForksOption = None,
    duration: options.DurationOption = None,
    jars: Annotated[
        Path | None, typer.Option("--jars", help="A folder with built jars, instead of a build.")
    ] = None,
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
    resume: Annotated[
        Path | None,
        typer.Option("--resume", help="Finish this run, e.g. `results/latest`; filters are its."),
    ] = None,
    wait: options.WaitOption = 0.0,
    seed_database: options.SeedDatabaseOption = False,
    results: Annotated[Path, typer.Option("--results", help="Where run folders go.")] = RESULTS,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Execute a plan, write a run folder, print the table.

    Example: `springbench run --only 'boot4-*-virtual-*/pay/*' --connections 100,1000 --forks 3`

    Exits with 0 when every case was measured, 4 when some failed, 130 after Ctrl-C.
    """
    options.check_id(id_)
    memory_bytes = options.memory_bytes(memory)
    rows = load_matrix(matrix)
    unfinished = load_run(resume) if resume else None
    if unfinished:
        if only or connections or forks or duration:
            raise ConfigurationError(
                "--resume finishes a run as it was begun; leave out --only, --connections, "
                "--forks and --duration, or start a new run"
            )
        plan = plan_of(unfinished, rows)
    else:
        plan = make_plan(rows, profile, options.filters(only, connections, forks, duration))
    # a supervisor's SIGTERM is as good as Ctrl-C: children gone, what was measured kept
    signal.signal(signal.SIGTERM, interrupt)
    out = console()
    with full_disk_told(results), measuring_alone(wait, _teller(out)):
        # what is started from them may have another working directory
        jars = jars.resolve() if jars else None
        given = Given(
            jars, port, cpus, results, resume, id_, matrix.parent, seed_database, memory_bytes
        )
        code = _execute(plan, given, unfinished, out)
    if code:
        raise typer.Exit(code)


@dataclass(frozen=True)
class Given:
    """What a person asked for beside the plan."""

    jars: Path | None
    port: int | None
    cpus: str | None
    results: Path
    resume: Path | None
    id: str | None = None
    # whoever has a matrix of their own measures their own commit
    sources: Path = ROOT
    seed_database: bool = False
    memory_bytes: int | None = None


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """A signal handler that ends the command as Ctrl-C does."""
    raise KeyboardInterrupt


def _execute(whole: Plan, given: Given, unfinished: Run | None, out: Console) -> int:
    shell, tell = RealShell(), _teller(out)
    check_seed_option(given.seed_database)
    tools = find_tools(with_maven=given.jars is None)
    limit_warnings = list(check_limits(whole))
    free_port(given.port)
    absent = unavailable(whole, given.jars)
    plan = runnable(whole, absent)
    if tools.maven:
        modules = [*plan.modules, *party_modules(plan)]
        build(modules, tools.jdk, tools.maven, ROOT, shell, tell)
    find_jars(plan, given.jars)
    host = Host.read(shell, given.cpus, given.memory_bytes)
    run = new_run("", whole, host, tools, shell, given.sources)
    run.warnings += limit_warnings
    bench = Bench(
        root=ROOT,
        raw=given.results,
        java=tools.jdk.java,
        wrk=tools.wrk.path,
        shell=shell,
        cpus=host.cpus,
        enclosure=host.enclosure,
        jars=given.jars,
        port=given.port,
    )
    # before `latest` points to a run that may never begin
    variants = [case.variant for case in plan.cases]
    workshop = Workshop(tools.jdk, tools.maven, tell, failures={})
    bench = with_prepared(bench, variants, workshop)
    broken = workshop.failures or {}
    plan = _without(plan, broken)
    run, folder = _folder(run, given, unfinished)
    bench = replace(bench, raw=folder.raw)
    run.results += [
        new_result(case, status="skipped", reason=absent[case.id])
        for case in whole.cases
        if case.id in absent and run.find(case.id) is None
    ]
    run.results += [
        new_result(case, status="failed", reason=broken[case.variant.id].partition("\n")[0])
        for case in whole.cases
        if case.variant.id in broken and run.find(case.id) is None
    ]
    _announce(plan, absent, out)
    host.pin_harness()
    with ExitStack() as stack:
        parties = Parties(stack, plan, tools, shell, host, folder.raw, given.jars)
        # before the display of progress, which leaves no room for other lines
        data = parties.start_database(tell, seed_existing=given.seed_database)
        bench = replace(
            bench,
            database=data,
            upstream=parties.start_upstream(),
            observer=stack.enter_context(following(plan, out)),
        )
        if run.canary is None:
            run.canary = sing(bench, upstream_jar(given.jars), plan.estimate_s)
            run.warnings += [caution] if (caution := warning(run.canary)) else []
        session = Session(plan, bench, folder, run)
        code = session.execute()
    _finish(session, given.results, out)
    return int(code)


def _without(plan: Plan, broken: Mapping[str, str]) -> Plan:
    """What is left to measure. Raises `ConfigurationError` where that is nothing."""
    cases = tuple(case for case in plan.cases if case.variant.id not in broken)
    if not cases:
        raise ConfigurationError("nothing that was asked for could be prepared")
    return replace(plan, cases=cases)


def _teller(out: Console) -> Callable[[str], None]:
    return lambda line: out.print(line, markup=False)


def _folder(run: Run, given: Given, unfinished: Run | None) -> tuple[Run, RunFolder]:
    """The run to go on with, or this new one in a folder that `latest` points to from now on."""
    if unfinished and given.resume:
        return resumed(unfinished, run), RunFolder.open(given.resume)
    run.run.id = given.id or new_run_id(run.run.profile, run.commit)
    folder = RunFolder.create(given.results, run.run.id)
    folder.save(run)
    return run, folder


def _announce(plan: Plan, absent: Mapping[str, str], out: Console) -> None:
    for reason in dict.fromkeys(absent.values()):
        count = sum(each == reason for each in absent.values())
        out.print(f"skipping {count} cases: {reason}", markup=False, soft_wrap=True)
    forks = sum(case.forks for case in plan.cases)
    out.print(
        f"profile {plan.profile}: {len(plan.cases)} cases, {forks} forks, "
        f"about {units.duration(plan.estimate_s)} of measuring",
        markup=False,
    )


def _finish(session: Session, results: Path, out: Console) -> None:
    print_run(session.run, out)
    report = session.folder.path.with_name(f"{session.run.run.id}.md")
    write_atomically(report, render(session.run))
    out.print()
    measured = units.duration(session.run.run.measured_s)
    state = "interrupted after" if session.interrupted else "measured in"
    out.print(
        f"{state} {measured}: {shown(session.folder.file)}, {shown(report)} "
        f"(also {shown(results / LATEST)})",
        markup=False,
        soft_wrap=True,
    )
