"""A small GitHub that keeps comments and issues, for tests: a real HTTP server.

It pages as GitHub does (30 a page, 100 at the most, `Link` headers), tells a token who it is over
GraphQL, and lets nobody change the comment of another. `faults` are answers that come before the
true ones, one for each request; `delay_s` is how long an answer takes, `drip_s`
how long each byte of it; `packed` sends it compressed and in chunks.
"""

from __future__ import annotations

import gzip
import json
import re
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlencode, urlsplit

from tests.services.fake_issues import Issues

BOT = {"login": "github-actions[bot]", "type": "Bot"}
STRANGER = {"login": "mallory", "type": "User"}
TOKEN = "secret-token"  # noqa: S105 - of a server that lives as long as a test
REPO = "octo/app"
MAX_BODY = 65_536


@dataclass
class Fault:
    """An answer in the place of the true one; `carried_out` when the request was obeyed first."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, str] = field(default_factory=dict)
    carried_out: bool = False
    method: str | None = None
    path: str = ""


@dataclass
class FakeGitHub:
    """The state, and where the server listens."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    faults: deque[Fault] = field(default_factory=deque)
    requests: list[str] = field(default_factory=list)
    delay_s: float = 0.0
    drip_s: float = 0.0
    packed: bool = False
    login: str = BOT["login"]
    address: str = ""
    pull_request: int = 7
    pulls: list[dict[str, Any]] = field(default_factory=list)
    # what accounts may do, statuses by commit with the newest first, runs that can run again
    rights: dict[str, str] = field(default_factory=dict)
    statuses: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    runs: list[dict[str, Any]] = field(default_factory=list)
    run_again: list[int] = field(default_factory=list)
    issues: Issues = field(default_factory=Issues)
    next_id: int = 1000
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, body: str, user: dict[str, str]) -> dict[str, Any]:
        """A comment as if somebody had written it."""
        with self.lock:
            self.next_id += 1
            comment = {"id": self.next_id, "user": user, "body": body}
            self.comments.append(comment)
            return comment

    def comments_by(self, user: dict[str, str]) -> list[str]:
        """The bodies of what a user has written."""
        return [comment["body"] for comment in self.comments if comment["user"] == user]


