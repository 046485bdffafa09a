"""Reports of others: the file, and what a comparison says of one."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import typer

from evaluation.replay import __main__ as replay
from evaluation.replay import reports as reports_module
from evaluation.replay.outcome import evaluate, words
from evaluation.replay.reports import REPORTS, Report, load_reports, parse_reports
from springbench.compare.execute import LiveComparison
from springbench.compare.sides import RequestedSide
from springbench.errors import BuildError, ConfigurationError
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Plan
from springbench.releases.release import Release, Releases, Version
from springbench.results.comparison import Comparison, FactRecord, SideInfo
from tests.comparisons import comparison, finding
from tests.fakes import FakeShell
from tests.recorded import recorded_comparison

TEXT = REPORTS.read_text(encoding="utf-8")
# the first five of all
FIRST = {
    "spring-projects/spring-framework#37042",
    "spring-projects/spring-boot#48982",
    "brettwooldridge/HikariCP#2398",
    "quarkusio/spring-quarkus-perf-comparison#591",
    "quarkusio/spring-quarkus-perf-comparison#521",
}


def report(direction: str = "worse", *metrics: str) -> Report:
    known = load_reports().reports[0]
    update = {"direction": direction, "metrics": metrics or ("throughput_rps",)}
    return known.model_copy(update=update)


# --- the file ------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", load_reports().reports, ids=lambda entry: entry.id)
def test_each_report_has_a_case_of_its_line_and_a_source(entry: Report, matrix: Matrix) -> None:
    cases = load_reports().plan(entry, matrix).cases
    assert cases
    for side in (entry.before, entry.after):
        if side.boot:
            assert {f"boot{side.boot[0]}"} == {case.variant.boot for case in cases}
    assert re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+/issues/\d+", entry.address)


def test_there_are_fifteen_reports_and_more() -> None:
    sources = [entry.source for entry in load_reports().reports]
    assert len(sources) >= 15
    assert set(sources) >= FIRST


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "response-headers"', 'id = "header-walks"', "duplicate id 'header-walks'"),
        ("spring-framework#37042", "spring-framework/37042", "owner/repository#number; found"),
        ('before = { boot = "4.0.2" }', 'before = { boot = "4.0.x" }', "release of Spring Boot"),
        ('before = { boot = "4.0.2" }', 'before = { boot = "4.0.3" }', "two sides that differ"),
        ('before = { boot = "4.0.2" }', 'before = { memory = "512m" }', "on both sides, or on"),
        ('"hikaricp.version" = "7.0.2"', '"hikari.version" = "7.0.2"', "is not declared; allowed"),
        ('"hikaricp.version" = "7.0.2"', '"hikaricp.version" = "<7>"', "allowed: a version, like"),
        ('metrics = ["throughput_rps"]', 'metrics = ["throughput"]', "is not declared; allowed"),
        ('"com.zaxxer:HikariCP"', '"HikariCP"', "allowed: group:artifact; found 'HikariCP'"),
        ('component = "framework"', 'component = "spring"', "allowed: 'boot'"),
    ],
)
def test_a_mistake_is_a_line_with_its_place(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(ConfigurationError) as caught:
        parse_reports(TEXT.replace(old, new, 1))
    [line, *_] = str(caught.value).splitlines()
    assert re.match(r"reports\.toml:\d+: ", line)
    assert message in line


def test_a_load_without_a_case_is_said(matrix: Matrix) -> None:
    found = parse_reports(TEXT.replace('servers = ["jetty"]', 'servers = ["jety"]', 1))
    with pytest.raises(ConfigurationError, match="'header-walks' selects no case"):
        found.plan(found.reports[0], matrix)


# --- what a comparison says ----------------------------------------------------------------------


def test_what_was_reported_is_seen_with_its_size_and_method() -> None:
    outcome = evaluate(report(), recorded_comparison("cpu"))
    assert (outcome.verdict, outcome.direction) == ("seen", "worse")
    assert outcome.change
    assert outcome.change.low_ratio < outcome.change.ratio < outcome.change.high_ratio < 0.8
    assert outcome.bottleneck == "server CPU"
    assert "Injected.hello" in str(outcome.method)
    assert words(outcome) == (
        "header-walks: seen, worse; throughput -25 % (22 to 27 %), 4 pairs; bottleneck: server "
        f"CPU; profile of the slower side: {outcome.method}; 2.5 min"
    )


def test_of_an_improvement_head_is_what_was_before() -> None:
    outcome = evaluate(report("better"), recorded_comparison("cpu"))
    assert (outcome.verdict, outcome.direction) == ("seen", "better")
    assert outcome.change
    assert 1.2 < outcome.change.low_ratio < outcome.change.ratio < outcome.change.high_ratio


def test_the_strongest_of_the_metrics_is_shown() -> None:
    outcome = evaluate(
        report("worse", "startup_s", "memory_peak_bytes"), recorded_comparison("start")
    )
    assert (outcome.verdict, outcome.change and outcome.change.metric) == (
        "seen",
        "memory_peak_bytes",
    )


def test_what_did_not_change_is_not_seen() -> None:
    outcome = evaluate(report(), recorded_comparison("start"))
    assert (outcome.verdict, outcome.direction) == ("not seen", None)
    assert outcome.change


def test_what_pairs_cannot_tell_is_undecided() -> None:
    assert evaluate(report(), recorded_comparison("aa")).verdict == "undecided"


def test_a_method_shows_what_pairs_cannot_tell() -> None:
    undecided = finding("undecided", 1.02, metric="cpu_per_request_s", unit="s", better="lower")
    fact = FactRecord(
        case=undecided.case,
        metric="methods",
        base="0.1 %",
        head="2.0 % in Beans.getBean",
        verdict="regression",
        worse=True,
    )
    outcome = evaluate(report("worse", "cpu_per_request_s"), comparison(undecided, fact))
    assert (outcome.verdict, outcome.direction) == ("seen", "worse")
    assert "0.1 % → 2.0 % in Beans.getBean" in words(outcome)
    other = evaluate(report("worse", "memory_peak_bytes"), comparison(undecided, fact))
    assert other.verdict == "not measured"


def test_a_change_that_no_fresh_pair_has_confirmed_is_suspected() -> None:
    capped = evaluate(report(), recorded_comparison("cap"))
    assert (capped.verdict, capped.direction, capped.reason) == (
        "suspected",
        "worse",
        "no time was left to measure it again",
    )
    assert capped.bottleneck == "latency (the ideal) → not known: 100 at once"
    faster = evaluate(report(), comparison(finding("suspected", 1.3)))
    assert (faster.verdict, faster.direction) == ("suspected", "better")
    better = evaluate(report("better"), recorded_comparison("cap"))
    assert better.direction == "better"
    assert better.bottleneck == "not known: 100 at once → latency (the ideal)"


def test_the_other_direction_is_the_opposite() -> None:
    outcome = evaluate(report(), comparison(finding("improvement", 1.3)))
    assert (outcome.verdict, outcome.direction) == ("opposite", "better")
    assert evaluate(report("better"), comparison(finding("improvement", 1.3))).direction == "worse"


def test_a_comparison_without_findings_says_why() -> None:
    outcome = evaluate(report(), recorded_comparison("broken"))
    assert outcome.verdict == "not measured"
    assert words(outcome).startswith("header-walks: not measured: not looked at, for want of time")
    failed = recorded_comparison("broken")
    [pair] = next(iter(failed.pairs.values()))
    pair.status, pair.reason, pair.failed_side = "failed", "no such method", "head"
    assert evaluate(report(), failed).reason == f"{failed.head.label} failed: no such method"


# --- the command ---------------------------------------------------------------------------------


class Bench:
    """Releases that are known, and comparisons that were recorded; `broken` do not build."""

    def __init__(self, recording: Comparison) -> None:
        self.recording = recording
        self.broken: set[str] = set()
        self.compared: list[tuple[str, ...]] = []
        self.plans: list[Plan] = []

    def commit(self, versions: Sequence[Version], libraries: tuple[str, ...]) -> Releases:
        [version] = versions
        if version.major < 3:
            return Releases((), {str(version): "no server of matrix.toml is of it"})
        return Releases((Release(version, f"boot{version.major}", "a" * 40, libraries),), {})

    def compare(
        self, sides: Sequence[RequestedSide], plan: Plan, _: float, folder: Path, *__: Any,
        **___: Any,
    ) -> LiveComparison:  # fmt: skip
        labels = tuple(side.info.label for side in sides)
        self.compared.append(labels)
        self.plans.append(plan)
        if self.broken.intersection(labels):
            raise BuildError("Could not find artifact g:a:jar:1 in central")
        live = folder / "one"
        return LiveComparison(self.recording, live, interrupted=False, failed=False)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    fake = Bench(recorded_comparison("cpu"))
    monkeypatch.setattr(
        reports_module,
        "commit_releases",
        lambda versions, *arguments: fake.commit(versions, arguments[-2]),
    )
    monkeypatch.setattr(
        reports_module,
        "commit_side",
        lambda name, *_: RequestedSide(SideInfo(kind="commit", label=name)),
    )
    monkeypatch.setattr(replay, "compare_live", fake.compare)
    monkeypatch.setattr(replay, "ended_by_signals", lambda: None)
    monkeypatch.setattr(replay, "RealShell", FakeShell)
    alone = "springbench.commands.options.host_to_measure_on"
    monkeypatch.setattr(alone, lambda **_: nullcontext())
    return fake


def test_each_outcome_is_printed_and_kept(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay.main(ids=["hikari-yield"], results=tmp_path)
    assert "hikari-yield: seen, better; " in capsys.readouterr().out
    document = json.loads((tmp_path / "hikari-yield.json").read_text(encoding="utf-8"))
    assert document["verdict"] == "seen"
    assert document["source"] == "brettwooldridge/HikariCP#2398"
    assert document["comparison"] == "hikari-yield/one"
    # what was slower is head
    [labels] = bench.compared
    assert labels == ("Spring Boot 4.0.6, hikaricp 7.1.0", "Spring Boot 4.0.6, hikaricp 7.0.2")


def test_sides_that_are_started_differently_are_variants_of_one_case(
    bench: Bench, tmp_path: Path
) -> None:
    replay.main(ids=["small-heap", "aot-cache"], results=tmp_path)
    aot, small = bench.plans
    assert bench.compared == [
        ("boot4-tomcat-platform-jvm", "boot4-tomcat-platform-jvm-aot"),
        ("boot4-tomcat-platform-jvm -Xmx512m", "boot4-tomcat-platform-jvm -Xmx128m"),
    ]
    # the heap alone: both have the limit of the run
    assert small.resources == frozenset()
    assert [case.variant.runtime.id for case in aot.cases] == ["jvm", "jvm-aot"]


def test_options_of_the_jvm_stand_behind_java(matrix: Matrix, bench: Bench) -> None:
    found = load_reports()
    [entry] = [report for report in found.reports if report.id == "netty-adaptive-allocator"]
    plan, before, after = found.measurement(entry, matrix, "HEAD", FakeShell())
    assert len(plan.cases) == 1
    for side, kind in ((before, "pooled"), (after, "adaptive")):
        assert side.variant
        start = side.variant.runtime.start
        assert start[:2] == ("{java}", f"-Dio.netty.allocator.type={kind}")
        assert side.info.label == "Spring Boot 4.0.0, netty 4.2.1.Final"


def test_what_cannot_be_built_is_one_line_and_the_rest_goes_on(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.broken = {"Spring Boot 3.5.6"}
    with pytest.raises(typer.Exit) as caught:
        replay.main(ids=["jetty-threads-max", "header-walks"], results=tmp_path)
    assert caught.value.exit_code == 5
    out = capsys.readouterr().out.splitlines()
    assert "jetty-threads-max: not measured: g:a:jar:1 is not published" in out
    assert any(line.startswith("header-walks: seen, worse") for line in out)


def test_a_release_of_no_line_is_one_line(
    bench: Bench,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = parse_reports(TEXT.replace('boot = "4.0.2"', 'boot = "2.7.18"', 1))
    monkeypatch.setattr(replay, "load_reports", lambda: found)
    with pytest.raises(typer.Exit) as caught:
        replay.main(ids=["header-walks"], results=tmp_path)
    assert caught.value.exit_code == 2
    message = "header-walks: not measured: Spring Boot 2.7.18: no server of matrix.toml is of it"
    assert message in capsys.readouterr().out.splitlines()
    assert bench.compared == []


def test_the_list_says_what_would_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    replay.main(ids=["header-walks", "jetty-gzip"], list_=True)
    out = capsys.readouterr().out
    assert "| header-walks | [spring-projects/spring-framework#37042](https://github.com/" in out
    assert "| Spring Boot 4.0.2 → Spring Boot 4.0.3 | worse: " in out
    assert "`boot4-jetty-virtual-jvm/header-walks-h2/64` | 10 |" in out
    assert "2 reports, at most 20 minutes of measuring" in out


def test_a_name_that_no_report_has(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as caught:
        replay.main(ids=["header-walk"], list_=True)
    assert caught.value.exit_code == 2
    assert "'header-walk': no such report; nearest: header-walks" in capsys.readouterr().err
