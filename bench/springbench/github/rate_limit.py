"""When GitHub says "too many requests", and how long it asks to wait."""

from __future__ import annotations

from collections.abc import Mapping

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
