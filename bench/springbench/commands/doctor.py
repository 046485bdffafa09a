"""`springbench doctor`: checks the host and says what to change, each with its command."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from springbench.errors import ExitCode, HostError
from springbench.host.checks.check import Check, Severity
from springbench.host.checks.survey import SurveyedHost, failed
from springbench.host.tools.install import Installer
from springbench.messages import show_messages


def doctor(
    install: Annotated[
        bool, typer.Option("--install", help="Install missing tools; show each command first.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the checks as JSON.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 3 for a warning, too.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show what was found where all is well, too.")
    ] = False,
    load_host: Annotated[
        str | None,
        typer.Option(
            "--load-host", help="Check USER@HOST too, for the load to come from, and the link."
        ),
    ] = None,
) -> None:
    """Check what a run needs of this host, and what moves its numbers.

    Example: springbench doctor --strict

    Of two hosts: springbench doctor --load-host bench@load-1

    Exits with 3 when something that a run needs is missing, with --strict for a warning, too.
    """
    host = SurveyedHost(load_host=load_host)
    code = examine(host, install=install, json_=json_, strict=strict, verbose=verbose)
    if code is not ExitCode.OK:
        raise typer.Exit(code)


def examine(
    host: SurveyedHost, *, install: bool, json_: bool, strict: bool, verbose: bool = False
) -> ExitCode:
    """Check the host, print what was found, and say how to exit."""
    if install:
        _install(host)
        if not (json_ or strict):
            sys.stdout.write(_ready(host.tool_checks()))
            return ExitCode.OK
    checks = host.checks()
    if json_:
        sys.stdout.write(json.dumps([asdict(check) for check in checks], indent=2) + "\n")
    else:
        from springbench.commands.doctor_table import show  # noqa: PLC0415  # set-up has no table

        show(checks, verbose=verbose)
    bad = failed(checks, Severity.ERROR) or (strict and failed(checks, Severity.WARNING))
    return ExitCode.HOST if bad else ExitCode.OK


def _install(host: SurveyedHost) -> None:
    """Bring what is missing; HostError when something still is afterwards."""
    missing = _missing(host)
    # what a run can do without is brought where that takes nobody's help
    if not host.platform.may_install:
        missing = _required(missing)
    if not missing:
        return
    # flushed, because the command announced here prints past this process's buffer
    show_messages(typer.echo)
    Installer(host.platform, host.shell, host.search).install([check.tool for check in missing])
    if still := _required(_missing(host)):
        lines = (f"{check.name}: {check.remedy}" for check in still)
        raise HostError("\n".join(("still missing after the installation:", *lines)))


def _missing(host: SurveyedHost) -> list[Check]:
    return [check for check in host.tool_checks() if not check.ok]


def _required(checks: Sequence[Check]) -> list[Check]:
    return [check for check in checks if check.severity is Severity.ERROR]


def _ready(checks: Sequence[Check]) -> str:
    versions = ", ".join(
        f"{check.name} {check.found.split()[0]}"
        for check in checks
        if check.name != "taskset" and check.ok
    )
    return f"springbench: ready ({versions})\n"
