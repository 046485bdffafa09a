"""`springbench ask`: questions that people ask, measured and answered."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from springbench.analysis.answers import Answer, answer, axes_of
from springbench.bench.assembly import BenchOptions
from springbench.commands import options
from springbench.commands.answering import (
    Format,
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
from springbench.paths import MATRIX, QUESTIONS, RESULTS
from springbench.plan.plan import Plan, make_plan
from springbench.report import answers
from springbench.report.console import console, print_answer, print_rows
from springbench.report.markdown import table_lines
from springbench.results.metrics import BY_NAME
from springbench.results.question_file import LEAST_STEPS, load_questions
from springbench.results.questions import Question, Questions
from springbench.results.run import Run
from springbench.run.execute import RunOptions
from springbench.run.resume import plan_of


def ask(
    question: Annotated[
        str | None, typer.Argument(help="Which question; all are listed when left out.")
    ] = None,
    from_: Annotated[
        list[Path] | None,
        typer.Option("--from", help="Measure nothing: answer from this run. Repeatable."),
    ] = None,
    only: options.OnlyOption = None,
    forks: options.ForksOption = None,
    duration: options.DurationOption = None,
    cpus: options.CpusOption = None,
    memory: options.MemoryOption = None,
    jars: Annotated[
        Path | None, typer.Option("--jars", help="A folder with built jars, instead of a build.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", help="Finish this run, e.g. `results/latest`; filters are its."),
    ] = None,
    load_host: options.LoadHostOption = None,
    recording: options.RecordingOption = None,
    wait: options.WaitOption = 0.0,
    prepare_host: options.PrepareHostOption = False,
    seed_database: options.SeedDatabaseOption = False,
    format_: Annotated[
        Format, typer.Option("--format", "-f", help="How the answer looks.")
    ] = Format.CONSOLE,
    json_: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    results: Annotated[Path, typer.Option("--results", help="Where run folders go.")] = RESULTS,
    matrix: Annotated[
        Path, typer.Option("--matrix", help="Where the axes and profiles are declared.")
    ] = MATRIX,
    questions: Annotated[
        Path, typer.Option("--questions", help="Where the questions are declared.")
    ] = QUESTIONS,
) -> None:
    """Measure what answers a question, and answer it; list the questions without one.

    Example: `springbench ask protocols`

    Example: `springbench ask protocols --only '*-tomcat-*' --forks 5`

    Example: `springbench ask protocols --from results/latest --format markdown`

    Exits as `springbench run` does; what could be measured is answered all the same.
    """
    if not questions.is_file() and questions == QUESTIONS:
        raise ConfigurationError(
            "the questions are about springbench's own servers: ask them in a clone of it, or name "
            "others with --questions and --matrix"
        )
    rows = load_matrix(matrix)
    known = load_questions(questions, rows)
    how = Format.JSON if json_ else format_
    if question is None:
        if from_ or resume or recording:
            raise ConfigurationError(f"which question? Allowed: {known.names}")
        _list(known, rows, how)
        return
    asked = known.find(question)
    if from_ and (forks or duration or resume or recording):
        raise ConfigurationError(
            "--from answers from what was measured; leave out --forks, --duration, --resume and "
            "--recording, or measure without --from"
        )
    filters = options.filters(only, None, forks, duration)
    if from_:
        plan = make_plan(rows, asked.profile, filters)
        _check_ladder(asked, plan)
        _print(_from_runs(asked, plan, from_), how)
        return
    unfinished = unfinished_run(asked, resume, filters) if resume else None
    plan = plan_of(unfinished, rows) if unfinished else make_plan(rows, asked.profile, filters)
    _check_ladder(asked, plan)
    ended_by_signals()
    out = progress_console(how)
    _announce(asked, plan, out)
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
    _print(Answered(answer(asked, plan.cases, [measured.run]), [measured.run]), how)
    measured.finish(asked, out)


@dataclass(frozen=True)
class Answered:
    """An answer, and the runs that it is from."""

    answer: Answer
    runs: list[Run]


def _from_runs(asked: Question, plan: Plan, places: Sequence[Path]) -> Answered:
    """Raises `ConfigurationError` where a run has nothing to say."""
    runs = runs_of(places)
    check_runs(asked, plan.cases, asked.axis == "memory", places, runs)
    return Answered(answer(asked, plan.cases, runs), runs)


def _list(known: Questions, rows: Matrix, how: Format) -> None:
    """All questions, with how long each takes."""
    plans = [make_plan(rows, each.profile) for each in known.questions]
    if how is Format.JSON:
        listed = [
            {"id": each.id, "question": each.question, "estimate_s": plan.estimate_s}
            for each, plan in zip(known.questions, plans, strict=True)
        ]
        typer.echo(json.dumps(listed, indent=2, ensure_ascii=False))
        return
    table = [
        (each.id, each.question, f"{math.ceil(plan.estimate_s / 60)}")
        for each, plan in zip(known.questions, plans, strict=True)
    ]
    columns = ("question", "", "minutes")
    if how is Format.MARKDOWN:
        typer.echo("\n".join(table_lines(columns, table, columns[:2])))
        return
    out = console()
    print_rows(columns, table, columns[:2], out)
    out.print("`springbench ask ID` measures one and answers it; --from RUN measures nothing.")


def _steps(asked: Question, plan: Plan) -> list[str]:
    """The steps of its ladder that the plan has."""
    values = {axes_of(case)[asked.axis] for case in plan.cases}
    return [step for step in asked.steps if step in values]


def _check_ladder(asked: Question, plan: Plan) -> None:
    """Raises `ConfigurationError` where the filters leave nothing to compare."""
    steps = _steps(asked, plan)
    if asked.compares and (asked.baseline not in steps or len(steps) < LEAST_STEPS):
        raise ConfigurationError(
            f"--only leaves the steps {', '.join(steps) or 'none'} of {asked.id!r}, and nothing to "
            f"compare: keep the baseline {asked.baseline}, and one more of {', '.join(asked.steps)}"
        )


def _announce(asked: Question, plan: Plan, out: Console) -> None:
    """What will be measured, before it is."""
    out.print(asked.question, markup=False)
    out.print(
        f"{asked.axis}: {', '.join(_steps(asked, plan))}, each compared with {asked.baseline}, by "
        f"{', '.join(BY_NAME[name].term or name for name in asked.metrics)}",
        markup=False,
        soft_wrap=True,
    )


def _print(answered: Answered, how: Format) -> None:
    if how is Format.JSON:
        data = answers.as_data(answered.answer, answered.runs)
        typer.echo(json.dumps(data, indent=2, ensure_ascii=False))
    elif how is Format.MARKDOWN:
        typer.echo(answers.render(answered.answer, answered.runs), nl=False)
    else:
        print_answer(answered.answer, answered.runs, console())
