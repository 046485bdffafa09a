"""Asks a running program what it answers: nothing but GETs, and the login that is declared.

Each route is asked once; what needs a login once more with it, and what is slow once more.
Variables of a path are filled with what the answer of the route above it shows: `/owners/{id}` with
an id of `/owners`.
"""

from __future__ import annotations

import http.client
import json
import re
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit

from springbench import units
from springbench.errors import CaseError, ConfigurationError
from springbench.matrix.requests import RequestRow
from springbench.matrix.templates import RequestTemplate
from springbench.measure.services.http import Answer, request
from springbench.measure.session import Session, expected, mismatch
from springbench.project.startup_log import ANY, Route

PATIENCE_S = 10.0
SLOW_S = 1.0
"""An answer that takes longer, with nobody else asking, is not for a load of many connections."""
LOADED = ("GET", ANY, "POST", "PUT", "PATCH", "DELETE")
"""Methods of routes that are listed: HEAD and OPTIONS are no load by themselves."""
_VARIABLE = re.compile(r"\{\*?([A-Za-z_]\w*)(?::[^{}]*(?:\{[^{}]*\}[^{}]*)*)?\}")
_MOST_ASKED = 200
_MOST_BYTES = 4_000_000
_MOST_RESOURCES = 12
_DEPTH = 3
_LINK = re.compile(rb"""href=["']([^"'#?\s]+)""")
# /users/deleteAll has the words users, delete and all
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CHANGING = (
    *("delete", "del", "remove", "destroy", "drop", "purge", "truncate", "clear", "reset"),
    *("erase", "wipe", "flush", "evict", "revoke", "unsubscribe", "disable", "deactivate"),
    *("logout", "logoff", "signout", "shutdown", "restart", "stop", "kill", "cancel", "abort"),
    *("terminate", "rollback", "save", "insert", "persist", "send", "publish", "produce"),
)
# of a route that takes every method; a GET of such a name is mostly a form
_CHANGING_FORMS = ("add", "create", "edit", "update", "modify", "register", "upload", "import")
# a UUID, or what MongoDB and hashes look like
_DRAWN = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|/[0-9a-f]{24,}(?:/|$)")
# params [author && !tag], headers [X-Version=2]
_CONDITIONS = re.compile(r"\b(?:params|headers) \[([^\]]+)\]")
_LOGIN = re.compile(r"(?i)log-?in|signin|sign-in|oauth|sso|authorize")
LOGIN = "needs a login"
"""The obstacle of a route that answers nobody else."""
_OTHER_LOGIN = "needs another login than the declared one"
_FORBIDDEN = http.client.FORBIDDEN
_UNAUTHORIZED = (http.client.UNAUTHORIZED, _FORBIDDEN)
# what a value is answered with that was none
_NO_VALUE = (http.client.BAD_REQUEST, http.client.NOT_FOUND)
_ACCEPTED = {"Accept": "application/json, text/html;q=0.9, */*;q=0.8"}
_OF_A_SCRIPT = {"Accept": "application/json"}


@dataclass(frozen=True)
class RouteProbe:
    """A route, and what it answered; `path` is what was asked for."""

    route: Route
    path: str
    status: int | None = None
    size_bytes: int = 0
    took_s: float = 0.0
    obstacle: str = ""
    """Why it cannot be loaded as it is; empty for one that answered 200 with content."""

    @property
    def is_ready(self) -> bool:
        """Whether it can be loaded as it is."""
        return not self.obstacle


