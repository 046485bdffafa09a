"""plan-jobs: values of a form become arguments and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

from tests.workflows.actions.scripts import (
    path_with_a_springbench_that_says_its_arguments,
    script,
)


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
