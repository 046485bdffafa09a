"""What each release cost, at a terminal."""

from __future__ import annotations

import io

from rich.console import Console

from springbench.report.event_console import ReleasePoint, missing_lines, print_releases
from springbench.results.history_names import CommitRow
from springbench.results.published_comparison import PublishedFinding

CASE = "boot4-tomcat-virtual-jvm/hello/64"


def commit(version: str) -> CommitRow:
    return CommitRow(
        sha=version.replace(".", "") * 4,
        time="2026-11-22T01:31:15Z",
        message=f"Spring Boot {version}",
        author="springbench",
    )


def finding(ratio: float, low: float, high: float) -> PublishedFinding:
    return PublishedFinding(
        case=CASE,
        metric="cpu_per_request_s",
        unit="s",
        better="lower",
        ratio=ratio,
        low_ratio=low,
        high_ratio=high,
        p_value=0.5,
        pairs=3,
        verdict="unchanged",
    )


def test_runs_stand_beside_what_pairs_found() -> None:
    points = [
        ReleasePoint(commit("4.0.2"), {"throughput_rps": [9_000.0, 11_000.0]}),
        ReleasePoint(
            commit("4.0.3"),
            {"throughput_rps": [14_000.0], "startup_s": [0.0]},
            {"cpu_per_request_s": finding(0.88, 0.85, 0.91)},
        ),
        ReleasePoint(commit("4.0.4"), {}, {"cpu_per_request_s": finding(1.001, 0.97, 1.03)}),
    ]
    out = io.StringIO()
    print_releases(CASE, points, [], Console(file=out, width=200))
    lines = out.getvalue().splitlines()
    assert lines[0] == CASE
    two, three, four = (line for line in lines if "Spring Boot" in line)
    assert "9,950/s ± 10.6 %" in two
    assert "14,000/s" in three
    assert "-12 % (9 to 15 %)" in three
    assert "+0.1 % (-3 % to +3 %)" in four


def test_what_is_missing_is_a_line_each() -> None:
    lines = list(missing_lines({"4.0.8, servers/x": "a:b:jar is not\npublished"}))
    assert lines == ["not measured: 4.0.8, servers/x: a:b:jar is not published"]
