"""A run as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from springbench.matrix.rows import Matrix
from springbench.report.markdown import escape, render
from springbench.report.tables import COLUMNS
from springbench.results.store import RunFolder, load_run
from tests.conftest import Cli
from tests.samples import empty_run, full_run


def test_the_whole_report(matrix: Matrix, golden: Callable[[str, str], None]) -> None:
    golden("report.md", render(full_run(matrix)))


def test_a_run_with_nothing_in_it_is_no_mistake() -> None:
    assert "0 of 0 cases measured" in render(empty_run())


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_text_stays_text(text: str) -> None:
    escaped = escape(text)
    assert not re.search(r"[\r\n]", escaped)
    # each character that Markdown or HTML would take for its own stands behind a backslash
    bare = re.sub(r"\\[\\`*_{}\[\]<>#|~&]", "", escaped)
    assert not re.search(r"[\\`*_{}\[\]<>#|~&]", bare)


def test_every_row_has_its_columns_whatever_the_reason(matrix: Matrix) -> None:
    rows = [line for line in render(full_run(matrix)).splitlines() if line.startswith("|")]
    assert len(rows) == 2 * 2 + 7
    for row in rows:
        assert len(re.findall(r"(?<!\\)\|", row)) == len(COLUMNS) + 1


def test_the_command_writes_a_file(
    tmp_path: Path, matrix: Matrix, cli: Cli, golden: Callable[[str, str], None]
) -> None:
    folder = RunFolder.create(tmp_path, "one")
    folder.save(full_run(matrix))
    output = tmp_path / "report.md"
    code, out, err = cli("report", folder.path, "--format", "markdown", "--output", output)
    assert (code, out, err) == (0, f"wrote {output}\n", "")
    golden("report.md", output.read_text(encoding="utf-8"))
    assert cli("report", folder.path, "-f", "markdown")[1] == output.read_text(encoding="utf-8")


def test_the_command_writes_json_that_is_a_run(tmp_path: Path, matrix: Matrix, cli: Cli) -> None:
    folder = RunFolder.create(tmp_path, "one")
    folder.save(full_run(matrix))
    output = tmp_path / "copy.json"
    assert cli("report", folder.path, "--format", "json", "--output", output)[0] == 0
    assert load_run(output) == load_run(folder.path)


def test_a_wrong_output_is_one_line(tmp_path: Path, matrix: Matrix, cli: Cli) -> None:
    folder = RunFolder.create(tmp_path, "one")
    folder.save(full_run(matrix))
    for arguments, message in [
        (
            ["--output", tmp_path / "o"],
            "--output needs --format markdown, json, svg, page or junit",
        ),
        (["-f", "markdown", "-o", tmp_path / "no" / "o"], "No such file"),
        (["-f", "markdown", "-o", tmp_path], "Is a directory"),
    ]:
        code, out, err = cli("report", folder.path, *arguments)
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert message in err
