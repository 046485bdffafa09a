"""The columns that studies print beside throughput: latencies, bytes, the cold load, rest. Pure."""

from __future__ import annotations

from springbench.report.markdown import escape, table_lines
from springbench.results.metrics import metrics_in
from springbench.results.run import Result, Run
from springbench.untrusted import one_line

LEFT_ALIGNED = {"case"}
NOTE = "medians over the forks; what was not taken has its reason in `missing` of run.json."


COLUMNS = ("case", *(metric.head for metric in metrics_in("details")))


def rows(run: Run) -> list[tuple[str, ...]]:
    """A row for each case that was measured, in the order of the run."""
    return [_row(result) for result in run.results if result.summary]


def render(run: Run) -> str:
    """As Markdown."""
    lines = [f"# Details: {escape(run.run.id)}", ""]
    lines += table_lines(COLUMNS, rows(run), LEFT_ALIGNED)
    return "\n".join([*lines, "", escape(NOTE)]) + "\n"


def _row(result: Result) -> tuple[str, ...]:
    cells = (
        metric.cell(found.median if (found := result.summary.get(metric.name)) else None)
        for metric in metrics_in("details")
    )
    return (one_line(result.case), *cells)