@contextmanager
def fake_github() -> Iterator[FakeGitHub]:
    """A server on a free port of this host, gone when the block ends."""
    state = FakeGitHub()

    class Handler(_Handler):
        github = state

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    github: FakeGitHub
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        # a client that has lost its patience is gone
        with suppress(ConnectionError):
            self._answer()

    do_POST = do_PATCH = do_DELETE = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        return

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else {}
        self.github.requests.append(f"{self.command} {self.path}")
        time.sleep(self.github.delay_s)
        fault = self._fault()
        if fault and not fault.carried_out:
            self._send(fault.status, fault.body, fault.headers)
            return
        status, answer, headers = self._true_answer(body)
        if fault:
            status, answer, headers = fault.status, fault.body, fault.headers
        self._send(status, answer, headers)

    def _fault(self) -> Fault | None:
        faults = self.github.faults
        if not faults:
            return None
        if faults[0].method in (None, self.command) and faults[0].path in self.path:
            return faults.popleft()
        return None

    def _true_answer(self, body: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return 401, {"message": "Bad credentials"}, {}
        url = urlsplit(self.path)
        if url.path == "/graphql":
            return 200, {"data": {"viewer": {"login": self.github.login}}}, {}
        thread = f"/repos/{REPO}/issues/{self.github.pull_request}/comments"
        if self.command == "GET" and url.path == f"/repos/{REPO}/pulls":
            head_label = parse_qs(url.query)["head"][0]
            return (
                200,
                [
                    pull_request
                    for pull_request in self.github.pulls
                    if pull_request["head"]["label"] == head_label
                ],
                {},
            )
        if url.path != thread and (answer := self._of_issues(url, body)):
            return answer
        approval = self._of_approvals(url, body)
        return approval or self._of_comments(url, thread, body)

    def _of_issues(
        self, url: SplitResult, body: dict[str, Any]
    ) -> tuple[int, Any, dict[str, str]] | None:
        path = url.path.removeprefix(f"/repos/{REPO}")
        with self.github.lock:
            answer = self.github.issues.answer(self.command, path, parse_qs(url.query), body)
        if answer and isinstance(answer[1], list):
            return self._page(url, answer[1])
        return (*answer, {}) if answer else None

    def _of_approvals(
        self, url: SplitResult, body: dict[str, Any]
    ) -> tuple[int, Any, dict[str, str]] | None:
        """Rights, statuses, single pull requests and runs; None for anything else."""
        github, request = self.github, f"{self.command} {url.path}".replace(f"/repos/{REPO}", "", 1)

        def right(login: str) -> Any:
            return {"permission": github.rights[login]} if login in github.rights else None

        def set_status(sha: str) -> Any:
            github.statuses.setdefault(sha, []).insert(0, body)
            return body

        def pull(number: str) -> Any:
            return next(
                (
                    pull_request
                    for pull_request in github.pulls
                    if pull_request["number"] == int(number)
                ),
                None,
            )

        def runs(_: str) -> Any:
            sha = parse_qs(url.query)["head_sha"][0]
            return {"workflow_runs": [run for run in github.runs if run["head_sha"] == sha]}

        def run_again(number: str) -> Any:
            github.run_again.append(int(number))
            return {}

        routes = {
            r"GET /collaborators/([^/]+)/permission": right,
            r"GET /commits/([0-9a-f]+)/statuses": lambda sha: github.statuses.get(sha, []),
            r"POST /statuses/([0-9a-f]+)": set_status,
            r"GET /pulls/([0-9]+)": pull,
            r"GET /actions/workflows/(pull-request\.yml)/runs": runs,
            r"POST /actions/runs/([0-9]+)/rerun": run_again,
        }
        for route, answer in routes.items():
            if match := re.fullmatch(route, request):
                found = answer(match[1])
                return (404, {"message": "Not Found"}, {}) if found is None else (200, found, {})
        return None

    def _of_comments(
        self, url: SplitResult, thread: str, body: dict[str, Any]
    ) -> tuple[int, Any, dict[str, str]]:
        one = re.fullmatch(f"/repos/{REPO}/issues/comments/([0-9]+)", url.path)
        if self.command == "GET" and url.path == thread:
            return self._page(url, self.github.comments)
        if self.command == "POST" and url.path == thread:
            return self._create(body["body"])
        if one and self.command in ("PATCH", "DELETE"):
            return self._change(int(one[1]), body)
        return 404, {"message": "Not Found"}, {}

    def _page(self, url: SplitResult, entries: list[Any]) -> tuple[int, Any, dict[str, str]]:
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        size = min(int(query.get("per_page", "30")), 100)
        number = int(query.get("page", "1"))
        found = entries[(number - 1) * size : number * size]
        last = -(-len(entries) // size)
        headers = {}
        if number < last:

            def link(page: int) -> str:
                page_query = urlencode({**query, "per_page": size, "page": page})
                return f"<{self.github.address}{url.path}?{page_query}>"

            headers["Link"] = f'{link(number + 1)}; rel="next", {link(last)}; rel="last"'
        return 200, found, headers

    def _create(self, text: str) -> tuple[int, Any, dict[str, str]]:
        if len(text) > MAX_BODY:
            return 422, {"message": "Validation Failed: body is too long"}, {}
        return 201, self.github.add(text, BOT), {}

    def _change(self, number: int, body: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
        found = next((comment for comment in self.github.comments if comment["id"] == number), None)
        if found is None:
            return 404, {"message": "Not Found"}, {}
        if found["user"] != BOT:
            return 403, {"message": "Resource not accessible by integration"}, {}
        if self.command == "DELETE":
            self.github.comments.remove(found)
            return 204, None, {}
        found["body"] = body["body"]
        return 200, found, {}

    def _send(self, status: int, answer: Any, headers: dict[str, str]) -> None:
        text = b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.github.packed and text:
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Transfer-Encoding", "chunked")
            packed = gzip.compress(text)
            text = b"".join(b"1\r\n%c\r\n" % byte for byte in packed) + b"0\r\n\r\n"
        else:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if not self.github.drip_s:
            self.wfile.write(text)
            return
        for byte in text:
            self.wfile.write(bytes([byte]))
            time.sleep(self.github.drip_s)
