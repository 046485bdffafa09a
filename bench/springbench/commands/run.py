"""`springbench run`: execute a plan, write a run folder, print the table."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console

from springbench import units
from springbench.build import build
from springbench.canary import sing, warning
from springbench.commands import options
from springbench.errors import ConfigurationError, HostError
from springbench.host.lock import measuring_alone
from springbench.host.ports import free_port
from springbench.host.shell import RealShell
from springbench.matrix import load_matrix
from springbench.measure import upstream
from springbench.measure.bench import Bench
from springbench.paths import RESULTS, ROOT, shown
from springbench.plan import Plan, make_plan
from springbench.prepare import (
    Host,
    Tools,
    check_limits,
    find_jars,
    find_tools,
    new_run,
    new_run_id,
    unavailable,
    upstream_jar,
)
from springbench.report.console import console, print_run
from springbench.report.markdown import render
from springbench.report.progress import following
from springbench.results.model import Run
from springbench.results.store import LATEST, RunFolder, full_disk_told, load_run, write_atomically
from springbench.resume import plan_of, resumed
from springbench.session import Session, new_result
from springbench.training import Workshop, with_prepared


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
    id_: Annotated[
        str | None,
        typer.Option("--id", help="Name of the run folder; time, profile and commit if unset."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", help="Finish this run, e.g. `results/latest`; filters are its."),
    ] = None,
    wait: options.WaitOption = 0.0,
    results: Annotated[Path, typer.Option("--results", help="Where run folders go.")] = RESULTS,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Execute a plan, write a run folder, print the table.

    Example: `springbench run --only 'boot4-*-virtual-*/pay/*' --connections 100,1000 --forks 3`

    Exits with 0 when every case was measured, 4 when some failed, 130 after Ctrl-C.
    """
    options.check_id(id_)
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
    with full_disk_told(results), measuring_alone(wait, lambda line: out.print(line, markup=False)):
        code = _execute(plan, Given(jars, port, cpus, results, resume, id_), unfinished, out)
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


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """A signal handler that ends the command as Ctrl-C does."""
    raise KeyboardInterrupt


def _execute(plan: Plan, given: Given, unfinished: Run | None, out: Console) -> int:
    shell = RealShell()
    jars, results = given.jars, given.results
    tools = find_tools(with_maven=jars is None)
    limit_warnings = list(check_limits(plan))
    free_port(given.port)
    whole, absent = plan, unavailable(plan, with_maven=jars is None)
    plan = runnable(whole, absent)
    if jars is None and tools.maven:
        _build(plan, tools, shell, out)
    find_jars(plan, jars)
    host = Host.read(shell, given.cpus)
    run = new_run("", whole, host, tools, shell)
    run.warnings += limit_warnings
    if unfinished and given.resume:
        run = resumed(unfinished, run)
        folder = RunFolder.open(given.resume)
    else:
        run.run.id = given.id or new_run_id(plan.profile, run.commit)
        folder = RunFolder.create(results, run.run.id)
        # `latest` points to it from now on
        folder.save(run)
    bench = Bench(
        root=ROOT,
        raw=folder.raw,
        java=tools.jdk.java,
        wrk=tools.wrk.path,
        shell=shell,
        cpus=host.cpus,
        enclosure=host.enclosure,
        jars=jars,
        port=given.port,
    )
    bench = with_prepared(
        bench,
        [case.variant for case in plan.cases],
        Workshop(tools.jdk, tools.maven, lambda line: out.print(line, markup=False)),
    )
    _announce(plan, absent, out)
    host.pin_harness()
    with ExitStack() as stack:
        bench = replace(
            bench,
            observer=stack.enter_context(following(plan, out)),
            upstream=_upstream(stack, plan, tools, shell, host, folder, jars),
        )
        if run.canary is None:
            run.canary = sing(bench, upstream_jar(jars), plan.estimate_s)
            run.warnings += [caution] if (caution := warning(run.canary)) else []
        run.results += [
            new_result(case, status="skipped", reason=absent[case.id])
            for case in whole.cases
            if case.id in absent
        ]
        session = Session(plan, bench, folder, run)
        code = session.execute()
    _finish(session, results, out)
    return int(code)


def _build(plan: Plan, tools: Tools, shell: RealShell, out: Console) -> None:
    assert tools.maven is not None  # noqa: S101 - the caller has asked for it
    build(
        [*plan.modules, upstream.MODULE],
        tools.jdk,
        tools.maven,
        ROOT,
        shell,
        lambda line: out.print(line, markup=False),
    )


def runnable(plan: Plan, absent: Mapping[str, str]) -> Plan:
    """The cases that this host can run. Raises `HostError` where there is none."""
    cases = tuple(case for case in plan.cases if case.id not in absent)
    if not cases:
        raise HostError("\n".join(dict.fromkeys(absent.values())))
    return replace(plan, cases=cases)


def _announce(plan: Plan, absent: Mapping[str, str], out: Console) -> None:
    for reason in dict.fromkeys(absent.values()):
        count = sum(each == reason for each in absent.values())
        out.print(f"skipping {count} cases: {reason}", markup=False, soft_wrap=True)
    forks = sum(case.forks for case in plan.cases)
    out.print(
        f"profile {plan.profile}: {len(plan.cases)} cases, {forks} forks, "
        f"at most {units.duration(plan.estimate_s)} of measuring",
        markup=False,
    )


def _upstream(
    stack: ExitStack,
    plan: Plan,
    tools: Tools,
    shell: RealShell,
    host: Host,
    folder: RunFolder,
    jars: Path | None,
) -> upstream.Upstream | None:
    if not any("upstream" in case.workload.needs for case in plan.cases):
        return None
    return stack.enter_context(
        upstream.started(
            shell,
            tools.jdk.java,
            upstream_jar(jars),
            folder.raw / "upstream.log",
            host.cpus.upstream,
        )
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
