"""What a comparison tells a person: the verdict first, what changed, the rest folded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from springbench.report.comparison import method_line, render, verdict_line
from springbench.results.comparison import Comparison, ComparisonInfo, FindingRecord, SideInfo
from springbench.results.model import Caution
from tests.samples import empty_run

Golden = Callable[[str, str], None]
CASE = "boot4-tomcat-virtual-jvm/hello/64"


def finding(verdict: str, ratio: float, **fields: object) -> FindingRecord:
    return FindingRecord.model_validate(
        {
            "case": CASE,
            "metric": "throughput_rps",
            "unit": "rps",
            "better": "higher",
            "base_median": 48_812.0,
            "head_median": 48_812.0 * ratio,
            "ratio": ratio,
            "low_ratio": ratio * 0.98,
            "high_ratio": ratio * 1.02,
            "p_value": 0.001,
            "pairs": 5,
            "detectable_ratio": 0.031,
            "verdict": verdict,
            **fields,
        }
    )


def comparison(*findings: FindingRecord) -> Comparison:
    run = empty_run()
    return Comparison(
        comparison=ComparisonInfo(
            id="20261121T093000Z-compare-pr",
            started_at="2026-11-21T09:30:00+00:00",
            profile="pr",
            budget_s=600,
            measured_s=512,
        ),
        base=SideInfo(kind="commit", label="main (0123456789ab)"),
        head=SideInfo(kind="commit", label="<b>evil</b> | (1a2b3c4d5e6f)"),
        host=run.host,
        tools=run.tools,
        warnings=[Caution(code="macos", message="nothing is *pinned*", remedy="use Linux")],
        findings=list(findings),
    )


IDLE = {"metric": "memory_idle_bytes", "unit": "bytes", "better": "lower", "base_median": 3.1e8}
REGRESSION = finding("regression", 0.9, confirmed=True)
IMPROVEMENT = finding("improvement", 0.8, **IDLE, head_median=2.5e8, confirmed=True)
UNCHANGED = finding(
    "unchanged", 1.004, metric="startup_s", unit="s", base_median=3.6, head_median=3.614
)
UNDECIDED = finding(
    "undecided",
    0.96,
    metric="cpu_per_request_s",
    unit="s",
    base_median=190e-6,
    head_median=182e-6,
    note="looked like a regression; fresh forks did not show it",
)


@pytest.mark.parametrize(
    ("name", "findings"),
    [
        ("regression", [UNCHANGED, REGRESSION, UNDECIDED]),
        ("improvement", [IMPROVEMENT, UNCHANGED]),
        ("undecided", [UNDECIDED, UNCHANGED]),
        ("quiet", [UNCHANGED]),
        ("nothing", []),
    ],
)
def test_the_whole_report(name: str, findings: list[FindingRecord], golden: Golden) -> None:
    golden(f"comparison-{name}.md", render(comparison(*findings)))


def test_the_verdict_is_one_sentence() -> None:
    said = verdict_line(comparison(REGRESSION, REGRESSION, IMPROVEMENT, UNCHANGED))
    assert said == "2 regressions and 1 improvement; 1 unchanged, 0 undecided."
    assert verdict_line(comparison(UNCHANGED)).startswith("No change was found")


def test_the_method_says_how_small_a_change_could_be_seen() -> None:
    said = method_line(comparison(REGRESSION))
    assert "5 fork pairs" in said
    assert "Smallest detectable change: 3.1 %" in said
    assert "Some CPU 7B13" in said


def test_no_name_becomes_markup() -> None:
    text = render(comparison(REGRESSION))
    assert "<b>" not in text
    assert "\\<b\\>evil" in text
