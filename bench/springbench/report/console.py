"""A run or a comparison on a terminal."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Container, Iterator, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from springbench.analysis.answers import Answer
from springbench.analysis.claims import ClaimEvaluation
from springbench.plan.cases import Case
from springbench.report import answers, claims, limits
from springbench.report import comparison as comparisons
from springbench.report import constant_rates as rates
from springbench.report import details as detailed
from springbench.report import studies as published
from springbench.report.headline import headline
from springbench.report.tables import footnotes, host_line, tables
from springbench.results.claims import Source
from springbench.results.comparison import Comparison, FindingRecord
from springbench.results.notes import warning_words
from springbench.results.run import Run
from springbench.results.studies import StudyFigures
from springbench.untrusted import one_line

# a pipe or a file has no width; the table must not be cut there
PLAIN_WIDTH = 160
# as wide as the tables need: a README shows a wider picture in smaller letters
PICTURE_WIDTH = 150
LEFT_ALIGNED = {"variant", "bottleneck"}
# the last column of a table may wrap, but not to a ribbon
LEAST_WRAPPED = 28


def console() -> Console:
    """Standard output; colours only on a terminal and never with NO_COLOR."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=PLAIN_WIDTH)


def picture(show: Callable[[Console], None]) -> str:
    """Output of `show`, as an SVG picture of a terminal that fetches nothing from elsewhere."""
    out = Console(
        record=True,
        file=io.StringIO(),
        width=PICTURE_WIDTH,
        force_terminal=True,
        color_system="truecolor",
        no_color=False,
        highlight=False,
    )
    show(out)
    drawn = out.export_svg(title="springbench")
    return re.sub(r"@font-face\s*\{.*?\}\s*", "", drawn, flags=re.DOTALL)


def print_run(run: Run, out: Console) -> None:
    """A table for each workload, then what the reader must know."""
    for table in tables(run):
        out.print()
        out.print(Text(table.workload, style="bold"))
        print_rows(table.columns, table.rows, LEFT_ALIGNED, out, keys=2)
        for note in table.notes:
            style = "yellow" if "warning:" in note else ""
            out.print(Text(f"  {note}", style=style))
    if rate_rows := rates.rows(run):
        out.print()
        out.print(Text(rates.TITLE, style="bold"))
        print_rows(rates.COLUMNS, rate_rows, rates.LEFT_ALIGNED, out)
    out.print()
    for line in (*footnotes(run), host_line(run)):
        out.print(Text(line, style="dim"))


def print_comparison(comparison: Comparison, out: Console) -> None:
    """The verdict, a row for each finding, then what the reader must know."""
    out.print()
    out.print(one_line(headline(comparison.statements)), markup=False)
    rows = comparisons.rows(comparison.statements)
    print_rows(comparisons.COLUMNS, rows, comparisons.LEFT_ALIGNED, out, keys=2)
    if broken := limits.broken_words(comparison.limits):
        out.print(one_line(broken), markup=False, style="bold red")
    if comparison.limits:
        print_rows(limits.COLUMNS, limits.rows(comparison.limits), limits.LEFT_ALIGNED, out)
    for warning in comparison.warnings:
        out.print(one_line(warning_words(warning)), markup=False, style="yellow")
    for line in comparisons.explanation_lines(comparison):
        out.print(one_line(line), markup=False)
    if settled := comparisons.settling(comparison):
        out.print(one_line(settled), markup=False)
    out.print(one_line(comparisons.method_line(comparison)), markup=False)


def print_findings(
    findings: Sequence[FindingRecord], left_out: Sequence[str], harness: str, out: Console
) -> None:
    """What two files of another harness say, then what they do not, and what nobody has checked."""
    out.print()
    out.print(one_line(headline(findings)), markup=False)
    if findings:
        rows = comparisons.rows(findings)
        print_rows(comparisons.COLUMNS, rows, comparisons.LEFT_ALIGNED, out, keys=2)
    for line in left_out:
        out.print(one_line(line), markup=False, style="yellow")
    out.print(
        one_line(
            f"By the repetitions that {harness} reports (Welch's t-test on logarithms, false "
            "discoveries controlled). What drifted on the host between base and head counts as a "
            "change; springbench has checked neither that they were warm nor that it was quiet."
        ),
        markup=False,
    )


