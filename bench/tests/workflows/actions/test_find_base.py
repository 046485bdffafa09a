"""find-base: springbench is asked for the base of a commit, whatever the commit is called."""

from __future__ import annotations

import json
from pathlib import Path

from tests.workflows.actions.scripts import (
    path_with_a_springbench_that_says_its_arguments,
    script,
)


def test_a_name_is_no_option_and_the_token_no_argument(tmp_path: Path) -> None:
    done = script(
        "find-base/find.sh",
        PATH=path_with_a_springbench_that_says_its_arguments(tmp_path),
        HEAD="--remote=elsewhere",
        BRANCH="gh-pages",
        HISTORY_PATH="bench",
        TOKEN="secret",  # noqa: S106
        GITHUB_SERVER_URL="https://github.com",
        GITHUB_REPOSITORY="octo/bench",
    )
    said = done.stdout.splitlines()
    # git gets it from the environment, and the log does not show it
    assert said[0].startswith("::add-mask::")
    assert [json.loads(line) for line in said[1:]] == [
        "base",
        "--remote",
        "https://github.com/octo/bench",
        "--branch=gh-pages",
        "--path=bench",
        "--",
        "--remote=elsewhere",
    ]
    assert "secret" not in "".join(said[1:])
