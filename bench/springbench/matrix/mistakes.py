"""Mistakes in a row of a TOML file, in words that fit the file and not the parser."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic_core import ErrorDetails

from springbench.matrix.fields import Row
from springbench.matrix.service_name import IDENTIFIER
from springbench.matrix.settings import SETTINGS, SettingLists
from springbench.matrix.toml_lines import Location, line_of
from springbench.untrusted import sanitise

Mistake = tuple[Location, str]

# keys that take values of two kinds, of which the parser reports each on its own
_EITHER = {
    "at_once": "a whole number from 1 on, or { per_cpu = 8, min_cpus = 2 }",
    "boots": '"newest", "all", or a list of boots',
    "ids": '"sequence", or a whole number from 1 on',
    "value": "a number, or a list of numbers",
}
_PATTERNS = {
    "^[a-z][a-z0-9]*$": "lower-case letters and digits, a letter first",
    "^[a-z][a-z0-9]*(-[a-z0-9]+)*$": "lower-case letters and digits with dashes between them, "
    "a letter first",
    "^[a-z]+(_[a-z]+)*$": "lower-case letters with underscores between them",
    "^[A-Za-z_][A-Za-z0-9_]*$": "the name of a variable: letters, digits and underscores",
    "^[1-9][0-9]{0,5}[mg]$": "a whole number with m or g, like 512m or 2g",
    r"^([1-9][0-9]{0,2}|[0-9]{1,3}\.[0-9]{1,2})$": "whole CPUs, like 2, or with a decimal point a "
    "quota, like 0.5",
    "^[1-9][0-9]?$": "a release, like 21",
    "^/[!-~]*$": "a path that begins with / and has no blanks",
    r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$": "the name of a header: letters, digits and dashes",
    r"^[ -~]*$": "printable ASCII characters, and no line break",
    r"^https?://[!-~]+$": "an address that begins with https:// and has no blanks",
    r"^[0-9]{4}(-[0-9]{2}){0,2}$": "a date as 2026-11-28, 2026-11 or 2026",
    r"^[0-9]{3}$": "three digits, like 004",
    "^(json|header|cookie):[!-~]+$": "json:access_token, header:NAME or cookie:NAME",
    rf"^(regression|improvement)-[0-9a-f]{{1,40}}(-drift)?(-of-{IDENTIFIER})?$": "an event's id, "
    "as `springbench history --all` prints it, like regression-0123456789ab",
}
_WORDS: dict[str, Callable[[dict[str, Any]], str]] = {
    "missing": lambda _: "this key is missing",
    "string_type": lambda _: "allowed: a text in quotes",
    "string_pattern_mismatch": lambda context: f"allowed: {_PATTERNS[context['pattern']]}",
    "int_type": lambda _: "allowed: a whole number",
    "bool_type": lambda _: "allowed: true or false",
    "float_type": lambda _: "allowed: a number",
    "tuple_type": lambda _: "allowed: a list, like [ ... ]",
    "dict_type": lambda _: "allowed: a table, like { key = ... }",
    "model_type": lambda _: "allowed: a table",
    "too_short": lambda _: "must not be empty",
    "string_too_short": lambda _: "must not be empty",
    "string_too_long": lambda context: f"allowed: at most {context['max_length']} characters",
    "literal_error": lambda context: f"allowed: {context['expected']}",
    "greater_than": lambda context: f"allowed: more than {context['gt']:g}",
    "greater_than_equal": lambda context: f"allowed: {context['ge']} or more",
    "less_than_equal": lambda context: f"allowed: {context['le']:g} or less",
}


def mistakes_of_rows(
    errors: Sequence[ErrorDetails], row_types: Mapping[str, type[Row]]
) -> Iterator[Mistake]:
    """Each mistake once, however many ways of reading the value the parser has tried.

    `row_types` says which keys are allowed in which table.
    """
    seen: set[Location] = set()
    for error in errors:
        location = _location(error)
        if location in seen or _is_echo(error, location, errors):
            continue
        seen.add(location)
        yield location, _words(error, location, row_types)


def _location(error: ErrorDetails) -> Location:
    """As it stands in the file, which knows nothing of the branches of a union."""
    return tuple(part for part in error["loc"] if not _is_branch(part))


def _is_branch(part: str | int) -> bool:
    return isinstance(part, str) and (
        part in ("PerCpu", "int", "float", "[key]")
        or part.startswith(("literal[", "tuple[", "constrained"))
    )


def _is_echo(error: ErrorDetails, location: Location, errors: Sequence[ErrorDetails]) -> bool:
    """Whether another mistake, further inside the same value, says it better."""
    inner = any(
        len(_location(other)) > len(location) and _location(other)[: len(location)] == location
        for other in errors
    )
    return inner and error["type"] != "extra_forbidden"


def _words(error: ErrorDetails, location: Location, row_types: Mapping[str, type[Row]]) -> str:
    if error["type"] == "extra_forbidden":
        table = ".".join(part for part in location[:-1] if isinstance(part, str))
        fields = row_types[table].model_fields
        names = [field.alias or key for key, field in fields.items()]
        return f"unknown key; allowed here: {', '.join(names)}"
    found = f"; found {_shortened(error['input'])}"
    if len(error["loc"]) > len(location) and location[-1] in _EITHER:
        return f"allowed: {_EITHER[str(location[-1])]}{found}"
    if error["type"] == "tuple_type" and len(location) == 1:
        return f"allowed: rows, each under a line [[{location[0]}]]"
    words = _WORDS.get(error["type"])
    text = words(error.get("ctx", {})) if words else error["msg"]
    return text if error["type"] in ("missing", "too_short") else f"{text}{found}"


def _shortened(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def duplicate_ids(table: str, ids: Iterable[str], key: str = "id") -> list[Mistake]:
    """A mistake for each id of a row, or another key, that an earlier row of its table has."""
    seen: set[str] = set()
    found: list[Mistake] = []
    for index, name in enumerate(ids):
        if name in seen:
            found.append(((table, index, key), f"duplicate {key} {name!r}; each {key} stands once"))
        seen.add(name)
    return found


def unknown(location: Location, names: Iterable[str], known: Iterable[str]) -> Iterator[Mistake]:
    """Those of the names that are not declared, with what is."""
    allowed = dict.fromkeys(known)
    for name in names:
        if name not in allowed:
            yield location, f"{name!r} is not declared; allowed: {', '.join(allowed)}"


def setting_mistakes(location: Location, lists: SettingLists) -> Iterator[Mistake]:
    """Values with which nothing starts."""
    for setting in SETTINGS:
        for position, text in enumerate(getattr(lists, setting.key)):
            if setting.least and setting.size(text) < setting.size(setting.least):
                message = f"{text!r} is too little; allowed: {setting.least} and more"
                yield (*location, setting.key, position), message


def located(name: str, text: str, location: Location, message: str) -> str:
    """A mistake with the file, the line and the key that it stands at."""
    line = line_of(text, location)
    where = f"{name}:{line}" if line else name
    key = ".".join(sanitise(part) if isinstance(part, str) else f"[{part}]" for part in location)
    return f"{where}: {key.replace('.[', '[')}: {message}"


# --- Places in braces that a template of `matrix.toml` may hold -----------------------------------


BUILD_PLACES = ("boot", "server")
START_PLACES = (
    "java",
    "artifact",
    "port",
    "memory_limit_bytes",
    "heap_bytes",
    "image_heap_bytes",
    "server_cpus",
    "gc_log",
    "prepared",
    "jar_name",
    "temporary_folder",
)
PREPARE_PLACES = (*START_PLACES, "maven", "module", "image")
TRAIN_END_PLACES = ("jcmd", "pid", "prepared")
# each stands alone as a whole word of the command: it becomes one word for each property
SYSTEM_PROPERTIES_PLACE = "{system_properties}"
PROPERTIES_PLACE = "{properties}"
PROPERTY_PLACES = ("connections",)
PROTOCOL_PLACES = ("key_store", "key_store_password")


def wrong_places(location: Location, template: str, allowed: Iterable[str]) -> Iterator[Mistake]:
    """A mistake for each name in braces that is not allowed there."""
    names = ", ".join(f"{{{name}}}" for name in allowed)
    try:
        found = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    except ValueError as error:
        yield location, f"{error}; allowed: {names}, and {{{{ or }}}} for a brace itself"
        return
    for name in found:
        if name not in allowed:
            yield location, f"{{{name}}} is no place to fill in; allowed: {names}"
