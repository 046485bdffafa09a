"""What a comparison tells a person: the verdict first, what changed, the rest folded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from springbench.bench.records import new_comparison
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, make_plan
from springbench.report.comparison import label, method_line, render, settling
from springbench.report.event_console import neighbour_words
from springbench.results.comparison import Comparison, SideInfo, Statement
from tests.comparisons import (
    BOUND,
    BROKEN,
    CASE,
    ERRORS,
    HEADERS,
    IMPROVEMENT,
    REGRESSION,
    SUSPECTED,
    UNCHANGED,
    UNDECIDED,
    WHY,
    comparison,
    finding,
)
from tests.samples import empty_run

Golden = Callable[[str, str], None]
SIDES = [SideInfo(kind="jars", label=name) for name in ("base", "head")]


@pytest.mark.parametrize(
    ("name", "statements"),
    [
        ("regression", [UNCHANGED, REGRESSION, UNDECIDED]),
        ("improvement", [IMPROVEMENT, UNCHANGED]),
        ("suspected", [UNDECIDED, SUSPECTED, UNCHANGED]),
        ("undecided", [UNDECIDED, UNCHANGED]),
        ("quiet", [UNCHANGED]),
        ("facts", [UNCHANGED, BROKEN, ERRORS, HEADERS, BOUND]),
        ("nothing", []),
    ],
)
def test_the_whole_report(name: str, statements: list[Statement], golden: Golden) -> None:
    golden(f"comparison-{name}.md", render(comparison(*statements)))


def test_why_is_said_with_the_place_of_its_flame_graph() -> None:
    document = comparison(REGRESSION)
    document.explanations = [
        WHY,
        WHY.model_copy(update={"file": None, "text": "no profile: killed"}),
    ]
    text = render(document)
    assert (
        f"Why {CASE}: grew most, in per cent of a request's CPU time before: Routes.hello"
        in text.replace("\\", "")
    )
    assert "Flame graph: flame-graphs/boot4-tomcat" in text.replace("\\", "")
    assert "no profile: killed." in text


def test_the_method_says_how_small_a_change_could_be_seen() -> None:
    line = method_line(comparison(REGRESSION))
    assert "5 fork pairs" in line
    assert "Smallest detectable change: 3.1 %" in line
    assert "Some CPU 7B13" in line


def test_no_name_becomes_markup() -> None:
    text = render(comparison(REGRESSION))
    assert "<b>" not in text
    assert "\\<b\\>evil" in text


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([0.031, 0.05], "Smallest detectable change: 3.1 % to 5.0 %, by case and metric."),
        ([0.031, 1.6e20], "3.1 %, by case and metric; not determined for 1 of 2."),
        ([1.6e20, float("inf")], "Smallest detectable change: not determined, too few pairs agree"),
    ],
)
def test_what_could_not_be_determined_is_no_number(sizes: list[float], expected: str) -> None:
    findings = [finding("undecided", 1.0, detectable_ratio=size) for size in sizes]
    assert expected in method_line(comparison(*findings))


def test_medians_that_do_not_give_the_change_are_explained() -> None:
    other = finding("regression", 0.9, head_median=48_000.0)
    assert "A change is that of the pairs" in method_line(comparison(other))
    assert "A change is that of the pairs" not in method_line(comparison(REGRESSION))


def between(base: str, head: str, *statements: Statement) -> Comparison:
    document = comparison(*statements)
    document.base = SideInfo(kind="commit", label=f"{base}^1", sha=base)
    document.head = SideInfo(kind="commit", label=head, sha=head)
    return document


def test_what_is_suspected_comes_with_what_would_settle_it() -> None:
    assert settling(between("a" * 40, "b" * 40, REGRESSION, UNDECIDED)) is None
    settled = settling(between("a" * 40, "b" * 40, SUSPECTED))
    assert settled is not None
    assert settled.endswith(f"springbench compare {'a' * 40} {'b' * 40} --only '{CASE}'")


def test_builds_of_a_service_are_compared_by_where_they_are_checked_out() -> None:
    case = "app-orders-own-jvm/orders-17/64"
    settled = settling(between("a" * 40, "b" * 40, finding("suspected", 0.9, case=case)))
    assert settled is not None
    assert f"git worktree add ../{'a' * 12} {'a' * 40}, git worktree add ../" in settled
    assert settled.endswith(
        f"build both, springbench compare ../{'a' * 12} ../{'b' * 12} --only '{case}'"
    )


@pytest.mark.parametrize(
    ("base", "case"),
    [("a" * 40, "x'; rm -rf ~ #/hello/1"), ("main; reboot", CASE), ("$(id)", CASE)],
)
def test_no_command_is_made_of_what_a_shell_would_obey(base: str, case: str) -> None:
    settled = settling(between(base, "b" * 40, finding("suspected", 0.9, case=case)))
    assert settled is not None
    assert "springbench compare" not in settled
    assert "--budget" in settled


def test_commits_have_twelve_digits() -> None:
    document = between("0123456789abcdef" * 2 + "01234567", "b" * 40)
    assert (label(document.base), label(document.head)) == ("0123456789ab^1", "b" * 12)
    assert "b" * 13 not in render(document)


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("{a}^1 ({b12})", "{b12}"),
        ("{a} ({a12})", "{a12}"),
        ("main ({a12})", "main ({a12})"),
        ("{a12}~3 ({b12})", "{a12}~3 ({b12})"),
    ],
)
def test_a_commit_named_by_another_is_called_by_its_own_digits(named: str, expected: str) -> None:
    digits = {"a": "a" * 40, "a12": "a" * 12, "b12": "b" * 12}
    side = SideInfo(kind="commit", label=named.format(**digits), sha=digits["a"])
    assert label(side) == expected.format(**digits)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["-XX:TieredStopAtLevel=1"], "compiled by C1 alone, so ratios hold for code that the"),
        (["-XX:+UseZGC"], "JVMs ran with -XX:+UseZGC."),
        (["-Xint", "-XX:TieredStopAtLevel=1"], "-Xint -XX:TieredStopAtLevel=1: compiled by C1"),
    ],
)
def test_options_of_both_sides_are_reported_with_what_they_mean(
    options: list[str], expected: str
) -> None:
    found = comparison(UNCHANGED)
    assert "JVMs ran with" not in render(found)
    found.comparison.java_options = options
    for text in (method_line(found), render(found)):
        assert expected in text
    assert expected in f"{neighbour_words(options)}"
    assert neighbour_words([]) == ""


def test_a_comparison_records_the_options_of_what_it_starts_with_java(matrix: Matrix) -> None:
    only = Filters(("*-tomcat-virtual-*",))
    plan = make_plan(matrix, "pr", only)
    run = empty_run()
    document = new_comparison(plan, 60.0, SIDES, run.host, run.tools, [])
    assert document.comparison.java_options == ["-XX:TieredStopAtLevel=1"]
    # of a program or an image nobody knows what compiles it
    command = replace(
        plan,
        cases=tuple(
            replace(
                case,
                variant=replace(
                    case.variant,
                    runtime=case.variant.runtime.model_copy(update={"start": ("{artifact}",)}),
                ),
            )
            for case in plan.cases
        ),
    )
    document = new_comparison(command, 60.0, SIDES, run.host, run.tools, [])
    assert document.comparison.java_options == []
