"""What files say of one request, the same in `matrix.toml` and `springbench.toml`, and of a login.

Rows, and the templates that they become.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal, Self
from urllib.parse import quote_plus

from pydantic import Field, PrivateAttr, StringConstraints

from springbench.matrix.fields import Id, Route, Row, Word
from springbench.matrix.templates import Escape, RequestTemplate, Text, merge, parse

# HEAD is left out: wrk waits for a body that does not come
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
HeaderName = Annotated[str, StringConstraints(pattern=r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")]
HeaderValue = Annotated[str, StringConstraints(pattern=r"^[ -~]*$")]
# above 399 wrk counts an answer as an error
Success = Annotated[int, Field(strict=True, ge=200, le=399)]
Weights = Annotated[
    dict[Id, Annotated[int, Field(strict=True, ge=0, le=1000)]], Field(min_length=1)
]
# what bytes that are no text are decoded to
_NO_TEXT = re.compile("[\udc80-\udcff]")
_SHOWN_BODY = 4_096
_JSON, _FORM = "application/json", "application/x-www-form-urlencoded"


class RequestRow(Row):
    """One request: its method, headers and body, and what its answers must be.

    In `headers`, the body and the path placeholders are filled in (`templates.py`). `body_file`
    and `rows`, a CSV with a heading, are files beside this one; `form` is a body of its own kind,
    and `body_bytes` one of so many letters.
    Success is `status`; where they are named, bodies must contain `contains`, and as JSON have
    something at `json_path`, like `orders.0.id`.
    """

    method: Method = "GET"
    headers: dict[HeaderName, HeaderValue] = {}
    body: str | None = None
    body_file: Word | None = None
    body_bytes: Annotated[int, Field(strict=True, ge=1, le=64 << 20)] | None = None
    form: dict[str, str] | None = None
    rows: Word | None = None
    status: Success = 200
    contains: Word | None = None
    json_path: Word | None = None
    _rows: tuple[dict[str, str], ...] = PrivateAttr(())

    @property
    def read_rows(self) -> tuple[dict[str, str], ...]:
        """The rows of its CSV, once it is read."""
        return self._rows

    def with_rows(self, rows: Sequence[dict[str, str]]) -> Self:
        """The same with the rows of its CSV."""
        found = self.model_copy()
        found._rows = tuple(rows)
        return found

    def takes_request(self, row: RequestRow) -> Self:
        """The same with the request of another row, its files included."""
        taken = {name: getattr(row, name) for name in RequestRow.model_fields}
        return self.model_copy(update=taken).with_rows(row.read_rows)

    def template(self, name: str, path: str | Text) -> RequestTemplate:
        """What is sent. Raises `TemplateError` for an unknown placeholder."""
        headers = dict(self.headers)
        headers_by_name = {name.lower(): value for name, value in headers.items()}
        text, kind = self._body()
        if text is not None and kind and "content-type" not in headers_by_name:
            headers["Content-Type"] = headers_by_name["content-type"] = kind
        return RequestTemplate(
            name=name,
            path=parse(path) if isinstance(path, str) else path,
            method=self.method,
            headers=tuple((name, parse(value)) for name, value in headers.items()),
            body=text,
            escape=_escape(text, headers_by_name.get("content-type", "")),
            rows=self._rows,
            status=self.status,
            contains=self.contains,
            json_path=self.json_path,
        )

    def _body(self) -> tuple[Text | None, str]:
        """The body, and what kind it is unless a header says so."""
        if self.form is not None:
            pairs = [(quote_plus(name), _quoted(value)) for name, value in self.form.items()]
            parts = [part for name, text in pairs for part in ("&", f"{name}=", *text)]
            return merge(*parts[1:]), _FORM
        if self.body is None:
            return None, ""
        kind = _JSON if self.body.lstrip()[:1] in ("{", "[") else ""
        # what is no text has nothing to fill in
        return ((self.body,) if is_binary(self.body) else parse(self.body)), kind

    @property
    def identity(self) -> list[object]:
        """What tells it from another request; nothing of a plain GET. No secret is in it."""
        headers, body = sorted(self.headers.items()), self.form or self.body
        if isinstance(body, str) and len(body) > _SHOWN_BODY:
            body = _fingerprint(body)
        rows = [list(row.items()) for row in self._rows]
        found: list[object] = [self.method, headers, body, rows, self.status]
        return [] if found == ["GET", [], None, [], 200] else found


@functools.lru_cache
def _fingerprint(body: str) -> str:
    """Of a body that may have a MiB, for thousands of cases; its text is hashed once."""
    return hashlib.sha256(body.encode(errors="backslashreplace")).hexdigest()


class Login(RequestRow):
    """A request that each process gets once, before its warm-up; `{token}` is taken from its
    answer: `json:access_token`, `header:NAME` or `cookie:NAME`. Without a `status` it may have any
    from 200 to 399."""

    method: Method = "POST"
    path: Route
    token: Annotated[str, StringConstraints(pattern=r"^(json|header|cookie):[!-~]+$")]


def _quoted(value: str) -> Text:
    return tuple(quote_plus(part) if isinstance(part, str) else part for part in parse(value))


def _escape(body: Text | None, kind: str) -> Escape:
    """How values are written in a body of that kind; one that is all of it stands as it is."""
    if body is None or len(body) == 1:
        return "none"
    return "json" if "json" in kind.lower() else "form" if _FORM in kind.lower() else "none"


def is_binary(text: str) -> bool:
    """Whether a body has bytes that are no text."""
    return not text.isascii() and _NO_TEXT.search(text) is not None


def login_template(login: Login) -> RequestTemplate:
    """What is sent to log in. Unless it names a status, the token tells whether that was done: who
    makes a session answers 201, and a form redirects."""
    any_success = "status" not in login.model_fields_set
    return replace(login.template("login", login.path), any_success=any_success)
