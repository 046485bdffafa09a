"""A comparison as plain rows and as Markdown. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from springbench import units
from springbench.matrix.settings import FIRST_COMPILER
from springbench.report import limits
from springbench.report.headline import CASE, headline, is_service, metric_words
from springbench.report.markdown import escape, table_lines
from springbench.results.comparison import (
    Comparison,
    FactName,
    FactRecord,
    FindingRecord,
    SideInfo,
    Statement,
    Verdict,
)
from springbench.results.metrics import BY_NAME, Unit
from springbench.untrusted import clipped

COLUMNS = ("case", "metric", "base", "head", "change", "95 % interval", "verdict")
LEFT_ALIGNED = frozenset({"case", "metric", "verdict"})
ORDER: tuple[Verdict, ...] = (
    "regression",
    "suspected",
    "improvement",
    "changed",
    "undecided",
    "unchanged",
)
# what somebody has to look at; the rest is folded
SHOWN: tuple[Verdict, ...] = ORDER[:4]
_FACT_NAMES: dict[FactName, str] = {
    "failed": "started and answered",
    "errors": "failed requests",
    "slow": "slow answers",
    "methods": "CPU time of methods",
    "answer_bytes": "size of an answer",
    "headers": "headers",
    "queries": "queries per request",
    "artifact_bytes": "size of the artifact",
    "collector": "garbage collector",
    "bottleneck": "bottleneck",
}
_MARKS: dict[Verdict, str] = {
    "regression": "🔴 regression",
    "suspected": "🟠 suspected",
    "improvement": "🟢 improvement",
    "changed": "🔵 changed",
    "undecided": "⚪ undecided",
    "unchanged": "✔️ unchanged",
}
# of a cell; numbers that nobody measured are long
NUMBER_LIMIT = 40
WORDS_LIMIT = 80
SHA_DIGITS = 12
MAX_NAMED = 3
# a change that more than doubles something needs no statistics to be seen
MOST_DETECTABLE = 1.0
PLAINLY = 0.01
_SHORT_S = 1e-5
_FULL_SHA = re.compile(r"\b[0-9a-f]{40}\b")
_COMMIT_OF_COMMIT = re.compile(r"[0-9a-f]{12}(?:\^\d?)? \(([0-9a-f]{12})\)")
_SHA = re.compile(r"[0-9a-f]{7,40}")
Quote = Callable[[str], str]


def settling(comparison: Comparison, quote: Quote = str) -> str | None:
    """What would settle that which is only suspected; None where nothing is."""
    suspected = dict.fromkeys(f.case for f in comparison.with_verdict("suspected"))
    if not suspected:
        return None
    cases = [case for case in suspected if CASE.fullmatch(case)][:MAX_NAMED]
    sides = [side.sha or side.label for side in (comparison.base, comparison.head)]
    # what may be pasted into a shell is what cannot do anything there
    if comparison.base.kind != "commit" or not cases or not all(map(_SHA.fullmatch, sides)):
        return "Suspected is what a longer --budget, or a second comparison, would settle."
    only = " ".join(f"--only '{case}'" for case in cases)
    *before, command = comparing(cases[0], *sides)
    steps = "".join(f"{quote(line)}, " for line in before) + ("build both, " if before else "")
    return f"To settle what is suspected: {steps}{quote(f'{command} {only}')}"


def comparing(case: str, before: str, after: str) -> list[str]:
    """What compares two commits again, as lines for a shell; those of a service are checked out,
    and whoever knows how builds them."""
    if not is_service(case):
        return [f"springbench compare {before} {after}"]
    places = [f"../{sha[:SHA_DIGITS]}" for sha in (before, after)]
    shas = (before, after)
    return [
        *(f"git worktree add {place} {sha}" for place, sha in zip(places, shas, strict=True)),
        f"springbench compare {' '.join(places)}",
    ]


def explanation_lines(
    comparison: Comparison, quote: Quote = str, *, place: str | None = None
) -> list[str]:
    """Why, of each case that was looked into; `place` is where its flame graph is to be found.

    An empty place: it is a page that nobody should open.
    """
    lines = []
    for explanation in comparison.explanations:
        line = f"Why {quote(explanation.case)}: {quote(explanation.text)}."
        if explanation.file and place != "":
            line += f" Flame graph: {place or quote(explanation.file)}."
        lines.append(line)
    return lines


def method_line(comparison: Comparison, quote: Quote = str) -> str:
    """How it was measured and how small a change it could have seen.

    `quote` makes the names of the host harmless.
    """
    findings = comparison.findings
    pairs = sorted({finding.pairs for finding in findings})
    how = "fork pairs, base and head interleaved" if comparison.comparison.interleaved else "forks"
    count = f"{pairs[0]} to {pairs[-1]}" if len(pairs) > 1 else "".join(map(str, pairs)) or "no"
    line = (
        f"{count} {how}, in {units.duration(comparison.comparison.measured_s)} of "
        f"{units.duration(comparison.comparison.budget_s)}, "
        f"on {quote(comparison.host.cpu_model)} ({quote(comparison.host.host_class)})."
    )
    if words := options_words(comparison.comparison.java_options, quote):
        line += f" {words}"
    if findings:
        line += f" Smallest detectable change: {_detectable(findings)}."
    if any(_paired_otherwise(finding) for finding in findings):
        line += " A change is that of the pairs; the medians beside it are of all, and may differ."
    return line


def options_words(java_options: Sequence[str], quote: Quote = str) -> str:
    """What options both sides had, and what the first compiler alone means; empty without any."""
    if not java_options:
        return ""
    text = f"JVMs ran with {quote(' '.join(java_options))}"
    if FIRST_COMPILER not in java_options:
        return f"{text}."
    return (
        f"{text}: compiled by C1 alone, so ratios hold for code that the optimising compiler (C2) "
        "has not seen."
    )


def label(side: SideInfo) -> str:
    """A side by a name that can be read: of a commit twelve digits are enough."""
    text = _FULL_SHA.sub(lambda match: match[0][:SHA_DIGITS], side.label)
    # that a commit is itself, or the parent of another, says nothing
    only = _COMMIT_OF_COMMIT.fullmatch(text)
    return only[1] if only else text


def _detectable(findings: Sequence[FindingRecord]) -> str:
    sizes = sorted(f.detectable_ratio for f in findings if f.detectable_ratio <= MOST_DETECTABLE)
    if not sizes:
        return "not determined, too few pairs agree"
    # one text where the least and the greatest look alike
    shown = dict.fromkeys(units.share(size) for size in (sizes[0], sizes[-1]))
    text = f"{' to '.join(shown)}, by case and metric"
    missing = len(findings) - len(sizes)
    return f"{text}; not determined for {missing} of {len(findings)}" if missing else text


def _paired_otherwise(finding: FindingRecord) -> bool:
    """Whether the quotient of the medians is plainly another one than the change."""
    if finding.base_median <= 0:
        return False
    return abs(finding.head_median / finding.base_median - finding.ratio) > PLAINLY


def rows(statements: Sequence[Statement], quote: Quote = str) -> list[tuple[str, ...]]:
    """A row of texts for each, changes first. `quote` makes names, words and notes harmless."""
    ordered = sorted(statements, key=lambda statement: ORDER.index(statement.verdict))
    return [
        _fact_row(statement, quote) if isinstance(statement, FactRecord) else _row(statement, quote)
        for statement in ordered
    ]


def render(comparison: Comparison) -> str:
    """The report: verdict first, then what changed, everything else folded."""
    shown = [statement for statement in comparison.statements if statement.verdict in SHOWN]
    folded_statements = [
        statement for statement in comparison.statements if statement.verdict not in SHOWN
    ]
    base, head = label(comparison.base), label(comparison.head)
    lines = [
        f"## springbench: {escape(headline(comparison.statements))}",
        "",
        f"Base {escape(base)}, head {escape(head)}.",
    ]
    if broken := limits.broken_words(comparison.limits):
        lines += ["", f"**{escape(broken)}**"]
    if shown:
        lines += ["", *table_lines(COLUMNS, rows(shown), LEFT_ALIGNED)]
    if comparison.limits:
        limit_rows = limits.rows(comparison.limits)
        lines += ["", *table_lines(limits.COLUMNS, limit_rows, limits.LEFT_ALIGNED)]
    for line in explanation_lines(comparison):
        lines += ["", escape(line)]
    if settled := settling(comparison, lambda command: f"`{command}`"):
        lines += ["", settled]
    for warning in comparison.warnings:
        lines += ["", f"> {escape(warning.words)}"]
    if folded_statements:
        lines += [
            "",
            "<details>",
            f"<summary>{len(folded_statements)} without a change</summary>",
            "",
            *table_lines(COLUMNS, rows(folded_statements), LEFT_ALIGNED),
            "",
            "</details>",
        ]
    lines += ["", escape(method_line(comparison))]
    return "\n".join(lines) + "\n"


def _fact_row(fact: FactRecord, quote: Quote) -> tuple[str, ...]:
    verdict = _verdict(fact)
    if fact.note:
        verdict = f"{verdict}: {quote(fact.note)}"
    base, head = (quote(clipped(words, WORDS_LIMIT)) for words in (fact.base, fact.head))
    return quote(fact.case), _FACT_NAMES[fact.metric], base, head, "–", "–", verdict


def _row(finding: FindingRecord, quote: Quote) -> tuple[str, ...]:
    verdict = _verdict(finding)
    if finding.verdict == "unchanged":
        within = max(abs(finding.low_ratio - 1), abs(finding.high_ratio - 1))
        verdict = f"{verdict} within ± {units.share(within)}"
    if finding.note:
        verdict = f"{verdict}: {quote(finding.note)}"
    return (
        quote(finding.case),
        _metric_name(finding.metric, quote),
        *(clipped(number, NUMBER_LIMIT) for number in _numbers(finding)),
        verdict,
    )


def _metric_name(metric: str, quote: Quote) -> str:
    closed = metric in BY_NAME and BY_NAME[metric].closed_loop
    return f"{metric_words(metric, quote)}{', closed loop' if closed else ''}"


def _numbers(finding: FindingRecord) -> tuple[str, ...]:
    return (
        value_words(finding.base_median, finding.unit),
        value_words(finding.head_median, finding.unit),
        _change(finding.ratio),
        f"{_change(finding.low_ratio)} to {_change(finding.high_ratio)}",
    )


def _verdict(statement: Statement) -> str:
    text = _MARKS[statement.verdict]
    if statement.verdict == "suspected":
        text += " regression" if statement.is_worse else " improvement"
    return text


def _change(ratio: float) -> str:
    return f"{100 * (ratio - 1):+.1f} %"


def value_words(value: float, unit: Unit) -> str:
    """A figure as people read it: `48,812/s`, `412 MiB`, `21 µs`."""
    if unit == "rps":
        return f"{units.rate(value)}/s"
    if unit == "bytes":
        return units.size(value)
    if unit == "s":
        if value < _SHORT_S:
            return units.short_time(value)
        return units.microseconds(value) if value < 0.1 else units.seconds(value)
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


# --- What a comparison could not compare, and why -------------------------------------------------


@dataclass(frozen=True)
class Failure:
    """A shard, or a variant of one, that could not be compared, and why."""

    name: str
    reason: str


def failures_of(comparison: Comparison) -> list[Failure]:
    """Those of pairs, and of a comparison that was cut short."""
    found = []
    # one that head alone fails is a statement about head
    failing = {fact.case for fact in comparison.facts if fact.metric == "failed"}
    for variant, pairs in comparison.pairs.items():
        failed = [pair for pair in pairs if pair.status == "failed"]
        if failed and variant not in failing:
            reason = failed[0].reason or "no reason was kept"
            found.append(Failure(variant, f"{len(failed)} of {len(pairs)} fork pairs: {reason}"))
    if comparison.comparison.finished_at is None:
        found.append(Failure(comparison.comparison.id, "it was cut short, and is not complete"))
    return found
