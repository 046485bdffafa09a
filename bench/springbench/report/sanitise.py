"""Words of others, such as the last lines of a server, made harmless before they are shown."""

from __future__ import annotations

import re

# what moves a cursor, rings, colours, breaks a line, or turns the direction of writing
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")


def one_line(text: str) -> str:
    """The text on one line, without anything that a terminal would obey."""
    return _CONTROLS.sub(" ", text)


def clipped(text: str, limit: int) -> str:
    """At most `limit` characters of the text; an ellipsis says that there was more."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
