"""git-access: who gets to see the token of a job."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path

from tests.workflows.actions.scripts import ACTIONS, script_at

TOKEN = "0123456789-of-the-job"  # noqa: S105 - nobody's
HEADER = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()


def output_of(tmp_path: Path, lines: str, token: str = TOKEN) -> subprocess.CompletedProcess[str]:
    """What a script says that sources it and goes on with these lines."""
    file = tmp_path / "script.sh"
    file.write_text(f"set -euo pipefail\n. {ACTIONS}/git-access.sh\n{lines}\n", encoding="utf-8")
    return script_at(
        file,
        TOKEN=token,
        GITHUB_SERVER_URL="https://github.example",
        GITHUB_REPOSITORY="octo/bench",
    )


def shown(done: subprocess.CompletedProcess[str]) -> str:
    """Without the line by which the log learns what to hide."""
    assert done.returncode == 0, done.stderr
    return "".join(line for line in done.stdout.splitlines(True) if "::add-mask::" not in line)


def test_nothing_that_a_script_starts_sees_the_token(tmp_path: Path) -> None:
    output = shown(output_of(tmp_path, "env; sh -c env; bash -c 'set'"))
    assert "GIT_AUTHOR_NAME=github-actions[bot]" in output
    assert TOKEN not in output
    assert HEADER not in output


def test_git_sends_it_to_this_server_alone(tmp_path: Path) -> None:
    commands = "git config --get-urlmatch http.extraheader https://github.example/octo/bench\n"
    commands += (
        "git config --get-urlmatch http.extraheader https://other.example/octo/bench || true"
    )
    assert shown(output_of(tmp_path, commands)) == f"AUTHORIZATION: basic {HEADER}\n"


def test_git_that_springbench_calls_may_use_it_and_what_comes_after_may_not(tmp_path: Path) -> None:
    output = shown(output_of(tmp_path, "with_access sh -c 'git config --list'; env; echo $remote"))
    assert output.count(HEADER) == 1
    assert output.endswith("https://github.example/octo/bench\n")


def test_a_command_that_fails_says_so(tmp_path: Path) -> None:
    for token in (TOKEN, ""):
        done = output_of(
            tmp_path, "with_access sh -c 'exit 7' || echo $?\ngit no-such-command", token
        )
        assert "7\n" in done.stdout
        assert done.returncode == 1


def test_without_a_token_git_asks_nobody(tmp_path: Path) -> None:
    output = shown(output_of(tmp_path, "with_access env", token=""))
    assert "GIT_TERMINAL_PROMPT=0" in output
    assert "GIT_CONFIG_COUNT" not in output
