"""The command line: names its commands and nothing else."""

from __future__ import annotations

from typing import Annotated

import typer

from springbench import __version__
from springbench.commands.alert import alert
from springbench.commands.approval import approval
from springbench.commands.base import base
from springbench.commands.bisect import bisect
from springbench.commands.ci import ci
from springbench.commands.comment import comment
from springbench.commands.compare import compare
from springbench.commands.confirmations import confirmations
from springbench.commands.deploy import deploy
from springbench.commands.doctor import doctor
from springbench.commands.history import history
from springbench.commands.init import init
from springbench.commands.plan import plan
from springbench.commands.profile import profile
from springbench.commands.publish import publish
from springbench.commands.releases import releases
from springbench.commands.report import report
from springbench.commands.run import run
from springbench.commands.selfcheck import selfcheck

app = typer.Typer(
    name="springbench",
    help="Benchmark Spring Boot's embedded servers, and say how far the numbers hold.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="markdown",
    add_completion=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    return


for command in (
    doctor,
    init,
    plan,
    run,
    compare,
    bisect,
    base,
    releases,
    profile,
    report,
    publish,
    deploy,
    history,
    alert,
    comment,
    approval,
    confirmations,
    selfcheck,
):
    app.command()(command)
app.add_typer(ci, name="ci")
