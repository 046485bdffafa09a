"""Meaning of an answer of GitHub: fine, later, or never, and then what to do."""

from __future__ import annotations

import time
from collections.abc import Mapping

import requests

from springbench.errors import ConfigurationError, HostError
from springbench.untrusted import parse_json, sanitise

RATE_LIMITED = "GitHub limits the rate of requests"
# GitHub's advice for a limit that names no time
UNNAMED_WAIT_S = 60.0


def is_rate_limit(status: int, headers: Mapping[str, str], said: str) -> bool:
    """Whether an answer means "later", and not "never": GitHub uses 403 for both."""
    if status == 429:
        return True
    named = "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
    return status == 403 and (named or "rate limit" in said.lower())


def asked_wait_s(headers: Mapping[str, str], now_s: float) -> float:
    """Seconds to wait; `now_s` is the time since 1970."""
    after = _number(headers.get("retry-after"))
    if after is not None:
        return max(after, 0.0)
    reset = _number(headers.get("x-ratelimit-reset"))
    if reset is not None and headers.get("x-ratelimit-remaining") == "0":
        # a second for clocks that differ
        return max(reset - now_s, 0.0) + 1.0
    return UNNAMED_WAIT_S


def _number(text: str | None) -> float | None:
    # neither signs nor dates: GitHub sends whole seconds
    return float(text) if text and text.isascii() and text.isdigit() and len(text) < 12 else None


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
