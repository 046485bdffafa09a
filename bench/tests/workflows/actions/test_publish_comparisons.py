"""publish-comparisons: what it asks springbench, whatever the jobs before it have left."""

from __future__ import annotations

import json
from pathlib import Path

from tests.workflows.actions.scripts import (
    path_with_a_springbench_that_says_its_arguments,
    script,
)


def published(tmp_path: Path, expected: str = "") -> tuple[list[str], str]:
    """The words that springbench was asked with, and the summary."""
    summary = tmp_path / "summary"
    summary.touch()
    done = script(
        "publish-comparisons/publish.sh",
        cwd=tmp_path,
        PATH=path_with_a_springbench_that_says_its_arguments(tmp_path),
        COMPARISONS="comparisons",
        PURPOSE="confirm",
        EXPECTED=expected,
        BRANCH="gh-pages",
        TOKEN="",
        GITHUB_SERVER_URL="https://github.com",
        GITHUB_REPOSITORY="octo/bench",
        GITHUB_RUN_ID="17",
        GITHUB_STEP_SUMMARY=summary,
    )
    assert done.returncode == 0, done.stderr
    words = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('"')]
    return words, summary.read_text(encoding="utf-8")


def left(tmp_path: Path, folder: str) -> None:
    (tmp_path / "comparisons" / folder).mkdir(parents=True)
    (tmp_path / "comparisons" / folder / "comparison.json").write_text("{}", encoding="utf-8")


def test_all_comparisons_are_published_at_once(tmp_path: Path) -> None:
    left(tmp_path, "confirmation-1")
    left(tmp_path, "confirmation-2 $(id)")
    words, summary = published(tmp_path, "2")
    assert words == [
        *("publish", "--purpose", "confirm"),
        *("--push", "https://github.com/octo/bench", "--branch", "gh-pages"),
        *("--url", "https://github.com/octo/bench/actions/runs/17"),
        *("--comparison", "comparisons/confirmation-1"),
        *("--comparison", "comparisons/confirmation-2 $(id)"),
    ]
    assert summary == ""


def test_a_job_that_left_none_is_said_and_costs_the_others_nothing(tmp_path: Path) -> None:
    left(tmp_path, "confirmation-1")
    words, summary = published(tmp_path, "3")
    assert words.count("--comparison") == 1
    assert "1 of 3 comparisons left a result" in summary


def test_without_any_nothing_is_published(tmp_path: Path) -> None:
    words, summary = published(tmp_path, "1")
    assert words == []
    assert "0 of 1 comparisons" in summary
    assert "nothing to publish" in summary


def test_what_is_linked_there_is_no_comparison(tmp_path: Path) -> None:
    (tmp_path / "comparisons" / "a").mkdir(parents=True)
    (tmp_path / "comparisons" / "a" / "comparison.json").symlink_to("/etc/passwd")
    assert published(tmp_path)[0] == []
