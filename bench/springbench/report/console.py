"""A run on a terminal."""

from __future__ import annotations

from collections.abc import Container, Sequence

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from springbench.report.tables import COLUMNS, footnotes, host_line, tables
from springbench.results.model import Run

# a pipe or a file has no width; the table must not be cut there
PLAIN_WIDTH = 160
LEFT_ALIGNED = {"variant", "bound by"}


def console() -> Console:
    """Standard output; colours only on a terminal and never with NO_COLOR."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=PLAIN_WIDTH)


def print_run(run: Run, out: Console) -> None:
    """A table for each workload, then what the reader must know."""
    for table in tables(run):
        out.print()
        out.print(Text(table.workload, style="bold"))
        print_rows(COLUMNS, table.rows, LEFT_ALIGNED, out)
        for note in table.notes:
            style = "yellow" if "warning:" in note else ""
            out.print(Text(f"  {note}", style=style))
    out.print()
    for line in (*footnotes(run), host_line(run)):
        out.print(Text(line, style="dim"))


def print_rows(
    columns: Sequence[str], rows: Sequence[Sequence[str]], left: Container[str], out: Console
) -> None:
    """A table of plain texts; columns not in `left` are numbers and stand to the right."""
    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        drawn.add_column(
            column,
            justify="left" if column in left else "right",
            no_wrap=column != columns[-1],
            overflow="fold",
        )
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    out.print(drawn)
