"""`springbench report`: a stored run, as a person wants to read it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from springbench.errors import ConfigurationError
from springbench.paths import RESULTS, shown
from springbench.report.console import console, print_run
from springbench.report.markdown import render
from springbench.results.store import LATEST, load_run, write_atomically


class Format(StrEnum):
    """How a report looks."""

    CONSOLE = "console"
    MARKDOWN = "markdown"
    JSON = "json"


def report(
    run: Annotated[
        Path | None, typer.Argument(help="A run folder or its run.json; the newest when left out.")
    ] = None,
    format_: Annotated[
        Format, typer.Option("--format", "-f", help="How it looks.")
    ] = Format.CONSOLE,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead.")
    ] = None,
) -> None:
    """Render a stored run.

    Example: `springbench report results/latest --format markdown --output report.md`
    """
    stored = load_run(run or RESULTS / LATEST)
    if format_ is Format.CONSOLE and output is None:
        print_run(stored, console())
        return
    if format_ is Format.CONSOLE:
        raise ConfigurationError(
            "--output needs --format markdown or --format json: the console format is for terminals"
        )
    text = (
        render(stored)
        if format_ is Format.MARKDOWN
        else stored.model_dump_json(by_alias=True, indent=2) + "\n"
    )
    if output is None:
        typer.echo(text, nl=False)
        return
    try:
        write_atomically(output, text)
    except OSError as error:
        raise ConfigurationError(f"--output {output}: {error.strerror}") from error
    typer.echo(f"wrote {shown(output)}")
