"""Numbers become words at the edge, and no number is too odd for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench import units

FORMATTERS: list[Callable[[float], str]] = [
    units.rate,
    units.share,
    units.milliseconds,
    units.microseconds,
    units.kibibytes,
    units.megabytes,
    units.seconds,
    units.duration,
]


@given(st.sampled_from(FORMATTERS), st.floats())
def test_no_number_raises(formatter: Callable[[float], str], value: float) -> None:
    assert formatter(value)


@pytest.mark.parametrize("formatter", FORMATTERS[:-1])
def test_what_was_not_taken_is_a_dash_and_not_zero(
    formatter: Callable[[float | None], str],
) -> None:
    assert formatter(None) == units.ABSENT


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (units.rate(0), "0.0"),
        (units.rate(199.54), "199.5"),
        (units.rate(999.97), "1,000"),
        (units.rate(48812.4), "48,812"),
        (units.share(0.9821), "98.2 %"),
        (units.share(0.98, 0), "98 %"),
        (units.milliseconds(0.00124), "1.24 ms"),
        (units.milliseconds(0.099999), "100 ms"),
        (units.milliseconds(1.0031), "1,003 ms"),
        (units.microseconds(0.0000208), "21 µs"),
        (units.kibibytes(13_517), "13.2 KiB"),
        (units.kibibytes(102_380), "100 KiB"),
        (units.megabytes(412 << 20), "412 MiB"),
        (units.seconds(2.314), "2.31 s"),
        (units.seconds(9.996), "10.0 s"),
        (units.seconds(211.42), "211 s"),
        (units.duration(44.6), "45 s"),
        (units.duration(59.6), "1 min 00 s"),
        (units.duration(425), "7 min 05 s"),
        (units.duration(3599.7), "1 h 00 min"),
        (units.duration(7800), "2 h 10 min"),
    ],
)
def test_units_stand_beside_the_number(text: str, shown: str) -> None:
    assert text == shown
