"""The closing lines of `make test`."""

from __future__ import annotations

from pathlib import Path

import pytest

import tally

REPORT = """\
<testsuites><testsuite>
  <testcase name="a"/>
  <testcase name="b"><skipped/></testcase>
  {failure}
</testsuite></testsuites>
"""


@pytest.fixture
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Reports of a run in which all tests passed, in an otherwise empty clone."""
    folder = tmp_path / "reports"
    folder.mkdir()
    (folder / "pytest.xml").write_text(REPORT.format(failure=""))
    (folder / "vitest.xml").write_text('<testsuites><testcase name="site"/></testsuites>')
    (tmp_path / ".tools/verify/servers/a/target/surefire-reports").mkdir(parents=True)
    (tmp_path / ".tools/verify/servers/a/target/surefire-reports/TEST-A.xml").write_text(
        '<testsuite><testcase name="java"/></testsuite>'
    )
    monkeypatch.setattr(tally, "TOP", tmp_path)
    return folder


def test_every_language_is_counted(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tally.main(reports, "") == 0
    assert capsys.readouterr().out.splitlines() == [
        "Python: 1 passed, 0 failed, 1 skipped",
        "Java:   1 passed, 0 failed",
        "Site:   1 passed, 0 failed",
        "3 passed, 0 failed, 1 skipped",
    ]


def test_a_failed_test_fails(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failure = '<testcase name="c"><failure/></testcase>'
    (reports / "pytest.xml").write_text(REPORT.format(failure=failure))
    assert tally.main(reports, "") == 1
    assert capsys.readouterr().out.splitlines()[-1] == "3 passed, 1 failed, 1 skipped"


def test_a_failed_step_counts_though_every_test_passed(
    reports: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tally.main(reports, "mypy, ruff check") == 1
    said = capsys.readouterr().out.splitlines()
    assert "failed: mypy, ruff check" in said
    assert said[-1] == "3 passed, 2 failed, 1 skipped"


def test_failed_tests_are_not_counted_again_as_their_step(
    reports: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failure = '<testcase name="c"><error/></testcase>'
    (reports / "pytest.xml").write_text(REPORT.format(failure=failure))
    tally.main(reports, "pytest, Maven verify")
    assert capsys.readouterr().out.splitlines()[-1] == "3 passed, 2 failed, 1 skipped"


def test_reports_of_somebody_s_own_maven_are_not_counted(
    reports: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tally.TOP / "servers/a/target/surefire-reports"
    own.mkdir(parents=True)
    (own / "TEST-A.xml").write_text('<testsuite><testcase name="java"/></testsuite>')
    tally.main(reports, "")
    assert "Java:   1 passed" in capsys.readouterr().out
