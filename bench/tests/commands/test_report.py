"""`springbench report` on comparisons, and into the summary of a job."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from springbench.matrix.rows import Matrix
from springbench.results.store import RunFolder
from tests.comparisons import REGRESSION, UNCHANGED, UNDECIDED, comparison
from tests.conftest import Cli
from tests.samples import full_run

Golden = Callable[[str, str], None]


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    folder = tmp_path / "20261121T093000Z-compare-pr"
    folder.mkdir()
    record = comparison(UNCHANGED, REGRESSION, UNDECIDED)
    (folder / "comparison.json").write_text(record.model_dump_json(by_alias=True), "utf-8")
    return folder


def test_a_comparison_as_markdown(stored: Path, cli: Cli, golden: Golden) -> None:
    golden("comparison-regression.md", cli("report", stored, "--format", "markdown")[1])
    output = stored.parent / "report.md"
    assert cli("report", stored / "comparison.json", "-f", "markdown", "-o", output)[0] == 0
    golden("comparison-regression.md", output.read_text(encoding="utf-8"))


def test_a_comparison_on_the_console_and_as_json(stored: Path, cli: Cli) -> None:
    code, out, err = cli("report", stored)
    assert (code, err) == (0, "")
    assert "Head makes hello on Tomcat virtual 10 % slower (8 to 12 %); 1 unchanged" in out
    assert "Smallest detectable change" in out
    copy = json.loads(cli("report", stored, "--format", "json")[1])
    assert copy == json.loads((stored / "comparison.json").read_text(encoding="utf-8"))


def test_the_summary_of_a_job_grows(
    stored: Path, matrix: Matrix, cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("# before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert cli("report", stored, "--format", "summary") == (0, "", "")
    folder = RunFolder.create(tmp_path / "results", "one")
    folder.save(full_run(matrix))
    assert cli("report", folder.path, "--format", "summary")[0] == 0
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("# before\n## 🔴 springbench: Merging this makes `hello`")
    assert "<!--" not in text
    assert "# springbench: profile" in text


def test_no_summary_outside_a_job(stored: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    code, _, err = cli("report", stored, "--format", "summary")
    assert code == 2
    assert "GITHUB_STEP_SUMMARY is not set" in err
    assert cli("report", stored, "-f", "summary", "-o", "x.md")[0] == 2


def _words_of(svg: str) -> str:
    # a picture in a README fetches nothing from elsewhere
    assert "@font-face" not in svg
    assert "href" not in svg
    assert svg.count("url(") == svg.count("url(#")
    return "".join(ET.fromstring(svg).itertext()).replace("\xa0", " ")  # noqa: S314 - our own


def test_a_run_as_a_picture_says_what_the_console_says(
    matrix: Matrix, cli: Cli, tmp_path: Path
) -> None:
    folder = RunFolder.create(tmp_path / "results", "one")
    folder.save(full_run(matrix))
    code, svg, err = cli("report", folder.path, "--format", "svg")
    assert (code, err) == (0, "")
    words = _words_of(svg)
    for cell in ("boot4-tomcat-virtual-jvm", "998.6", "bottleneck", "warning:"):
        assert cell in words
        assert cell in cli("report", folder.path)[1]
    output = tmp_path / "table.svg"
    assert cli("report", folder.path, "-f", "svg", "-o", output)[0] == 0
    assert output.read_text(encoding="utf-8") == svg


def test_comparisons_and_other_views_have_pictures_too(
    stored: Path, matrix: Matrix, cli: Cli, tmp_path: Path
) -> None:
    assert "10 % slower (8 to 12 %); 1 unchanged, 1 undecided." in _words_of(
        cli("report", stored, "--format", "svg")[1]
    )
    folder = RunFolder.create(tmp_path / "results", "one")
    folder.save(full_run(matrix))
    assert "alloc/req" in _words_of(cli("report", folder.path, "--details", "-f", "svg")[1])
