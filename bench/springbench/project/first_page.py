"""What a program's first page leads to, where nothing else tells its routes. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

_MOST_LINKS = 30
_ANCHOR = re.compile(r"""<a\s[^>]*?href=["']([^"'#?\s]+)""", re.IGNORECASE)
# as viewers of such documents have it
_DOCUMENT = re.compile(
    r"""["']((?:https?://[^"'\s]*?)?/?[\w./-]*(?:openapi|swagger|api-?docs?|apispec|spec)[\w./-]*)["']""",
    re.IGNORECASE,
)
_NO_DOCUMENT = re.compile(r"\.(?:js|css|png|ico|svg|html?|map)$")


def documents_in(page: str) -> list[str]:
    """Paths that may have an OpenAPI document, as a page that shows one has them."""
    paths = (_path(match) for match in _DOCUMENT.findall(page))
    return [path for path in dict.fromkeys(paths) if path and not _NO_DOCUMENT.search(path)][:5]


def links_in(page: str, port: int) -> list[str]:
    """Paths of this program to which a page links: by its anchors, or an index in JSON."""
    try:
        targets = list(_texts_in(json.loads(page)))
    except (ValueError, RecursionError):
        targets = _ANCHOR.findall(page)
    return list(dict.fromkeys(filter(None, (_own_path(target, port) for target in targets))))[
        :_MOST_LINKS
    ]


def _texts_in(document: Any) -> Iterator[str]:
    """Texts of an object, and of objects in it."""
    for value in document.values() if isinstance(document, dict) else ():
        if isinstance(value, str):
            yield value
        else:
            yield from _texts_in(value)


def _own_path(target: str, port: int) -> str:
    """The path of a link into the same program; empty for another."""
    try:
        parts = urlsplit(target)
        is_own = (not parts.scheme and not parts.netloc) or parts.port == port
    except ValueError:
        return ""
    return parts.path if is_own and parts.path.startswith("/") and not parts.query else ""


def _path(target: str) -> str:
    path = urlsplit(target).path
    return path if path.startswith("/") else f"/{path}"