@dataclass
class Program:
    """A program that listens, and what is known of its routes."""

    port: int
    tls: bool = False
    answers: dict[str, Answer | None] = field(default_factory=dict)
    """Of each path that was asked for, once; None where there was none."""
    took_s: dict[str, float] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    """With which it is asked again where it needs a login; they may hold placeholders."""
    session: Session = field(default_factory=Session)
    """What placeholders are filled with."""
    behind_login: dict[str, int] = field(default_factory=dict)
    """Paths that answer with these headers alone, and their status without them."""
    is_guessed: bool = False
    """Whether nobody has declared these headers: they are given up where they are refused."""
    challenge: str | None = None
    """The scheme that it asks for by `WWW-Authenticate`, in lower case; empty where it asked for
    none, and None where nothing needed a login."""
    _literals: frozenset[str] = frozenset()
    """Paths of routes without variables: what they end with is no value of one."""

    def get(self, path: str) -> Answer | None:
        """The answer to a path; None where there was none."""
        if path not in self.answers and len(self.answers) < _MOST_ASKED:
            answer = self._get(path, {})
            if answer is None and not any(self.answers.values()):
                # the first request may wait for what the start has left to do
                answer = self._get(path, {})
            if answer is not None and _wants_login(answer):
                if self.challenge is None:
                    # a browser is sent to a form, a script gets a status
                    script = self._get(path, _OF_A_SCRIPT)
                    self.challenge = _challenge(answer) or (_challenge(script) if script else "")
                again = self._get(path, self.headers) if self.headers else None
                if again is not None and not _wants_login(again):
                    self.behind_login[path] = answer.status
                    answer = again
                elif again is not None and self.is_guessed and again.status != _FORBIDDEN:
                    self.headers = {}
            self.answers[path] = answer
        return self.answers.get(path)

    def _get(self, path: str, headers: Mapping[str, str]) -> Answer | None:
        begin_s = time.perf_counter()
        answer = None
        with suppress(OSError, http.client.HTTPException, ValueError):
            answer = self._send(RequestRow(headers={**_ACCEPTED, **headers}).template("", (path,)))
        self.took_s[path] = time.perf_counter() - begin_s
        return answer

    def _send(self, template: RequestTemplate) -> Answer:
        sent = self.session.single(template)
        return request(
            self.port,
            sent.path,
            timeout_s=PATIENCE_S,
            method=sent.method,
            headers=sent.headers,
            body=sent.body,
            tls=_of_anybody() if self.tls else None,
        )

    def log_in(self) -> None:
        """Send the declared login, if there is one, and take its token. Raises `ConfigurationError`
        where that fails, or a variable of the environment is not set."""
        try:
            self.session.log_in(self._checked)
            self.session.filled([RequestRow(headers=dict(self.headers)).template("", "/")])
        except CaseError as error:
            raise ConfigurationError(str(error)) from error

    def _checked(self, template: RequestTemplate) -> Answer:
        """The answer to a login. Raises `CaseError` for another one than it must be."""
        try:
            answer = self._send(template)
        except (OSError, http.client.HTTPException) as error:
            raise CaseError(f"login: {template.title} gave no answer: {error!r}") from error
        if wrong := mismatch(template, answer):
            raise CaseError(f"login: {template.title} answered {wrong}, not {expected(template)}")
        return answer

    def text(self, path: str) -> str:
        """What a path answers with 200; empty where it does not."""
        answer = self.get(path)
        if answer is None or answer.status != http.client.OK:
            return ""
        return answer.body[:_MOST_BYTES].decode("utf-8", "replace")

    def document(self, path: str) -> Any:
        """The JSON that a path answers; None where it answers none."""
        answer = self.get(path)
        return None if answer is None or answer.status != http.client.OK else _json(answer)

    def ask(self, routes: Sequence[Route]) -> list[RouteProbe]:
        """Ask for each route that takes a GET: those without variables first, which may show values
        for others."""
        chosen = [route for route in routes if route.method in LOADED]
        self._literals = frozenset(route.path for route in routes if "{" not in route.path)
        ordered = sorted(chosen, key=lambda route: (len(_VARIABLE.findall(route.path)), route.path))
        return [probe for route in ordered for probe in self._ask(route)]

    def _ask(self, route: Route) -> Iterator[RouteProbe]:
        """One probe; several for a route whose variable stands for one of several resources."""
        if obstacle := _of_name(route):
            yield RouteProbe(route, route.path, obstacle=obstacle)
            return
        paths = list(self._filled(route.path))
        if not paths:
            yield RouteProbe(route, route.path, obstacle=_of_variables(route.path))
        for path in paths:
            answer = self.get(path)
            if answer is None:
                yield RouteProbe(route, path, obstacle=self._of_silence(path))
                continue
            size = len(answer.body)
            obstacle = _of_answer(answer, route) or _of_value(path, route) or self._of_time(path)
            if path != route.path and answer.status in _NO_VALUE:
                obstacle = f"{_of_variables(route.path)}: {path} answers {answer.status}"
            if obstacle == LOGIN and self.headers:
                obstacle = _OTHER_LOGIN
            yield RouteProbe(route, path, answer.status, size, self.took_s[path], obstacle)

    def _of_time(self, path: str) -> str:
        """Of a route that is slow even the second time: at first, much is loaded and opened."""
        if self.took_s[path] > SLOW_S:
            first_s = self.took_s[path]
            self._get(path, self.headers if path in self.behind_login else {})
            self.took_s[path] = min(first_s, self.took_s[path])
        if self.took_s[path] <= SLOW_S:
            return ""
        return f"answers 200, but after {units.seconds(self.took_s[path])} with nobody else asking"

    def _of_silence(self, path: str) -> str:
        if path not in self.answers:
            return f"was not asked for: {_MOST_ASKED} others were"
        return f"does not answer within {PATIENCE_S:g} s"

    def _filled(self, template: str) -> Iterator[str]:
        """The path with its variables filled in; none where nothing shows a value."""
        if "*" in _VARIABLE.sub("", template):
            return
        found = _VARIABLE.search(template)
        if found is None:
            yield template
            return
        before, behind = template[: found.start()], template[found.end() :]
        for value in self._values(before, found[1], template):
            yield from self._filled(before + quote(value, safe="") + behind)

    def _values(self, before: str, name: str, path: str) -> list[str]:
        """Of a variable, by what the route above it answers: the names of all resources that it
        lists, or of the first row; else by a list next to it."""
        return self._values_above(before, name, path) or list(
            islice(self._values_beside(before, name), 1)
        )

    def _values_beside(self, before: str, name: str) -> Iterator[str]:
        """Of a variable, in the lists of other routes: `/orders/all` shows some for
        `/orders/{id}`, and `/orders/list` for `/orders/one/{id}`."""
        above = before.rstrip("/")
        owner, _, noun = above.rpartition("/")
        for place in filter(None, (above, owner)):
            for path in sorted(
                literal for literal in self._literals if literal.startswith(f"{place}/")
            ):
                answer = self.answers.get(path)
                if answer is not None and answer.status == http.client.OK:
                    rows = [row for row in _rows(_json(answer), _DEPTH) if isinstance(row, dict)]
                    yield from (v for v in _ids_in(rows, name, noun) if self._is_free(before, v))

    def _values_above(self, before: str, name: str, path: str) -> list[str]:
        above = before.rstrip("/") or "/"
        answer = self.get(above)
        if (answer is None or answer.status != http.client.OK) and before.endswith("/"):
            answer = self.get(before) or answer
        owner, _, noun = above.rpartition("/")
        if answer is None or answer.status != http.client.OK:
            # a row may show what belongs to it: /owners/1 its pets
            above = owner or "/"
            answer = self.get(above)
            if answer is None or answer.status != http.client.OK:
                return []
            row = _json(answer)
            document = row.get(noun) if isinstance(row, dict) else row
        else:
            document = _json(answer)
            resources = _resources_in(document, above)
            if found := [resource for resource in resources if self._is_free(before, resource)]:
                return found[:_MOST_RESOURCES]
        if document is None:
            ids = _ids_in_links(answer.body, above, before, path)
        else:
            ids = _ids_in(document, name, noun)
        return list(islice((candidate for candidate in ids if self._is_free(before, candidate)), 1))

    def _is_free(self, before: str, value: str) -> bool:
        """Whether no other route has the path that the value makes."""
        return f"{before}{value}" not in self._literals


