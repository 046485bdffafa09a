"""check-approval: whose code may run on the repository's own runners."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.workflows.actions.scripts import script


class Rights(BaseHTTPRequestHandler):
    """Answers what rights an account has."""

    def do_GET(self) -> None:
        account = self.path.split("/")[-2]
        known = {
            "maintainer": "write",
            "owner": "admin",
            "who_acme": "write",
            "helper": "triage",
            "reader": "read",
        }
        self.send_response(200 if account in known else 404)
        self.end_headers()
        self.wfile.write(json.dumps({"permission": known.get(account), "user": {}}).encode())

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def api() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Rights)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("head", "action", "label", "sender", "author", "approved"),
    [
        ("octo/bench", "synchronize", "", "anyone", "anyone", True),
        ("stranger/bench", "opened", "", "stranger", "stranger", False),
        # nobody has read what a bot proposes, though its branch is here
        ("octo/bench", "opened", "", "dependabot[bot]", "dependabot[bot]", False),
        ("octo/bench", "labeled", "benchmark", "maintainer", "dependabot[bot]", True),
        ("stranger/bench", "labeled", "benchmark", "who_acme", "stranger", True),
        # the label of an earlier push is still on it: nobody has seen this one
        ("stranger/bench", "synchronize", "", "stranger", "stranger", False),
        ("stranger/bench", "labeled", "benchmark", "maintainer", "stranger", True),
        ("stranger/bench", "labeled", "benchmark", "owner", "stranger", True),
        ("stranger/bench", "labeled", "documentation", "maintainer", "stranger", False),
        ("stranger/bench", "labeled", "benchmark", "helper", "stranger", False),
        ("stranger/bench", "labeled", "benchmark", "reader", "stranger", False),
        ("stranger/bench", "labeled", "benchmark", "nobody", "stranger", False),
        ("stranger/bench", "labeled", "benchmark", "../../x/maintainer", "stranger", False),
        # a fork that was deleted has no name
        ("", "opened", "", "stranger", "stranger", False),
    ],
)
def test_only_a_label_by_who_may_write_approves_a_strangers_code(
    api: str,
    tmp_path: Path,
    head: str,
    action: str,
    label: str,
    sender: str,
    author: str,
    approved: bool,
) -> None:
    output = tmp_path / "output"
    done = script(
        "check-approval/check.sh",
        HEAD_REPOSITORY=head,
        GITHUB_REPOSITORY="octo/bench",
        GITHUB_API_URL=api,
        GITHUB_OUTPUT=output,
        TOKEN="none",  # noqa: S106
        ACTION=action,
        LABEL=label,
        SENDER=sender,
        AUTHOR=author,
        RUNNER_FILE=tmp_path / "runner.json",
        no_proxy="127.0.0.1",
    )
    assert done.returncode == 0, done.stderr
    assert output.read_text(encoding="utf-8") == f"approved={str(approved).lower()}\n"


def test_no_answer_is_no_approval(tmp_path: Path) -> None:
    output = tmp_path / "output"
    script(
        "check-approval/check.sh",
        HEAD_REPOSITORY="stranger/bench",
        GITHUB_REPOSITORY="octo/bench",
        GITHUB_API_URL="http://127.0.0.1:9",
        GITHUB_OUTPUT=output,
        TOKEN="none",  # noqa: S106
        ACTION="labeled",
        LABEL="benchmark",
        SENDER="maintainer",
        no_proxy="127.0.0.1",
    )
    assert output.read_text(encoding="utf-8") == "approved=false\n"
