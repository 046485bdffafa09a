"""Requests to GitHub's API: retried while that helps, bounded in time and size, clear when not.

A job reaches it by address and token from its environment.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

import requests
import tenacity
import urllib3

from springbench.errors import ConfigurationError, HostError
from springbench.untrusted import parse_json, sanitise

T = TypeVar("T")
PAGE_SIZE = 100
CONNECT_TIMEOUT_S = 10.0
READ_TIMEOUT_S = 30.0
MAX_ANSWER_BYTES = 20 << 20
MAX_PAGES = 200
SHOWN_BYTES = 80
"""Of an answer that is not JSON: a proxy's page, for example."""
ATTEMPTS = 6
PATIENCE_S = 600.0
LOOKS = 4
"""So often a job looks whether what it wrote is there."""
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
GITHUB_API = "https://api.github.com"
_REPO = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,99}/(?!\.\.?$)[A-Za-z0-9._-]{1,100}")


@dataclass
class Api:
    """One API under an address, with a token that goes nowhere else.

    `patience_s` bounds the time from the first request to the last retry.
    """

    address: str
    token: str = field(repr=False)
    patience_s: float = PATIENCE_S
    read_timeout_s: float = READ_TIMEOUT_S
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self.address = self.address.rstrip("/")
        _check_address(self.address)
        self._ends_s = self.clock() + self.patience_s
        self._session = requests.Session()
        # nothing of the user's .netrc or proxies' credentials is sent in the place of the token
        self._session.auth = _Bearer(self.token)
        self._session.headers.update(
            {
                "Accept": "application/vnd.github+json",
                "X-GitHub-Api-Version": "2022-11-28",
                "User-Agent": "springbench",
            }
        )

    def pages(self, path: str, **query: str) -> Iterator[list[Any]]:
        """Every page of a list, as far as GitHub links them. Raises as `call` does."""
        query_string = urlencode({**query, "per_page": PAGE_SIZE})
        url = f"{self.address}{path}?{query_string}"
        for _ in range(MAX_PAGES):
            answer, body = self._patiently("GET", url, None)
            if not isinstance(body, list):
                raise HostError(f"{_path(url)}: GitHub's answer is no list; is the address right?")
            yield body
            following = answer.links.get("next", {}).get("url")
            if following is None:
                return
            if urlsplit(following)[:2] != urlsplit(self.address)[:2]:
                raise HostError(f"{_path(url)}: the next page lies on another host; not followed")
            url = following
        raise HostError(f"{_path(url)}: more than {MAX_PAGES * PAGE_SIZE} entries; not searched")

    def call(self, method: str, path: str, body: object = None) -> Any:
        """The decoded answer. A POST that may have been carried out is not sent twice.

        Raises `ConfigurationError` where token, right or address are wrong, `TryAgainError` when
        GitHub did not answer well within the patience.
        """
        return self._patiently(method, f"{self.address}{path}", body)[1]

    def graphql(self, query: str) -> Any:
        """The `data` of a query; GraphQL lives beside REST on github.com, elsewhere above it."""
        base = self.address.removesuffix("/v3")
        return self._patiently("POST", f"{base}/graphql", {"query": query}, repeats=True)[1]

    def _patiently(
        self, method: str, url: str, body: object, *, repeats: bool = False
    ) -> tuple[requests.Response, Any]:
        def again(error: BaseException) -> bool:
            safe = repeats or method != "POST"
            return isinstance(error, TryAgainError) and (safe or not error.unsure)

        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(again),
            wait=self._wait_s,
            stop=self._give_up,
            sleep=self.sleep,
            reraise=True,
        )
        return retrying(self._once, method, url, body)

    def _once(self, method: str, url: str, body: object) -> tuple[requests.Response, Any]:
        what = f"{method} {_path(url)}"
        try:
            # a redirect would lead a changing request, or the token, elsewhere
            with self._session.request(
                method,
                url,
                json=body,
                stream=True,
                allow_redirects=False,
                timeout=(CONNECT_TIMEOUT_S, self.read_timeout_s),
            ) as answer:
                text = self._text(answer, what)
        except requests.ConnectTimeout as error:
            raise TryAgainError(f"{what}: no connection", unsure=False) from error
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            raise TryAgainError(f"{what}: {_reason(error)}") from error
        check(answer, text, what)
        try:
            return answer, parse_json(text) if text else None
        except ValueError as error:
            begins = sanitise(text[:SHOWN_BYTES].decode(errors="replace"), SHOWN_BYTES)
            raise TryAgainError(
                f"{what}: the answer is not JSON; it has {len(text)} bytes and begins: {begins}"
            ) from error

    def _text(self, answer: requests.Response, what: str) -> bytes:
        """The whole answer; also one that comes in drops has to end."""
        ends_s = self.clock() + self.read_timeout_s
        text = b""
        # what has come, and not before a whole block has: a block in drops would take hours
        while part := answer.raw.read1(1 << 16, decode_content=True):
            text += part
            if len(text) > MAX_ANSWER_BYTES:
                raise HostError(f"{what}: the answer is longer than {MAX_ANSWER_BYTES >> 20} MiB")
            if self.clock() > ends_s:
                raise TryAgainError(f"{what}: no whole answer in {self.read_timeout_s:g} s")
        return text

    def _wait_s(self, state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, TryAgainError) and error.wait_s is not None:
            return error.wait_s
        return tenacity.wait_random_exponential(multiplier=1, max=30)(state)

    def _give_up(self, state: tenacity.RetryCallState) -> bool:
        return (
            state.attempt_number >= ATTEMPTS or self.clock() + state.upcoming_sleep > self._ends_s
        )


