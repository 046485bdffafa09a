"""The comment of a pull request: the verdict, what changed, everything else folded. Pure.

Whatever a comparison says may come from a stranger's pull request: its texts go through
`quote.code`, its numbers are cut to a length.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import TypeVar

from springbench import units
from springbench.report import limits
from springbench.report.comparison import (
    COLUMNS,
    LEFT_ALIGNED,
    ORDER,
    SHA_DIGITS,
    SHOWN,
    Failure,
    explanation_lines,
    failures_of,
    label,
    method_line,
    rows,
    settling,
)
from springbench.report.github_text import ByteBudget, code, sentence, size
from springbench.report.headline import headline, is_service
from springbench.report.markdown import table_lines
from springbench.results.comparison import (
    Comparison,
    FactRecord,
    HeadLimitRecord,
    Statement,
    is_measured,
)

T = TypeVar("T")
FORK = (
    "⚠️ These numbers come from a job that built and ran the code of {owner}: it could have written "
    "anything here. Read the change before you believe it."
)
UNDER_OWN_NAME = (
    " The workflow `benchmark`, started with `base` and `head`, measures it under your own name."
)
IN_ARTIFACTS = "in the artifacts of the run, below"
AGAIN = "If that is meant, say so in the pull request. If not: "
BY_HAND = (
    "the workflow `benchmark`, started with `base`, `head` and the case as `only`, measures it "
    "again."
)
# of somebody's own service: its workflow asks for nothing
RE_RUN = "*Re-run all jobs* measures it again."
# GitHub refuses longer bodies. It counts characters: bytes stay below, however it counts them
MAX_BYTES = 65_536
# tags, table heads, empty lines and the lines that say how much was left out
FRAME_BYTES = 2_000
LEAST_ROW_BYTES = 40
MAX_FAILURES = 30
MAX_LIMITS = 60
MAX_WARNINGS = 30
MAX_HOSTS = 10
MAX_EXPLAINED = 4
LINE_LIMIT = 1_000
MARKS = {
    "regression": "🔴 springbench: ",
    "failed": "❌ springbench: ",
    "suspected": "🟠 springbench: ",
    "improvement": "🟢 springbench: ",
    "changed": "🔵 springbench: ",
    "undecided": "⚪ springbench: undecided. ",
    "quiet": "✅ springbench: all quiet. ",
}


@dataclass(frozen=True)
class Report:
    """All that a comment is made of. The comparisons and failures are nobody's word but the job's.

    `head` is the commit that was measured, `fork` the owner of the repository that it is from if
    that is another one, `site` the address of the dashboard. `page` is one of these comparisons as
    they were checked: what the job has uploaded beside them is nothing to open. `service` is the
    one that it is of, where a pull request may have comments of several.
    """

    comparisons: Sequence[Comparison]
    failures: Sequence[Failure] = ()
    run_url: str | None = None
    head: str | None = None
    fork: str | None = None
    site: str | None = None
    page: str | None = None
    service: str = ""

    @property
    def limits(self) -> list[HeadLimitRecord]:
        return [limit for comparison in self.comparisons for limit in comparison.limits]

    @property
    def statements(self) -> list[Statement]:
        return [statement for comparison in self.comparisons for statement in comparison.statements]

    def all_failures(self) -> list[Failure]:
        """Those of whole shards, then what failed inside the others."""
        return [
            *self.failures,
            *(f for comparison in self.comparisons for f in failures_of(comparison)),
        ]

    def outcome(self) -> str:
        """The key of the mark: the gravest first."""
        verdicts = {statement.verdict for statement in self.statements}
        if "regression" in verdicts or any(
            comparison.broken_limits for comparison in self.comparisons
        ):
            return "regression"
        tells = is_measured(self.statements) or verdicts - {"unchanged", "undecided"}
        if not tells or self.all_failures():
            return "failed"
        if self.suspects_regression():
            return "suspected"
        if "improvement" in verdicts:
            return "improvement"
        if "changed" in verdicts:
            return "changed"
        # what may be better is not quiet either
        return "undecided" if {"undecided", "suspected"} & verdicts else "quiet"

    @property
    def is_service(self) -> bool:
        """Whether it is of somebody's own service, by its cases."""
        cases = [statement.case for statement in self.statements]
        return bool(cases) and all(is_service(case) for case in cases)

    def suspects_regression(self) -> bool:
        """Whether something looks like one, and nobody had time to make sure."""
        return any(
            statement.verdict == "suspected" and statement.is_worse for statement in self.statements
        )


def render(report: Report, first_line: str = "", limit: int = MAX_BYTES) -> str:
    """The comment, at most `limit` bytes long; rows of the folded part are left out first."""
    changed = [statement for statement in report.statements if statement.verdict in SHOWN]
    # the greatest changes first, should there be no room for all
    changed.sort(key=_size, reverse=True)
    folded_statements = [
        statement for statement in report.statements if statement.verdict not in SHOWN
    ]
    head, steps, foot = _head(report, first_line), _next_steps(report), _foot(report)
    budget = ByteBudget(limit - FRAME_BYTES - size([*head, *steps, *foot]))
    failed = _list(budget, report.all_failures(), MAX_FAILURES, _failure_line)
    changes = _table(budget, changed)
    limited = _limits_table(budget, report.limits)
    cautions = _warnings(report)
    warned = _list(budget, cautions, MAX_WARNINGS, _warning_line)
    quiet = _table(budget, folded_statements)
    lines = [
        *head,
        *changes,
        *limited,
        *steps,
        *failed,
        *_folded(f"{len(folded_statements)} without a change", quiet),
        *_folded(units.counted(len(cautions), "warning"), warned),
        *foot,
    ]
    return "\n".join(lines) + "\n"


