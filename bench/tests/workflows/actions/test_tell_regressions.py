"""tell-regressions: what it asks springbench, and whose token and dashboard it names."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.workflows.actions.scripts import script


@pytest.mark.parametrize(
    ("site", "linked"),
    [("", "https://octo.github.io/bench/"), ("https://bench.example/", "https://bench.example/")],
)
def test_the_history_branch_is_told_with_the_token_of_the_job(
    site: str, linked: str, tmp_path: Path
) -> None:
    said = tmp_path / "springbench"
    said.write_text(
        f"#!{sys.executable}\nimport json, os, sys\n"
        "names = ('GITHUB_TOKEN', 'SPRINGBENCH_SITE')\n"
        "print(json.dumps([sys.argv[1:], *(os.environ[name] for name in names)]))\n",
        encoding="utf-8",
    )
    said.chmod(0o755)
    done = script(
        "tell-regressions/tell.sh",
        cwd=tmp_path,
        PATH=f"{tmp_path}:/usr/bin:/bin",
        BRANCH="gh-pages $(id)",
        SITE=site,
        TOKEN="a-token",  # noqa: S106 - of nobody
        GITHUB_TOKEN="a-token",  # noqa: S106 - the same, as the action gives it
        GITHUB_SERVER_URL="https://github.com",
        GITHUB_REPOSITORY="octo/bench",
    )
    assert done.returncode == 0, done.stderr
    words, token, address = json.loads(done.stdout.splitlines()[-1])
    assert words == [
        *("alert", "--remote", "https://github.com/octo/bench"),
        "--branch=gh-pages $(id)",
    ]
    assert (token, address) == ("a-token", linked)
