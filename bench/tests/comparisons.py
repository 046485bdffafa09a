"""Comparisons and findings, made up for tests."""

from __future__ import annotations

from springbench.results.comparison import (
    Comparison,
    ComparisonInfo,
    ExplanationRecord,
    FactRecord,
    FindingRecord,
    SideInfo,
    Statement,
)
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


def comparison(*statements: Statement) -> Comparison:
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
        findings=[statement for statement in statements if isinstance(statement, FindingRecord)],
        facts=[statement for statement in statements if isinstance(statement, FactRecord)],
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
BROKEN = FactRecord(
    case="boot4-jetty-platform-jvm",
    metric="failed",
    base="0 of 2 failed",
    head="2 of 2 failed",
    verdict="regression",
    worse=True,
    note="out of memory at 1 GiB",
)
ERRORS = FactRecord(
    case=CASE,
    metric="errors",
    base="0 of 80,000",
    head="37 of 81,000",
    verdict="regression",
    worse=True,
)
HEADERS = FactRecord(
    case=CASE,
    metric="headers",
    base="–",
    head="connection",
    verdict="changed",
    note="each side's own headers, which the other does not send",
)
BOUND = FactRecord(
    case="boot4-tomcat-platform-jvm/pay/1000",
    metric="bottleneck",
    base="latency (the theoretical maximum)",
    head="thread cap: 200 at once (server.tomcat.threads.max)",
    verdict="changed",
    note="200 requests waited at once. To change that: raise server.tomcat.threads.max",
)
METHODS = FactRecord(
    case=CASE,
    metric="methods",
    base="0.1 %",
    head="3.0 % in Routes.hello",
    verdict="regression",
    worse=True,
    note="of a request's CPU time before, in 5 pairs of processes",
)
WHY = ExplanationRecord(
    case=CASE,
    event="cpu",
    text="grew most, in per cent of a request's CPU time before: Routes.hello (1.2 to 14.0)",
    file="flame-graphs/boot4-tomcat-virtual-jvm_hello_64-cpu.html",
)
