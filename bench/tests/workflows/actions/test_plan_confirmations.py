"""plan-confirmations: what it asks springbench, and that its token is in no argument."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from tests.workflows.actions.scripts import (
    path_with_a_springbench_that_says_its_arguments,
    script,
)


def asked(tmp_path: Path, **environment: Any) -> list[str]:
    done = script(
        "plan-confirmations/plan.sh",
        PATH=path_with_a_springbench_that_says_its_arguments(tmp_path),
        GITHUB_SERVER_URL="https://github.com",
        GITHUB_REPOSITORY="octo/bench",
        **environment,
    )
    assert done.returncode == 0, done.stderr
    mask, *words = done.stdout.splitlines()
    secret = base64.b64encode(b"x-access-token:s3cret").decode()
    assert mask == f"::add-mask::{secret}"
    assert not any("s3cret" in word or secret in word for word in words)
    return [json.loads(word) for word in words]


def test_what_is_empty_is_not_said(tmp_path: Path) -> None:
    empty = {"DAILY_MINUTES": "", "RUNNER_LABELS": "", "SPREAD": ""}
    assert asked(tmp_path, BRANCH="gh-pages", TOKEN="s3cret", **empty) == [  # noqa: S106
        "confirmations",
        "--github",
        "--remote",
        "https://github.com/octo/bench",
        "--branch=gh-pages",
    ]


def test_values_stay_one_argument(tmp_path: Path) -> None:
    given = {"DAILY_MINUTES": "$(id) 5", "RUNNER_LABELS": "a, b", "SPREAD": "true"}
    assert asked(tmp_path, BRANCH="gh-pages", TOKEN="s3cret", **given)[4:] == [  # noqa: S106
        "--branch=gh-pages",
        "--daily-minutes=$(id) 5",
        "--runner-labels=a, b",
        "--spread",
    ]