def print_studies(run: Run, figures: StudyFigures, runtimes: Sequence[str], out: Console) -> None:
    """A table for each study that the run repeats, then where its setting differs."""
    studies = published.compare_with_studies(run, figures, runtimes)
    for study in studies:
        out.print()
        out.print(Text(study.title, style="bold"))
        print_rows(published.COLUMNS, study.rows, published.LEFT_ALIGNED, out, keys=2)
        for text in study.differences:
            out.print(Text(f"  {text}", style="yellow"))
        for text in study.notes:
            out.print(Text(f"  {text}"))
    out.print(Text(published.RATIO_NOTE if studies else published.NOTHING, style="dim"))


def print_answer(answer: Answer, runs: Sequence[Run], out: Console) -> None:
    """The question, its answer, the table behind it, then what the reader must know."""
    out.print()
    out.print(Text(one_line(answer.question.question), style="bold"))
    out.print(Text(" ".join(answers.sentences(answer))))
    print_rows(answers.columns(answer), answers.rows(answer), answers.LEFT_ALIGNED, out, keys=2)
    for note in answers.notes(answer, runs):
        out.print(Text(f"  {note}", style="yellow" if "warning:" in note else "dim"))


def print_claim(
    evaluation: ClaimEvaluation,
    source: Source,
    cases: Sequence[Case],
    runs: Sequence[Run],
    out: Console,
) -> None:
    """The claim, its source, our figure and the verdict; the table behind it; what the reader must
    know."""
    out.print()
    out.print(Text(one_line(evaluation.claim.claim), style="bold"))
    for line in claims.lines(evaluation, source, cases):
        out.print(Text(f"  {line}"), soft_wrap=True)
    print_rows(claims.columns(evaluation), claims.rows(evaluation), answers.LEFT_ALIGNED, out)
    for note in claims.notes(evaluation, runs):
        out.print(Text(f"  {note}", style="yellow" if "warning:" in note else "dim"))


def print_details(run: Run, out: Console) -> None:
    """The columns beside throughput, in parts where the terminal is too narrow."""
    print_rows(detailed.COLUMNS, detailed.rows(run), detailed.LEFT_ALIGNED, out)
    out.print(Text(detailed.NOTE, style="dim"))


def print_rows(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: Container[str],
    out: Console,
    keys: int = 1,
) -> None:
    """A table of plain texts; columns not in `left` are numbers and stand to the right.

    Where the terminal is too narrow for all columns they are printed in parts, each with the
    first `keys` columns: a number that is cut off is a wrong number.
    """
    widths = [max(map(cell_len, column)) for column in zip(columns, *rows, strict=True)]
    widths[-1] = min(widths[-1], LEAST_WRAPPED)
    for part in _parts(widths, keys, out.width):
        drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
        for index in part:
            drawn.add_column(
                columns[index],
                justify="left" if columns[index] in left else "right",
                no_wrap=index != len(columns) - 1,
                overflow="fold",
            )
        for row in rows:
            drawn.add_row(*(Text(row[index]) for index in part))
        # a terminal too narrow for even one column wraps the lines itself
        out.print(drawn, width=max(out.width, _width(widths, part)), crop=False)


def _parts(widths: Sequence[int], keys: int, width: int) -> Iterator[list[int]]:
    """Columns that fit side by side."""
    part = list(range(keys))
    for index in range(keys, len(widths)):
        if len(part) > keys and _width(widths, [*part, index]) > width:
            yield part
            part = list(range(keys))
        part.append(index)
    yield part


def _width(widths: Sequence[int], part: Sequence[int]) -> int:
    # the drawing takes one at each edge and three between columns
    return sum(widths[index] for index in part) + 3 * (len(part) - 1) + 2
