"""The one identifier of a service."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.matrix.service_name import (
    IDENTIFIER,
    MAX_LENGTH,
    identifier,
    one_service,
    service_of,
)


@given(st.text(max_size=200))
def test_it_is_safe_and_short_whatever_the_name(name: str) -> None:
    service_id = identifier(name)
    assert re.fullmatch(IDENTIFIER, service_id)
    assert len(service_id) <= MAX_LENGTH
    assert identifier(service_id) == service_id or "-" in service_id or service_id[0].isdigit()


@pytest.mark.parametrize("name", ["orders", "a", "x9", "a" * MAX_LENGTH])
def test_a_name_of_a_service_is_its_identifier(name: str) -> None:
    assert identifier(name) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a b", "a-b"),
        ("a-b", "a_b"),
        ("Orders", "orders"),
        ("ORDERS", "Orders"),
        ("a" * 41, "a" * 42),
        ("订单", "支付"),
        ("", " "),
        ("../orders", "orders"),
        ("orders\n", "orders"),
        ("a\ud800", "a\ud801"),
    ],
)
def test_unlike_names_stay_apart(one: str, other: str) -> None:
    assert identifier(one) != identifier(other)


@pytest.mark.parametrize(
    ("case", "service"),
    [
        ("app-orders-own-jvm/hello/64", "orders"),
        ("app-orders-own-jvm", "orders"),
        ("app-x", "x"),
        ("boot4-tomcat-virtual-jvm/hello/64", None),
        ("apple-orders-own-jvm/hello/64", None),
        ("app", None),
    ],
)
def test_a_case_tells_its_service(case: str, service: str | None) -> None:
    assert service_of(case) == service


def test_cases_of_several_are_of_none() -> None:
    both = ["app-orders-own-jvm/a/1", "app-payments-own-jvm/a/1"]
    assert one_service(both) is None
    assert one_service(both[:1]) == "orders"
    assert one_service([]) is None
