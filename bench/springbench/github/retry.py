"""Meaning of an answer of GitHub: fine, later, or never, and then what to do."""

from __future__ import annotations

import time

import requests

from springbench.errors import ConfigurationError, HostError
from springbench.github.rate_limit import RATE_LIMITED, asked_wait_s, is_rate_limit
from springbench.untrusted import parse_json, sanitise


class TryAgainError(HostError):
    """The service did not answer as it should; `wait_s` is what it asked to wait, if it did.

    `unsure` says that a request may have been carried out all the same.
    """

    def __init__(self, message: str, wait_s: float | None = None, *, unsure: bool = True) -> None:
        super().__init__(message)
        self.wait_s = wait_s
        self.unsure = unsure


class MissingError(ConfigurationError):
    """Thing that was asked for is not there, or the token may not see it."""


def check(answer: requests.Response, text: bytes, what: str) -> None:
    """Raises what the status calls for; `what` was asked."""
    status, said = answer.status_code, _said(text)
    if is_rate_limit(status, answer.headers, said):
        wait_s = asked_wait_s(answer.headers, time.time())
        asked = f"asks to wait {wait_s:.0f} s" if wait_s else "does not say how long"
        raise TryAgainError(f"{what}: {RATE_LIMITED} and {asked}", wait_s, unsure=False)
    if status >= 500:
        raise TryAgainError(f"{what}: GitHub answers {status}{said}; try again later")
    if status == 401:
        raise ConfigurationError(
            f"{what}: 401{said}; GITHUB_TOKEN is wrong or has expired: give a valid one"
        )
    if status == 403:
        raise ConfigurationError(
            f"{what}: 403{said}; the token lacks a right: the job needs "
            "`permissions: pull-requests: write` (for issues `issues: write`), and an unlocked "
            "conversation"
        )
    if status in (404, 410):
        raise MissingError(
            f"{what}: {status}{said}; there is no such repository, pull request, issue or "
            "comment, or the token may not see it: check --repo, --pull-request and the "
            "token's rights"
        )
    if not 200 <= status < 300:
        raise ConfigurationError(f"{what}: GitHub answers {status}{said}")


def _said(text: bytes) -> str:
    """GitHub's own words, made fit for one line of a log."""
    try:
        plain = sanitise(str(parse_json(text)["message"]), 200)
    except (ValueError, KeyError, TypeError):
        return ""
    return f" ({plain})" if plain else ""