def _size(statement: Statement) -> float:
    """How far head is from base; what is no ratio goes before all that is."""
    return math.inf if isinstance(statement, FactRecord) else abs(statement.ratio - 1)


def _head(report: Report, first_line: str) -> list[str]:
    outcome = report.outcome()
    failures = len(report.all_failures())
    parts = [f"{units.counted(failures, 'part')} failed."] if failures else []
    summary = headline(report.statements, "merging this", code)
    parts.insert(0 if outcome in ("regression", "suspected") else len(parts), summary)
    if broken := limits.broken_words(report.limits, sentence):
        parts.insert(0, broken)
    lines = [first_line] if first_line else []
    mark = MARKS[outcome]
    if report.service:
        mark = mark.replace("springbench:", f"springbench of {code(report.service)}:", 1)
    lines.append(f"## {mark}{' '.join(parts)}")
    sides = dict.fromkeys(
        (label(comparison.base), label(comparison.head)) for comparison in report.comparisons
    )
    for base, head in list(sides)[:MAX_HOSTS]:
        head_words = f"head `{report.head[:SHA_DIGITS]}`, merged as" if report.head else "head"
        lines += ["", f"Base {code(base)}, {head_words} {code(head)}."]
    if report.fork:
        how = "" if report.is_service else UNDER_OWN_NAME
        lines += ["", FORK.format(owner=code(report.fork)) + how]
    return lines


def _next_steps(report: Report) -> list[str]:
    """What to do about a change."""
    if report.outcome() not in ("regression", "suspected"):
        return []
    why = [
        line
        for comparison in report.comparisons
        for line in explanation_lines(
            comparison, sentence, place="" if report.fork else IN_ARTIFACTS
        )
    ]
    steps = [
        settled for comparison in report.comparisons if (settled := settling(comparison, _command))
    ]
    if report.outcome() == "regression":
        steps.insert(0, AGAIN + (RE_RUN if report.is_service else BY_HAND))
    if report.site:
        steps.append(f"Whether it began before this change: [the trend]({report.site}).")
    return ["", *(f"- {step}" for step in [*why[:MAX_EXPLAINED], *steps[:MAX_HOSTS]])]


def _command(text: str) -> str:
    # of case ids and hashes alone, or it would not have been offered
    return f"`{text}`"


def _foot(report: Report) -> list[str]:
    lines: list[str] = []
    for comparison in report.comparisons[:MAX_HOSTS]:
        # cut as a whole only where numbers are absurd: a cut inside a span would open it
        line = method_line(comparison, code)
        lines += ["", line if len(line) <= LINE_LIMIT else code(line)]
    more = len(report.comparisons) - MAX_HOSTS
    if more > 0:
        lines += ["", f"And {more} more comparisons, on other hosts or at other times."]
    if report.head and not report.fork:
        lines += ["", "Measured by this branch's own harness, in this repository."]
    if report.page:
        lines += ["", f"[The comparison as a page]({report.page}) that opens from a disk."]
    if report.run_url:
        lines += ["", f"[The run, with its logs and reports]({report.run_url})."]
        if report.fork:
            lines[-1] += " Open no page that it has uploaded: that code could have written it."
    return lines


def _table(budget: ByteBudget, statements: Sequence[Statement]) -> list[str]:
    # no more are put into words than can fit
    first = sorted(statements, key=lambda statement: ORDER.index(statement.verdict))
    first = first[: max(budget.left, 0) // LEAST_ROW_BYTES + 1]
    cells = rows(first, sentence)
    return _fitting_rows(budget, COLUMNS, cells, LEFT_ALIGNED, len(statements))


def _limits_table(budget: ByteBudget, found: Sequence[HeadLimitRecord]) -> list[str]:
    cells = limits.rows(found[:MAX_LIMITS], sentence)
    return _fitting_rows(budget, limits.COLUMNS, cells, limits.LEFT_ALIGNED, len(found))


def _fitting_rows(
    budget: ByteBudget,
    columns: Sequence[str],
    cells: Sequence[Sequence[str]],
    left: Container[str],
    total: int,
) -> list[str]:
    """The table of as many rows as fit, and how many of the `total` are left out; nothing of
    none."""
    if not total:
        return []
    title, rule, *body = table_lines(columns, cells, left, cell=str)
    shown_rows = budget.take(body)
    return [
        *(["", title, rule, *shown_rows] if shown_rows else []),
        *_left_out(total - len(shown_rows), "row"),
    ]


def _list(budget: ByteBudget, items: Sequence[T], most: int, line: Callable[[T], str]) -> list[str]:
    if not items:
        return []
    shown_lines = budget.take([line(item) for item in items[:most]])
    return ["", *shown_lines, *_left_out(len(items) - len(shown_lines), "line")]


def _left_out(number: int, noun: str) -> list[str]:
    if not number:
        return []
    return [
        "",
        f"{units.counted(number, noun)} left out here for want of room; the run has all of them.",
    ]


def _folded(title: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    # without the empty lines Markdown inside the tag would be read as HTML
    return ["", "<details>", f"<summary>{title}</summary>", *lines, "", "</details>"]


def _warnings(report: Report) -> list[str]:
    return list(
        dict.fromkeys(
            caution.words for comparison in report.comparisons for caution in comparison.warnings
        )
    )


def _warning_line(text: str) -> str:
    return f"- {sentence(text)}"


def _failure_line(failure: Failure) -> str:
    return f"- {code(failure.name)} failed: {sentence(failure.reason)}"
