"""The command line: names its commands and nothing else."""

from __future__ import annotations

from collections import UserDict
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from springbench import __version__
from springbench.messages import show_messages

# each is a function, or a group, of this name in a module of this name; --help keeps the order
COMMANDS = (
    *("doctor", "init", "plan", "run", "ask", "claims", "compare", "bisect", "base", "releases"),
    *("profile", "report", "publish", "deploy", "history", "alert", "comment", "approval"),
    *("confirmations", "selfcheck", "ci"),
)
STYLE: Any = {"rich_markup_mode": "markdown", "add_completion": False}


class _Commands(UserDict[str, Any]):
    """Imports a command once it is asked for: all together take longer than many a command."""

    def __getitem__(self, name: str) -> Any:
        if self.data[name] is None:
            found = getattr(import_module(f"springbench.commands.{name}"), name)
            group = typer.Typer(callback=lambda: None, **STYLE)
            if isinstance(found, typer.Typer):
                group.add_typer(found, name=name)
            else:
                group.command(name)(found)
            click_group: Any = get_command(group)
            self.data[name] = click_group.commands[name]
        return self.data[name]


class _Group(TyperGroup):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = _Commands(dict.fromkeys(COMMANDS))


app = typer.Typer(
    name="springbench",
    cls=_Group,
    help="Benchmark Spring Boot's embedded servers, and say how far the numbers hold.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    **STYLE,
)


def _version(value: bool) -> None:
    if value:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    show_messages()
