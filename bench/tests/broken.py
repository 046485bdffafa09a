"""Files that somebody has damaged, by chance or on purpose."""

from __future__ import annotations

import copy
import json
import zlib
from typing import Any

from hypothesis import strategies as st

HOSTILE = "\x1b[31m\u202e\n::set-output name=a::b\r##[error]c\ud800"
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 7, 10**30, 0.5, 1e300, float("inf"), float("nan")),
    *("", "../../x", "a/b", "x" * 10_000, "é", HOSTILE, "1970-01-01T00:00:00Z", "yesterday"),
    *([], {}, [[]], {"": 0}, [0] * 9),
)


def bomb() -> bytes:
    """The packed form of a GiB of zeros, without packing a GiB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    first, other = (
        packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2)
    )
    return first + 1023 * other


@st.composite
def damaged(draw: st.DrawFn, document: Any) -> bytes:
    """The document with something else in one or two places, or its text cut or changed."""
    changed = copy.deepcopy(document)
    for _ in range(draw(st.integers(0, 2))):
        locations = list(_locations(changed))
        where, key = locations[draw(st.integers(0, len(locations) - 1))]
        how = draw(st.sampled_from(["set", "set", "set", "remove", "double"]))
        if how == "set":
            where[key] = copy.deepcopy(draw(st.sampled_from(VALUES)))
        elif how == "double" and isinstance(where, list):
            where.append(where[key])
        else:
            del where[key]
        if not changed:
            break
    text = json.dumps(changed).encode("utf-8", "surrogatepass")
    how = draw(st.sampled_from(["whole", "whole", "whole", "cut", "changed"]))
    position = draw(st.integers(0, len(text)))
    if how == "cut":
        return text[:position]
    if how == "changed":
        return text[:position] + draw(st.binary(max_size=3)) + text[position + 1 :]
    return text


def _locations(document: Any) -> Any:
    """Where something stands: what holds it, and its key there."""
    stack = [document]
    while stack:
        container = stack.pop()
        keys = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            yield container, key
            if isinstance(container[key], dict | list):
                stack.append(container[key])
