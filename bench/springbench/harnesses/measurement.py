"""What the files of other harnesses say, in one form: a figure of a benchmark, in base units."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from springbench.results.metrics import (
    REPORTED_BYTES,
    REPORTED_COUNT,
    REPORTED_RATE,
    REPORTED_TIME,
    Metric,
)
from springbench.untrusted import sanitise

# beyond what any harness measures, and below what breaks an axis
MOST = 1e15
_SECONDS: Mapping[str, float] = {
    "ns": 1e-9,
    "us": 1e-6,
    "µs": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "min": 60.0,
    "hr": 3600.0,
    "day": 86_400.0,
}
_BYTES: Mapping[str, float] = {"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
_PER = re.compile(r"([^/]+)/([^/]+)")


class NoResultError(ValueError):
    """Why a part of a file is no result, in words that follow its name."""


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """One figure of one benchmark. `values` are independent repetitions, in units of the metric.

    `value` is what the harness itself calls the result; `unit` is as its file has it.
    """

    benchmark: str
    figure: str
    metric: Metric
    unit: str
    value: float
    values: Sequence[float] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    configuration: str
    """How it was measured, as far as it tells series apart."""
    concurrency: int = 0
    """Threads or virtual users; 0 where the file does not tell."""
    note: str | None = None
    """What is to be known of it, as a sentence."""

    @property
    def title(self) -> str:
        """`ParseBench.parse, size=10, average time`."""
        parameters = [f"{name}={value}" for name, value in self.parameters.items()]
        return ", ".join([self.benchmark, *parameters, self.figure])


@dataclass
class Results:
    """What a file holds, and a line for each part of it that is no result."""

    found: list[Measurement] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    version: str = ""
    """Of the harness, where the file tells."""
    jdk: str = ""
    """That it ran on, where the file tells."""

    def leave_out(self, name: str, why: str) -> None:
        """Say of a part of the file why it is no result."""
        self.left_out.append(f"{sanitise(name)} is left out: {why}")


def metric_of(unit: str) -> tuple[Metric, float]:
    """What a figure in this unit is, and how many base units one of it is.

    Work in a time is better the more it is; time, bytes and counts for a piece of work are better
    the less they are. Raises `NoResultError` for a unit that tells neither.
    """
    parts = _PER.fullmatch(unit.strip())
    work, per = parts.groups() if parts else ("", "")
    if work == "ops" and per in _SECONDS:
        return REPORTED_RATE, 1 / _SECONDS[per]
    if per == "op":
        if work in _SECONDS:
            return REPORTED_TIME, _SECONDS[work]
        if work in _BYTES:
            return REPORTED_BYTES, _BYTES[work]
        if work == "#":
            return REPORTED_COUNT, 1
    raise NoResultError(
        f"its unit {sanitise(repr(unit), 40)} does not say whether more is better; allowed are "
        "work in a time (ops/s) and time, bytes or counts for a piece of work (us/op, B/op, #/op)"
    )


def number_in(document: Any, name: str) -> float:
    """A number of a document, 0 or more. Raises `NoResultError`, also for what has none there."""
    value = document.get(name) if isinstance(document, dict) else None
    if value is None:
        raise NoResultError(f"{name} is missing")
    return number(value, name)


def number(value: Any, name: str) -> float:
    """The same of a value that was found under that name."""
    if value in ("NaN", "+INF", "-INF"):
        raise NoResultError(f"{name} is {value}: it was not measured; run the benchmark again")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NoResultError(f"{name} is {sanitise(repr(value), 40)} and no number")
    if not math.isfinite(value) or not 0 <= value <= MOST:
        raise NoResultError(f"{name} is {value:g}, which is impossible; allowed: 0 to {MOST:g}")
    return float(value)


def text_in(document: Any, name: str) -> str:
    """A text of a document. Raises `NoResultError` for what has none there."""
    value = document.get(name) if isinstance(document, dict) else None
    if not isinstance(value, str) or not value.strip():
        raise NoResultError(f"{name} is missing")
    return value


def texts_in(document: Any, name: str) -> dict[str, str]:
    """Texts by name, such as parameters; none where there are none."""
    found = document.get(name) or {}
    if not isinstance(found, dict):
        raise NoResultError(f"{name} is no object")
    return {str(key): str(value) for key, value in found.items()}


def whole_number_in(document: Any, name: str, default: int = 0) -> int:
    """A whole number that names how something was measured."""
    value = document.get(name, default)
    return value if type(value) is int and 0 <= value < 10**6 else default


def numbers(values: Any) -> Iterator[float]:
    """The numbers of a list; what is none is passed over, as a value that was not taken."""
    for value in values if isinstance(values, list) else ():
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST:
            yield float(value)
