"""plan-jobs: values of a form become arguments and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.workflows.actions.scripts import (
    path_with_a_springbench_that_says_its_arguments,
    script,
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"HEAD": "feature"}, "head is set and base is not"),
        ({"BASE": "v1", "FORKS": "3"}, "leave them empty with base"),
        ({"BASE": "v1", "DURATION": "3"}, "leave them empty with base"),
    ],
)
def test_what_a_comparison_cannot_take_is_refused_in_the_summary(
    tmp_path: Path, given: dict[str, str], said: str
) -> None:
    summary = tmp_path / "summary.md"
    done = script(
        "plan-jobs/plan.sh",
        PATH=path_with_a_springbench_that_says_its_arguments(tmp_path),
        GITHUB_STEP_SUMMARY=summary,
        HEAD=given.get("HEAD", ""),
        BASE=given.get("BASE", ""),
        FORKS=given.get("FORKS", ""),
        DURATION=given.get("DURATION", ""),
    )
    assert done.returncode == 2
    assert said in done.stdout
    assert said in summary.read_text(encoding="utf-8")


def test_nothing_in_a_value_is_run_expanded_or_split(tmp_path: Path) -> None:
    done = script(
        "plan-jobs/plan.sh",
        PATH=path_with_a_springbench_that_says_its_arguments(tmp_path),
        PROFILE="$(touch here)",
        ONLY="*-netty-*  /etc/*\n`id` ;ls",
        CONNECTIONS="1; rm -rf .",
        FORKS="",
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        "plan",
        "--github",
        "--profile=$(touch here)",
        "--connections=1; rm -rf .",
        "--only=*-netty-*",
        "--only=/etc/*",
        "--only=`id`",
        "--only=;ls",
    ]


@pytest.mark.parametrize(("given", "said"), [("true", True), ("", False), ("--spread", False)])
def test_spread_is_a_flag_and_nothing_else(tmp_path: Path, given: str, said: bool) -> None:
    done = script(
        "plan-jobs/plan.sh",
        PATH=path_with_a_springbench_that_says_its_arguments(tmp_path),
        SPREAD=given,
    )
    assert ('"--spread"' in done.stdout.splitlines()) is said


def test_a_profile_of_a_variable_comes_with_the_variables_name(tmp_path: Path) -> None:
    done = script(
        "plan-jobs/plan.sh",
        PATH=path_with_a_springbench_that_says_its_arguments(tmp_path),
        PROFILE="qick",
        PROFILE_FROM="SPRINGBENCH_COMMIT_PROFILE",
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        "plan",
        "--github",
        "--profile=qick",
        "--profile-from=SPRINGBENCH_COMMIT_PROFILE",
    ]
