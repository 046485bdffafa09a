"""What a process is asked with: its token, the numbers of its requests, and what is kept secret."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import threading
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any, NamedTuple

from springbench.errors import CaseError
from springbench.matrix.requests import Login, login_template
from springbench.matrix.templates import (
    ENCODING,
    ERRORS,
    Escape,
    Number,
    Part,
    Random,
    RequestTemplate,
    Secret,
    Text,
    escaped,
)
from springbench.measure.services.http import Answer

# numbers of a load: more than it can send, so that no two loads of a process have one in common
NUMBERS_OF_A_LOAD = 10_000_000
# shorter texts are too frequent to be taken out of anything
_LEAST_SECRET = 4
REDACTED = "***"
_MOST_LETTERS = 200
LINE_BREAK = re.compile(r"[\r\n]")
_secrets: set[str] = set()


class Sent(NamedTuple):
    """One request, filled in."""

    method: str
    path: str
    headers: Mapping[str, bytes]
    body: bytes | None


def redact(text: str) -> str:
    """The text without any secret that a request was filled with."""
    # the longest first: one may be a part of another
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, REDACTED)
    return text


def _keep_secret(value: str) -> str:
    if len(value) >= _LEAST_SECRET:
        _secrets.update((value, json.dumps(value)[1:-1], escaped(value, "json")))
    return value


@dataclass(eq=False)
class Session:
    """Of one process. Threads may share it."""

    login: Login | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    _token: str | None = None
    _loads: int = 0
    _sent: int = 0
    _drawn: random.Random = field(default_factory=lambda: random.Random(1))  # noqa: S311
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def filled(self, templates: Sequence[RequestTemplate]) -> tuple[RequestTemplate, ...]:
        """The templates with token and variables. Raises `CaseError` where one is not there."""
        return tuple(
            template.filled(self._value) if template.secrets else template for template in templates
        )

    def first_number(self) -> int:
        """The first number of another load."""
        with self._lock:
            self._loads += 1
            return self._loads * NUMBERS_OF_A_LOAD

    def single(self, template: RequestTemplate) -> Sent:
        """A request of its own, as one of a load. Raises `CaseError` as above."""
        with self._lock:
            self._sent += 1
            number = self._sent
        return sent(self.filled([template])[0], number, self._drawn)

    def log_in(self, ask: Callable[[RequestTemplate], Answer]) -> None:
        """Take the token from an answer. Raises `CaseError` where there is none."""
        if self.login is None:
            return
        template = login_template(self.login)
        answer = ask(template)
        found = _token_in(answer, self.login.token)
        if not found:
            raise CaseError(
                f"login: {template.title} was answered {answer.status} without {self.login.token}"
                f"{_available_places(answer, self.login.token)}"
            )
        if LINE_BREAK.search(found):
            raise CaseError(f"login: the token at {self.login.token} has a line break")
        self._token = _keep_secret(found)

    def _value(self, secret: Secret) -> str:
        if secret.variable is None:
            if self._token is None:
                raise CaseError("{token} is not known: nobody has logged in")
            return self._token
        value = self.environment.get(secret.variable)
        if value is None:
            raise CaseError(f"{{env:{secret.variable}}} is not set")
        return _keep_secret(value)


def sent(template: RequestTemplate, number: int, drawn: random.Random) -> Sent:
    """A request of a template that has no secrets left."""

    def fill(text: Text, escape: Escape = "none") -> str:
        return "".join(_text_of(part, template, number, drawn, escape) for part in text)

    body = None if template.body is None else fill(template.body, template.escape)
    return Sent(
        template.method,
        fill(template.path, "path"),
        {name: fill(value).encode(ENCODING, ERRORS) for name, value in template.headers},
        None if body is None else body.encode(ENCODING, ERRORS),
    )


def _text_of(
    part: Part, template: RequestTemplate, number: int, drawn: random.Random, escape: Escape
) -> str:
    if isinstance(part, Number):
        return str(number)
    if isinstance(part, Random):
        return str(drawn.randint(part.least, part.most))
    return template.values(part, number, escape) or ""


def mismatch(template: RequestTemplate, answer: Answer) -> str:
    """What an answer was, where it is not what it must be; empty where it is."""
    if not template.accepts(answer.status):
        return redact(answer.description)
    if template.contains is None and template.json_path is None:
        return ""
    body = decoded(answer)
    if template.contains is not None and template.contains.encode() not in body:
        return f"{answer.status} without {template.contains[:_MOST_LETTERS]!r}"
    if template.json_path is not None and at_path(body, template.json_path) is None:
        return f"{answer.status} without {template.json_path[:_MOST_LETTERS]} in JSON"
    return ""


def shown_headers(answer: Answer) -> dict[str, str]:
    """The headers of an answer without what is secret."""
    return {name: redact(value) for name, value in answer.headers.items()}


def expected(template: RequestTemplate) -> str:
    """What an answer must be, in a few words."""
    words = ["200 to 399" if template.any_success else str(template.status)]
    if template.contains is not None:
        words.append(f"with {template.contains[:_MOST_LETTERS]!r}")
    if template.json_path is not None:
        words.append(f"with {template.json_path[:_MOST_LETTERS]} in JSON")
    return " ".join(words)


def decoded(answer: Answer) -> bytes:
    """The body as it was before it was compressed; as it came where nobody can tell."""
    kind = next((v for n, v in answer.headers.items() if n.lower() == "content-encoding"), "")
    try:
        if kind == "gzip":
            return gzip.decompress(answer.body)
        return zlib.decompress(answer.body) if kind == "deflate" else answer.body
    except (OSError, zlib.error, EOFError):
        return answer.body


def at_path(body: bytes, path: str) -> Any:
    """What a JSON document has at `orders.0.id`; None where it has nothing there."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    for step in path.split("."):
        if isinstance(found, dict):
            found = found.get(step)
        elif isinstance(found, list) and step.isdigit() and int(step) < len(found):
            found = found[int(step)]
        else:
            return None
    return found


def _token_in(answer: Answer, where: str) -> str:
    kind, _, name = where.partition(":")
    if kind == "json":
        found = at_path(decoded(answer), name)
        return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else ""
    if kind == "header":
        return next((v for n, v in answer.headers.items() if n.lower() == name.lower()), "")
    return _cookies(answer).get(name, "")


def _cookies(answer: Answer) -> dict[str, str]:
    found: dict[str, str] = {}
    for value in answer.cookies:
        try:
            found |= {name: morsel.value for name, morsel in SimpleCookie(value).items()}
        except CookieError:
            continue
    return found


def _available_places(answer: Answer, where: str) -> str:
    """The names of what an answer has in that place: never a value."""
    kind = where.partition(":")[0]
    if kind == "json":
        try:
            document = json.loads(decoded(answer))
        except (ValueError, RecursionError):
            return "; its body is no JSON"
        names: Collection[str] = document if isinstance(document, dict) else ()
    else:
        names = answer.headers if kind == "header" else _cookies(answer)
    listed = ", ".join(sorted(names)[:10])
    return f"; it has {listed}" if listed else ""
