"""The issues and labels of a small GitHub, for tests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

BOT = {"login": "github-actions[bot]", "type": "Bot"}
MAX_BODY = 65_536
Answer = tuple[int, Any]


@dataclass
class Issues:
    """The issues, the newest first in a list as GitHub's, and the labels by name."""

    all: list[dict[str, Any]] = field(default_factory=list)
    labels: dict[str, dict[str, str]] = field(default_factory=dict)
    disabled: bool = False

    def add(self, title: str, body: str, user: dict[str, str], *labels: str) -> dict[str, Any]:
        """An issue as if somebody had opened it."""
        issue = {
            "number": len(self.all) + 1,
            "title": title,
            "body": body,
            "user": user,
            "state": "open",
            "state_reason": None,
            "labels": [{"name": name} for name in labels],
            "updated_at": "2026-12-24T00:00:00Z",
            "thread": [],
        }
        self.all.append(issue)
        return issue

    def answer(
        self, method: str, path: str, query: dict[str, list[str]], body: dict[str, Any]
    ) -> Answer | None:
        """The answer to a request; None where it is not about issues or labels."""
        if label := re.fullmatch(r"/labels(?:/([^/]+))?", path):
            return self._label(method, label[1], body)
        if path == "/issues":
            if self.disabled:
                return 410, {"message": "Issues are disabled for this repo"}
            return (200, self._listed(query)) if method == "GET" else self._open(body)
        one = re.fullmatch(r"/issues/([0-9]+)(/comments)?", path)
        found = next((issue for issue in self.all if one and issue["number"] == int(one[1])), None)
        if not one or not found:
            return None
        return self._comment(found, method, body) if one[2] else self._change(found, body)

    def _listed(self, query: dict[str, list[str]]) -> list[Any]:
        label = query.get("labels", [""])[0]
        state = query.get("state", ["open"])[0]
        since = query.get("since", [""])[0]
        return [
            issue
            for issue in reversed(self.all)
            if (not label or {"name": label} in issue["labels"])
            and state in ("all", issue["state"])
            and issue["updated_at"] >= since
        ]

    def _open(self, body: dict[str, Any]) -> Answer:
        if len(body["body"]) > MAX_BODY or len(body["title"]) > 256:
            return 422, {"message": "Validation Failed: body or title is too long"}
        return 201, self.add(body["title"], body["body"], BOT, *body.get("labels", []))

    def _change(self, issue: dict[str, Any], body: dict[str, Any]) -> Answer:
        if len(body.get("body", "")) > MAX_BODY:
            return 422, {"message": "Validation Failed: body is too long"}
        issue.update(body)
        # GitHub keeps the ends of lines as browsers send them
        issue["body"] = issue["body"].replace("\r\n", "\n").replace("\n", "\r\n")
        return 200, issue

    def _comment(self, issue: dict[str, Any], method: str, body: dict[str, Any]) -> Answer:
        if method == "GET":
            return 200, issue["thread"]
        issue["thread"].append({"user": BOT, "body": body["body"]})
        return 201, issue["thread"][-1]

    def _label(self, method: str, name: str | None, body: dict[str, Any]) -> Answer:
        if method == "GET" and name:
            return (200, self.labels[name]) if name in self.labels else (404, {"message": "No"})
        if body["name"] in self.labels:
            return 422, {"message": "Validation Failed: already_exists"}
        self.labels[body["name"]] = body
        return 201, body
