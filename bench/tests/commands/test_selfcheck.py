"""When `springbench selfcheck` is content with what it saw."""

from __future__ import annotations

import pytest

from springbench.commands.selfcheck import measure_each, passed
from springbench.errors import CaseError
from springbench.measure.selfcheck import Checked, Target


@pytest.mark.parametrize(
    ("measured", "counted", "second", "fine"),
    [
        (1000.0, 1000.0, None, True),
        (1004.9, 1000.0, None, True),
        (994.9, 1000.0, None, False),
        # a generator that is late asks less, and what it asks is counted all the same
        (995.1, 995.1, None, True),
        (994.9, 994.9, None, False),
        # a harness that agrees with physics and with nobody else
        (1000.0, 1000.0, 985.0, True),
        (1000.0, 1000.0, 979.0, False),
        (1000.0, 1000.0, 1021.0, False),
    ],
)
def test_a_target_is_off_beyond_what_is_promised_or_without_agreement(
    measured: float, counted: float, second: float | None, fine: bool
) -> None:
    assert passed(Checked(Target(1000, 1000), measured, counted, second, 0.0, 0.0, None)) is fine


@pytest.mark.parametrize(("measured", "fine"), [(981.0, True), (979.0, False)])
def test_h2load_may_be_later_than_wrk(measured: float, *, fine: bool) -> None:
    target = Target(1000, 1000, generator="h2load")
    assert passed(Checked(target, measured, measured, None, 0.0, 0.0, None)) is fine
    # but not count otherwise
    assert not passed(Checked(target, 981.0, 987.0, None, 0.0, 0.0, None))


@pytest.mark.parametrize(
    ("slowest_s", "fine"),
    [(0.20, True), (0.22, True), (0.19, True), (0.17, False), (0.25, False), (None, False)],
)
def test_a_stall_must_stand_in_the_slowest_answer(slowest_s: float | None, fine: bool) -> None:
    target = Target(20, 100, generator="h2load", stall_s=0.2)
    # its rate is another one, and says nothing
    checked = Checked(
        target, 4000.0, 4000.0, None, 0.0, 0.0, None, stalled_s=0.2, slowest_s=slowest_s
    )
    assert passed(checked) is fine


def test_a_target_that_fails_loses_no_other() -> None:
    targets = [Target(100, connections) for connections in (100, 1000, 3000)]

    def measure(target: Target) -> int:
        if target.connections == 1000:
            raise CaseError("the target did not say what it answered")
        return target.connections

    failures: dict[str, str] = {}
    assert measure_each(targets, measure, 2.0, failures) == [100, 3000]
    assert failures == {
        "1000 connections at 100 ms": "the target did not say what it answered",
    }
