"""A comparison as plain rows and as Markdown. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from springbench import units
from springbench.report.markdown import escape, table_lines
from springbench.results.comparison import Comparison, FindingRecord, Verdict
from springbench.results.metrics import Unit

COLUMNS = ("case", "metric", "base", "head", "change", "95 % interval", "verdict")
LEFT_ALIGNED = frozenset({"case", "metric", "verdict"})
ORDER: tuple[Verdict, ...] = ("regression", "improvement", "undecided", "unchanged")
_METRIC_NAMES = {
    "throughput_rps": "throughput",
    "cpu_per_request_s": "CPU per request",
    "memory_idle_bytes": "memory at idle",
    "memory_peak_bytes": "peak memory",
    "startup_s": "startup",
}
_MARKS: dict[Verdict, str] = {
    "regression": "🔴 regression",
    "improvement": "🟢 improvement",
    "undecided": "⚪ undecided",
    "unchanged": "✔️ unchanged",
}
Quote = Callable[[str], str]


def verdict_line(comparison: Comparison) -> str:
    """The one sentence that a hurried reader takes away."""
    return verdict_of(comparison.findings)


def verdict_of(findings: Sequence[FindingRecord]) -> str:
    """The same for the findings of several comparisons."""
    counts = Counter(finding.verdict for finding in findings)
    if not findings:
        return "Nothing could be compared."
    kinds: tuple[Verdict, ...] = ("regression", "improvement")
    changed = [_count(counts[kind], kind) for kind in kinds if counts[kind]]
    quiet = f"{counts['unchanged']} unchanged, {counts['undecided']} undecided"
    if not changed:
        return f"No change was found: {quiet}."
    return f"{' and '.join(changed)}; {quiet}."


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
    if findings:
        sizes = sorted(finding.detectable_ratio for finding in findings)
        # one text where the least and the greatest look alike
        shown = dict.fromkeys(units.share(size) for size in (sizes[0], sizes[-1]))
        line += f" Smallest detectable change: {' to '.join(shown)}, by case and metric."
    return line


def rows(findings: Sequence[FindingRecord], quote: Quote = str) -> list[tuple[str, ...]]:
    """A row of texts for each finding, changes first. `quote` makes names and notes harmless."""
    ordered = sorted(findings, key=lambda finding: ORDER.index(finding.verdict))
    return [_row(finding, quote) for finding in ordered]


def render(comparison: Comparison) -> str:
    """The report: verdict first, then what changed, everything else folded."""
    changed = [f for f in comparison.findings if f.verdict in ("regression", "improvement")]
    rest = [f for f in comparison.findings if f not in changed]
    lines = [
        f"## springbench: {escape(verdict_line(comparison))}",
        "",
        f"Base {escape(comparison.base.label)}, head {escape(comparison.head.label)}.",
    ]
    if changed:
        lines += ["", *table_lines(COLUMNS, rows(changed), LEFT_ALIGNED)]
    for warning in comparison.warnings:
        remedy = f"; {warning.remedy}" if warning.remedy else ""
        lines += ["", f"> {escape(f'{warning.message}{remedy}')}"]
    if rest:
        lines += [
            "",
            "<details>",
            f"<summary>{len(rest)} without a change</summary>",
            "",
            *table_lines(COLUMNS, rows(rest), LEFT_ALIGNED),
            "",
            "</details>",
        ]
    lines += ["", escape(method_line(comparison))]
    return "\n".join(lines) + "\n"


def _row(finding: FindingRecord, quote: Quote) -> tuple[str, ...]:
    verdict = _MARKS[finding.verdict]
    if finding.verdict == "unchanged":
        within = max(abs(finding.low_ratio - 1), abs(finding.high_ratio - 1))
        verdict = f"{verdict} within ± {units.share(within)}"
    if finding.note:
        verdict = f"{verdict}: {quote(finding.note)}"
    return (
        quote(finding.case),
        _METRIC_NAMES.get(finding.metric) or quote(finding.metric),
        _value(finding.base_median, finding.unit),
        _value(finding.head_median, finding.unit),
        _change(finding.ratio),
        f"{_change(finding.low_ratio)} to {_change(finding.high_ratio)}",
        verdict,
    )


def _change(ratio: float) -> str:
    return f"{100 * (ratio - 1):+.1f} %"


def _value(value: float, unit: Unit) -> str:
    if unit == "rps":
        return f"{units.rate(value)}/s"
    if unit == "bytes":
        return units.megabytes(value)
    if unit == "s":
        return units.microseconds(value) if value < 0.1 else units.seconds(value)
    return f"{value:g}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
