"""Findings of `springbench doctor`, for a terminal of any width."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from springbench.host.checks.check import UNKNOWN, Check, Severity
from springbench.host.checks.survey import failed

_FINE = "[green]✓[/]"
_MARKS = {Severity.ERROR: "[red]✗[/]", Severity.WARNING: "[yellow]![/]", Severity.INFO: "-"}


def show(checks: Sequence[Check], *, verbose: bool) -> None:
    """Group by group: what is fine in one line, what is not with its remedy and its weight."""
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for group, members in itertools.groupby(checks, key=lambda check: check.group):
        shown = f"[bold]{group}[/]"
        for mark, text in _rows(list(members), verbose=verbose):
            table.add_row(shown, mark, text)
            shown = ""
    console = Console(highlight=False)
    console.print(table)
    console.print(_verdict(checks))


def _rows(checks: Sequence[Check], *, verbose: bool) -> Iterator[tuple[str, str]]:
    fine = [check for check in checks if check.ok]
    silent = [check for check in checks if not check.is_known]
    if verbose:
        yield from ((_FINE, _found(check)) for check in fine)
    elif fine:
        yield _FINE, f"[dim]{', '.join(check.name for check in fine)}[/]"
    for check in checks:
        if not check.ok and check.is_known:
            yield _MARKS[check.severity], f"{_found(check)} [dim](wanted: {check.wanted})[/]"
            if check.severity is not Severity.INFO or verbose:
                yield "", f"→ {escape(check.remedy)}"
            if check.matters:
                yield "", f"[dim]{escape(check.matters)}[/]"
    if silent:
        yield _MARKS[Severity.INFO], f"[dim]{UNKNOWN}: {', '.join(c.name for c in silent)}[/]"


def _found(check: Check) -> str:
    return f"[bold]{check.name}[/]: {escape(check.found)}"


def _verdict(checks: Sequence[Check]) -> str:
    lacking, moving = (
        len(failed(checks, severity)) for severity in (Severity.ERROR, Severity.WARNING)
    )
    if lacking:
        return f"[red]This host lacks what a run needs ({lacking}, marked ✗).[/]"
    if moving:
        return f"A run is possible; what is marked [yellow]![/] moves its numbers ({moving})."
    return "This host has all that a run needs."
