"""`springbench report`: a stored run or comparison, as a person wants to read it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

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
    print_comparison,
    print_details,
    print_run,
    print_studies,
)
from springbench.results.comparison import COMPARISON_FILE, Comparison
from springbench.results.run import Run
from springbench.results.store import LATEST, load_run, write_atomically
from springbench.results.study_file import load_studies
from springbench.results.untrusted import load_comparison

SUMMARY_FILE = "GITHUB_STEP_SUMMARY"
# what a step may write into its summary
SUMMARY_BYTES = 1 << 20


Format = Literal["console", "markdown", "json", "summary", "svg", "page", "junit"]
"""How a report looks."""
Against = Literal["published"]
"""Figures that a run is held against."""


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
    ] = "console",
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
    if output is not None and format_ in ("console", "summary"):
        raise ConfigurationError(
            "--output needs --format markdown, json, svg, page or junit: "
            "the console format is for terminals, the summary has its own file"
        )
    stored = load(path or RESULTS / LATEST)
    option = "--against" if against else "--details" if details else None
    if option and not isinstance(stored, Run):
        raise ConfigurationError(f"{option}: this is a comparison; give a run")
    if option and format_ in ("json", "page", "junit"):
        raise ConfigurationError(
            f"{option} has no --format {format_}; allowed: console, markdown, svg, summary"
        )
    view = _view(stored, against, matrix, details=details)
    if format_ == "console":
        view.show(console())
        return
    text = _text(stored, view, format_)
    if format_ == "summary":
        _append(text)
    elif output is None:
        typer.echo(text, nl=False)
    else:
        _write(output, text)


@dataclass(frozen=True)
class View:
    """A way to look at what is stored: on a terminal, and as Markdown."""

    show: Callable[[Console], None]
    render: Callable[[], str]


def _view(
    stored: Run | Comparison, against: Against | None, matrix: Path, *, details: bool
) -> View:
    if not isinstance(stored, Run):
        return View(partial(print_comparison, stored), partial(comparison.render, stored))
    if details:
        return View(partial(print_details, stored), partial(details_.render, stored))
    if against:
        rows = load_matrix(matrix)
        arguments = (stored, load_studies(STUDIES, rows), [runtime.id for runtime in rows.runtimes])
        return View(partial(print_studies, *arguments), partial(studies.render, *arguments))
    return View(partial(print_run, stored), partial(markdown.render, stored))


def load(path: Path) -> Run | Comparison:
    """Contents of a folder or file, by the name of the file. Raises `ConfigurationError`."""
    file = path / COMPARISON_FILE if path.is_dir() else path
    if file.exists() and file.name == COMPARISON_FILE:
        return load_comparison(file)
    return load_run(path)


def _text(stored: Run | Comparison, view: View, format_: Format) -> str:
    if format_ == "json":
        return stored.model_dump_json(by_alias=True, indent=2) + "\n"
    if format_ == "svg":
        return picture(view.show)
    if format_ == "page":
        return _page(stored)
    if format_ == "junit":
        return junit.render(stored)
    if format_ == "summary" and not isinstance(stored, Run):
        return comment.render(comment.Report([stored]), limit=SUMMARY_BYTES)
    return view.render()


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
