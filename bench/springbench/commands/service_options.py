"""Options that describe a service on the command line, in the place of a file."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from springbench.errors import ConfigurationError
from springbench.matrix.load import load_matrix, parse_service
from springbench.matrix.rows import Matrix

JarOption = Annotated[
    Path | None, typer.Option("--jar", help="Measure this jar, in the place of a matrix.")
]
CommandOption = Annotated[
    str | None,
    typer.Option(
        "--command", help="Measure what this starts, e.g. `./serve --port {port}`; no shell."
    ),
]
RouteOption = Annotated[
    list[str] | None,
    typer.Option("--route", help="With --jar or --command: a route to load. Repeatable."),
]
HealthOption = Annotated[
    str | None,
    typer.Option("--health", help="With --jar or --command: asked until it answers 200."),
]


def given_matrix(
    file: Path, jar: Path | None, command: str | None, routes: list[str] | None, health: str | None
) -> Matrix:
    """The matrix of the service that the options describe, else that of the file.

    Raises `ConfigurationError` for a description that is not whole.
    """
    if jar is None and command is None:
        if routes or health:
            raise ConfigurationError(
                "--route and --health describe a service: add --jar or --command, "
                "or write them into springbench.toml"
            )
        return load_matrix(file)
    if not routes:
        raise ConfigurationError("--route is missing: which route is to be loaded, e.g. /orders/17")
    if jar is not None and not jar.is_file():
        raise ConfigurationError(f"--jar {jar}: there is no such file; build it first")
    described: dict[str, Any] = {"routes": [{"path": route} for route in routes]}
    if jar is not None:
        described["jar"] = str(jar.absolute())
    if command is not None:
        described["command"] = words_of(command)
    if health is not None:
        described["health"] = health
    return parse_service(described, "command line", Path.cwd())


def words_of(command: str) -> list[str]:
    """The words of `--command`, as a shell would part them. Raises `ConfigurationError`."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ConfigurationError(f"--command {command!r}: {error}") from error
