"""`springbench report --format page`: a stored run as a page that opens from a disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.history.offline import MARK
from springbench.matrix.rows import Matrix
from springbench.results.comparison import COMPARISON_FILE
from springbench.results.store import RunFolder
from tests.conftest import Cli
from tests.history.histories import raw_comparison
from tests.samples import full_run

TEMPLATE = f"<html><body>{MARK}</body></html>"


def _template(monkeypatch: pytest.MonkeyPatch, text: str | None) -> None:
    monkeypatch.setattr("springbench.commands.report.read_template", lambda: text)


def test_a_stored_run_becomes_a_page(
    tmp_path: Path, matrix: Matrix, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    _template(monkeypatch, TEMPLATE)
    run = full_run(matrix)
    folder = RunFolder.create(tmp_path, "one")
    folder.save(run)
    output = tmp_path / "report.html"
    code, out, err = cli("report", folder.path, "-f", "page", "-o", output)
    assert (code, out, err) == (0, f"wrote {output}\n", "")
    page = output.read_text(encoding="utf-8")
    assert MARK not in page
    assert f'"runs/{run.run.id}.json.gz"' in page


def test_without_the_built_page_it_says_what_builds_it(
    tmp_path: Path, matrix: Matrix, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    _template(monkeypatch, None)
    folder = RunFolder.create(tmp_path, "one")
    folder.save(full_run(matrix))
    code, out, err = cli("report", folder.path, "-f", "page")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "`make site` in a clone of springbench builds it" in err


def test_a_stored_comparison_becomes_a_page_that_opens_on_it(
    tmp_path: Path, matrix: Matrix, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    _template(monkeypatch, TEMPLATE)
    comparison = raw_comparison(matrix, 1)
    folder = tmp_path / "compared"
    folder.mkdir()
    (folder / COMPARISON_FILE).write_text(
        comparison.model_dump_json(by_alias=True), encoding="utf-8"
    )
    code, out, err = cli("report", folder, "-f", "page")
    assert (code, err) == (0, "")
    assert f'"start":"#/compare?base={str(comparison.base.sha)[:12]}&head=' in out


def test_sides_that_are_no_commits_have_no_page(
    tmp_path: Path, matrix: Matrix, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    _template(monkeypatch, TEMPLATE)
    comparison = raw_comparison(matrix, 1)
    comparison.base.kind = "jars"
    folder = tmp_path / "compared"
    folder.mkdir()
    (folder / COMPARISON_FILE).write_text(
        comparison.model_dump_json(by_alias=True), encoding="utf-8"
    )
    code, out, err = cli("report", folder, "-f", "page")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "base is of kind jars" in err
