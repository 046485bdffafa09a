"""Files and words of others: bounded before they are read, harmless before they are shown.

Every file that another job, an artifact or a branch brings is read by these. What is wrong with one
is said in a few words without a control character, and costs neither time nor memory.
"""

from __future__ import annotations

import errno
import math
import os
import re
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

M = TypeVar("M", bound=BaseModel)
MAX_BYTES = 64 << 20
"""A run of every case there is takes a quarter of it."""
MAX_VALUES = 4_000_000
"""Of a document: each takes up to a hundred bytes of memory once it is read."""
MAX_INTEGER = 2**63 - 1
# a number that may have more than 64 bits, or be without end; never the id of a commit, in which
# digits may lie around an e
_LONG_NUMBER = re.compile(rb"(?:^|[:,\[\s])-?(?:[0-9]{17}|[0-9.]+[eE]\+?[0-9]{3})")
# what each of them has once all digits are zeros: found four times as fast in a long document
_ZEROS = bytes.maketrans(b"123456789E", b"000000000e")
_HINTS = (b"0" * 17, b"0e")
_SHOWN = 120
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


def read_file(file: Path, limit_bytes: int = MAX_BYTES) -> bytes:
    """The content of a regular file.

    Raises `OSError`, whose `strerror` says why: also for links, pipes, devices and folders, none of
    which are opened, and for what is longer than the limit.
    """
    found = os.lstat(file)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(file))
    too_long = OSError(errno.EFBIG, f"longer than {limit_bytes >> 20} MiB", str(file))
    if found.st_size > limit_bytes:
        raise too_long
    # what took its place meanwhile is neither followed nor waited for
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as stream:
        data = stream.read(limit_bytes + 1)
    if len(data) > limit_bytes:
        raise too_long
    return data


def unpack(data: bytes, limit_bytes: int = MAX_BYTES) -> bytes:
    """The content of gzip or zlib data. Raises `OSError` for what is damaged, or is too long."""
    stream = zlib.decompressobj(_GZIP_OR_ZLIB)
    try:
        found = stream.decompress(data, limit_bytes + 1)
    except zlib.error as error:
        raise OSError(errno.EINVAL, f"not gzip data ({error})") from error
    if len(found) > limit_bytes:
        raise OSError(errno.EFBIG, f"longer than {limit_bytes >> 20} MiB when unpacked")
    if not stream.eof or stream.unused_data:
        wrong = "something follows its end" if stream.eof else "it was cut short"
        raise OSError(errno.EINVAL, f"not gzip data ({wrong})")
    return found


def parse_json(data: bytes | str) -> Any:
    """The document in a text. Raises `ValueError` that says what is wrong with it, in one line.

    Also for what JSON allows and nothing here can use: nesting without end, integers of more than
    64 bits, numbers that are infinite, halves of a surrogate pair.
    """
    try:
        raw = data.encode() if isinstance(data, str) else data
        if _has_too_many_values(raw):
            raise ValueError(f"more than {MAX_VALUES:,} values")  # noqa: TRY301
        document = from_json(raw, allow_inf_nan=False)
    except ValueError as error:
        raise ValueError(sanitise(str(error))) from error
    for value in _numbers(document):
        if isinstance(value, int) and abs(value) > MAX_INTEGER:
            raise ValueError("an integer of more than 64 bits")
        if not math.isfinite(value):
            raise ValueError("a number without end")
    return document


def parse_model(data: bytes | str, model: type[M], *, strict: bool = False) -> M:
    """What a text says, as far as the model has it. Raises `ValueError` that says in one line what
    is wrong with it.

    A long history is read at each publish: where no number or text can be one that nothing here
    can use, the model's own reader of JSON is enough.
    """
    try:
        raw = data.encode() if isinstance(data, str) else data
        if _is_doubtful(raw):
            parse_json(raw)
        return model.model_validate_json(raw, strict=strict)
    except ValidationError as error:
        mistake = first_mistake(error)
    except ValueError as error:
        raise ValueError(f"not valid JSON ({error})") from error
    try:
        parse_json(raw)
    except ValueError as error:
        raise ValueError(f"not valid JSON ({error})") from error
    raise ValueError(mistake)


def _is_doubtful(raw: bytes) -> bool:
    """Whether a document may be one that `parse_json` refuses and a reader of JSON does not."""
    return (
        any(words in raw for words in (b"NaN", b"Infinity", b"\\u"))
        or _has_too_many_values(raw)
        or _has_long_number(raw)
    )


def _has_too_many_values(raw: bytes) -> bool:
    return len(raw) > MAX_VALUES and sum(map(raw.count, (b"[", b"{", b","))) > MAX_VALUES


def _has_long_number(raw: bytes) -> bool:
    zeros = raw.translate(_ZEROS)
    return any(hint in zeros for hint in _HINTS) and _LONG_NUMBER.search(raw) is not None


def _numbers(document: Any) -> Iterator[int | float]:
    values = [document]
    while values:
        value = values.pop()
        kind = type(value)
        if kind is dict:
            values.extend(value.values())
        elif kind is list:
            values.extend(value)
        elif kind is int or kind is float:
            yield value


def first_mistake(error: ValidationError) -> str:
    """The first thing that is wrong with a document: where, and what, in one line."""
    first = error.errors(include_url=False, include_input=False)[0]
    where, what = ".".join(map(str, first["loc"])), sanitise(first["msg"])
    return f"{sanitise(where)}: {what}" if where else what


def one_line(text: str) -> str:
    """The text on one line, without what a terminal or a workflow would obey, or turn round."""
    if not text.isprintable():
        # runs of what cannot be printed become one blank
        text = re.sub(r"\n+", " ", "".join(c if c.isprintable() else "\n" for c in text))
    # GitHub takes `##[` anywhere in a line for a command, and `::` where a line begins with it
    return re.sub(r"^\s*::", ": :", text.replace("##[", "# ["))


def clipped(text: str, limit: int) -> str:
    """At most `limit` characters of the text; an ellipsis says that there was more."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def sanitise(text: str, limit: int = _SHOWN) -> str:
    """A stranger's words in a message, on one line and not many of them."""
    return one_line(clipped(text, limit))
