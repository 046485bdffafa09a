"""post-comment: what springbench is asked to post."""

from __future__ import annotations

import json
from pathlib import Path

from tests.workflows.actions.scripts import (
    path_with_a_springbench_that_says_its_arguments,
    script,
)


def asked(tmp_path: Path, report: Path, page: str = "") -> list[str]:
    path = path_with_a_springbench_that_says_its_arguments(tmp_path)
    given = {"REPORT": report, "PAGE": page, "GITHUB_EVENT_PATH": "e.json"}
    done = script("post-comment/post.sh", None, PATH=path, **given)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_event_and_not_the_report_names_the_pull_request(tmp_path: Path) -> None:
    (tmp_path / "comparison.json").write_text("{}", encoding="utf-8")
    assert asked(tmp_path, tmp_path) == ["comment", str(tmp_path), "--event", "e.json"]


def test_services_are_told_apart_by_springbench(tmp_path: Path) -> None:
    path = path_with_a_springbench_that_says_its_arguments(tmp_path)
    done = script(
        "post-comment/post.sh",
        PATH=path,
        REPORT=tmp_path,
        BY_SERVICE="true",
        GITHUB_EVENT_PATH="e.json",
    )
    said = [json.loads(line) for line in done.stdout.splitlines()]
    options = ("--event", "e.json", "--by-service", "--failed", "compare")
    assert said == ["comment", str(tmp_path), *options]


def test_a_run_that_left_no_report_is_said_to_have_failed(tmp_path: Path) -> None:
    said = asked(tmp_path, tmp_path)
    assert said == ["comment", f"{tmp_path}/none", "--event", "e.json", "--failed", "compare"]


def test_a_page_is_linked_where_one_was_made(tmp_path: Path) -> None:
    (tmp_path / "comparison.json").write_text("{}", encoding="utf-8")
    page = "https://github.example/artifacts/1"
    assert asked(tmp_path, tmp_path, page)[-1] == f"--page={page}"
    assert "--page=" not in " ".join(asked(tmp_path, tmp_path))
