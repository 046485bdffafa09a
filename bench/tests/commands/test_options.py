"""How the texts of options become filters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.commands.options import (
    MAX_CONNECTIONS,
    FailOnVerdict,
    check_id,
    filters,
    memory_bytes,
)
from springbench.errors import ConfigurationError
from springbench.plan.plan import Filters
from springbench.results.comparison import HeadLimitRecord
from springbench.results.run import LimitVerdict
from tests.comparisons import IMPROVEMENT, REGRESSION, SUSPECTED, UNCHANGED, UNDECIDED


def test_options_left_out_filter_nothing() -> None:
    assert filters(None, None, None, None) == Filters()


def test_connections_are_a_list_each_once_in_its_order() -> None:
    assert filters(None, "500, 100,500", 2, 1.5) == Filters((), (500, 100), 2, 1.5)


@pytest.mark.parametrize(
    "text", ["", "abc", "0", "-5", "1.5", "100,,200", "60001", "100;200", "²", "٣", "1_000", "+5"]
)
def test_connections_that_are_none_say_what_is_allowed(text: str) -> None:
    with pytest.raises(
        ConfigurationError, match=r"allowed: whole numbers from 1 to 60000.*100,500"
    ):
        filters(None, text, None, None)


@given(st.text())
def test_no_text_ends_in_anything_but_numbers_or_a_configuration_error(text: str) -> None:
    try:
        found = filters(None, text, None, None).connections
    except ConfigurationError:
        return
    assert all(1 <= number <= MAX_CONNECTIONS for number in found)


def limit(verdict: LimitVerdict) -> HeadLimitRecord:
    return HeadLimitRecord(
        case="app-orders-own-jvm", name="startup_s", metric="startup_s", limit=8.0, verdict=verdict
    )


@pytest.mark.parametrize(
    ("level", "codes"),
    [
        ("never", (0, 0, 0)),
        ("regression", (1, 0, 0)),
        ("suspected", (1, 6, 0)),
        ("undecided", (1, 6, 7)),
    ],
)
def test_each_verdict_has_an_exit_code_from_the_level_on(
    level: str, codes: tuple[int, ...]
) -> None:
    fail_on = FailOnVerdict(level)
    for statement, code in zip((REGRESSION, SUSPECTED, UNDECIDED), codes, strict=True):
        assert fail_on.exit_code([UNCHANGED, statement, IMPROVEMENT]) == code
    verdicts: tuple[LimitVerdict, ...] = ("broken", "undecided")
    of_limits = [fail_on.exit_code([], [limit("kept"), limit(verdict)]) for verdict in verdicts]
    assert of_limits == [codes[0], codes[2]]
    assert fail_on.exit_code([UNDECIDED, SUSPECTED, REGRESSION], [limit("undecided")]) == codes[0]
    assert fail_on.exit_code([UNCHANGED, IMPROVEMENT], [limit("kept")]) == 0


@pytest.mark.parametrize("text", ["", "..", "a/b", "-x", "a b", "x" * 101, "ü"])
def test_a_name_that_no_folder_could_have_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="no name for a run; allowed: letters"):
        check_id(text)


@pytest.mark.parametrize("text", [None, "gh-17-hello", "20261121T093000Z-quick-1a2b3c4d"])
def test_other_names_are_taken(text: str | None) -> None:
    check_id(text)


@pytest.mark.parametrize(
    ("text", "size_bytes"), [(None, None), ("64m", 64 << 20), ("512m", 512 << 20), ("2g", 2 << 30)]
)
def test_a_memory_limit_is_a_number_with_its_unit(text: str | None, size_bytes: int | None) -> None:
    assert memory_bytes(text) == size_bytes


@pytest.mark.parametrize(
    "text", ["", "1", "0g", "63m", "-1g", "1.5g", "2G", "2gb", "²g", "9999999g"]
)
def test_a_memory_limit_that_is_none_says_what_is_allowed(text: str) -> None:
    with pytest.raises(ConfigurationError, match="allowed: a whole number with m or g"):
        memory_bytes(text)


def test_rates_are_named_in_any_order_and_once() -> None:
    assert filters(None, None, None, None, "80, 50,50").rates == (50, 80)
    # as they were called before the first release
    assert filters(None, None, None, None, "four-fifths,half").rates == (50, 80)
    assert filters(None, None, None, None).rates == ()


@pytest.mark.parametrize("text", ["", "third", "50,", "0.5", "50;80", "HALF", "60"])
def test_rates_that_are_none_say_what_is_allowed(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"--rates .*allowed: 50, 80"):
        filters(None, None, None, None, text)
