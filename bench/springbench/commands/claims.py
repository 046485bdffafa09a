"""`springbench claims`: what others have published, measured and evaluated."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from springbench.analysis.answers import hides_memory
from springbench.analysis.claims import ClaimEvaluation, evaluate
from springbench.bench.assembly import BenchOptions
from springbench.commands import options
from springbench.commands.answering import (
    AxesOption,
    Format,
    FormatOption,
    check_runs,
    measure,
    progress_console,
    runs_of,
    unfinished_run,
)
from springbench.errors import ConfigurationError
from springbench.host.interrupts import ended_by_signals
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import CLAIMS, MATRIX, RESULTS, STUDIES
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.report import claims as reported
from springbench.report.console import console, print_claim, print_rows
from springbench.report.markdown import table_lines
from springbench.results.claim_file import load_claims
from springbench.results.claims import Claim, Claims, Source
from springbench.results.run import Run
from springbench.results.study_file import read_studies
from springbench.run.execute import RunOptions, plan_of

# so many rounds give an interval, which a verdict needs
FORKS = 3


def claims(
    claim: Annotated[
        str | None, typer.Argument(help="Which claim; all are listed when left out.")
    ] = None,
    from_: Annotated[
        list[Path] | None,
        typer.Option("--from", help="Measure nothing: evaluate this run. Repeatable."),
    ] = None,
    forks: options.ForksOption = None,
    duration: options.DurationOption = None,
    cpus: options.CpusOption = None,
    memory: options.MemoryOption = None,
    jars: options.JarsOption = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Finish this run, e.g. `results/latest`.")
    ] = None,
    load_host: options.LoadHostOption = None,
    recording: options.RecordingOption = None,
    wait: options.WaitOption = 0.0,
    prepare_host: options.PrepareHostOption = False,
    seed_database: options.SeedDatabaseOption = False,
    format_: FormatOption = "console",
    json_: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    results: Annotated[Path, typer.Option("--results", help="Where run folders go.")] = RESULTS,
    matrix: AxesOption = MATRIX,
    file: Annotated[Path, typer.Option("--claims", help="Where the claims are declared.")] = CLAIMS,
) -> None:
    """Measure what others have published, and evaluate it; list the claims without one.

    Example: `springbench claims --from results/latest`

    Example: `springbench claims jep523-throughput`

    Example: `springbench claims jep523-throughput --from results/latest --format markdown`

    Exits as `springbench run` does; a claim that does not hold is no failure.
    """
    if not file.is_file() and file == CLAIMS:
        raise ConfigurationError(
            "the claims are about springbench's own servers: evaluate them in a clone of it, or "
            "name others with --claims and --matrix"
        )
    rows = load_matrix(matrix)
    studies = read_studies(STUDIES).studies if STUDIES.is_file() else ()
    known = load_claims(file, rows, studies)
    how: Format = "json" if json_ else format_
    if claim is None:
        if forks or duration or resume or recording:
            raise ConfigurationError(
                "which claim? `springbench claims` lists them; without one, only --from says more"
            )
        _list(known, rows, runs_of(from_) if from_ else [], how)
        return
    claim_row = known.find(claim)
    source = known.source(claim_row)
    if from_ and (forks or duration or resume or recording):
        raise ConfigurationError(
            "--from evaluates what was measured; leave out --forks, --duration, --resume and "
            "--recording, or measure without --from"
        )
    plan = _plan(rows, claim_row, forks, duration)
    if from_:
        runs = runs_of(from_)
        check_runs(claim_row, plan.cases, _compares_memory(plan), from_, runs)
        _print(_evaluate(claim_row, plan, runs), source, plan, runs, how)
        return
    filters = Filters(forks=forks, window_s=duration)
    unfinished = unfinished_run(claim_row, resume, filters) if resume else None
    plan = plan_of(unfinished, rows) if unfinished else plan
    ended_by_signals()
    out = progress_console(how)
    out.print(claim_row.claim, markup=False, soft_wrap=True)
    measured = measure(
        BenchOptions(
            plan,
            jars=jars.resolve() if jars else None,
            cpus=cpus,
            memory_bytes=options.memory_bytes(memory),
            load_host=load_host,
            seed_database=seed_database,
        ),
        RunOptions(
            results=results,
            resume=resume,
            sources=matrix.parent,
            brief=True,
            recording=options.recording(recording),
        ),
        unfinished,
        options.host_to_measure_on(wait_s=wait, prepare=prepare_host),
        out,
    )
    _print(_evaluate(claim_row, plan, [measured.run]), source, plan, [measured.run], how)
    measured.finish(claim_row, out)


def _plan(
    rows: Matrix, claim: Claim, forks: int | None = None, window_s: float | None = None
) -> Plan:
    """Its two cases, often enough for an interval."""
    filters = Filters(only=claim.only, forks=forks or FORKS, window_s=window_s)
    return make_plan(rows, claim.profile, filters)


def _evaluate(claim: Claim, plan: Plan, runs: Sequence[Run]) -> ClaimEvaluation:
    return evaluate(claim, {case.id: case for case in plan.cases}, runs)


def _compares_memory(plan: Plan) -> bool:
    """Whether its cases differ in their memory limit, which a run's own would hide."""
    return len({case.variant.memory_bytes for case in plan.cases}) > 1


def _list(known: Claims, rows: Matrix, runs: Sequence[Run], how: Format) -> None:
    """All claims, with how long each takes, and the verdicts of runs where there are some."""
    listed: list[tuple[Claim, float, ClaimEvaluation | None]] = []
    for claim in known.claims:
        plan = _plan(rows, claim)
        evaluated_runs = [run for run in runs if not (_compares_memory(plan) and hides_memory(run))]
        listed.append(
            (claim, plan.estimate_s, _evaluate(claim, plan, evaluated_runs) if runs else None)
        )
    if how == "json":
        data = [
            reported.list_data(claim, known.source(claim), estimate_s, evaluation)
            for claim, estimate_s, evaluation in listed
        ]
        typer.echo(json.dumps(data, indent=2, ensure_ascii=False))
        return
    table = [reported.list_row(*entry) for entry in listed]
    if how == "markdown":
        lines = table_lines(reported.LIST_COLUMNS, table, reported.LIST_LEFT_ALIGNED)
        typer.echo("\n".join(lines))
        return
    out = console()
    print_rows(reported.LIST_COLUMNS, table, reported.LIST_LEFT_ALIGNED, out)
    out.print(
        "`springbench claims ID` measures one and evaluates it; --from RUN measures nothing.",
        soft_wrap=True,
    )


def _print(
    evaluation: ClaimEvaluation, source: Source, plan: Plan, runs: Sequence[Run], how: Format
) -> None:
    cases = {case.id: case for case in plan.cases}
    steps = [cases[case] for case in evaluation.claim.only]
    if how == "json":
        data = reported.as_data(evaluation, source, runs)
        typer.echo(json.dumps(data, indent=2, ensure_ascii=False))
    elif how == "markdown":
        typer.echo(reported.render(evaluation, source, steps, runs), nl=False)
    else:
        print_claim(evaluation, source, steps, runs, console())
