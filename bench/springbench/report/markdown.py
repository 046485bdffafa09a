"""A run as Markdown, for a file, a pull request or a step summary."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence

from springbench import units
from springbench.report import constant_rates as rates
from springbench.report.tables import Table, footnotes, host_line, tables
from springbench.results.run import Run
from springbench.untrusted import one_line

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def escape(text: str) -> str:
    """Text that means only itself in Markdown: no markup, no HTML, no new table cell."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def render(run: Run) -> str:
    """The whole report."""
    ok = sum(result.status == "ok" for result in run.results)
    commit = f", commit {escape(run.commit.sha[:12])}" if run.commit else ""
    head = [
        f"# springbench: profile {escape(run.run.profile)}",
        "",
        f"{ok} of {len(run.results)} cases measured in {units.duration(run.run.measured_s)}, "
        f"{escape(run.run.started_at)}{commit}.",
        "",
        escape(host_line(run)),
    ]
    body = [line for table in tables(run) for line in _table(table)]
    notes = [line for note in footnotes(run) for line in ("", escape(note))]
    return "\n".join([*head, *body, *_constant_rates(run), *notes]) + "\n"


def _constant_rates(run: Run) -> list[str]:
    rows = rates.rows(run)
    if not rows:
        return []
    heading = ["", f"## {rates.TITLE}", ""]
    return [*heading, *table_lines(rates.COLUMNS, rows, rates.LEFT_ALIGNED)]


def table_lines(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: Container[str],
    cell: Callable[[str], str] = escape,
) -> list[str]:
    """A Markdown table; columns not in `left` are numbers and stand to the right.

    `cell` makes the text of a cell harmless; cells that are harmless already pass `str`.
    """
    aligned = ["---" if name in left else "---:" for name in columns]
    return [
        _line([escape(name) for name in columns]),
        _line(aligned),
        *(_line([cell(text) for text in row]) for row in rows),
    ]


def _table(table: Table) -> list[str]:
    lines = ["", f"## {escape(table.workload)}", ""]
    lines += table_lines(table.columns, table.rows, {"variant", "bottleneck"})
    if table.notes:
        lines += ["", *(f"- {escape(note)}" for note in table.notes)]
    return lines


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
