"""What a comparison tells a person: the verdict first, what changed, the rest folded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from springbench.report.comparison import method_line, render, verdict_line
from springbench.results.comparison import FindingRecord
from tests.comparisons import IMPROVEMENT, REGRESSION, UNCHANGED, UNDECIDED, comparison

Golden = Callable[[str, str], None]


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
