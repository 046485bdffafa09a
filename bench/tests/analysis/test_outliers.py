"""Forks far from the others are named."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.warnings import outliers


def test_the_odd_one_is_named() -> None:
    assert outliers([100.0, 101.0, 99.0, 52.0, 100.5]) == [3]


def test_too_few_forks_cannot_tell_who_is_odd() -> None:
    assert outliers([100.0, 10.0, 100.0]) == []


@given(st.lists(st.floats(1, 1e6), max_size=20))
def test_never_more_than_half_are_odd(values: list[float]) -> None:
    assert len(outliers(values)) <= len(values) / 2
