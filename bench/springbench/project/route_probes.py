"""Asks a running program what it answers: each GET once, and nothing but GETs.

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
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

from springbench.measure.services.http import Answer, request
from springbench.project.startup_log import ANY, Route

PATIENCE_S = 10.0
_VARIABLE = re.compile(r"\{\*?([A-Za-z_]\w*)(?::[^{}]*(?:\{[^{}]*\}[^{}]*)*)?\}")
_MOST_ASKED = 200
_MOST_BYTES = 4_000_000
_DEPTH = 3
_LINK = re.compile(rb"""href=["']([^"'#?\s]+)""")
_LOGIN = re.compile(r"(?i)log-?in|signin|sign-in|oauth|sso|authorize")
# of those that a route asks for in vain
_UNAUTHORIZED = (401, 403)


@dataclass(frozen=True)
class RouteProbe:
    """A route, and what it answered; `path` is what was asked for."""

    route: Route
    path: str
    status: int | None = None
    size_bytes: int = 0
    took_s: float = 0.0
    needs: str = ""
    """What it lacks to be loaded as it is; empty for one that answered 200 with content."""

    @property
    def is_ready(self) -> bool:
        """Whether it can be loaded as it is."""
        return not self.needs


@dataclass
class Program:
    """A program that listens, and what is known of its routes."""

    port: int
    tls: bool = False
    answers: dict[str, Answer] = field(default_factory=dict)
    """Of each path that was asked for, once."""
    took_s: dict[str, float] = field(default_factory=dict)

    def get(self, path: str) -> Answer | None:
        """The answer to a path; None where there was none."""
        if path not in self.answers and len(self.answers) < _MOST_ASKED:
            begin_s = time.perf_counter()
            try:
                self.answers[path] = request(
                    self.port,
                    path,
                    timeout_s=PATIENCE_S,
                    headers={"Accept": "application/json, text/html;q=0.9, */*;q=0.8"},
                    tls=_of_anybody() if self.tls else None,
                )
            except (OSError, http.client.HTTPException, ValueError):
                return None
            self.took_s[path] = time.perf_counter() - begin_s
        return self.answers.get(path)

    def document(self, path: str) -> Any:
        """The JSON that a path answers; None where it answers none."""
        answer = self.get(path)
        if answer is None or answer.status != http.client.OK:
            return None
        try:
            return json.loads(answer.body[:_MOST_BYTES])
        except (ValueError, RecursionError):
            return None

    def ask(self, routes: Sequence[Route]) -> list[RouteProbe]:
        """Ask for each route that takes a GET: those without variables first, which may show values
        for others."""
        # others than these two are no load by themselves
        chosen = [each for each in routes if each.method not in ("HEAD", "OPTIONS")]
        ordered = sorted(chosen, key=lambda each: (len(_VARIABLE.findall(each.path)), each.path))
        return [self._ask(each) for each in ordered]

    def _ask(self, route: Route) -> RouteProbe:
        if route.method not in ("GET", ANY):
            return RouteProbe(route, route.path, needs=_of_method(route))
        path = self._filled(route.path)
        if path is None:
            return RouteProbe(route, route.path, needs=_of_variables(route.path))
        answer = self.get(path)
        if answer is None:
            return RouteProbe(route, path, needs=_of_silence(self))
        return RouteProbe(
            route,
            path,
            answer.status,
            len(answer.body),
            self.took_s[path],
            _lack_of(answer, route),
        )

    def _filled(self, template: str) -> str | None:
        """The path with its variables filled in; None where nothing shows a value."""
        path = template
        if "*" in _VARIABLE.sub("", path):
            return None
        while found := _VARIABLE.search(path):
            value = self._value(path[: found.start()], found[1], path)
            if value is None:
                return None
            path = path[: found.start()] + quote(value, safe="") + path[found.end() :]
        return path

    def _value(self, before: str, name: str, path: str) -> str | None:
        """Of a variable, by what the route above it answers."""
        above = before.rstrip("/") or "/"
        answer = self.get(above)
        owner, _, noun = above.rpartition("/")
        if answer is None or answer.status != http.client.OK:
            # a row may show what belongs to it: /owners/1 its pets
            row = self.document(owner or "/")
            belonging = row.get(noun) if isinstance(row, dict) else None
            return next(_ids_in(belonging, name, noun), None)
        document = self.document(above)
        if document is not None:
            return next(_ids_in(document, name, noun), None)
        return next(_ids_in_links(answer.body, before, path), None)


def _of_anybody() -> ssl.SSLContext:
    """Accepts any certificate: it is this host's own program that is asked, once."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _ids_in(document: Any, name: str, noun: str) -> Iterator[str]:
    """Values of a variable in a list or a page of objects: under its own name, or as an id."""
    keys = (name, "id", f"{noun.removesuffix('s')}Id", "uuid", "key", "code", "name")
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
    own = links.get("self") if isinstance(links, dict) else None
    if isinstance(own, dict) and isinstance(own.get("href"), str) and "{" not in own["href"]:
        yield own["href"]


def _ids_in_links(page: bytes, before: str, path: str) -> Iterator[str]:
    """Values of the next variable in the links of a page that lead to such a path."""
    rest = _VARIABLE.sub("[^/]+", path[len(before) :].partition("/")[2])
    pattern = re.compile(re.escape(before) + r"([\w.~-]+)" + (rf"/{rest}" if rest else "") + "$")
    loose = re.compile(re.escape(before) + r"(\d[\w.~-]*)(?:/|$)")
    links = [each.decode("utf-8", "replace") for each in _LINK.findall(page)]
    for wanted in (pattern, loose):
        for link in links:
            if found := wanted.match(urlsplit(link).path):
                yield found[1]


def _of_silence(program: Program) -> str:
    if len(program.answers) >= _MOST_ASKED:
        return f"a request: {_MOST_ASKED} others were sent before"
    return f"an answer: there was none within {PATIENCE_S:g} s"


def _of_method(route: Route) -> str:
    return f"lines of your own: {route.method} changes something"


def _of_variables(path: str) -> str:
    names = [f"{{{name}}}" for name in _VARIABLE.findall(path)]
    return f"a value for {', '.join(names)}" if names else "a path in the place of the pattern"


def _lack_of(answer: Answer, route: Route) -> str:
    status = answer.status
    target = next((v for n, v in answer.headers.items() if n.lower() == "location"), "")
    if status in _UNAUTHORIZED or (300 <= status < 400 and _LOGIN.search(target)):
        return "a login"
    if 300 <= status < 400:
        return f"nothing: it redirects to {urlsplit(target).path[:80] or target[:80]}"
    if status == http.client.OK:
        return "" if answer.body else "content: the answer is empty"
    if status == http.client.BAD_REQUEST:
        return route.needs or "parameters"
    if status == http.client.UNSUPPORTED_MEDIA_TYPE:
        return "a body"
    return f"something else: it answers {status}"


def choose_routes(probes: Sequence[RouteProbe], most: int = 8) -> list[RouteProbe]:
    """The routes to load: each that is ready, short paths first; lists before single rows."""
    ready = [each for each in probes if each.is_ready]
    unique = {each.path: each for each in reversed(ready)}
    return sorted(unique.values(), key=lambda each: (each.path.count("/"), len(each.path)))[:most]
