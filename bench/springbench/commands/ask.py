"""`springbench ask`: questions that people ask, measured and answered."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Protocol

import typer
from rich.console import Console

from springbench.analysis.answers import (
    Answer,
    Cliff,
    answer,
    axes_of,
    find_cliff,
    least_runs,
    runs_of_least,
    subjects_of,
)
from springbench.bench.assembly import BenchOptions
from springbench.commands import options
from springbench.commands.answering import (
    AxesOption,
    Format,
    FormatOption,
    Measured,
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
from springbench.plan.cases import Case
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.report import answers
from springbench.report.console import console, print_answer, print_rows
from springbench.report.markdown import table_lines
from springbench.results.metrics import BY_NAME
from springbench.results.question_file import LEAST_STEPS, load_questions
from springbench.results.questions import Question, Questions
from springbench.results.run import Run
from springbench.results.store import load_continued
from springbench.run.execute import RunOptions, plan_of


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
    jars: options.JarsOption = None,
    resume: options.ResumeOption = None,
    load_host: options.LoadHostOption = None,
    recording: options.RecordingOption = None,
    wait: options.WaitOption = 0.0,
    prepare_host: options.PrepareHostOption = False,
    seed_database: options.SeedDatabaseOption = False,
    format_: FormatOption = "console",
    json_: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    results: Annotated[Path, typer.Option("--results", help="Where run folders go.")] = RESULTS,
    matrix: AxesOption = MATRIX,
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
    how: Format = "json" if json_ else format_
    if question is None:
        if from_ or resume or recording:
            raise ConfigurationError(f"which question? Allowed: {known.names}")
        _list(known, rows, how)
        return
    question_row = known.find(question)
    if from_ and (forks or duration or resume or recording):
        raise ConfigurationError(
            "--from answers from what was measured; leave out --forks, --duration, --resume and "
            "--recording, or measure without --from"
        )
    filters = options.filters(only, None, forks, duration)
    if from_:
        plan = make_plan(rows, question_row.profile, filters)
        _check_ladder(question_row, plan)
        _print(_from_runs(question_row, plan, from_), how)
        return
    unfinished = unfinished_run(question_row, resume, filters) if resume else None
    plan = (
        plan_of(unfinished, rows) if unfinished else make_plan(rows, question_row.profile, filters)
    )
    if question_row.locate is None or not unfinished:
        _check_ladder(question_row, plan)
    ended_by_signals()
    out = progress_console(how)
    _announce(question_row, plan, out)
    recorded = options.recording(recording)

    def measure_plan(plan: Plan, unfinished: Run | None, earlier: Sequence[Run]) -> Measured:
        return measure(
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
                resume=resume if unfinished else None,
                sources=matrix.parent,
                brief=True,
                recording=recorded,
                continues=tuple(run.run.id for run in earlier),
            ),
            unfinished,
            options.host_to_measure_on(wait_s=wait, prepare=prepare_host),
            out,
        )

    if question_row.locate is None:
        measured = measure_plan(plan, unfinished, [])
        _print(Answered(answer(question_row, plan.cases, [measured.run]), [measured.run]), how)
        measured.finish(question_row, out)
        return
    earlier = load_continued(resume, unfinished) if resume and unfinished else []
    bisection = Bisection(question_row, rows, filters_of(unfinished) if unfinished else filters)
    last = bisection.measure(measure_plan, unfinished, earlier, out)
    _print(Answered(bisection.answer, bisection.runs), how)
    if last:
        # a step that does not run is what is looked for
        found = last if last.run.run.interrupted else replace(last, code=0)
        found.finish(question_row, out)


class MeasurePlan(Protocol):
    """Measures a plan; finishes a run, or goes on from earlier ones of its bisection."""

    def __call__(self, plan: Plan, unfinished: Run | None, earlier: Sequence[Run]) -> Measured: ...


@dataclass
class Bisection:
    """Runs that look for the cliff of each subject, each at one step of it; with its baseline,
    where a part of that is looked for."""

    question: Question
    rows: Matrix
    filters: Filters
    runs: list[Run] = field(default_factory=list)

    def measure(
        self,
        measure_plan: MeasurePlan,
        unfinished: Run | None,
        earlier: Sequence[Run],
        out: Console,
    ) -> Measured | None:
        """Run after run, until each cliff lies between two neighbours; the last of them.

        `unfinished` is finished first. What ended early is not gone on with.
        """
        self.runs, last = [*earlier], None
        if unfinished and unfinished.run.interrupted:
            last = measure_plan(plan_of(unfinished, self.rows), unfinished, earlier)
            self.runs.append(last.run)
        elif unfinished:
            self.runs.append(unfinished)
        while not (last and last.run.run.interrupted) and (plan := self.next_plan()):
            steps = (
                f"{cliff.subject} {cliff.next_step}" for cliff in self.cliffs() if cliff.next_step
            )
            number = len(self.runs) + 1
            line = f"run {number} of {max(number, self.least_runs)} or more: {', '.join(steps)}"
            out.print(line, markup=False, soft_wrap=True)
            last = measure_plan(plan, None, self.runs)
            self.runs.append(last.run)
        return last

    @property
    def plan(self) -> Plan:
        """All steps of the subjects that were begun with."""
        return make_plan(self.rows, self.question.profile, self.filters)

    @property
    def answer(self) -> Answer:
        """What the runs say."""
        return answer(self.question, self.plan.cases, self.runs)

    @property
    def subjects(self) -> dict[str, dict[str, Case]]:
        """The cases of each by step; of a bisection that is gone on with, what its runs have."""
        found = subjects_of(self.question, self.plan.cases)
        if not self.runs:
            return found
        first = self.runs[0]
        return {
            name: cases
            for name, cases in found.items()
            if any(first.find(case.id) for case in cases.values())
        }

    @property
    def least_runs(self) -> int:
        """How many it takes, where each decides."""
        steps = max(map(len, self.subjects.values()), default=0)
        return least_runs(steps, runs_of_least(self.question))

    def cliffs(self) -> list[Cliff]:
        """What is known of each."""
        if self.runs:
            return [*self.answer.cliffs]
        return [
            find_cliff(name, list(cases), {}, runs_of_least(self.question))
            for name, cases in self.subjects.items()
        ]

    def next_plan(self) -> Plan | None:
        """The next step of each subject, and its baseline; None once all cliffs are known."""
        subjects = self.subjects
        # what only has to run is compared with nothing
        baselines = [self.question.baseline] if self.question.locate else []
        ids = [
            subjects[cliff.subject][step].id
            for cliff in self.cliffs()
            if cliff.next_step
            for step in dict.fromkeys([cliff.next_step, *baselines])
        ]
        if not ids:
            return None
        return make_plan(self.rows, self.question.profile, replace(self.filters, only=tuple(ids)))

    @property
    def estimate_s(self) -> float:
        """Expected time of all its runs, where nothing is slow."""
        plan = self.next_plan()
        return plan.estimate_s * self.least_runs if plan else 0.0


def filters_of(run: Run) -> Filters:
    """Those of a bisection, and not which steps a run of it has."""
    return Filters(forks=run.run.filters.forks, window_s=run.run.filters.window_s)


@dataclass(frozen=True)
class Answered:
    """An answer, and the runs that it is from."""

    answer: Answer
    runs: list[Run]


def _from_runs(question: Question, plan: Plan, places: Sequence[Path]) -> Answered:
    """Raises `ConfigurationError` where a run has nothing to say."""
    loaded_runs = runs_of(places)
    check_runs(question, plan.cases, question.axis == "memory", places, loaded_runs)
    pairs = zip(places, loaded_runs, strict=True)
    runs = [run for place, last in pairs for run in (*load_continued(place, last), last)]
    runs = list({run.run.id: run for run in runs}.values())
    return Answered(answer(question, plan.cases, runs), runs)


def _list(known: Questions, rows: Matrix, how: Format) -> None:
    """All questions, with how long each takes."""
    estimates_s = [_estimate_s(question, rows) for question in known.questions]
    if how == "json":
        listed = [
            {"id": question.id, "question": question.question, "estimate_s": estimate_s}
            for question, estimate_s in zip(known.questions, estimates_s, strict=True)
        ]
        typer.echo(json.dumps(listed, indent=2, ensure_ascii=False))
        return
    table = [
        (question.id, question.question, f"{math.ceil(estimate_s / 60)}")
        for question, estimate_s in zip(known.questions, estimates_s, strict=True)
    ]
    columns = ("question", "", "minutes")
    if how == "markdown":
        typer.echo("\n".join(table_lines(columns, table, columns[:2])))
        return
    out = console()
    print_rows(columns, table, columns[:2], out)
    out.print("`springbench ask ID` measures one and answers it; --from RUN measures nothing.")


def _estimate_s(question: Question, rows: Matrix) -> float:
    if question.locate is None:
        return make_plan(rows, question.profile).estimate_s
    return Bisection(question, rows, Filters()).estimate_s


def _steps(question: Question, plan: Plan) -> list[str]:
    """The steps of its ladder that the plan has."""
    values = {axes_of(case)[question.axis] for case in plan.cases}
    return [step for step in question.steps if step in values]


def _check_ladder(question: Question, plan: Plan) -> None:
    """Raises `ConfigurationError` where the filters leave nothing to compare."""
    steps = _steps(question, plan)
    compares = question.compares or question.locate is not None
    if compares and (question.baseline not in steps or len(steps) < LEAST_STEPS):
        raise ConfigurationError(
            f"--only leaves the steps {', '.join(steps) or 'none'} of {question.id!r}, and nothing "
            f"to compare: keep the baseline {question.baseline}, and one more of "
            f"{', '.join(question.steps)}"
        )


def _announce(question: Question, plan: Plan, out: Console) -> None:
    """What will be measured, before it is."""
    out.print(question.question, markup=False)
    steps = _steps(question, plan)
    which = ", ".join(steps)
    if question.locate is not None and steps:
        which = f"by bisection from {steps[0]} to {steps[-1]}"
    compared = "" if question.locate == 0 else f", each compared with {question.baseline}"
    out.print(
        f"{question.axis}: {which}{compared}, by "
        f"{', '.join(BY_NAME[name].term or name for name in question.metrics)}",
        markup=False,
        soft_wrap=True,
    )


def _print(answered: Answered, how: Format) -> None:
    if how == "json":
        data = answers.as_data(answered.answer, answered.runs)
        typer.echo(json.dumps(data, indent=2, ensure_ascii=False))
    elif how == "markdown":
        typer.echo(answers.render(answered.answer, answered.runs), nl=False)
    else:
        print_answer(answered.answer, answered.runs, console())
