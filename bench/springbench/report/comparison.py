"""A comparison as plain rows and as Markdown. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from springbench import units
from springbench.report.markdown import escape, table_lines
from springbench.results.comparison import Comparison, FindingRecord, Verdict
from springbench.results.metrics import Unit

COLUMNS = ("case", "metric", "base", "head", "change", "95 % interval", "verdict")
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


def verdict_line(comparison: Comparison) -> str:
    """The one sentence that a hurried reader takes away."""
    counts = {verdict: len(comparison.with_verdict(verdict)) for verdict in ORDER}
    if not comparison.findings:
        return "Nothing could be compared."
    changed = [
        _count(counts[verdict], verdict)
        for verdict in ("regression", "improvement")
        if counts[verdict]
    ]
    quiet = f"{counts['unchanged']} unchanged, {counts['undecided']} undecided"
    if not changed:
        return f"No change was found: {quiet}."
    return f"{' and '.join(changed)}; {quiet}."


def method_line(comparison: Comparison) -> str:
    """How it was measured and how small a change it could have seen."""
    findings = comparison.findings
    pairs = sorted({finding.pairs for finding in findings})
    how = "fork pairs, base and head interleaved" if comparison.comparison.interleaved else "forks"
    count = f"{pairs[0]} to {pairs[-1]}" if len(pairs) > 1 else "".join(map(str, pairs)) or "no"
    line = (
        f"{count} {how}, in {units.duration(comparison.comparison.measured_s)} of "
        f"{units.duration(comparison.comparison.budget_s)}, "
        f"on {comparison.host.cpu_model} ({comparison.host.host_class})."
    )
    if findings:
        sizes = sorted(finding.detectable_ratio for finding in findings)
        line += (
            f" Smallest detectable change: {units.share(sizes[0])} to {units.share(sizes[-1])}, "
            "by case and metric."
        )
    return line


def rows(findings: Sequence[FindingRecord]) -> list[tuple[str, ...]]:
    """A row of texts for each finding, changes first."""
    ordered = sorted(findings, key=lambda finding: ORDER.index(finding.verdict))
    return [_row(finding) for finding in ordered]


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
        lines += ["", *table_lines(COLUMNS, rows(changed), {"case", "metric", "verdict"})]
    for warning in comparison.warnings:
        remedy = f"; {warning.remedy}" if warning.remedy else ""
        lines += ["", f"> {escape(f'{warning.message}{remedy}')}"]
    if rest:
        lines += [
            "",
            "<details>",
            f"<summary>{len(rest)} without a change</summary>",
            "",
            *table_lines(COLUMNS, rows(rest), {"case", "metric", "verdict"}),
            "",
            "</details>",
        ]
    lines += ["", escape(method_line(comparison))]
    return "\n".join(lines) + "\n"


def _row(finding: FindingRecord) -> tuple[str, ...]:
    verdict = _MARKS[finding.verdict]
    if finding.verdict == "unchanged":
        within = max(abs(finding.low_ratio - 1), abs(finding.high_ratio - 1))
        verdict = f"{verdict} within ± {units.share(within)}"
    if finding.note:
        verdict = f"{verdict}: {finding.note}"
    return (
        finding.case,
        _METRIC_NAMES.get(finding.metric, finding.metric),
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