def _json(answer: Answer) -> Any:
    """The body of an answer; None for what is no JSON."""
    try:
        return json.loads(answer.body[:_MOST_BYTES])
    except (ValueError, RecursionError):
        return None


def _resources_in(document: Any, above: str) -> list[str]:
    """Names of the resources that an index in hypermedia links to, right below itself."""
    links = document.get("_links") if isinstance(document, dict) else None
    if not isinstance(links, dict) or "_embedded" in document:
        return []
    pattern = re.compile(re.escape(above.rstrip("/")) + r"/([\w.~%-]+)/?")
    hrefs = (link.get("href") for link in links.values() if isinstance(link, dict))
    paths = (urlsplit(href.partition("{")[0]).path for href in hrefs if isinstance(href, str))
    return [unquote(found[1]) for path in paths if (found := pattern.fullmatch(path))]


def _of_anybody() -> ssl.SSLContext:
    """Accepts any certificate: it is this host's own program that is asked, once."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _ids_in(document: Any, name: str, noun: str) -> Iterator[str]:
    """Values of a variable in a list or a page of objects: under its own name, or as an id."""
    # of orderNumber, number
    last = (_WORD.findall(name) or [name])[-1].lower()
    keys = (name, last, "id", f"{noun.removesuffix('s')}Id", "uuid", "key", "code", "name")
    for row in _rows(document, _DEPTH):
        if isinstance(row, dict):
            for key in keys:
                if isinstance(row.get(key), str | int) and not isinstance(row.get(key), bool):
                    yield str(row[key])
            for link in _links(row):
                yield urlsplit(link).path.rstrip("/").rpartition("/")[2]
        elif isinstance(row, str | int) and not isinstance(row, bool):
            yield str(row)


def _rows(document: Any, depth: int) -> Iterator[Any]:
    """The elements of the first lists in a document."""
    if isinstance(document, list):
        yield from document
    elif isinstance(document, dict) and depth:
        for value in document.values():
            if isinstance(value, list | dict):
                yield from _rows(value, depth - 1)


def _links(row: Mapping[str, Any]) -> Iterator[str]:
    """As hypermedia has them: the link of a row to itself."""
    links = row.get("_links")
    self_link = links.get("self") if isinstance(links, dict) else None
    if (
        isinstance(self_link, dict)
        and isinstance(self_link.get("href"), str)
        and "{" not in self_link["href"]
    ):
        yield self_link["href"]


def _ids_in_links(page: bytes, place: str, before: str, path: str) -> Iterator[str]:
    """Values of the next variable in the links of the page at `place` that lead to such a path."""
    tail = _VARIABLE.sub("[^/]+", path[len(before) :].partition("/")[2])
    pattern = re.compile(re.escape(before) + r"([\w.~-]+)" + (rf"/{tail}" if tail else "") + "$")
    loose = re.compile(re.escape(before) + r"(\d[\w.~-]*)(?:/|$)")
    links = [urljoin(place, address.decode("utf-8", "replace")) for address in _LINK.findall(page)]
    for link_pattern in (pattern, loose):
        for link in links:
            if found := link_pattern.match(urlsplit(link).path):
                yield found[1]


def _of_name(route: Route) -> str:
    """Of a route that is not asked for, since that may change something."""
    if route.method not in ("GET", ANY):
        return f"needs lines of your own: {route.method} may change something"
    words = _CHANGING if route.method == "GET" else _CHANGING + _CHANGING_FORMS
    if changing := changing_word(route.path, words):
        return f"was not asked for: by its name, to {changing} changes something"
    # without them, another route of the same path would answer
    return f"needs {route.needs}" if _has_conditions(route.needs) else ""


def changing_word(path: str, changing: Sequence[str] = _CHANGING) -> str:
    """A word of a path that names a change; empty for none."""
    words = {word.lower() for word in _WORD.findall(path)}
    return next((word for word in changing if word in words), "")


def _has_conditions(needs: str) -> bool:
    """Whether a plain request never gets to a route of Spring, for its parameters or headers."""
    words = (word for row in _CONDITIONS.findall(needs) for word in row.split(" && "))
    return needs.startswith("?") or any(
        not word.startswith("!") and "!=" not in word for word in words
    )


def _of_variables(path: str) -> str:
    names = [f"{{{name}}}" for name in _VARIABLE.findall(path)]
    value = f"a value for {', '.join(names)}" if names else "a path in the place of the pattern"
    return f"needs {value}"


def _of_value(path: str, route: Route) -> str:
    """Of a value that is drawn, perhaps at each start: a database in memory has others then."""
    if path != route.path and _DRAWN.search(path):
        return "answers 200, but its id may be another after a restart"
    return ""


def _header(answer: Answer, name: str) -> str:
    return next((v for n, v in answer.headers.items() if n.lower() == name), "")


def _wants_login(answer: Answer) -> bool:
    redirects = 300 <= answer.status < 400
    return answer.status in _UNAUTHORIZED or (
        redirects and _LOGIN.search(_header(answer, "location")) is not None
    )


def _challenge(answer: Answer) -> str:
    return _header(answer, "www-authenticate").partition(" ")[0].lower()


def _of_answer(answer: Answer, route: Route) -> str:
    status = answer.status
    if _wants_login(answer):
        return LOGIN
    target = _header(answer, "location")
    if 300 <= status < 400:
        return f"redirects to {urlsplit(target).path[:80] or target[:80]}"
    if status == http.client.OK:
        return "" if answer.body else "has an empty answer"
    if status == http.client.BAD_REQUEST:
        return f"needs {route.needs or 'parameters'}"
    if status == http.client.UNSUPPORTED_MEDIA_TYPE:
        return "needs a body"
    return f"answers {status}"


def choose_routes(probes: Sequence[RouteProbe], most: int = 8) -> list[RouteProbe]:
    """The routes to load: each that is ready, short paths first; lists before single rows."""
    ready = [probe for probe in probes if probe.is_ready]
    unique = {probe.path: probe for probe in reversed(ready)}
    return sorted(unique.values(), key=lambda probe: (probe.path.count("/"), len(probe.path)))[
        :most
    ]
