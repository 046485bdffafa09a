"""Requests as templates: text with placeholders, and what counts as success. Pure.

Placeholders: `{random:1:5000}` is another number of that range each time, `{n}` a number that no
other request of the route to the same process has, `{row:NAME}` a column of the next row of a CSV
file, `{token}` what the login gave, `{env:NAME}` a variable of whoever measures. `{{n}}` is the
text `{n}`. What is in braces and looks like none of these is text: JSON stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import quote, quote_plus

Escape = Literal["none", "json", "form", "path"]
"""How a value is written where it stands, so that no value breaks what is around it."""
PLACEHOLDERS = "{random:A:B}, {n}, {row:NAME}, {token}, {env:NAME}"
# surrogates carry the bytes of a body that is no text
ENCODING, ERRORS = "utf-8", "surrogateescape"
# of a row of the table, where a workload has ids
ID_PLACE = "{id}"
_MARK = re.compile(r"\{\{([A-Za-z_][^{}\s\"']*)\}\}|\{([A-Za-z_][^{}\s\"']*)\}")
_RANDOM = re.compile(r"random:(-?[0-9]{1,15}):(-?[0-9]{1,15})")
_BREAKS_JSON = re.compile(r'[\\"\x00-\x1f]')
_NAME = re.compile(r"(env|row):(.+)")


class TemplateError(ValueError):
    """A placeholder that there is not; the message is a clause."""


@dataclass(frozen=True)
class Random:
    """An integer of a range, both ends included."""

    least: int
    most: int

    @property
    def mean_length(self) -> float:
        """Of its decimal digits and sign, over the whole range."""
        total = _characters_to(self.most) - _characters_to(self.least - 1)
        return total / (self.most - self.least + 1)


@dataclass(frozen=True)
class Number:
    """The number of the request."""


@dataclass(frozen=True)
class Column:
    """A column of the row of the request."""

    name: str


@dataclass(frozen=True)
class Secret:
    """The token of the login, or a variable of the environment: known when a process is up."""

    variable: str | None = None


Part = str | Random | Number | Column | Secret
Text = tuple[Part, ...]
Rows = tuple[Mapping[str, str], ...]


def parse(text: str) -> Text:
    """The parts of a text. Raises `TemplateError` for an unknown placeholder."""
    parts: list[Part] = []
    end = 0
    for found in _MARK.finditer(text):
        parts.append(text[end : found.start()])
        parts.append(f"{{{found[1]}}}" if found[1] else _placeholder(found[2]))
        end = found.end()
    return merge(*parts, text[end:])


def merge(*parts: Part) -> Text:
    """The same parts, with neighbouring texts as one."""
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return tuple(merged)


def _placeholder(name: str) -> Part:
    if name == "n":
        return Number()
    if name == "token":
        return Secret()
    if found := _RANDOM.fullmatch(name):
        least, most = int(found[1]), int(found[2])
        if least > most:
            raise TemplateError(f"{{{name}}}: the smaller number comes first")
        return Random(least, most)
    if found := _NAME.fullmatch(name):
        return Secret(found[2]) if found[1] == "env" else Column(found[2])
    raise TemplateError(
        f"{{{name}}} is no placeholder; allowed: {PLACEHOLDERS}, and {{{{{name}}}}} for that text"
    )


def _characters_to(number: int) -> int:
    """Characters of all integers from 0 to `number`; less those from `number + 1` to -1 below 0.

    Only differences of it mean something.
    """
    if number < 0:
        # -1 to number + 1, each with its sign
        count = -number - 1
        return -(_digits_to(count) + count)
    return 1 + _digits_to(number)


def _digits_to(number: int) -> int:
    """Digits of all integers from 1 to `number`."""
    # as many numbers have a further digit as are not below it
    return sum(number - 10**power + 1 for power in range(len(str(number)))) if number else 0


# redirections too: a form answers so
SUCCESSES = range(200, 400)


@dataclass(frozen=True)
class RequestTemplate:
    """One request of a load, with places to fill in, and what its answers must be.

    A weight is relative to those of the other requests of a mix. `contains` and `json_path` are
    what a body of each of a sample of answers must hold. Equal ones ask for the same.
    """

    name: str = field(compare=False)
    path: Text
    method: str = "GET"
    headers: tuple[tuple[str, Text], ...] = ()
    body: Text | None = None
    escape: Escape = "none"
    """Of values in the body."""
    rows: Rows = ()
    status: int = field(default=200, compare=False)
    any_success: bool = field(default=False, compare=False)
    """Whether each status from 200 to 399 is one that it may have."""
    contains: str | None = field(default=None, compare=False)
    json_path: str | None = field(default=None, compare=False)
    weight: int = 1
    is_private: bool = False
    """Whether secrets are filled in: then nothing of it may stand where others read it."""

    def __hash__(self) -> int:
        return hash((self.method, self.path, self.headers, self.body, self.weight))

    @property
    def title(self) -> str:
        """Method and path, as a message has them: nothing is filled in."""
        return f"{self.method} {written(self.path)}"

    def accepts(self, status: int) -> bool:
        """Whether that is a status that its answers may have."""
        return status in SUCCESSES if self.any_success else status == self.status

    @property
    def is_plain(self) -> bool:
        """Whether it is a GET without a header, the same each time, and no secret."""
        varies = self.is_private or not all(isinstance(part, str) for part in self.path)
        return self.method == "GET" and not self.headers and self.body is None and not varies

    @property
    def parts(self) -> Text:
        """All of it, in no order."""
        values = [part for _, value in self.headers for part in value]
        return (*self.path, *values, *(self.body or ()))

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """What it cannot be sent without."""
        return tuple(part for part in self.parts if isinstance(part, Secret))

    def filled(self, secret: Callable[[Secret], str]) -> RequestTemplate:
        """The same with its secrets filled in."""

        def fill(text: Text, escape: Escape) -> Text:
            return merge(
                *(
                    escaped(secret(part), escape) if isinstance(part, Secret) else part
                    for part in text
                )
            )

        return replace(
            self,
            path=fill(self.path, "path"),
            headers=tuple((name, fill(value, "none")) for name, value in self.headers),
            body=None if self.body is None else fill(self.body, self.escape),
            is_private=True,
        )

    def values(self, part: Part, row: int, escape: Escape) -> str | None:
        """The text of a column in a row, or of a text; None for what varies otherwise."""
        if isinstance(part, str):
            return part
        if isinstance(part, Column):
            return escaped(self.rows[row % len(self.rows)][part.name], escape)
        return None


def get(path: str) -> RequestTemplate:
    """A plain GET."""
    return RequestTemplate(name=path, path=(path,))


def escaped(value: str, escape: Escape) -> str:
    """A value as it is written where it stands."""
    if escape == "json":
        return _BREAKS_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", value)
    if escape == "form":
        return quote_plus(value)
    return quote(value, safe="") if escape == "path" else value


def written(text: Text) -> str:
    """The text as a file has it."""
    return "".join(map(_written, text))


def _written(part: Part) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Random):
        return f"{{random:{part.least}:{part.most}}}"
    if isinstance(part, Column):
        return f"{{row:{part.name}}}"
    if isinstance(part, Secret):
        return f"{{env:{part.variable}}}" if part.variable else "{token}"
    return "{n}"
