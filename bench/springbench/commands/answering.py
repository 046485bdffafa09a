"""What `ask` and `claims` share: runs that are read, or measured, to answer with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from springbench.analysis.answers import has_own_options, hides_memory
from springbench.bench.assembly import BenchOptions
from springbench.errors import ConfigurationError
from springbench.matrix.fields import memory_name
from springbench.messages import show_messages
from springbench.paths import shown
from springbench.plan.cases import Case
from springbench.plan.plan import Filters
from springbench.report.console import console
from springbench.results.claims import StepComparison
from springbench.results.run import Run
from springbench.results.store import LATEST, full_disk_reported, load_run
from springbench.run.execute import RunOptions, execute, line_printer

Format = Literal["console", "markdown", "json"]
"""How an answer looks."""
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How the answer looks.")]
AxesOption = Annotated[
    Path, typer.Option("--matrix", help="Where the axes and profiles are declared.")
]


def progress_console(how: Format) -> Console:
    """Where progress goes: an answer for a program, or for a file, stands alone on standard
    output."""
    out = console() if how == "console" else Console(stderr=True, highlight=False)
    show_messages(line_printer(out))
    return out


def runs_of(places: Sequence[Path]) -> list[Run]:
    """The runs there. Raises `ConfigurationError` where one cannot be read, or stands twice."""
    runs = [load_run(place) for place in places]
    if len({run.run.id for run in runs}) < len(runs):
        raise ConfigurationError("--from: the same run twice; its processes would count twice")
    return runs


def check_runs(
    question: StepComparison,
    cases: Collection[Case],
    compares_memory: bool,
    places: Sequence[Path],
    runs: Sequence[Run],
) -> None:
    """Raises `ConfigurationError` where one has nothing to say."""
    again = f"springbench {question.command} {question.id}"
    for place, run in zip(places, runs, strict=True):
        found = [(case, result) for case in cases if (result := run.find(case.id))]
        if not found:
            raise ConfigurationError(
                f"--from {place}: has none of the {len(cases)} cases that answer "
                f"{question.id!r} (profile {question.profile}; the run is of {run.run.profile}); "
                f"`{again}` measures them"
            )
        for case, result in found:
            if result.planned and not has_own_options(case, result):
                options = result.planned.java_options
                raise ConfigurationError(
                    f"--from {place}: JVMs of {case.id} ran with {_words(options)}, and "
                    f"{question.id!r} asks for {_words(case.java_options)}; `{again}` measures that"
                )
        if compares_memory and hides_memory(run):
            limit = memory_name(run.host.limits.memory_limit_bytes)
            raise ConfigurationError(
                f"--from {place}: was measured with --memory {limit}, which its cases do not say; "
                f"measure {question.id!r} without --memory"
            )


def _words(java_options: Sequence[str]) -> str:
    """Options of a JVM in a sentence."""
    return " ".join(java_options) or "no options of a profile"


def unfinished_run(question: StepComparison, resume: Path, filters: Filters) -> Run:
    """Raises `ConfigurationError` where that run was made for something else."""
    run = load_run(resume)
    if filters != Filters():
        raise ConfigurationError(
            "--resume finishes a run as it was begun; leave out --only, --forks and --duration, "
            "or start a new run"
        )
    if run.run.profile != question.profile:
        raise ConfigurationError(
            f"--resume {resume}: is a run of profile {run.run.profile}, and {question.id!r} is "
            f"answered by {question.profile}; --from answers from runs of other profiles"
        )
    if question.only and {*run.run.filters.only} != {*question.only}:
        raise ConfigurationError(
            f"--resume {resume}: is a run of other cases than {' and '.join(question.only)}; "
            "--from answers from runs of other cases too"
        )
    return run


@dataclass(frozen=True)
class Measured:
    """A run that was measured to answer, its folder, and its exit code."""

    run: Run
    folder: Path
    code: int

    def finish(self, question: StepComparison, out: Console) -> None:
        """After the answer: where the whole run is, and how to end one that was interrupted."""
        report_line = f"the whole run: springbench report {shown(self.folder)}"
        out.print(report_line, markup=False, soft_wrap=True)
        if self.run.run.interrupted:
            command = f"springbench {question.command} {question.id} --resume {shown(self.folder)}"
            out.print(f"interrupted; the rest: {command}", markup=False, soft_wrap=True)
        if self.code:
            raise typer.Exit(self.code)


def measure(
    bench_options: BenchOptions,
    run_options: RunOptions,
    unfinished: Run | None,
    host: AbstractContextManager[None],
    out: Console,
) -> Measured:
    """Measure as `springbench run` does, with `host` for itself."""
    with full_disk_reported(run_options.results), host:
        code = execute(bench_options, run_options, unfinished, out)
        folder = (run_options.resume or run_options.results / LATEST).resolve()
    return Measured(load_run(folder), folder, code)
