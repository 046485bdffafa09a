"""compare-commits: what it is asked and how it ends."""

from __future__ import annotations

from pathlib import Path

from tests.workflows.actions.scripts import BESIDE_PYTHON, script


def test_a_ref_that_is_none_ends_with_the_code_of_the_command(tmp_path: Path) -> None:
    summary = tmp_path / "summary"
    done = script(
        "compare-commits/compare.sh",
        cwd=tmp_path,
        PATH=BESIDE_PYTHON,
        BASE="-no-ref",
        HEAD="HEAD",
        PROFILE="pr",
        GITHUB_STEP_SUMMARY=summary,
    )
    assert done.returncode == 2
    assert "'-no-ref' is no run folder" in done.stderr
    assert "'-no-ref' is no run folder" in summary.read_text(encoding="utf-8")
