"""Lines of the keys of a TOML file: the standard parser keeps no line numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

Location = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([\w.-]+)\s*\]")
# a row of a list of inline tables, which stands on a line of its own
_INLINE = re.compile(r"^\s+\{ ")
_KEY = re.compile(r"^\s*([\w-]+)\s*=")


def line_index(text: str) -> dict[Location, int]:
    """Line number (from 1) of every table header and of every bare key under it."""
    lines: dict[Location, int] = {}
    counts: dict[str, int] = {}
    location: Location = ()
    listed, rows = "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            name = header.group(2)
            if header.group(1) == "[[":
                counts[name] = counts.get(name, -1) + 1
                for deeper in [key for key in counts if key.startswith(f"{name}.")]:
                    del counts[deeper]
            location = _location(name.split("."), counts)
            lines[location] = number
        elif key := _KEY.match(line):
            lines.setdefault((*location, key.group(1)), number)
            listed, rows = key.group(1), 0
        elif _INLINE.match(line):
            lines[(*location, listed, rows)] = number
            rows += 1
    return lines


def line_of(text: str, location: Sequence[str | int]) -> int | None:
    """The line of `location`, or of the nearest thing around it that has one."""
    return nearest(line_index(text), location)


def nearest(lines: Mapping[Location, int], location: Sequence[str | int]) -> int | None:
    """The same in a file whose lines are known."""
    for length in range(len(location), 0, -1):
        if (found := lines.get(tuple(location[:length]))) is not None:
            return found
    return None


def _location(parts: Sequence[str], counts: dict[str, int]) -> Location:
    location: list[str | int] = []
    for depth, part in enumerate(parts):
        location.append(part)
        if (count := counts.get(".".join(parts[: depth + 1]))) is not None:
            location.append(count)
    return tuple(location)
