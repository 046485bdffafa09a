"""`springbench report`: a stored run or comparison, as a person wants to read it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from springbench.commands import options
from springbench.errors import ConfigurationError
from springbench.history.condense import condense
from springbench.history.condense_comparison import Occasion, condense_comparison
from springbench.history.offline import page_of, page_of_comparison, read_template
from springbench.matrix.load import load_matrix
from springbench.paths import REPORT_PAGE, RESULTS, STUDIES, shown
from springbench.report import comment, comparison, junit, markdown, studies
from springbench.report import details as details_
from springbench.report.console import (
    console,
    picture,
    print_beside,
    print_comparison,
    print_details,
    print_run,
)
from springbench.results.comparison import COMPARISON_FILE, Comparison
from springbench.results.run import Run
from springbench.results.store import LATEST, load_run, write_atomically
from springbench.results.study_file import load_studies
from springbench.results.untrusted import load_comparison

SUMMARY_FILE = "GITHUB_STEP_SUMMARY"
# what a step may write into its summary
SUMMARY_BYTES = 1 << 20


class Format(StrEnum):
    """How a report looks."""

    CONSOLE = "console"
    MARKDOWN = "markdown"
    JSON = "json"
    SUMMARY = "summary"
    SVG = "svg"
    PAGE = "page"
    JUNIT = "junit"


class Against(StrEnum):
    """Figures that a run is held against."""

    PUBLISHED = "published"


def report(
    path: Annotated[
        Path | None,
        typer.Argument(
            help="The folder or file of a run or comparison; the newest run when left out."
        ),
    ] = None,
    format_: Annotated[
        Format,
        typer.Option(
            "--format",
            "-f",
            help="How it looks; svg: a picture of the console; page: the dashboard over it as one "
            "file; junit: XML for CI systems; summary appends to a GitHub job's.",
        ),
    ] = Format.CONSOLE,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead.")
    ] = None,
    against: Annotated[
        Against | None,
        typer.Option("--against", help="Beside what the studies of bench/studies.toml say."),
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="The columns beside throughput, instead.")
    ] = False,
    matrix: options.MatrixOption = options.DEFAULT_MATRIX,
) -> None:
    """Render a stored run or comparison.

    Example: `springbench report results/latest --format markdown --output report.md`

    Example: `springbench report results/latest --against published`

    Example: `springbench report results/latest --format svg --output table.svg`

    Example: `springbench report results/latest --format page --output report.html`

    Example: `springbench report results/latest --format junit --output springbench.xml`
    """
    if against and details:
        raise ConfigurationError("--against and --details are two views; ask for one")
    if output is not None and format_ in (Format.CONSOLE, Format.SUMMARY):
        raise ConfigurationError(
            "--output needs --format markdown, json, svg, page or junit: "
            "the console format is for terminals, the summary has its own file"
        )
    stored = load(path or RESULTS / LATEST)
    if against or details:
        _another_view(stored, format_, output, _view(against, matrix))
    elif format_ is Format.CONSOLE:
        _print(stored, console())
    elif format_ is Format.SUMMARY:
        _append(_summary(stored))
    elif output is None:
        typer.echo(_text(stored, format_), nl=False)
    else:
        _write(output, _text(stored, format_))


@dataclass(frozen=True)
class View:
    """Another way to look at a run."""

    option: str
    show: Callable[[Run, Console], None]
    render: Callable[[Run], str]


def _view(against: Against | None, matrix: Path) -> View:
    if against is None:
        return View("--details", print_details, details_.render)
    rows = load_matrix(matrix)
    figures = load_studies(STUDIES, rows)
    runtimes = [runtime.id for runtime in rows.runtimes]
    return View(
        "--against",
        lambda run, out: print_beside(run, figures, runtimes, out),
        lambda run: studies.render(run, figures, runtimes),
    )


def _another_view(
    stored: Run | Comparison, format_: Format, output: Path | None, view: View
) -> None:
    if not isinstance(stored, Run):
        raise ConfigurationError(f"{view.option}: this is a comparison; give a run")
    if format_ in (Format.JSON, Format.PAGE, Format.JUNIT):
        raise ConfigurationError(
            f"{view.option} has no --format {format_}; allowed: console, markdown, svg, summary"
        )
    if format_ is Format.CONSOLE:
        view.show(stored, console())
        return
    if format_ is Format.SVG:
        text = picture(lambda out: view.show(stored, out))
    else:
        text = view.render(stored)
    if format_ is Format.SUMMARY:
        _append(text)
    elif output is None:
        typer.echo(text, nl=False)
    else:
        _write(output, text)


def load(path: Path) -> Run | Comparison:
    """Contents of a folder or file, by the name of the file. Raises `ConfigurationError`."""
    file = path / COMPARISON_FILE if path.is_dir() else path
    if file.exists() and file.name == COMPARISON_FILE:
        return load_comparison(file)
    return load_run(path)


def _print(stored: Run | Comparison, out: Console) -> None:
    if isinstance(stored, Run):
        print_run(stored, out)
    else:
        print_comparison(stored, out)


def _text(stored: Run | Comparison, format_: Format) -> str:
    if format_ is Format.JSON:
        return stored.model_dump_json(by_alias=True, indent=2) + "\n"
    if format_ is Format.SVG:
        return picture(lambda out: _print(stored, out))
    if format_ is Format.PAGE:
        return _page(stored)
    if format_ is Format.JUNIT:
        return junit.render(stored)
    return markdown.render(stored) if isinstance(stored, Run) else comparison.render(stored)


def _page(stored: Run | Comparison) -> str:
    template = read_template()
    if template is None:
        raise ConfigurationError(
            f"--format page: {shown(REPORT_PAGE)} is not there; "
            "`make site` in a clone of springbench builds it"
        )
    if isinstance(stored, Run):
        return page_of(template, [condense([stored])])
    try:
        published = condense_comparison(stored, Occasion()).comparison
    except ConfigurationError as error:
        raise ConfigurationError(f"--format page: {error}") from error
    return page_of_comparison(template, published)


def _summary(stored: Run | Comparison) -> str:
    if isinstance(stored, Run):
        return markdown.render(stored)
    return comment.render(comment.Report([stored]), limit=SUMMARY_BYTES)


def _append(text: str) -> None:
    name = os.environ.get(SUMMARY_FILE)
    if not name:
        raise ConfigurationError(
            f"--format summary: {SUMMARY_FILE} is not set, as it is in a step of GitHub Actions; "
            "elsewhere use --format markdown"
        )
    try:
        with Path(name).open("a", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise ConfigurationError(f"{SUMMARY_FILE} {name}: {error.strerror}") from error


def _write(output: Path, text: str) -> None:
    try:
        write_atomically(output, text)
    except OSError as error:
        raise ConfigurationError(f"--output {output}: {error.strerror}") from error
    typer.echo(f"wrote {shown(output)}")
