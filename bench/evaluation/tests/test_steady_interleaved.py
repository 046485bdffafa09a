"""What is said of interleaved servers by what they did, and did two minutes later."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluation.steady import HOLDS
from evaluation.steady_interleaved import Interleaved, ratio_to_others, verdict
from springbench.results.records import Instability
from tests.samples import load


def round_of(*changes: float, instability: Sequence[Instability] = ()) -> list[Interleaved]:
    before = load(1000.0, steady=True)
    return [
        Interleaved(
            str(number),
            before,
            before.model_copy(
                update={"throughput_rps": 1000.0 * change, "instability": [*instability]}
            ),
        )
        for number, change in enumerate(changes)
    ]


def test_what_the_host_does_to_all_of_them_cancels() -> None:
    found = round_of(0.7, 0.71, 0.69, 0.7)
    assert [verdict(found, index) for index in range(4)] == [HOLDS] * 4
    assert found[0].ratio == pytest.approx(0.7)
    assert ratio_to_others(found, 0) == pytest.approx(1.0)


def test_a_server_that_changes_alone_does_not_hold_and_the_others_do() -> None:
    found = round_of(1.0, 0.9, 1.01, 0.99)
    assert [verdict(found, index) for index in range(4)] == [HOLDS, "does not hold", HOLDS, HOLDS]


def test_of_two_nobody_knows_which_one_changed() -> None:
    assert verdict(round_of(1.0, 0.9), 0).startswith("cannot tell")


def test_a_host_that_was_taken_later_tells_nothing() -> None:
    assert verdict(round_of(1.0, 1.0, 1.0, instability=["stolen"]), 0).startswith("cannot tell")


def test_a_window_that_was_not_called_steady_is_no_claim() -> None:
    found = round_of(1.0, 1.0, 1.0)
    restless = found[0].reported.model_copy(update={"steady": False, "instability": ["compiling"]})
    found[0] = Interleaved("0", restless, found[0].later)
    assert verdict(found, 0) == "not called steady: compiling"
