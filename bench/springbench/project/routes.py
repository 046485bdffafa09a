"""Routes of an application that answer GET, as far as its sources tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_SOURCES = ("src/main/java/**/*.java", "src/main/kotlin/**/*.kt")
_MOST_FILES = 2000
_STRING = r'\(\s*(?:(?:value|path)\s*=\s*)?[\[{(]?\s*"(?P<path>[^"$]*)"'
_CLASS = re.compile(rf"@RequestMapping{_STRING}[^)]*\)(?=(?:(?!@\w+Mapping)[^;}}])*?\bclass\b)")
_METHOD = re.compile(rf"@GetMapping(?:{_STRING}|\b)")
_CONTROLLER = re.compile(r"@(?:Rest)?Controller\b")


def routes_of(folder: Path) -> list[str]:
    """Those without variables first, short ones before long ones. None of them is tried."""
    files = [file for pattern in _SOURCES for file in sorted(folder.glob(pattern))]
    found = {route for file in files[:_MOST_FILES] for route in _routes_in(file)}
    return sorted(found, key=lambda route: ("{" in route, len(route), route))


def _routes_in(file: Path) -> Iterator[str]:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    if not _CONTROLLER.search(text):
        return
    of_class = _CLASS.search(text)
    base = of_class["path"] if of_class else ""
    for method in _METHOD.finditer(text):
        path = "/".join(part.strip("/") for part in (base, method["path"] or "") if part.strip("/"))
        yield f"/{path}"
