"""Numbers and texts of a history, which is to stay small. Pure."""

from __future__ import annotations

import math
from typing import overload

DIGITS = 5
LONGEST_TEXT = 160
LONGEST_NOTE = 400
LONGEST_WARNING = 1000


@overload
def round_significant(value: float) -> int | float: ...
@overload
def round_significant(value: float | None) -> int | float | None: ...
def round_significant(value: float | None) -> int | float | None:
    """Five significant digits, far below any noise; whole numbers without a point.

    What is no number becomes None: JSON has no word for it.
    """
    if value is None or not math.isfinite(value):
        return None
    rounded = float(f"{value:.{DIGITS}g}")
    return int(rounded) if rounded.is_integer() else rounded


def first_line(text: str, longest: int = LONGEST_TEXT) -> str:
    """The first line of a text, and not much of it: what a stranger wrote stays small."""
    first = next(iter(text.strip().splitlines()), "")
    return first if len(first) <= longest else first[: longest - 1] + "…"
