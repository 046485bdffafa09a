"""Base units inside, formatted at the edge: the only place that turns numbers into words."""

from __future__ import annotations

import math
from collections.abc import Callable

ABSENT = "–"
_MOST_DIGITS = 6


def rate(value_rps: float | None) -> str:
    """Requests per second, with separators from 1,000 on: `48,812`, `199.5`."""
    if value_rps is None:
        return ABSENT
    return f"{value_rps:,.0f}" if round(value_rps, 1) >= 1000 else f"{value_rps:.1f}"


def share(ratio: float | None, digits: int = 1) -> str:
    """A ratio as a percentage: `98.2 %`."""
    return ABSENT if ratio is None else f"{100 * ratio:.{digits}f} %"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number of things: `1 case`, `2 cases`."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def apart(
    words: Callable[[float, int], str], value: float, limit: float, digits: int = 0
) -> tuple[str, str]:
    """A figure and the limit that it is on one side of, with as many digits as tell the two apart.

    `words` says a figure with so many digits.
    """
    while (text := words(value, digits)) == words(limit, digits) and digits < _MOST_DIGITS:
        digits += 1
    return text, words(limit, digits)


def milliseconds(value_s: float | None) -> str:
    """A latency: `1.24 ms`, `1,003 ms`."""
    if value_s is None:
        return ABSENT
    value_ms = value_s * 1000
    return f"{value_ms:,.0f} ms" if round(value_ms, 2) >= 100 else f"{value_ms:.2f} ms"


def microseconds(value_s: float | None) -> str:
    """A cost: `21 µs`."""
    return ABSENT if value_s is None else f"{value_s * 1e6:,.0f} µs"


def short_time(value_s: float) -> str:
    """A time of less than a call of the kernel takes, with three digits: `7.45 µs`, `12.3 ns`."""
    unit, factor = ("µs", 1e6) if value_s >= 1e-6 else ("ns", 1e9)
    return f"{value_s * factor:.3g} {unit}"


def size(value_bytes: float) -> str:
    """Bytes with digits enough to compare two: `24 B`, `13.2 KiB`, `1.91 MiB`, `412 MiB`."""
    if value_bytes < 1024:
        return f"{value_bytes:.4g} B"
    if value_bytes < 1 << 20:
        return kibibytes(value_bytes)
    return f"{_three_digits(value_bytes / (1 << 20))} MiB"


def _three_digits(value: float) -> str:
    digits = next((digits for digits in (2, 1) if round(value, digits) < 10 ** (3 - digits)), 0)
    return f"{value:,.{digits}f}"


def kibibytes(value_bytes: float | None) -> str:
    """Bytes that one request or connection takes: `13.2 KiB`, `113 KiB`."""
    if value_bytes is None:
        return ABSENT
    value_kib = value_bytes / 1024
    return f"{value_kib:,.0f} KiB" if round(value_kib, 1) >= 100 else f"{value_kib:.1f} KiB"


def megabytes(value_bytes: float | None) -> str:
    """Memory in MiB: `412 MiB`."""
    return ABSENT if value_bytes is None else f"{value_bytes / (1 << 20):,.0f} MiB"


def memory_limit(value_bytes: int) -> str:
    """A limit as people set it: `1 GiB`, `1.5 GiB`, `512 MiB`."""
    gib = value_bytes / (1 << 30)
    return f"{gib:g} GiB" if gib >= 1 else f"{value_bytes / (1 << 20):g} MiB"


def seconds(value_s: float | None) -> str:
    """A time with three digits: `2.31 s`, `50.6 s`, `211 s`."""
    return ABSENT if value_s is None else f"{_three_digits(value_s)} s"


def duration(value_s: float) -> str:
    """A long time: `45 s`, `7 min 05 s`, `2 h 10 min`."""
    if not math.isfinite(value_s):
        return ABSENT
    # half a second upwards: to the even one two seconds of a countdown would look alike
    whole_s = math.floor(value_s + 0.5)
    if whole_s < 60:
        return f"{whole_s} s"
    if whole_s < 3600:
        return f"{whole_s // 60} min {whole_s % 60:02d} s"
    return f"{whole_s // 3600} h {whole_s % 3600 // 60:02d} min"
