"""How exact a published number is."""

from __future__ import annotations

import math
from typing import overload

DIGITS = 5


@overload
def short(value: float) -> int | float: ...
@overload
def short(value: float | None) -> int | float | None: ...
def short(value: float | None) -> int | float | None:
    """Five significant digits, far below any noise; whole numbers without a point.

    What is no number becomes None: JSON has no word for it.
    """
    if value is None or not math.isfinite(value):
        return None
    rounded = float(f"{value:.{DIGITS}g}")
    return int(rounded) if rounded.is_integer() else rounded
