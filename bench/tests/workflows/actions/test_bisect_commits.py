"""bisect-commits: what it asks springbench, and what it keeps."""

from __future__ import annotations

import json
from pathlib import Path

from tests.workflows.actions.scripts import (
    path_with_a_springbench_that_says_its_arguments,
    script,
)


def test_names_from_a_history_stay_one_argument(tmp_path: Path) -> None:
    summary = tmp_path / "summary"
    done = script(
        "bisect-commits/bisect.sh",
        cwd=tmp_path,
        PATH=path_with_a_springbench_that_says_its_arguments(tmp_path),
        GOOD="-x",
        BAD="$(id)",
        CASE="a/b/1 `id`",
        METRIC="cpu per request",
        PROFILE="pr",
        BUDGET="1800",
        WAIT="",
        GITHUB_STEP_SUMMARY=summary,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        *("bisect", "--prepare-host", "--case=a/b/1 `id`", "--metric=cpu per request"),
        *("--profile=pr", "--budget=1800", "--results", "results", "--", "-x", "$(id)"),
    ]
    shown = summary.read_text(encoding="utf-8")
    assert shown.startswith("```text\n")
    assert shown.count("`") == 6


def test_a_bisection_that_fails_ends_with_its_code(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "springbench").write_text("#!/bin/sh\necho not found; exit 4\n", encoding="utf-8")
    (folder / "springbench").chmod(0o755)
    done = script(
        "bisect-commits/bisect.sh",
        cwd=tmp_path,
        PATH=f"{folder}:/usr/bin:/bin",
        GOOD="a",
        BAD="b",
        GITHUB_STEP_SUMMARY=tmp_path / "summary",
    )
    assert done.returncode == 4
    assert "not found" in (tmp_path / "summary").read_text(encoding="utf-8")


def test_each_comparison_is_kept_however_deep_it_lies(tmp_path: Path) -> None:
    for name in ("bisect/ends", "bisect/step-1", "other"):
        (tmp_path / "results" / name).mkdir(parents=True)
        (tmp_path / "results" / name / "comparison.json").write_text(name, encoding="utf-8")
    done = script("bisect-commits/collect.sh", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    kept = [path.read_text() for path in sorted((tmp_path / "report").glob("*/comparison.json"))]
    assert kept == ["bisect/ends", "bisect/step-1", "other"]


def test_where_nothing_was_compared_nothing_is_kept(tmp_path: Path) -> None:
    done = script("bisect-commits/collect.sh", cwd=tmp_path)
    assert (done.returncode, "0 comparisons" in done.stdout) == (0, True)
    assert not (tmp_path / "report").exists()
