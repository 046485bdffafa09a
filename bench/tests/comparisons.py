"""Comparisons and findings, made up for tests."""

from __future__ import annotations

from springbench.results.comparison import Comparison, ComparisonInfo, FindingRecord, SideInfo
from springbench.results.run import Caution
from tests.samples import empty_run

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
            finished_at="2026-11-21T09:39:00+00:00",
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
SUSPECTED = finding(
    "suspected",
    0.72,
    low_ratio=0.68,
    high_ratio=0.77,
    note="no time was left to measure it again",
)
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
