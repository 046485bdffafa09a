"""make-page: a page of a comparison, and none where there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from springbench.results.comparison import COMPARISON_FILE
from tests.workflows.actions.scripts import script


def made(tmp_path: Path, code: int = 0) -> tuple[int, str, list[str]]:
    """Run it with stand-ins for the site's build and springbench; what it says and leaves."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "build.sh").write_text("echo built\n", encoding="utf-8")
    (tmp_path / "bin").mkdir()
    springbench = tmp_path / "bin" / "springbench"
    springbench.write_text(f'#!/bin/sh\necho "$@"; touch page/report.html; exit {code}\n')
    springbench.chmod(0o755)
    done = script(
        "make-page/make.sh",
        cwd=tmp_path,
        PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        COMPARISON="comparison",
        GITHUB_STEP_SUMMARY=tmp_path / "summary",
    )
    return done.returncode, done.stdout, [path.name for path in tmp_path.glob("page/*")]


@pytest.fixture
def comparison(tmp_path: Path) -> Path:
    file = tmp_path / "comparison" / COMPARISON_FILE
    file.parent.mkdir()
    file.touch()
    return file


def test_a_comparison_becomes_a_page(tmp_path: Path, comparison: Path) -> None:
    assert comparison.is_file()
    code, said, left = made(tmp_path)
    assert (code, left) == (0, ["report.html"])
    assert (
        said == "built\nreport comparison/comparison.json --format page --output page/report.html\n"
    )


def test_one_that_cannot_be_shown_fails_nothing_and_is_said(
    tmp_path: Path, comparison: Path
) -> None:
    assert comparison.is_file()
    code, said, left = made(tmp_path, code=2)
    assert (code, left) == (0, [])
    assert "this comparison has no page" in said
    assert "this comparison has no page" in (tmp_path / "summary").read_text(encoding="utf-8")


def test_without_a_comparison_nothing_is_built(tmp_path: Path, comparison: Path) -> None:
    comparison.unlink()
    comparison.symlink_to("/etc/hostname")
    code, said, left = made(tmp_path)
    assert (code, said, left) == (0, "make-page: nothing was compared\n", [])
