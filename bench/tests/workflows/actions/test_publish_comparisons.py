"""publish-comparisons: what was compared is published, and nothing is no mistake."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.workflows.actions.scripts import (
    path_with_a_springbench_that_says_its_arguments,
    script,
)


def published(
    tmp_path: Path, comparisons: str, expected: str = ""
) -> subprocess.CompletedProcess[str]:
    return script(
        "publish-comparisons/publish.sh",
        cwd=tmp_path,
        PATH=path_with_a_springbench_that_says_its_arguments(tmp_path),
        COMPARISONS=comparisons,
        PURPOSE="push",
        EXPECTED=expected,
        BRANCH="gh-pages",
        HISTORY_PATH="bench",
        TOKEN="",
        GITHUB_SERVER_URL="https://github.com",
        GITHUB_REPOSITORY="octo/bench",
        GITHUB_RUN_ID="17",
        GITHUB_STEP_SUMMARY=tmp_path / "summary",
    )


def test_each_comparison_below_the_folder_is_published_with_its_purpose(tmp_path: Path) -> None:
    for name in ("comparison", "another one/deep"):
        (tmp_path / "found" / name).mkdir(parents=True)
        (tmp_path / "found" / name / "comparison.json").touch()
    done = published(tmp_path, "found")
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        "publish",
        "--comparison=found/another one/deep",
        "--comparison=found/comparison",
        "--purpose",
        "push",
        "--push",
        "https://github.com/octo/bench",
        "--branch=gh-pages",
        "--path=bench",
        "--url",
        "https://github.com/octo/bench/actions/runs/17",
    ]


@pytest.mark.parametrize("folder", ["never-downloaded", "."])
def test_where_nothing_was_compared_it_is_said_and_nothing_fails(
    tmp_path: Path, folder: str
) -> None:
    done = published(tmp_path, folder)
    assert (done.returncode, done.stderr) == (0, "")
    said = "nothing was compared; nothing to publish"
    assert said in done.stdout
    assert said in (tmp_path / "summary").read_text(encoding="utf-8")


@pytest.mark.parametrize(("expected", "told"), [("1", False), ("2", True), ("", False)])
def test_a_job_that_left_none_is_said_and_costs_the_others_nothing(
    tmp_path: Path, expected: str, told: bool
) -> None:
    (tmp_path / "found" / "comparison").mkdir(parents=True)
    (tmp_path / "found" / "comparison" / "comparison.json").touch()
    done = published(tmp_path, "found", expected)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"--comparison=found/comparison"' in done.stdout
    assert ("1 of 2 comparisons left a result" in done.stdout) == told


def test_a_link_is_no_comparison(tmp_path: Path) -> None:
    (tmp_path / "found").mkdir()
    (tmp_path / "found" / "comparison.json").symlink_to("/etc/hostname")
    assert "nothing to publish" in published(tmp_path, "found").stdout