class LookAgainError(tenacity.TryAgain):
    """What was written may be there all the same, or is gone; raised from the reason."""


def looking_again(api: Api, write: Callable[[], T]) -> T:
    """What `write` returns, which looks for what is there before it writes.

    Where it raises `LookAgainError` it is called again, a few times, and then the error behind it
    is raised.
    """
    retrying = tenacity.Retrying(
        retry=tenacity.retry_never,
        stop=tenacity.stop_after_attempt(LOOKS),
        wait=tenacity.wait_exponential(multiplier=2),
        sleep=api.sleep,
        reraise=True,
    )
    try:
        return retrying(write)
    except LookAgainError as last:
        raise last.__cause__ or last from None


class _Bearer(requests.auth.AuthBase):
    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


def _reason(error: Exception) -> str:
    if isinstance(error, (requests.Timeout, urllib3.exceptions.TimeoutError)):
        return "no answer in time"
    return "the connection failed or was cut"


def _check_address(address: str) -> None:
    parts = urlsplit(address)
    safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    if not safe or not parts.hostname or parts.username or parts.query:
        raise ConfigurationError(
            f"GITHUB_API_URL {address!r}: allowed: an https address (http on this host only), "
            "so that the token is not sent in the clear"
        )


def _path(url: str) -> str:
    return urlsplit(url).path


def api_of_job(environment: Mapping[str, str]) -> Api:
    """The API with the token of GITHUB_TOKEN. Raises `ConfigurationError` without one."""
    token = environment.get("GITHUB_TOKEN", "").strip()
    if not token.isascii() or not token.isprintable() or not token:
        raise ConfigurationError(
            "GITHUB_TOKEN is not set, or no token: give the job's, as "
            "`env: GITHUB_TOKEN: ${{ github.token }}`; `comment --dry-run` needs none"
        )
    return Api(environment.get("GITHUB_API_URL") or GITHUB_API, token)


def checked_repo(repo: str | None) -> str:
    """The repository as OWNER/NAME, fit for an address. Raises `ConfigurationError`."""
    if not repo or not _REPO.fullmatch(repo):
        raise ConfigurationError(f"--repo {repo or ''!r}: allowed: OWNER/NAME, like octo/app")
    return repo


def login_of(api: Api) -> str:
    """The account that the token writes as; only GraphQL tells it to the token of a job."""
    answer = api.graphql("query { viewer { login } }")
    try:
        return str(answer["data"]["viewer"]["login"])
    except (KeyError, TypeError) as error:
        raise ConfigurationError(
            "GitHub does not say whom GITHUB_TOKEN belongs to; give the token of the job"
        ) from error


def is_author(user: dict[str, Any], login: str) -> bool:
    """Logins are unique, apart from the suffix that GraphQL leaves out of an app's."""
    name = user.get("login")
    return name == login or (user.get("type") == "Bot" and name == f"{login}[bot]")


# --- Meaning of an answer of GitHub: fine, later, or never, and then what to do -------------------


RATE_LIMITED = "GitHub limits the rate of requests"
# GitHub's advice for a limit that names no time
UNNAMED_WAIT_S = 60.0


def is_rate_limit(status: int, headers: Mapping[str, str], message: str) -> bool:
    """Whether an answer means "later", and not "never": GitHub uses 403 for both."""
    if status == 429:
        return True
    named = "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
    return status == 403 and (named or "rate limit" in message.lower())


def retry_after_s(headers: Mapping[str, str], now_s: float) -> float:
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
    status, message = answer.status_code, _message(text)
    if is_rate_limit(status, answer.headers, message):
        wait_s = retry_after_s(answer.headers, time.time())
        delay_words = f"asks to wait {wait_s:.0f} s" if wait_s else "does not say how long"
        raise TryAgainError(f"{what}: {RATE_LIMITED} and {delay_words}", wait_s, unsure=False)
    if status >= 500:
        raise TryAgainError(f"{what}: GitHub answers {status}{message}; try again later")
    if status == 401:
        raise ConfigurationError(
            f"{what}: 401{message}; GITHUB_TOKEN is wrong or has expired: give a valid one"
        )
    if status == 403:
        raise ConfigurationError(
            f"{what}: 403{message}; the token lacks a right: the job needs "
            "`permissions: pull-requests: write` (for issues `issues: write`), and an unlocked "
            "conversation"
        )
    if status in (404, 410):
        raise MissingError(
            f"{what}: {status}{message}; there is no such repository, pull request, issue or "
            "comment, or the token may not see it: check --repo, --pull-request and the "
            "token's rights"
        )
    if not 200 <= status < 300:
        raise ConfigurationError(f"{what}: GitHub answers {status}{message}")


def _message(text: bytes) -> str:
    """GitHub's own words, made fit for one line of a log."""
    try:
        plain = sanitise(str(parse_json(text)["message"]), 200)
    except (ValueError, KeyError, TypeError):
        return ""
    return f" ({plain})" if plain else ""
